"""Carry a life: write it into a file, take it up from one, check one; fork it, and compare two."""

import contextlib
import functools
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET

from mindpipe.agents import settings
from mindpipe.agents import tables as agent_tables
from mindpipe.agents.records import Agent, AgentChange, Lease
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.context.verbs import trust
from mindpipe.core.errors import NothingToDoError, RefusedError, UnavailableError, UsageError
from mindpipe.core.events import OPERATOR, NewEvent
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Cell, Chance, Clock, Row, Rows, Tokens
from mindpipe.core.records import MOST_WHOLE
from mindpipe.core.sources import RESERVED, covers
from mindpipe.engine.tables import journal
from mindpipe.engine.tools.versions import version_of
from mindpipe.history import tables as history_tables
from mindpipe.history.records import LogEnd
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.knowledge.verbs import observation
from mindpipe.life.archive import LifeReader, packed
from mindpipe.life.differences import Aspect, KeyedRow, Picture, differences, pictured
from mindpipe.life.numbers import Numbering
from mindpipe.life.records import (
    LifeDifference,
    LifeForked,
    LifeImported,
    LifeManifest,
    LifePart,
    Rewind,
    SharedWork,
)
from mindpipe.life.rewinds import tables as rewinds
from mindpipe.life.secrets import kept_out
from mindpipe.life.tables import lives as tables
from mindpipe.life.verbs.arrival import Arrival, read_before
from mindpipe.life.verbs.rows import (
    Taken,
    carried,
    cut_down,
    distrusting,
    from_file,
    past_of,
    require_end,
    take,
    take_again,
)
from mindpipe.life.verbs.versions import versions_here
from mindpipe.person import tables as person_tables
from mindpipe.store.access import make_store
from mindpipe.store.changes import last_change, note_made_anew
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.scratch import scratch_file
from mindpipe.store.sqlite import SqliteStore
from mindpipe.workers import tables as worker_tables

if TYPE_CHECKING:
    from mindpipe.knowledge.keys import SlotRules
    from mindpipe.life.verbs.check import LifeCheck
    from mindpipe.life.verbs.replay import LifeReplay
    from mindpipe.store.engine import EngineStore


def export(
    store: "EngineStore",
    clock: Clock,
    *,
    agent: str,
    without: Collection[LifePart] = (),
    move: bool = False,
    cycle: int | None = None,
    branch: int | None = None,
) -> Iterator[bytes]:
    """Return the pieces of a life's file: as it is, or as it was after a cycle.

    With `branch` it is as a rewind of that number found it, which is what that left. With `move`
    it rests here from now on, and goes on from the file. As long as it has not come back, the file
    with which it went can be written again. A copy may be `without` parts; what this one lacks
    itself is named with these.

    Raises:
        UsageError: there is no such agent or rewind, or nothing is known of how it was then; or one
            that moves is to leave a part behind.
        RefusedError: it has moved away, and a copy would be one of its past.
        TemporaryError: a worker holds it.
    """
    who = agents.show(store, name=agent)
    if move + (cycle is not None) + (branch is not None) > 1:
        raise UsageError("--move, --at and --branch do not go together: one life is one of them.")
    if move and without:
        raise UsageError(
            f"--move takes all of {agent}, as what it leaves out would be gone when it comes home; "
            "a copy may leave it out (--without, and no --move)."
        )
    if who.away is not None and not move:
        raise RefusedError(
            f"{agent} has lived in another store since {who.away}; --move writes the file again "
            "with which it went."
        )
    with store.read() as rows:
        if cycle is not None:
            require_end(rows, agent=agent, cycle=cycle)
        left = None if branch is None else _rewind(rows, agent=agent, number=branch).change - 1
    left_out = tuple(sorted(without))
    if not move:
        return _pieces(store, who, without=left_out, at=clock.now(), cycle=cycle, left=left)
    return _leaving(store, clock, who)


def _rewind(rows: Rows, *, agent: str, number: int) -> Rewind:
    """Return a rewind of an agent; raises UsageError where there is none of this number."""
    for one in rewinds.all_of(rows, agent=agent):
        if one.number == number:
            return one
    raise UsageError(f"{agent} has no rewind {number}; mind life rewind {agent} --list.")


