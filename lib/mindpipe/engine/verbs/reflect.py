"""Look back on what was lived: a reflection on each iteration, patterns over many, and a day."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import IllegalStateError, NothingToDoError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.instants import later, seconds_between
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.owned import owned
from mindpipe.core.ports import NOBODY, Chance, Clock, Deliver, Rows, Store
from mindpipe.core.records import Record
from mindpipe.decisions import tables as decisions
from mindpipe.decisions.records import DecisionState
from mindpipe.engine.cycle import tickets
from mindpipe.engine.phase_lines import PhaseLines
from mindpipe.engine.records.attention import (
    CHANGES,
    OTHERS,
    Adjustments,
    Attended,
    Concern,
    ConcernTurns,
    IterationPattern,
    IterationReflection,
    PatternChange,
    PatternFinding,
    PatternState,
    ReflectionRules,
)
from mindpipe.engine.records.journal import TicketState
from mindpipe.engine.records.phases import Acted
from mindpipe.engine.tables import attention as tables
from mindpipe.engine.tables import journal
from mindpipe.engine.verbs.concern import borne_out, queue_at
from mindpipe.engine.worker import attention, checkpoints, log, significance
from mindpipe.engine.worker.modes import ModeShift, adjusted
from mindpipe.engine.worker.significance import Facts, reflected, told
from mindpipe.engine.worker.timing import Load, LoopPace, TimingRules, pace
from mindpipe.history.records import SPLIT, Cycle, CycleState
from mindpipe.history.verbs import cycles
from mindpipe.inbox.ordering import Glimpse
from mindpipe.inbox.verbs import inbox
from mindpipe.memory.records import LessonOutcome, NewItem, NewReflection, Reflection
from mindpipe.memory.verbs import lesson as lessons
from mindpipe.memory.verbs import memory, reflection
from mindpipe.workers.records import Checkpoint, Iteration, LoopMode

KEPT = 20_000
"""Reflections on iterations that are kept of each agent."""
_WINDOW = 50


REFLECT, IDLE, REFLECT_DAY = "reflect", "idle", "day"
"""The kinds of operation under which it is recorded."""


class IdleAsked(Record):
    """What was attended to, and the session of the loop, as idle time passed."""

    attended: Attended
    session: Checkpoint


class Reflector(NamedTuple):
    """What looking back needs of the outside, and its rules.

    Where a store is `scratch`, filled from lines, nothing becomes a memory and lines are the truth.
    """

    store: Store
    clock: Clock
    chance: Chance
    deliver: Deliver
    rules: ReflectionRules = ReflectionRules()
    scratch: bool = False


def look_back(
    reflector: Reflector, *, iteration: Iteration, attended: Attended | None
) -> IterationReflection:
    """Look back on an iteration that ends, in one transaction, and return what is said of it.

    The turns of concerns are settled, what was taken up is familiar from now on, triggers that
    come push their event, and every so many iterations patterns are looked for. An iteration in
    which nothing was lived and nothing failed is returned and not kept; a cycle that was looked
    back on changes nothing again.
    """
    with reflector.store.write(iteration.agent) as rows:
        cycle = iteration.cycle
        known = None if cycle is None else tables.of_cycle(rows, agent=iteration.agent, cycle=cycle)
        if known is not None:
            return known
        made = _looked_at(reflector, rows, iteration, attended)
        if made.cycle is not None or iteration.error is not None:
            made = _remembered(reflector, made)
            tables.add_reflection(rows, made)
            tables.forget_old(rows, agent=made.agent, keep=KEPT)
        if attended is not None:
            _settle_turns(reflector, rows, attended, iteration.number)
        _trigger(reflector, rows, iteration)
        _end_patterns(reflector, rows, iteration)
        if iteration.number % reflector.rules.every == 0:
            _find_patterns(reflector, rows, iteration)
    return made


def reflect(reflector: Reflector, *, agent: str) -> list[IterationReflection]:
    """Look back on the cycles that ended since the last reflection, and return what is said.

    They were lived outside of a loop: each counts as an iteration of its own. One that was split
    is none: what it took up is lived by the cycles after it.

    Raises:
        NothingToDoError: no cycle ended since.
        UsageError: there is no such agent.
    """
    with reflector.store.write(agent) as rows:
        agents.show(reflector.store, name=agent)
        after = tables.last_cycle(rows, agent=agent)
        last = tables.newest(rows, agent=agent, limit=1)
        number = last[0].iteration if last else 0
        made = []
        for cycle in list(cycles.cycles(reflector.store, agent=agent, after=after)):
            if not _was_lived(cycle):
                continue
            number += 1
            one = _as_iteration(cycle, number)
            made.append(look_back(reflector, iteration=one, attended=None))
    if not made:
        raise NothingToDoError(f"no cycle of {agent} ended since the last reflection.")
    return made


def reflect_on(reflector: Reflector, lines: PhaseLines, *, timing: TimingRules) -> LoopPace:
    """Look back on cycles that lines name and nobody looked back on; return the pause to follow.

    Each is kept as an iteration that no worker lived: what was attended to, what was proposed in
    the cycle and decided, and what was done. Lines only name them: what they were is read from the
    store, so that a line of somebody else's changes nothing.

    Raises:
        NothingToDoError: there is none.
        UsageError: there is no such agent.
    """
    with reflector.store.write(lines.agent) as rows:
        agents.show(reflector.store, name=lines.agent)
        found = [
            cycles.find(reflector.store, agent=lines.agent, cycle=one.cycle)
            for one in lines.all(Cycle)
        ]
        lived = [one for one in found if one is not None and _is_to_be_seen(rows, one)]
        if not lived:
            raise NothingToDoError(f"no cycle of {lines.agent} came that is to be looked back on.")
        paces = [_reflect_on(reflector, rows, lines, cycle, timing) for cycle in lived]
    return paces[-1]


def _is_to_be_seen(rows: Rows, cycle: Cycle) -> bool:
    """Tell whether a cycle was lived and has ended, and nobody looked back on it."""
    if not _was_lived(cycle):
        return False
    return tables.of_cycle(rows, agent=cycle.agent, cycle=cycle.cycle) is None


def _was_lived(cycle: Cycle) -> bool:
    """Tell whether a cycle was lived here and has ended; what was split is lived by later ones."""
    return cycle.state is not CycleState.OPEN and cycle.epoch != 0 and cycle.reason != SPLIT


def _reflect_on(
    reflector: Reflector, rows: Rows, lines: PhaseLines, cycle: Cycle, timing: TimingRules
) -> LoopPace:
    """Look back on one cycle and keep its iteration; return the pause that follows it."""
    store, name = reflector.store, lines.agent
    newest = tables.newest(rows, agent=name, limit=1)
    last = max(log.last_iteration(store, agent=name), *(one.iteration for one in newest), 0)
    attended = lines.last(Attended)
    if attended is not None and not set(cycle.events) <= set(attended.events):
        attended = None
    if attended is not None and not reflector.scratch:
        attended = borne_out(store, reflector.clock, attended, events=cycle.events)
    known = decisions.list_(rows, agent=name)
    decided = [one for one in known if one.cycle == cycle.cycle and one.type]
    acted = lines.last(Acted)
    named = set(acted.applied) if acted is not None else set()
    one = msgspec.structs.replace(
        _as_iteration(cycle, last + 1),
        decided=len(decided),
        confidence=fmean(one.proposal.confidence for one in decided) if decided else None,
        applied=sum(one.id in named and one.state is DecisionState.APPLIED for one in known),
    )
    if attended is not None:
        one = msgspec.structs.replace(
            one,
            at=cycle.opened,
            mode=attended.mode,
            concern=attended.concern,
            queue=attended.queue,
        )
    if not reflector.scratch:
        one = msgspec.structs.replace(one, queue=queue_at(rows, cycle))
    seen = look_back(reflector, iteration=one, attended=attended)
    weight = timing.smoothing
    before = checkpoints.restore_checkpoint(store, reflector.clock, agent=name, weight=weight)
    after = checkpoints.after(before, one, weight=weight)
    load = Load(after.mode, mean_queue=after.mean_queue, mean_seconds=after.mean_seconds)
    planned = pace(load, timing)
    made = msgspec.structs.replace(
        one, significance=seen.significance, interval_ms=round(planned.seconds * 1000)
    )
    log.add_iteration(store, made)
    return planned


def list_(store: Store, *, agent: str, limit: int) -> list[IterationReflection]:
    """Return an agent's newest reflections on iterations, oldest first."""
    with store.read() as rows:
        return tables.newest(rows, agent=agent, limit=limit)


