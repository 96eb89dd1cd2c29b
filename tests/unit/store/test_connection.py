"""What a connection keeps between two transactions."""

from pathlib import Path

from mindpipe.store.sqlite import connect


def test_many_different_statements_are_compiled_once(tmp_path: Path) -> None:
    connection = connect(tmp_path / "mind.db", create=True)
    for _ in range(2):
        for number in range(400):
            connection.execute(f"SELECT {number}").fetchall()
    stats = connection.cache_stats()
    connection.close()
    assert stats["hits"] >= 400