def _leaving(store: "EngineStore", clock: Clock, who: Agent) -> Iterator[bytes]:
    """Yield the file with which a life goes; it stays until there is something to write it to."""
    if who.away is None:
        who = _send_away(store, clock, who)
        reach("export.after_leaving")
    at = who.away or clock.now()
    yield from _pieces(store, who, without=(), at=at, cycle=None)


def _send_away(store: "EngineStore", clock: Clock, who: Agent) -> Agent:
    """Let a life rest here, under an epoch that fences every worker that held it before."""
    # Who pushes to it does not hold it, and is refused: it looks whether it is here still once it
    # holds the log, as this does until it is committed.
    with store.write(who.name) as rows:
        who = agents.show(store, name=who.name)
        owner = f"move {who.moves + 1}"
        epoch = leases.acquire(store, clock, agent=who.name, owner=owner)
        leases.release(store, agent=who.name, owner=owner, epoch=epoch)
        gone = msgspec.structs.replace(who, moves=who.moves + 1, away=clock.now())
        agent_tables.put_agent(rows, gone)
    return gone


def _pieces(
    store: "EngineStore",
    who: Agent,
    *,
    without: tuple[LifePart, ...],
    at: str,
    cycle: int | None,
    left: int | None = None,
) -> Iterator[bytes]:
    """Yield the file of a life, read at one moment; nothing of the life is held.

    One that has gone is as it was then, whatever was said in its spaces since; and what a rewind
    `left` is as it was after that change.
    """
    with store.read() as rows:
        manifest = _manifest(rows, who, store=store.identity, at=at, cycle=cycle)
        lacking = tuple(sorted({*manifest.without, *without}))
        manifest = msgspec.structs.replace(manifest, without=lacking)
        number = left
        if left is not None:
            manifest = _ended_with(rows, manifest, number=left)
        elif who.away is not None:
            number = last_change(rows, agent=who.name)
        found = carried(
            rows, agent=who.name, of=tables.without(without), cycle=cycle, number=number
        )
        yield from packed(manifest, ((header, kept_out(header, of)) for header, of in found))


@contextlib.contextmanager
def _in_a_file(
    store: "EngineStore", clock: Clock, chance: Chance, who: Agent
) -> Iterator[SqliteStore]:
    """Give a store of which a life can be forked: its pages are copied, or it is attached.

    Of a life on a server it is one that has nothing else, and is gone then.
    """
    if isinstance(store, SqliteStore):
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="mindpipe-") as folder:
        path = Path(folder, "mind.db")
        pieces = _pieces(store, who, without=(), at=clock.now(), cycle=None)
        with contextlib.closing(make_store(path, clock, chance)) as made:
            import_(made, pieces=pieces, name=who.name)
            yield made


def _manifest(
    rows: Rows, who: Agent, *, store: str, at: str, cycle: int | None = None
) -> LifeManifest:
    """Return what is said of a life before its rows."""
    end = history_tables.end_of_log(rows, agent=who.name, cycle=cycle)
    lived = history_tables.next_cycle(rows, agent=who.name) - 1
    return LifeManifest(
        agent=who.name,
        entity=who.entity,
        moves=who.moves,
        moved=who.away is not None,
        epoch=agent_tables.find_lease(rows, who.name).epoch,
        at=at,
        store=store,
        cycles=lived if cycle is None else cycle,
        messages=end.seq,
        anchor=end.sha256,
        without=_lacking(who),
        tools={tool.name: version_of(tool) for tool in who.tools},
        person=True if person_tables.is_person(rows, who.name) else UNSET,
        shared=SharedWork(
            spaces=tuple(tables.spaces_of(rows, who.name)),
            tasks=tuple(tables.open_tasks(rows, who.name)),
        ),
        versions=versions_here(),
    )


def _lacking(who: Agent) -> tuple[LifePart, ...]:
    """Return the parts without which a life came here."""
    return msgspec.convert(who.lacks or (), tuple[LifePart, ...])