def patterns(store: Store, *, agent: str, limit: int) -> list[IterationPattern]:
    """Return an agent's newest patterns, oldest first."""
    with store.read() as rows:
        return tables.patterns_of(rows, agent=agent, limit=limit)


def undo(store: Store, *, pattern: str, by: str) -> IterationPattern:
    """Take back what a pattern changed, and return it; a ticket that it opened stays with a person.

    Raises:
        IllegalStateError: it holds no longer.
        UsageError: there is no such pattern.
    """
    with store.write(NOBODY) as rows:
        found = owned(rows, lambda: _pattern(rows, pattern))
        if found.state is not PatternState.IN_FORCE:
            raise IllegalStateError(f"{pattern} is {found.state.value}, not in force.")
        return _end(store, rows, found, PatternState.UNDONE, by=by)


def _pattern(rows: Rows, pattern: str) -> IterationPattern:
    """Return one pattern; raises UsageError."""
    found = tables.find_pattern(rows, pattern)
    if found is None:
        raise UsageError(f'no pattern "{pattern}"; mind reflect patterns shows them.')
    return found


def adjustments(store: Store, *, agent: str) -> Adjustments:
    """Return what patterns in force ask of the loop: to stay as it is, or to be in overload."""
    with store.read() as rows:
        found = tables.patterns_of(rows, agent=agent, state=PatternState.IN_FORCE)
    dwell = [one.until for one in found if one.change is PatternChange.DWELL]
    overload = any(one.change is PatternChange.OVERLOAD for one in found)
    return Adjustments(
        dwell_until=max(dwell, default=None), mode=LoopMode.OVERLOAD if overload else None
    )


