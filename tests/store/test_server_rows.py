"""What the tables are asked on a server has the rows that a file gives, in their order and type."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.compaction import tables as compactions
from mindpipe.context import tables as origins
from mindpipe.context.records import Clearance
from mindpipe.core.ports import NO_LIMIT, BootTime, Rows
from mindpipe.core.records import to_json
from mindpipe.engine.records.attention import ConcernTurns
from mindpipe.engine.tables import attention, journal
from mindpipe.inbox.tables import events, glances
from mindpipe.io.chance import make_chance
from mindpipe.monitoring import tables as monitoring
from mindpipe.monitoring.records import MetricSample
from mindpipe.observers import tables as observers
from mindpipe.observers.records import SeenFile
from mindpipe.plans import tables as plans
from mindpipe.plans.records import WindowClaim, WindowOutcome, WindowState
from mindpipe.spaces import tables as spaces
from mindpipe.spending import tables as spending
from mindpipe.store import access
from mindpipe.store.address import address_of
from mindpipe.store.postgres import schema
from mindpipe.workers import tables as workers
from support.fakes import FixedClock
from support.postgres_server import EACH_VERSION, Server, programs, running

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
Asked = Iterator[object]
DAY = "2026-11-28"
STATES: tuple[WindowState, ...] = ("claimed", "lost", "skipped")


@pytest.fixture(scope="module", params=EACH_VERSION)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Give an empty server of each version."""
    with running(request.param) as started:
        yield started


def spent(rows: Rows) -> Asked:
    """Ask for sums, and for what was counted or was not."""
    for number, state in enumerate(("reserved", "settled", "lost", "void")):
        rows.run(
            "INSERT INTO ledger VALUES(:id, 'ava', :n, 1, 0, 'think', 'm', :day, :state, :micros,"
            " :odd, 10, 5, 'at', :counted, 1, :odd)",
            {
                "id": f"l{number}",
                "n": number,
                "day": DAY,
                "state": state,
                "micros": number * 1000,
                "odd": number % 2,
                "counted": 12 if number else None,
            },
        )
    yield spending.costs(rows, agent=None, since=None)
    yield spending.costs(rows, agent="ava", since="2027")
    yield spending.spent_on_day(rows, day=DAY)
    yield spending.spent_on_day(rows, day=DAY, purpose="other")
    yield spending.spent_in_cycle(rows, agent="ava", cycle=2)
    yield spending.last_reported(rows, agent="ava", model="m")


def said(rows: Rows) -> Asked:
    """Ask for posts by their numbers, and for names with capitals that only some alphabets have."""
    for name, title in (("a", "Ava"), ("e", "ÉVA")):
        rows.run(
            "INSERT INTO entity VALUES(:name, 'agent', :title, :name)",
            {"name": name, "title": title},
        )
    yield [spaces.other_named(rows, title, "z") for title in ("AVA", "éva", "Éva", "ÉVa")]
    rows.run("INSERT INTO space(name, title, created) VALUES('s', 't', :at)", {"at": DAY})
    yield [spaces.insert_member(rows, space="s", entity="a", at=DAY) for _ in range(2)]
    for seq in (-1, 1, 2):
        rows.run(
            "INSERT INTO post(id, space, seq, at, sender, text, state)"
            " VALUES(:id, 's', :seq, :at, 'e', 't', :state)",
            {"id": f"o{seq}", "seq": seq, "at": DAY, "state": "held" if seq < 0 else "visible"},
        )
    for seq in (2, 1):
        spaces.set_seen(rows, space="s", entity="a", seq=seq)
    yield spaces.members(rows, "s")
    yield spaces.spaces(rows)
    yield [spaces.last_seq(rows, name) for name in ("s", "none")]
    for offset in (0, 1):
        yield spaces.page(rows, space="s", limit=NO_LIMIT, offset=offset, after=-5)
    yield spaces.newest_of(rows, ["o1", "o2", "o-1"])


def planned(rows: Rows) -> Asked:
    """Ask for windows, whose name is a word of a server's own."""
    yield [plans.next_number(rows, "ava") for _ in range(2)]
    rows.run(
        "INSERT INTO plan(id, agent, number, title, text, cron, zone, catch_up, created, since,"
        " next, state) VALUES('p', 'ava', 1, 't', 't', '* * * * *', 'UTC', 'none', '2026',"
        " '2026', '2026-02', 'active')"
    )
    for month, state in enumerate(STATES, 1):
        one = WindowClaim(plan="p", window=f"2026-0{month}", attempts=1, boot="b", seconds=1.5)
        yield [plans.add_window(rows, one, state) for _ in range(2)]
    open_one = WindowOutcome(
        plan="p", window="2026-01", attempt=1, since="2026", state="open", at=None, why=None
    )
    for _ in range(2):
        plans.add_outcome(rows, open_one)
    failed = msgspec.structs.replace(open_one, state="failed", at="2026", why="late")
    yield plans.judge_outcome(rows, failed)
    yield plans.windows_of(rows, agent=None, plan=None, limit=9)
    yield plans.open_claims(rows, None)
    yield plans.last_window(rows, "p", "2026-02")
    yield plans.count_missed(rows, agent="ava", since="2025", overdue="2027")