def _ended_with(rows: Rows, manifest: LifeManifest, *, number: int) -> LifeManifest:
    """Return the manifest of a life as it was after a change, by the rows that it had then."""
    ends: dict[str, dict[str, Cell]] = {}
    of = [tables.BY_NAME["cycle"], tables.BY_NAME["message"]]
    for header, lines in carried(rows, agent=manifest.agent, of=of, number=number):
        column = "cycle" if header.table == "cycle" else "seq"
        named = (dict(zip(header.columns, row, strict=True)) for row in lines)
        ends[header.table] = max(named, key=lambda row: int(str(row[column])))
    said, lived = ends.get("message", {}), ends.get("cycle", {})
    return msgspec.structs.replace(
        manifest,
        cycles=int(str(lived.get("cycle", 0))),
        messages=int(str(said.get("seq", 0))),
        anchor=str(said.get("sha256", LogEnd().sha256)),
    )


def import_(store: "EngineStore", *, pieces: Iterable[bytes], name: str) -> LifeImported:
    """Take a life up from a file: all of it, or nothing.

    One that has moved goes on here, also where it had left from: then it comes in the place of what
    it left. A copy rests here, because the life goes on where it was copied.

    Raises:
        InputOutputError: the file is not as it was written.
        RefusedError: there is an agent of this name, which did not leave, or whose life this does
            not go on from.
        UnavailableError: the file is of another schema.
    """
    store.require_taking()  # one that takes nothing refuses before anything is read
    open_ = functools.partial(opened, name=name)
    if isinstance(store, SqliteStore):
        return _imported_from(store, open_(pieces))
    with read_before(store, pieces, open_) as arrival:
        return _imported_from(store, arrival.reader, arrival)


def _imported_from(
    store: "EngineStore", reader: LifeReader, arrival: Arrival | None = None
) -> LifeImported:
    """Take a life up from a reader of its file; where others write meanwhile, by its arrival."""
    manifest = reader.manifest
    log = None
    if arrival is not None:
        with distrusting(reader):
            log = arrival.begin(store) if _comes(store, reader) else None
    with distrusting(reader), store.restoring(manifest.agent) as rows:
        tables.hold_life(rows, agent=manifest.agent, spaces=manifest.shared.spaces)
        before = agent_tables.find_agent(rows, manifest.agent)
        if before is not None and _is_as_it_left(manifest, before):
            reader.skip()
            reader.finish()
            agent_tables.put_agent(rows, msgspec.structs.replace(before, away=None))
            worker_tables.forget_next_look(rows, agent=before.name)
            return _imported(manifest, Taken(0, manifest.shared.spaces))
        if before is not None:
            _require_away(rows, reader, before)
        numbering = None if arrival is None else arrival.numbering(rows, log)
        if before is None:
            given = reader.tables(), reader.fault
            taken = take(rows, manifest, *given, numbering=numbering)
        else:
            taken = _come_back(store, rows, reader, before, numbering)
        reader.finish()
        if arrival is not None and log is not None:
            arrival.end(rows, log)
        _begin(rows, manifest)
        note_made_anew(rows, manifest.agent)
        reach("import.before_commit")
    reach("import.after_commit")
    return _imported(manifest, taken)


def opened(pieces: Iterable[bytes], *, name: str) -> LifeReader:
    """Return a reader of a file whose tables are ours.

    Raises:
        InputOutputError: it is no life file.
        UnavailableError: it is of another schema.
    """
    reader = LifeReader(pieces, name=name)
    versions, ours = reader.manifest.versions, len(SCHEMA)
    if versions.schema == ours:
        return reader
    advice = "Upgrade mindpipe."
    if versions.schema < ours:
        advice = f"Import it with mindpipe {versions.mindpipe}, then run mind store migrate."
    raise UnavailableError(
        f"{name} has schema {versions.schema}, this program wants {ours}. {advice}"
    )


def _is_as_it_left(manifest: LifeManifest, before: Agent) -> bool:
    """Tell whether a file is the one with which an agent left."""
    left = (before.entity, before.moves, before.away)
    return manifest.moved and left == (manifest.entity, manifest.moves, manifest.at)