def _looked_at(
    reflector: Reflector, rows: Rows, one: Iteration, attended: Attended | None
) -> IterationReflection:
    """Return the reflection on an iteration, from what the store knows of its cycle."""
    lived = (
        None
        if one.cycle is None
        else cycles.find(reflector.store, agent=one.agent, cycle=one.cycle)
    )
    events = lived.events if lived is not None else ()
    calls = journal.calls_of_cycle(rows, agent=one.agent, cycle=lived.cycle) if lived else []
    seen = inbox.glimpse_at(reflector.store, ids=events)
    marked = {event.seq: attention.marks(event) for event in seen}
    known = tables.met(
        rows, agent=one.agent, marks=[mark for pair in marked.values() for mark in pair]
    )
    novel = [attention.novelty(pair, known) for pair in marked.values()]
    flat = [mark for pair in marked.values() for mark in pair]
    tables.meet(rows, agent=one.agent, marks=flat, iteration=one.number)
    facts = Facts(
        iteration=_named(rows, one, seen),
        focus=attended.focus if attended is not None else None,
        seen=tuple(seen),
        calls=tuple(calls),
        novelty=sum(novel) / len(novel) if novel else 0.0,
    )
    return reflected(facts)


def _named(rows: Rows, one: Iteration, seen: Sequence[Glimpse]) -> Iteration:
    """Return an iteration with the concern of its first event, where it names none."""
    if one.concern is not None or not seen:
        return one
    known = sorted(tables.concerns_of(rows, agent=one.agent), key=lambda each: not each.focus)
    return msgspec.structs.replace(one, concern=attention.concern_of(known, seen[0]))


def _remembered(reflector: Reflector, made: IterationReflection) -> IterationReflection:
    """Keep a reflection as an episode where it is significant enough for its agent."""
    agent = agents.show(reflector.store, name=made.agent)
    if reflector.scratch or made.significance < agent.memory_threshold:
        return made
    given = NewItem(
        key=f"iteration:{made.iteration}:{made.cycle or 0}",
        kind="episodic",
        text=told(made),
        at=made.at,
        subject=made.agent,
        tags=("reflection",),
        significance=made.significance,
        origin="program",
    )
    added = memory.add(
        reflector.store, reflector.clock, reflector.chance, agent=made.agent, given=[given]
    )
    return msgspec.structs.replace(made, item=added[0].id)


def _settle_turns(reflector: Reflector, rows: Rows, attended: Attended, number: int) -> None:
    """Count the turn of the concern that was attended to."""
    known = tables.concerns_of(rows, agent=attended.agent)
    after = attention.settled(
        tables.turns_of(rows, agent=attended.agent),
        attention.shares(known, reflector.rules.attending),
        served=attended.concern,
        working=attended.working,
        iteration=number,
    )
    tables.save_turns(rows, after, agent=attended.agent)


def adjust(
    store: Store, session: Checkpoint, attended: Attended, follows: ModeShift | None
) -> ModeShift | None:
    """Return the change of mode that patterns over iterations leave, or ask for."""
    asked = adjustments(store, agent=session.agent)
    return adjusted(session.mode, follows, asked, attended, iteration=session.iteration)