def attended(rows: Rows) -> Asked:
    """Ask for what is put in the place of what was, and for what is counted in place."""
    for number in (1, 2):
        attention.meet(rows, agent="ava", marks=["b", "a"][:number], iteration=number)
        turns = ConcernTurns(
            concern="c", credit=number / 2, turns=2, last=3, fired=1, yields_until=0
        )
        attention.save_turns(rows, [turns], agent="ava")
        seen = SeenFile(
            path="p",
            size=number,
            mtime_ns=2**62,
            ctime_ns=3,
            inode=2**62,
            sha256=None,
            settled=number == 1,
            fields={},
        )
        observers.put_files(rows, "o", [seen])
        sample = MetricSample(at="2026", bytes=number, vector_seconds=None)
        monitoring.add_sample(rows, sample, forget="2025")
        origins.add_sources(rows, agent="ava", cycle=1, sources=["y", "Z", "é"][:number])
        origins.add_clearance(
            rows,
            Clearance(agent="ava", kind="note", subject="s", sources=("a",), person="p", at="2026"),
        )
        rows.run(
            "INSERT INTO compaction VALUES('ava', :n, 'apply', 'w', 0, 1, 's', 10, 5, :n, '2026')",
            {"n": number},
        )
    yield attention.met(rows, agent="ava", marks=["a", "b", "c"])
    yield attention.turns_of(rows, agent="ava")
    yield attention.patterns_of(rows, agent="ava")
    yield list(observers.files_at(rows, "o", ["p", "none"]).values())
    yield monitoring.samples(rows, since="2000")
    yield monitoring.store_bytes(rows) > 100_000
    yield origins.known_sources(rows, agent="ava")
    yield [len(origins.clearances(rows, agent="ava", kind=kind)) for kind in (None, "note", "goal")]
    yield [compactions.in_force(rows, agent="ava", segment=one) for one in (None, 1, 0)]


def answered(rows: Rows) -> Asked:
    """Ask for what calls were answered, as a fork keeps it and gives it again."""
    results = (("done", "one"), ("failed", "two"), ("done", "three"))
    for cycle, (state, text) in enumerate(results):
        rows.run(
            "INSERT INTO call(id, agent, cycle, turn, position, tool, effect, args, args_sha256,"
            " key, state, result) VALUES(:id, 'ava', :cycle, 1, 0, 'look', 'none', '{}', 'h',"
            " 'k', :state, :result)",
            {
                "id": f"c{cycle}",
                "cycle": cycle,
                "state": state,
                "result": to_json({"text": text}).decode(),
            },
        )
    found = journal.answers_to_record(rows, agent="ava", cycle=1, tools=("look", "other"))
    yield [list(one) for one in found]
    for _ in range(2):
        journal.record_answers(rows, (("bob", *one[1:]) for one in found))
    yield [list(one) for one in rows.each(tuple, "SELECT * FROM recorded_answer ORDER BY place")]


def glanced(rows: Rows) -> Asked:
    """Ask for what a body says as a text, where it says something else or nothing."""
    bodies = (
        '{"path": "a/b", "concern": 3}',
        '{"path": 1.5}',
        '{"path": null}',
        '{"path": {"a": 1}, "concern": "c"}',
        r'{"path": true, "concern": "", "text": "a\u0000b\\u0000"}',
        None,
    )
    for seq, body in enumerate(bodies, 1):
        rows.run(
            "INSERT INTO event(seq, id, agent, type, source, priority, pushed, body, text)"
            " VALUES(:seq, :id, 'ava', 'interrupt', 's', :priority, '2026', :body, :text)",
            {"seq": seq, "id": f"e_{seq}", "priority": seq % 5, "body": body, "text": "ü" * 2100},
        )
    now = events.ClockPair(wall="2026-12", boot=BootTime(boot="b", seconds=1.0))
    yield glances.glimpses(rows, range(1, len(bodies) + 1))
    yield glances.talks(rows, agent="ava", now=now, limit=2, window=10)
    yield glances.interrupts(rows, agent="ava", now=now, up_to=4, limit=3)
    yield glances.count_due_at(rows, agent="ava", at="2027", taken=[1, 2])


def crashed(rows: Rows) -> Asked:
    """Ask for crashes by an event in their JSON, and the newest first where an end is missing."""
    found = ('{"events": ["e1", "e2"]}', '{"events": ["e1"]}', '{"other": 1}', None)
    for number, one in enumerate(found):
        rows.run(
            "INSERT INTO run(id, agent, state, pid, born, boot, program, schema, started, ended, "
            "found) VALUES(:id, 'ava', 'crashed', 1, 'b', 'b', 'p', 1, '2026', :end, :in)",
            {"id": f"{number}", "end": f"2026-0{number}" if number else None, "in": one},
        )
    yield [workers.crashes_with(rows, event) for event in ("e1", "e2", "e3")]
    yield [workers.crashes_after(rows, instant) for instant in ("2026-01", "2027")]
    yield [one.id for one in workers.newest_ended(rows, agent="ava", limit=9)]


@pytest.mark.parametrize(
    "asked",
    [spent, said, planned, attended, answered, glanced, crashed],
    ids=lambda one: one.__name__,
)
def test_a_server_gives_the_rows_of_a_file(
    server: Server, tmp_path: Path, asked: Callable[[Rows], Asked]
) -> None:
    name = f"rows_{asked.__name__}"
    there = schema.make_store(address_of(server.url(schema=name)), FixedClock(), make_chance(1))
    here = access.make_store(tmp_path / "mind.db", FixedClock(), make_chance(1))
    with contextlib.closing(there), contextlib.closing(here):
        with here.write() as rows:
            wanted = [to_json(one) for one in asked(rows)]
        with there.write() as rows:
            found = [to_json(one) for one in asked(rows)]
    assert found == wanted