def _comes(store: "EngineStore", reader: LifeReader) -> bool:
    """Tell whether rows of a life will be taken up, as it looks now.

    Raises:
        RefusedError: nothing of it will be.
    """
    with store.read() as rows:
        before = agent_tables.find_agent(rows, reader.manifest.agent)
        if before is None:
            return True
        if _is_as_it_left(reader.manifest, before):
            return False
        _require_away(rows, reader, before)
        return True


def _has_parted(rows: Rows, manifest: LifeManifest) -> bool:
    """Tell whether what was said last in a life was never said in the one that is here."""
    is_new = tables.is_unheard(rows, agent=manifest.agent, sha256=manifest.anchor)
    return manifest.messages > 0 and is_new


def _require_away(rows: Rows, reader: LifeReader, before: Agent) -> None:
    """Require that a life left, and that a file is a later one of it.

    Raises:
        RefusedError: it is not so.
    """
    name, manifest, agent = reader.name, reader.manifest, before.name
    has_parted = _has_parted(rows, manifest)
    if before.away is None:
        there = f"agent {agent} is already there, and has not left; nothing is taken from {name}"
        if manifest.moved and manifest.entity == before.entity and not has_parted:
            raise RefusedError(f"{there}, with whose move it goes on here already.")
        advice = "a copy never comes in the place of what is there"
        if manifest.moved:
            advice = (
                "if it is the same life, let what goes on here leave first (mind life export "
                f"{agent} --move > FILE, which has it whole), then import this again"
            )
        raise RefusedError(
            f"{there}. That can go on in another store (mind init --store FILE, mind life import "
            f"--store FILE); {advice}."
        )
    left = f"{agent} left this store by move {before.moves} at {before.away}"
    if not manifest.moved:
        raise RefusedError(
            f"{left}, and {name} is a copy; mind life export --move, where it lives, writes what "
            "it comes back with."
        )
    if manifest.moves <= before.moves and not has_parted:
        raise RefusedError(
            f"{left}, and {name} is of move {manifest.moves} at {manifest.at}, which is no later "
            "one; mind life export --move, where it lives, writes what it comes back with."
        )
    if lost := sorted({*manifest.without} - {*_lacking(before)}):
        raise RefusedError(
            f"{left}, and {name} was written without {', '.join(lost)}, which would be "
            "lost; export the whole life, or import it into another store."
        )


def _come_back(
    store: "EngineStore",
    rows: Rows,
    reader: LifeReader,
    before: Agent,
    numbering: Numbering | None,
) -> Taken:
    """Take up a life that left and has lived on, in the place of what it left.

    Raises:
        RefusedError: it does not go on from that.
    """
    name, manifest, agent = reader.name, reader.manifest, before.name
    has_parted = _has_parted(rows, manifest)
    end = tables.end_of_life(rows, agent=agent)
    taken = take_again(store, rows, manifest, reader.tables(), reader.fault, numbering=numbering)
    is_hers = manifest.entity == before.entity
    goes_on = tables.goes_on_from(rows, agent=agent, end=end)
    # One that was taken back while it went on elsewhere lives twice; each has left with a file.
    if not (is_hers and (goes_on or (has_parted and tables.begins_as(rows, agent=agent, end=end)))):
        raise RefusedError(
            f"{agent} left this store by move {before.moves} at {before.away}, and {name} does not "
            "go on from what it had lived by then; import that into another store."
        )
    return taken


def _begin(rows: Rows, manifest: LifeManifest) -> None:
    """Let a life that has moved go on, under an epoch of its own; let a copy rest."""
    epoch = max(manifest.epoch, agent_tables.find_lease(rows, manifest.agent).epoch) + 1
    agent_tables.put_lease(rows, Lease(agent=manifest.agent, epoch=epoch))
    who = agent_tables.require_agent(rows, manifest.agent)
    before = tables.cells_of_agent(rows, manifest.agent)
    if not manifest.moved and who.paused is None:
        why = f"a copy of {manifest.at}; its life goes on in the store {manifest.store}"
        who = msgspec.structs.replace(who, paused=why)
    lacks = manifest.without or UNSET
    agent_tables.put_agent(rows, msgspec.structs.replace(who, away=None, lacks=lacks))
    tables.note_change_of_agent(rows, agent=manifest.agent, before=before)