def trigger_idle(reflector: Reflector, *, attended: Attended, session: Checkpoint) -> bool:
    """Push an event for each concern whose idle time has come; tell whether there was one.

    Where none has such a trigger, nothing is written.
    """
    agent, store = attended.agent, reflector.store
    if not session.active or attended.events:
        return False
    with store.read() as rows:
        known = tables.concerns_of(rows, agent=agent)
        if all(one.trigger.idle_seconds is None for one in known):
            return False
        turns = tables.turns_of(rows, agent=agent)
    idle = seconds_between(session.active, attended.at)
    due = [
        concern
        for concern in known
        if attention.is_idle(
            concern,
            turns.get(concern.name) or ConcernTurns(concern=concern.name),
            idle_seconds=idle,
            lived=session.iteration,
        )
    ]
    if due:
        with store.write(agent) as rows:
            for concern in due:
                _fire(reflector, rows, concern, session.iteration + 1)
    return bool(due)


def _trigger(reflector: Reflector, rows: Rows, one: Iteration) -> None:
    """Push an event for each concern that had no turn for long enough."""
    known = tables.concerns_of(rows, agent=one.agent)
    if all(concern.trigger.every is None for concern in known):
        return
    turns = tables.turns_of(rows, agent=one.agent)
    for concern in known:
        stands = turns.get(concern.name) or ConcernTurns(concern=concern.name)
        if attention.is_trigger_due(concern, stands, iteration=one.number):
            _fire(reflector, rows, concern, one.number)


def _fire(reflector: Reflector, rows: Rows, concern: Concern, number: int) -> None:
    """Push the event by which a concern gets its turn, and note when that was."""
    stands = tables.turns_of(rows, agent=concern.agent).get(concern.name)
    fired = msgspec.structs.replace(stands or ConcernTurns(concern=concern.name), fired=number)
    tables.save_turns(rows, [fired], agent=concern.agent)
    reflector.deliver(
        [
            NewEvent(
                agent=concern.agent,
                type="observation",
                source=attention.SOURCE,
                key=f"{concern.name}:{number}",
                text=f"It is time for {concern.name}. {concern.text}".strip(),
                body={"concern": concern.name},
            )
        ]
    )


def _find_patterns(reflector: Reflector, rows: Rows, one: Iteration) -> None:
    """Keep the patterns that are there now and were not before, and change what they ask for."""
    lived = tables.newest(rows, agent=one.agent, limit=_WINDOW)
    known = tables.patterns_of(rows, agent=one.agent, limit=_WINDOW)
    in_force = {(old.kind, old.concern) for old in known if old.state is PatternState.IN_FORCE}
    stood_on = {(old.kind, old.iterations) for old in known}
    for found in significance.find(lived, reflector.rules):
        if (found.kind, found.concern) in in_force or (found.kind, found.iterations) in stood_on:
            continue
        _change(reflector, rows, one, found, known)


def _change(
    reflector: Reflector,
    rows: Rows,
    one: Iteration,
    found: PatternFinding,
    known: Sequence[IterationPattern],
) -> None:
    """Keep a pattern with what changes because of it, and tell the agent in its next prompt."""
    store, clock, chance = reflector.store, reflector.clock, reflector.chance
    until = one.number + reflector.rules.holds
    ticket = None
    if CHANGES[found.kind] is PatternChange.ESCALATE:
        ticket = _open_ticket(rows, found, known)
        if ticket is None:
            matter = tickets.TicketMatter("escalation", significance.why(found), one.cycle or 0)
            ticket = tickets.open_matter(store, clock, chance, agent=one.agent, matter=matter).id
    if CHANGES[found.kind] is PatternChange.YIELD:
        _yield(rows, one.agent, found.concern or OTHERS, until)
    made = IterationPattern(
        id=chance.new_id("pt", one.agent, found.kind.value, one.number),
        agent=one.agent,
        kind=found.kind,
        at=clock.now(),
        iteration=one.number,
        iterations=found.iterations,
        words=found.words,
        change=CHANGES[found.kind],
        until=until,
        concern=found.concern,
        ticket=ticket,
    )
    tables.save_pattern(rows, made)
    notes.set_(
        store,
        clock,
        agent=one.agent,
        key=significance.note_of(made),
        value=significance.of_pattern(found),
    )


def _open_ticket(
    rows: Rows, found: PatternFinding, known: Sequence[IterationPattern]
) -> str | None:
    """Return the ticket that a person has of the same pattern and has not closed yet, or None."""
    for old in reversed(known):
        if (old.kind, old.concern) == (found.kind, found.concern) and old.ticket is not None:
            ticket = journal.find_ticket(rows, old.ticket)
            return old.ticket if ticket is not None and ticket.state is TicketState.OPEN else None
    return None


