"""A life as it was after a cycle is the life that was there then."""

from pathlib import Path

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.life.tables import lives as tables
from mindpipe.life.verbs.rows import carried
from mindpipe.store.scratch import scratch_store
from support.full_lives import FullLife
from support.life import AGENT


@pytest.mark.heavy
def test_after_every_cycle_it_is_as_it_was(tmp_path: Path) -> None:
    life = FullLife(tmp_path / "life")
    then = {}
    for cycle in range(1, 14):
        life.day(listen=lambda cycle=cycle: then.update({cycle: life.rows_of()}))
    assert len(then) == 13
    for cycle, rows in then.items():
        assert life.rows_of(cycle=cycle) == rows, cycle


def test_every_table_goes_along_or_stays() -> None:
    with scratch_store().read() as rows:
        made = set(
            rows.all(
                str,
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                "AND name NOT LIKE 'sqlite%'",
            )
        )
    assert made == {table.name for table in tables.TABLES} | tables.STAYS
    assert not {table.name for table in tables.TABLES} & tables.STAYS


def test_an_open_cycle_is_not_said_to_be_known(tmp_path: Path) -> None:
    life = FullLife(tmp_path / "life")
    life.day()
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE cycle SET state = 'open'")
        rows.run("UPDATE cycle SET cycle = 2")
        rows.run("UPDATE cycle_change SET cycle = 1")
        with pytest.raises(UsageError, match="it is for cycles 1 to 1"):
            list(carried(rows, agent=AGENT, cycle=2))


def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    life = FullLife(tmp_path / "life")
    life.day()
    with life.open() as store, store.read() as rows:
        with pytest.raises(UsageError, match="after cycle 9 is not known; it is for cycles 1 to 1"):
            list(carried(rows, agent=AGENT, cycle=9))
        with pytest.raises(UsageError, match="none has ended"):
            list(carried(rows, agent="nobody", cycle=1))