def _imported(manifest: LifeManifest, taken: Taken) -> LifeImported:
    return LifeImported(
        agent=manifest.agent,
        moved=manifest.moved,
        cycles=manifest.cycles,
        messages=manifest.messages,
        rows=taken.rows,
        spaces=manifest.shared.spaces,
        kept_spaces=taken.kept_spaces,
        tasks=manifest.shared.tasks,
        versions=manifest.versions.others_than(versions_here()) or UNSET,
    )


def verify(pieces: Iterable[bytes], *, name: str, rules: "SlotRules") -> "LifeCheck":
    """Return a check of a life file, which needs no store and is made when it is gone through.

    Raises:
        InputOutputError: it is no life file.
        UnavailableError: it is of another schema.
    """
    from mindpipe.life.verbs.check import LifeCheck

    return LifeCheck(opened(pieces, name=name), rules=rules)


def replay(
    reader: LifeReader,
    *,
    make_tokens: Callable[[str], Tokens],
    upto: int | None = None,
    goes_on: bool = False,
) -> "LifeReplay":
    """Return a life in a file that is lived again as its differences are gone through.

    `make_tokens` makes the counter of a name; `upto` is the last cycle that is lived. One that
    `goes_on` is told of all operations that come out otherwise, not of the first one alone.
    """
    from mindpipe.life.verbs.replay import LifeReplay

    return LifeReplay(reader, make_tokens=make_tokens, upto=upto, goes_on=goes_on)


COPIED_WHOLE = 0.7
"""From which share of all messages of a store on a life is forked by a copy of the whole file.

To copy a page takes less time than to copy its rows, and more time than to leave them.
"""

ASKS_FIRST = ("always", "fork")
"""Approvals with which no call of a tool is made unasked."""

FORK_DAY_MICROS = 1_000_000
"""What a fork may spend a day where nobody says more or less, in micro-dollars."""


class Unheard(NamedTuple):
    """A source of which a fork never heard, and what takes back what rests on it."""

    source: str
    revoker: trust.Revoker


class Supposed(NamedTuple):
    """What a fork believes instead: each observation by its id, with its value, None for false.

    `by` says it, and `rules` say how that is taken.
    """

    beliefs: Sequence[tuple[str, str | None]]
    by: str
    rules: "SlotRules"


class ForkTerms(NamedTuple):
    """Whether a fork lets effects out unasked, what it is without or believes, what else is done.

    `begin` does that in its store.
    """

    effects: bool = False
    without: Unheard | None = None
    supposed: Supposed | None = None
    begin: "Callable[[EngineStore], None] | None" = None


TERMS = ForkTerms()