def _end_patterns(reflector: Reflector, rows: Rows, one: Iteration) -> None:
    """Let what held until this iteration hold no longer."""
    for old in tables.patterns_of(rows, agent=one.agent, state=PatternState.IN_FORCE):
        if old.until <= one.number:
            _end(reflector.store, rows, old, PatternState.OVER)


def _end(
    store: Store, rows: Rows, old: IterationPattern, state: PatternState, *, by: str | None = None
) -> IterationPattern:
    """Take back what a pattern changed and what its agent was told."""
    ended = msgspec.structs.replace(old, state=old.state.to(state), by=by)
    tables.save_pattern(rows, ended)
    if old.change is PatternChange.YIELD:
        _yield(rows, old.agent, old.concern or OTHERS, 0)
    if significance.note_of(old) in {note.key for note in notes.list_(store, agent=old.agent)}:
        notes.delete(store, agent=old.agent, key=significance.note_of(old))
    return ended


def _yield(rows: Rows, agent: str, concern: str, until: int) -> None:
    """Let a concern yield its turns before an iteration."""
    stands = tables.turns_of(rows, agent=agent).get(concern) or ConcernTurns(concern=concern)
    changed = msgspec.structs.replace(stands, yields_until=until)
    tables.save_turns(rows, [changed], agent=agent)


def _as_iteration(cycle: Cycle, number: int) -> Iteration:
    """Return a cycle that was lived by itself as an iteration."""
    return Iteration(
        agent=cycle.agent,
        number=number,
        life="",
        at=cycle.closed or cycle.opened,
        mode=LoopMode.NORMAL,
        cycle=cycle.cycle,
        outcome=cycle.outcome.value if cycle.outcome else "failed",
        events=len(cycle.events),
        think_ms=float(cycle.milliseconds),
        error=cycle.reason if cycle.state is CycleState.FAILED else None,
    )


DAY = 86_400.0
TAG = "day"


def day(store: Store, clock: Clock, chance: Chance, *, agent: str) -> Reflection:
    """Keep and return the reflection on what an agent lived since the last one, in one transaction.

    Without one it is that of the last 24 hours. It says what the agent is good at and what it
    struggles with, which the next consolidation holds of the mind itself. A tool that mostly went
    wrong becomes a lesson, and how it went later is an outcome of that lesson.

    Raises:
        NothingToDoError: nothing was looked back on since.
        UsageError: there is no such agent.
    """
    now = clock.now()
    with store.write(agent) as rows:
        agents.show(store, name=agent)
        days = [one for one in reflection.list_(store, agent=agent) if TAG in one.tags]
        since = max((one.until for one in days), default=later(now, seconds=-DAY))
        lived = tables.between(rows, agent=agent, since=since, until=now)
        if not lived:
            raise NothingToDoError(
                f"{agent} has looked back on nothing since {since}; mind run does after each "
                "cycle, mind reflect after mind think."
            )
        _learn(store, clock, chance, agent, lived)
        found = [one for one in tables.patterns_of(rows, agent=agent) if one.at >= since]
        given = NewReflection(
            key=f"{TAG}:{now}",
            text=significance.of_day(lived, found, since=since),
            since=since,
            until=now,
            items=tuple(one.item for one in lived if one.item is not None),
            tags=(TAG,),
            origin="program",
        )
        kept = AllOrNothing()
        with reflection.add(store, clock, chance, agent=agent, bad_lines=kept) as keeping:
            added = keeping.add([given])
        return reflection.show(store, agent=agent, id=added[0].id)


def _learn(
    store: Store, clock: Clock, chance: Chance, agent: str, lived: list[IterationReflection]
) -> None:
    """Keep a lesson for each tool that mostly went wrong, and how it went where there is one."""
    known = {one.key: one for one in lessons.list_(store, agent=agent)}
    for tool, good in significance.standing(lived).items():
        lesson = significance.strategy(tool)
        there = known.get(lesson.key)
        if there is not None and good is not None:
            how = LessonOutcome(at=clock.now(), good=good)
            lessons.outcome(store, clock, agent=agent, id=there.id, outcome=how)
        elif there is None and good is False:
            kept = AllOrNothing()
            with lessons.add(store, clock, chance, agent=agent, bad_lines=kept) as keeping:
                keeping.add([lesson])
