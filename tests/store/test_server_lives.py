"""A life on a server is the life that it is in a file: its rows are equal, one by one."""

import contextlib
import gzip
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.history.verbs import history
from mindpipe.history.verbs import log as logs
from mindpipe.knowledge.keys import SlotRules
from mindpipe.life.records import LifeRewound
from mindpipe.life.verbs import life as life_files
from mindpipe.life.verbs import redact as redactions
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.store.access import open_store
from support.full_lives import FullLife
from support.histories import PROGRAM
from support.life import AGENT
from support.loopback.turns import Turn
from support.postgres_server import programs, running
from support.replays import kinds_of, opened
from support.scripted_model import Scripted, call, calls
from support.server_lives import ServerLife
from support.stores import WordTokens

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
]
DAYS = 7
SECRET = "Rex5"
"""What was said in a space, and is believed."""


@pytest.fixture(params=VERSIONS)
def lives(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[FullLife, ServerLife]]:
    """Return one life twice, in a file and on a server, as it was lived for some days."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with running(request.param) as server:
        in_file = FullLife(tmp_path / "file")
        with in_file.open() as store:
            identity = store.identity
        on_server = ServerLife(tmp_path / "server", server, identity=identity)
        for _ in range(DAYS):
            in_file.day()
            on_server.day()
        yield in_file, on_server


NUMBERED = (
    *("clearance", "reflection", "lesson", "lesson_outcome", "memory_entity", "relation"),
    *("observation", "observation_standing", "observation_evidence", "observation_decision"),
    *("item_mark", "agent_run", "run_wait", "mode_change"),
)
"""Tables whose numbers only grow: a server gives some to rows that then were there already."""


def told(life: FullLife, *, cycle: int | None = None) -> list[list[object]]:
    """Return the rows of a life; what a change touched, and what was heard, has no order."""
    rows = [msgspec.json.decode(row) for row in life.rows_of(cycle=cycle)]
    rows = [row for row in rows if not row[0].startswith("operation")]
    undone = [_keys(msgspec.json.decode(row[3])) for row in rows if row[0] == "change"]
    places: dict[str, dict[int, int]] = {}
    for table in NUMBERED:
        known = {row[1] for row in rows if row[0] == table}
        known |= {key[0] for keys in undone for key in keys.get(table, ())}
        places[table] = {number: place for place, number in enumerate(sorted(known))}
    return [
        [*row[:3], _undone(row[3], places)]
        if row[0] == "change"
        else [row[0], places[row[0]][row[1]], *row[2:]]
        if row[0] in places
        else row
        for row in rows
    ]


def lived(life: FullLife) -> list[list[object]]:
    """Return the rows of a life that went back: a server gives no number again that it gave."""
    found = [row for row in told(life) if row[0] != "change"]
    return [[row[0], *row[2:]] if row[0] in NUMBERED else row for row in found]


def _keys(undo: dict[str, dict[str, list[Any]]]) -> dict[str, list[list[int]]]:
    return {
        table: [
            *of.get("made", ()),
            *(key for key, _ in (*of.get("changed", ()), *of.get("gone", ()))),
        ]
        for table, of in undo.items()
    }


def _undone(undo: str, places: dict[str, dict[int, int]]) -> object:
    found: dict[str, dict[str, list[Any]]] = {}
    for table, of in msgspec.json.decode(undo).items():
        known = places.get(table)
        found[table] = {how: [_placed(how, row, known) for row in rows] for how, rows in of.items()}
    return {
        table: {how: sorted(rows, key=repr) for how, rows in of.items()}
        for table, of in found.items()
    }


def _placed(how: str, row: Any, known: dict[int, int] | None) -> Any:
    """Return a key, or a key and values, with its place instead of its number."""
    if known is None:
        return row
    if how == "made":
        return [known[row[0]], *row[1:]]
    key, values = row
    if isinstance(values.get("number"), int):
        values = {**values, "number": known.get(values["number"], values["number"])}
    return [[known[key[0]], *key[1:]], values]


def back(life: FullLife) -> LifeRewound:
    """Let the life go back, and look that it is whole."""
    with life.open() as store:
        went = rewinds.rewind(store, life.revoker, agent=AGENT, cycle=4)
        assert list(history.verify(store, agent=AGENT).broken()) == []
        assert logs.index_gaps(store) == 0
    return went


def test_a_life_on_a_server_leaves_the_rows_that_it_leaves_in_a_file(
    lives: tuple[FullLife, ServerLife],
) -> None:
    in_file, on_server = lives
    assert told(on_server) == told(in_file)
    assert told(on_server, cycle=4) == told(in_file, cycle=4)
    assert back(on_server) == back(in_file)
    assert told(on_server) == told(in_file)
    for life in lives:
        life.day()
    assert lived(on_server) == lived(in_file)


def exported(life: FullLife, *, move: bool = False) -> bytes:
    """Return the file of a life, in which nothing is wrong."""
    with life.open() as store:
        pieces = list(life_files.export(store, life.clock, agent=AGENT, move=move))
    assert list(life_files.verify(pieces, name="it", rules=SlotRules()).wrong()) == []
    return b"".join(pieces)


def test_what_was_lived_on_a_server_is_proved_goes_on_elsewhere_and_is_redacted(
    lives: tuple[FullLife, ServerLife],
) -> None:
    _, life = lives
    before = of_its_own(life)
    there = life.elsewhere(exported(life, move=True))
    assert of_its_own(there) == before
    there.day()
    assert SECRET in gzip.decompress(exported(there)).decode()
    with there.open() as store:
        redactions.redact(store, there.clock, agent=AGENT, ask=lambda: SECRET)
        with store.read() as rows:
            left = rows.all(str, "SELECT concat(old, new) FROM heard")
    assert left == []
    assert SECRET not in gzip.decompress(exported(there)).decode()


def test_a_fork_of_a_life_on_a_server_is_one_of_it_in_a_file(
    lives: tuple[FullLife, ServerLife], tmp_path: Path
) -> None:
    for cycle in (None, 4):
        found = []
        for name, life in zip(("file", "server"), lives, strict=True):
            into = tmp_path / f"{name}-{cycle}.db"
            with life.open() as store:
                made = life_files.fork(
                    store,
                    life.clock,
                    life.chance,
                    agent=AGENT,
                    cycle=cycle,
                    into=into,
                    change=AgentChange(day_micros=1),
                )
            found.append((into, msgspec.structs.replace(made, store="", anchor="")))
        (file, forked), (server, other) = found
        assert forked == other
        with (
            contextlib.closing(open_store(file)) as first,
            contextlib.closing(open_store(server)) as second,
            life_files.picture(first, agent=AGENT) as one,
            life_files.picture(second, agent=AGENT) as two,
        ):
            assert list(life_files.diff(one, two)) == []
            assert list(history.verify(second, agent=AGENT).broken()) == []


def of_its_own(life: FullLife) -> list[object]:
    """Return the rows of a life but for what says where it lives."""
    return [row for row in told(life) if row[0] not in ("agent", "change")]


def test_what_was_recalled_on_a_server_is_recalled_again_as_it_was_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search sees what was committed until then, also what came since the cycle began."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with running(VERSIONS[-1]) as server:
        life = ServerLife(tmp_path / "life", server, identity="s_it")

        numbers = itertools.count()

        def remember(*_: object) -> None:
            number = next(numbers)
            with life.open() as store:
                told = NewItem(
                    id=f"it_{number}", text=f"The ferry {number} was late.", speaker="jo"
                )
                memory.add(store, life.clock, life.chance, agent=AGENT, given=[told])

        search = calls(call("recall", query="ferry late"))
        says = (search, search, Turn(text="Done."))
        life.push("Which was it?")
        life.think(Scripted(PROGRAM, {}, otherwise=says, listen=remember))
        pieces = [exported(life)]
        again = life_files.replay(opened(pieces), make_tokens=lambda _: WordTokens())
        assert (list(again.differences()), again.verdict and again.verdict.lived) == ([], 1)
        with life.open() as store, store.read() as rows:
            assert "mirrored" in kinds_of(rows)