def fork(
    store: "EngineStore",
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    cycle: int | None,
    into: Path,
    change: AgentChange,
    terms: ForkTerms = TERMS,
) -> LifeForked:
    """Make a second life with the same past up to a cycle, in a new store of its own.

    It has its own inbox and copies of its spaces; what happens to it reaches nobody there. `change`
    gives it a cap of its own. Unless `terms` let effects out, no tool runs unasked that has effects
    outside: a call that ran in the life that it leaves, also after this cycle, is answered as it
    was there, and of any other a person is asked.

    Of a source that it is without it never heard: its past ends with the last cycle before one
    took in words of that source, its events are gone, and so is what else rests on it. What others
    pushed later waits in its inbox; what they said in spaces is gone, as its own doings are.

    Raises:
        UsageError: there is no such agent, nothing is known of how it was then, nothing ever came
            from what it is to be without, or it had no such belief then.
        RefusedError: something is at `into` already.
    """
    who = agents.show(store, name=agent)
    with _in_a_file(store, clock, chance, who) as here, here.read() as rows:
        without = terms.without
        if without is not None:
            cycle = _before_heard(rows, agent=agent, source=without.source, cycle=cycle)
        manifest = _manifest(rows, who, store=store.identity, at=clock.now(), cycle=cycle)
        number = None if cycle is None else require_end(rows, agent=agent, cycle=cycle)
        by_pages = _goes_by_pages(rows, agent=agent, cycle=manifest.cycles, number=number)
        waiting: list[NewEvent] = []
        unsaid: list[str] = []

        def begin(other: SqliteStore) -> None:
            parent = None if by_pages else here.path
            cut_down(other, agent=agent, cycle=cycle, number=number, parent=parent)
            with other.restoring() as theirs:
                then = _begun(theirs, who, epoch=manifest.epoch + 1)
                if without is not None:
                    _delete_events(theirs, agent=agent, source=without.source)
            # What is another here is a change of this life, before which it was as the other one.
            with other.write() as theirs:
                if not terms.effects:
                    answers = _answers(rows, then, now=who, cycle=manifest.cycles)
                    journal.record_answers(theirs, answers)
                forked = _forked(theirs, agent, change, effects=terms.effects)
                agent_tables.put_agent(theirs, forked)
            if without is not None:
                unsaid.extend(_unsaid(rows, other, agent=agent, source=without.source))
                waiting.extend(_later_events(rows, other, agent=agent, source=without.source))
                _unhear(other, without, agent=agent)
                push_events(other, clock, chance, events=waiting, bounds=Bounds())
            if terms.supposed is not None:
                _suppose(other, clock, chance, agent=agent, supposed=terms.supposed)
            if terms.begin is not None:
                terms.begin(other)
            reach("fork.before_published")

        made = make_store(into, clock, chance, source=here if by_pages else None, begin=begin)
    with contextlib.closing(made):
        now = agents.show(made, name=agent)
    return LifeForked(
        agent=agent,
        store=str(into),
        cycle=manifest.cycles,
        messages=manifest.messages,
        anchor=manifest.anchor,
        day_micros=now.day_micros or 0,
        asks_first=tuple(tool.name for tool in now.tools if tool.approval in ASKS_FIRST),
        waiting=UNSET if without is None else len(waiting),
        unsaid=len(unsaid) or UNSET,
    )


def _begun(rows: Rows, who: Agent, *, epoch: int) -> Agent:
    """Let a fork live here under an epoch of its own; return the agent as it was then."""
    agent_tables.put_lease(rows, Lease(agent=who.name, epoch=epoch))
    here = agent_tables.require_agent(rows, who.name)
    agent_tables.put_agent(rows, msgspec.structs.replace(here, away=None, lacks=who.lacks))
    return here


def _goes_by_pages(rows: Rows, *, agent: str, cycle: int, number: int | None) -> bool:
    """Tell whether a fork is a copy of all pages, of which what does not stay is taken out."""
    end = MOST_WHOLE if number is None else number
    share = tables.share_of_messages(rows, agent=agent, cycle=cycle)
    # What was left under other numbers meanwhile is found where it is alone.
    return share >= COPIED_WHOLE or tables.went_back(rows, agent=agent, since=end)


def _delete_events(rows: Rows, *, agent: str, source: str) -> None:
    """Take away what came from a source."""
    found = tables.event_sources(rows, agent=agent)
    unheard = [one.id for one in found if covers(source, one.source)]
    tables.delete_events(rows, unheard, agent=agent)


def _unhear(store: "EngineStore", unheard: Unheard, *, agent: str) -> None:
    """Take back what rests on a source, if anything does."""
    with contextlib.suppress(NothingToDoError):
        trust.revoke(store, unheard.revoker, source=unheard.source, agent=agent)


def _later_events(rows: Rows, other: "EngineStore", *, agent: str, source: str) -> list[NewEvent]:
    """Return what came to an agent from others than a source, and a fork of it has not."""
    with other.read() as theirs:
        there = {id for id, _ in tables.events_from_outside(theirs, agent=agent)}
    own = RESERVED - {OPERATOR}
    return [
        event
        for id, event in tables.events_from_outside(rows, agent=agent)
        if id not in there
        and event.source not in own
        and not any(covers(source, one) for one in (event.source, *event.sources))
    ]


