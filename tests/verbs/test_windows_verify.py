"""Changes of windows that are not what was written are found, each by what is wrong with it."""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.verbs import compact, verify
from mindpipe.compaction.verbs.material import tokens_of
from mindpipe.core.models import TextReply
from mindpipe.history.verbs.log import Counted
from support.histories import conversation, user
from support.life import AGENT
from support.windows import Long

Change = Callable[[apsw.Connection], object]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Long:
    """Return a life whose window was folded twice."""
    made = Long(tmp_path_factory.mktemp("lived") / "life", 8)
    made.fold(keep_cycles=4)
    made.fold(keep_cycles=2)
    return made


@pytest.fixture
def life(lived: Long, tmp_path: Path) -> Long:
    """Return that life for one test."""
    return lived.copied(tmp_path / "life")


def found(life: Long) -> list[tuple[str, int, str]]:
    with life.open() as store:
        rows = list(verify.broken(store, agent=AGENT))
    return [(one.table, one.number, one.what) for one in rows]


def write(life: Long, sql: str) -> None:
    """Change the file as somebody does who can drop triggers."""
    connection = apsw.Connection(str(life.path))
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type='trigger'"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(sql)
    connection.close()


@pytest.mark.parametrize(
    ("sql", "wrong"),
    [
        ("SELECT 1", []),
        (
            "UPDATE blob SET octets = x'00' "
            "WHERE sha256 = (SELECT window FROM compaction WHERE number = 1)",
            [("compaction", 1, "the bytes of its window are not what was kept")],
        ),
        (
            "UPDATE segment SET reason = 'undo' WHERE segment = 3",
            [("compaction", 2, "its segment was not opened for it")],
        ),
        (
            "UPDATE segment SET opened = '2020-01-01T00:00:00.000Z' WHERE segment = 3",
            [("compaction", 2, "its segment was not opened for it")],
        ),
        (
            "DELETE FROM segment WHERE segment = 3",
            [("compaction", 2, "its segment is gone")],
        ),
        (
            "DELETE FROM compaction WHERE number = 2",
            [("segment", 3, "the change of the window that it was opened for is gone")],
        ),
        (
            "UPDATE compaction SET tokens_after = tokens_after - 1 WHERE number = 2",
            [("compaction", 2, "it is not what its window and the changes before it say")],
        ),
    ],
)
def test_what_is_wrong_with_a_change_is_named(
    life: Long, sql: str, wrong: list[tuple[str, int, str]]
) -> None:
    write(life, sql)
    assert found(life) == wrong


def test_a_count_by_another_tokenizer_carries_a_margin() -> None:
    (message,) = conversation(user("Hello.")).messages
    counted = Counted(message, 101, "words")
    assert tokens_of(counted, tokenizer="words") == 101
    assert tokens_of(counted, tokenizer="letters") == 117


@pytest.mark.heavy
def test_a_cut_in_the_middle_of_a_cycle_asks_no_model(tmp_path: Path) -> None:
    life = Long(tmp_path / "life", 24, AgentChange(compaction="model", min_recent_cycles=1))
    asked: list[object] = []

    def writes(question: object) -> TextReply:
        asked.append(question)
        return TextReply("", fault="it says nothing")

    with life.ports() as ports, ports.store.write():
        agent = agents.show(ports.store, name=AGENT)
        made = compact.shrink(ports._replace(write=writes), agent=agent)
    assert made is not None
    assert (made.number, made.strategy, asked) == (1, "anchored", [])
