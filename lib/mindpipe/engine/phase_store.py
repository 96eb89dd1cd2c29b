"""Put the lines between phases into a store, and take out again what a phase changed in it."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import BadInputError, MindError
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.decisions import tables as decisions
from mindpipe.decisions.records import Decision, DecisionState
from mindpipe.decisions.wording import SOURCE as DECISION
from mindpipe.engine.approval import SOURCE as TICKET
from mindpipe.engine.phase_lines import PhaseLines
from mindpipe.engine.records.attention import (
    IterationPattern,
    IterationReflection,
    PatternFinding,
    PatternState,
)
from mindpipe.engine.records.journal import Call, Ticket, TicketState
from mindpipe.engine.records.phases import PhaseFailure
from mindpipe.engine.tables import attention as attention_tables
from mindpipe.engine.tables import journal
from mindpipe.engine.worker import attention, significance
from mindpipe.history import tables as history_tables
from mindpipe.history.records import Cycle
from mindpipe.history.verbs import cycles, history, log
from mindpipe.inbox.content import seq_of
from mindpipe.inbox.records import Event, Receipt
from mindpipe.inbox.tables import events as inbox_tables
from mindpipe.inbox.verbs import inbox

_PROGRAM = (TICKET, DECISION, attention.SOURCE)
"""Sources of events by which phases tell the agent what became of something."""
_NEWEST = 50
_LINES = "lines of phases"


def fill(store: Store, clock: Clock, lines: PhaseLines) -> None:
    """Put all that lines hold into a store that has none of it but the messages.

    Raises:
        BadInputError: lines do not hold together.
    """
    if problems := [*lines.contradictions, *_faults(lines)]:
        raise BadInputError(problems)
    events = sorted(lines.all(Event), key=lambda one: one.seq)
    with store.write() as rows:
        for event in events:
            inbox_tables.put_event(rows, event)
        for cycle in lines.all(Cycle):
            if history_tables.find_cycle(rows, agent=cycle.agent, cycle=cycle.cycle) is None:
                history_tables.insert_cycle(rows, cycle)
            else:
                history_tables.update_cycle(rows, cycle)
        for call in lines.all(Call):
            journal.save_call(rows, call)
        for ticket in lines.all(Ticket):
            journal.save_ticket(rows, ticket)
        for decision in lines.all(Decision):
            decisions.save(rows, decision)
        for reflection in lines.all(IterationReflection):
            attention_tables.add_reflection(rows, reflection)
            _meet(store, rows, reflection)
        for pattern in lines.all(IterationPattern):
            _remind(store, clock, rows, pattern)


def _faults(lines: PhaseLines) -> Iterator[Problem]:
    """Yield where lines do not hold together: what they tell of would be done twice, or never.

    A call makes one decision and has one ticket. Without a call, what was asked for at the same
    time is the same.
    """
    found, made = lines.all(Decision), lines.all(Ticket)
    for event in lines.all(Event):
        if seq_of(event.id) != event.seq:
            words = f"event {event.id} cannot be number {event.seq}: its id ends in its number"
            yield Problem(source=_LINES, field="$.seq", message=words)
    yield from _double("event", "seq", [(one.id, one.seq) for one in lines.all(Event)])
    calls = [(one.id, (one.cycle, one.turn, one.position)) for one in lines.all(Call)]
    yield from _double("call", "position", calls)
    yield from _double("ticket", "call", [(one.id, one.call) for one in made])
    yield from _double("ticket", "sha256", _asked(made))
    answers = {one.id: one.result.text for one in lines.all(Call) if one.result is not None}
    unanswered = [(one.id, one.call) for one in found if one.call not in answers]
    yield from _double("decision", "call", unanswered)
    yield from _double("decision", "ticket", [(one.id, one.ticket) for one in found])
    yield from _double("decision", "sha256", _asked(found))
    there = {one.id for one in made}
    for one in found:
        if one.state is DecisionState.APPROVED and one.ticket not in {None, *there}:
            words = (
                f"decision {one.id} runs by the ticket {one.ticket}, of which no line tells; "
                "if nobody has it, say that the state of the decision is unknown"
            )
            yield Problem(source=_LINES, field="$.ticket", message=words)
    for one in found:
        if one.call in answers and one.id not in answers[one.call]:
            words = f"decision {one.id} is not what the call {one.call} made; leave it out"
            yield Problem(source=_LINES, field="$.id", message=words)


def _asked(given: Sequence[Decision] | Sequence[Ticket]) -> Iterator[tuple[str, object]]:
    """Yield the id of each and what was asked for when, where one of the same names no call."""
    keys = [
        (one.id, one.call, (one.sha256, one.created, getattr(one, "reason", None)))
        for one in given
        if one.sha256 is not None
    ]
    nobodys = {key for _, call, key in keys if call is None}
    yield from ((id, key) for id, _, key in keys if key in nobodys)


def _double(kind: str, field: str, keys: Iterable[tuple[str, object]]) -> Iterator[Problem]:
    """Yield each id whose key an earlier one has; None is no key."""
    seen: dict[object, str] = {}
    for id, key in keys:
        if key is not None and (first := seen.setdefault(key, id)) != id:
            words = f"{kind} {id} is {first} under another id; leave one of them out"
            yield Problem(source=_LINES, field=f"$.{field}", message=words)


def _meet(store: Store, rows: Rows, reflection: IterationReflection) -> None:
    """Make familiar what an iteration took up that was looked back on."""
    cycle = reflection.cycle
    lived = cycle and cycles.find(store, agent=reflection.agent, cycle=cycle)
    seen = inbox.glimpse_at(store, ids=lived.events) if lived else []
    marks = list(chain.from_iterable(attention.marks(event) for event in seen))
    attention_tables.meet(rows, agent=reflection.agent, marks=marks, iteration=reflection.iteration)


def _remind(store: Store, clock: Clock, rows: Rows, pattern: IterationPattern) -> None:
    """Keep a pattern; the agent is told of one that is in force."""
    attention_tables.save_pattern(rows, pattern)
    if pattern.state is PatternState.IN_FORCE:
        found = PatternFinding(
            kind=pattern.kind,
            iterations=pattern.iterations,
            words=pattern.words,
            concern=pattern.concern,
        )
        value = significance.of_pattern(found)
        key = significance.note_of(pattern)
        notes.set_(store, clock, agent=pattern.agent, key=key, value=value)


def pushed(store: Store, receipts: Iterable[Receipt]) -> list[Event]:
    """Return the events of some receipts as they stand."""
    return [inbox.show(store, id=receipt.id) for receipt in receipts]


def missing_cycles(store: Store, lines: PhaseLines) -> list[int]:
    """Return the numbers of cycles that lines tell of and a store does not have."""
    with store.read() as rows:
        return [
            one.cycle
            for one in lines.all(Cycle)
            if history_tables.find_cycle(rows, agent=lines.agent, cycle=one.cycle) is None
        ]


class PhaseState(NamedTuple):
    """How a store stands of what phases change: the last numbers, and what may change again."""

    cycle: int
    message: int
    event: int
    known: dict[str, Record]


def state_of(store: Store, *, agent: str) -> PhaseState:
    """Return how a store stands before a phase."""
    with store.read() as rows:
        lived = cycles.open_one(store, agent=agent)
        number = lived.cycle if lived else history_tables.next_cycle(rows, agent=agent)
        return PhaseState(
            cycle=number - 1,
            message=log.log_head(store, agent=agent).seq,
            event=inbox_tables.last_seq(rows),
            known=_named(rows, agent),
        )


def changes(
    store: Store, *, agent: str, since: PhaseState, events: Iterable[Event]
) -> Iterator[Record]:
    """Yield what a phase changed of an agent since: of some events, of what came, and its own."""
    with store.read() as rows:
        lived = list(cycles.cycles(store, agent=agent, after=since.cycle))
        ids = {event.id for event in events}.union(*(cycle.events for cycle in lived))
        seqs = inbox_tables.seqs_of(rows, sorted(ids))
        # A line may name an event of another agent, whose inbox is none of this pipe's.
        found = inbox_tables.events_at(rows, seqs)
        yield from (event for event in found if event.agent == agent)
        yield from inbox_tables.events_after(rows, agent=agent, after=since.event, sources=_PROGRAM)
        for cycle in lived:
            yield cycle
            yield from journal.calls_of_cycle(rows, agent=agent, cycle=cycle.cycle)
        yield from history.messages(store, agent=agent, since=since.message + 1)
        for name, record in _named(rows, agent).items():
            if since.known.get(name) != record:
                yield record


@contextlib.contextmanager
def running(store: Store, lines: PhaseLines) -> Iterator[None]:
    """Let a phase run; what it changes goes into the lines."""
    before = state_of(store, agent=lines.agent)
    try:
        yield
    except MindError:
        # Lines cannot carry the turns of a cycle that is still open.
        if cycles.open_one(store, agent=lines.agent) is None:
            _take(store, lines, since=before)
        raise
    _take(store, lines, since=before)


def about_run(store: Store, ticket: Ticket) -> list[Record]:
    """Return what tells that an approved call begins: its decision if it has one, and its ticket.

    The decision comes first: without its ticket it runs nothing, also where a line was lost.
    """
    with store.read() as rows:
        decision = decisions.of_ticket(rows, ticket.id)
    return [ticket] if decision is None else [decision, ticket]


def unknown_runs(lines: PhaseLines) -> list[Ticket]:
    """Return the tickets in lines of which nobody knows whether their calls ran."""
    return [one for one in lines.all(Ticket) if one.state is TicketState.UNKNOWN]


def failure_of(error: MindError, lines: PhaseLines, *, phase: str) -> PhaseFailure:
    """Return what a phase ended with."""
    return PhaseFailure(agent=lines.agent, phase=phase, status=error.status, error=str(error))


def _take(store: Store, lines: PhaseLines, *, since: PhaseState) -> None:
    """Put what has changed into the lines."""
    for record in changes(store, agent=lines.agent, since=since, events=lines.all(Event)):
        lines.put(record)


def _named(rows: Rows, agent: str) -> dict[str, Record]:
    """Return an agent's tickets, decisions and newest reflections and patterns by their names."""
    reflections = attention_tables.newest(rows, agent=agent, limit=_NEWEST)
    return {
        **{one.id: one for one in journal.tickets(rows, agent=agent)},
        **{one.id: one for one in decisions.list_(rows, agent=agent)},
        **{f"reflection {one.iteration}": one for one in reflections},
        **{one.id: one for one in attention_tables.patterns_of(rows, agent=agent, limit=_NEWEST)},
    }