def _unsaid(rows: Rows, other: "EngineStore", *, agent: str, source: str) -> list[str]:
    """Return the ids of what others than a source said in spaces, and a fork has not heard."""
    with other.read() as theirs:
        there = {one.id for one in tables.event_sources(theirs, agent=agent)}
    return [
        one.id
        for one in tables.event_sources(rows, agent=agent)
        if one.type == "space_message" and one.id not in there and not covers(source, one.source)
    ]


def _answers(rows: Rows, before: Agent, *, now: Agent, cycle: int) -> list[Row]:
    """Return what calls of tools were answered that a fork does not run, if they are the same."""
    kept = {tool.name: version_of(tool) for tool in now.tools}
    tools = [
        tool.name
        for tool in before.tools
        if tool.reaches_out() and kept.get(tool.name) == version_of(tool)
    ]
    return journal.answers_to_record(rows, agent=now.name, cycle=cycle, tools=tools)


def _suppose(
    store: "EngineStore", clock: Clock, chance: Chance, *, agent: str, supposed: Supposed
) -> None:
    """Let a fork believe something else, by the word of who made it."""
    operator = observation.Operator(
        store, clock, chance, agent=agent, by=supposed.by, rules=supposed.rules
    )
    for id, value in supposed.beliefs:
        observation.correct(operator, id, observation.Corrected(value=value))


def _before_heard(rows: Rows, *, agent: str, source: str, cycle: int | None) -> int | None:
    """Return the cycle before the first that heard of a source, where that is not after `cycle`."""
    heard = [
        one.cycle
        for one in (
            *tables.heard_sources(rows, agent=agent),
            *tables.told_sources(rows, agent=agent),
        )
        if covers(source, one.source)
    ]
    if not heard:
        waiting = tables.event_sources(rows, agent=agent)
        if not any(covers(source, one.source) for one in waiting):
            raise UsageError(f"nothing ever came to {agent} from {source}.")
        return cycle
    before = min(heard) - 1
    return before if cycle is None else min(cycle, before)


def _forked(rows: Rows, agent: str, change: AgentChange, *, effects: bool) -> Agent:
    """Return the agent of a fork, whose tools do not reach out unasked, nor what is approved."""
    who = agent_tables.require_agent(rows, agent)
    who = msgspec.structs.replace(who, paused=None)
    if not effects:
        tables.leave_to_the_other(rows, agent=agent)
        tools = tuple(
            msgspec.structs.replace(tool, approval="fork") if tool.reaches_out() else tool
            for tool in who.tools
        )
        who = msgspec.structs.replace(who, tools=tools)
    return settings.changed(who, change)


def diff(first: Picture, second: Picture) -> Iterator[LifeDifference]:
    """Yield what differs between two lives, or one life at two moments."""
    return differences(first, second)


@contextlib.contextmanager
def picture(store: "EngineStore", *, agent: str, cycle: int | None = None) -> Iterator[Picture]:
    """Give a life as it is compared, for as long as the block lasts: as it is, or was at a cycle.

    Raises:
        UsageError: there is no such agent, or nothing is known of how it was then.
    """
    agents.show(store, name=agent)
    with store.read() as rows:
        number = None if cycle is None else require_end(rows, agent=agent, cycle=cycle)
        past = past_of(rows, agent=agent, number=number)
        # To look for them is to read all that was ever left: a life is compared table by table.
        left = tables.hashes_left(rows, agent=agent)

        def rows_of(aspect: Aspect) -> Iterator[KeyedRow]:
            of = [tables.BY_NAME[aspect.table]]
            for header, lines in carried(
                rows, agent=agent, of=of, cycle=cycle, past=past, left=left
            ):
                yield from pictured(aspect, header.columns, lines)

        yield rows_of


@contextlib.contextmanager
def unpacked(reader: LifeReader) -> "Iterator[EngineStore]":
    """Give a store that ends with the block and has nothing but the life of a file.

    Raises:
        InputOutputError: the file is not as it was written.
    """
    with scratch_file() as store:
        with from_file(store, reader) as rows:
            take(rows, reader.manifest, reader.tables(), reader.fault)
            reader.finish()
        yield store
