"""Concerns: add, list, change and remove them, move the focus, and say what is attended to."""

from collections.abc import Sequence
from itertools import chain

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.core.events import Priority
from mindpipe.core.instants import seconds_between
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.text import did_you_mean, one_line, safe_name
from mindpipe.decisions import tables as decisions
from mindpipe.decisions.wording import SOURCE as DECISION
from mindpipe.engine.approval import SOURCE as TICKET
from mindpipe.engine.records.attention import (
    OTHERS,
    RESERVED,
    Attended,
    AttentionRules,
    Concern,
    ConcernChange,
    ConcernStanding,
    ConcernTurns,
)
from mindpipe.engine.tables import attention as tables
from mindpipe.engine.tables import journal
from mindpipe.engine.worker import attention, checkpoints, modes, significance
from mindpipe.engine.worker import log as worker_log
from mindpipe.engine.worker.modes import ModeRules
from mindpipe.history.records import Cycle
from mindpipe.inbox import ordering
from mindpipe.inbox.records import Event, EventState
from mindpipe.inbox.tables import events, glances
from mindpipe.inbox.verbs import inbox
from mindpipe.memory.records import NewReflection
from mindpipe.memory.verbs import reflection
from mindpipe.workers.records import Checkpoint

FOCUS_NOTE = "attention.focus"
"""The note by which every prompt says what the focus is, and what was done for it last time."""
_TEXT = 2000


def add(store: Store, clock: Clock, *, concern: Concern, rules: AttentionRules) -> ConcernStanding:
    """Give an agent a concern in the background, and return how it stands.

    Raises:
        RefusedError: there is one of this name, or all shares would be over 1.
        UsageError: no such agent, or the name or text is not allowed.
    """
    name = safe_name(concern.name)
    if name in RESERVED:
        raise UsageError(f'"{name}" is the program\'s own concern; give another name.')
    made = _checked(msgspec.structs.replace(concern, focus=False, created=clock.now()))
    with store.write(made.agent) as rows:
        agents.show(store, name=made.agent)
        known = tables.concerns_of(rows, agent=made.agent)
        if name in {one.name for one in known}:
            raise RefusedError(f"{made.agent} has a concern {name}; mind concern set changes it.")
        _refuse_too_much([*known, made], rules)
        tables.save_concern(rows, made)
        return _standing(rows, made.agent, name, rules)


def list_(store: Store, *, agent: str, rules: AttentionRules) -> list[ConcernStanding]:
    """Return an agent's concerns as they stand, and last how what no concern claims does.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        agents.show(store, name=agent)
        return _all_standing(rows, agent, rules)


def set_(
    store: Store, *, agent: str, name: str, change: ConcernChange, rules: AttentionRules
) -> ConcernStanding:
    """Change a concern and return how it stands.

    Raises:
        RefusedError: all shares would be over 1.
        UsageError: no such agent or concern.
    """
    with store.write(agent) as rows:
        found = _concern(store, rows, agent, name)
        fields = msgspec.structs.asdict(change)
        given = {key: value for key, value in fields.items() if value is not None}
        made = _checked(msgspec.structs.replace(found, **given))
        others = [one for one in tables.concerns_of(rows, agent=agent) if one.name != name]
        _refuse_too_much([*others, made], rules)
        tables.save_concern(rows, made)
        return _standing(rows, agent, name, rules)


def remove(store: Store, clock: Clock, chance: Chance, *, agent: str, name: str) -> Concern:
    """Forget a concern and return what it was; a focus is summarised before.

    Raises:
        UsageError: no such agent or concern.
    """
    with store.write(agent) as rows:
        found = _concern(store, rows, agent, name)
        if found.focus:
            focus(store, clock, chance, agent=agent, name=None)
        tables.delete_concern(rows, agent=agent, name=name)
    return found


def focus(
    store: Store, clock: Clock, chance: Chance, *, agent: str, name: str | None
) -> Concern | None:
    """Give the focus to a concern, or to none, and return the concern that has it now.

    First what was done since the old focus was taken up becomes a reflection, by rules; then the
    agent's note of its focus says what the new one is about and how it was left.

    Raises:
        NothingToDoError: it has the focus already, or nothing has.
        UsageError: no such agent or concern.
    """
    now = clock.now()
    with store.write(agent) as rows:
        new = None if name is None else _concern(store, rows, agent, name)
        agents.show(store, name=agent)
        old = next((one for one in tables.concerns_of(rows, agent=agent) if one.focus), None)
        if (old and old.name) == (new and new.name):
            raise NothingToDoError(f"{agent}'s focus is {name or 'nothing'} already.")
        if old is not None:
            _leave(store, clock, chance, rows, old)
        if new is None:
            if FOCUS_NOTE in {one.key for one in notes.list_(store, agent=agent)}:
                notes.delete(store, agent=agent, key=FOCUS_NOTE)
            return None
        taken = msgspec.structs.replace(new, focus=True, since=now)
        tables.save_concern(rows, taken)
        left = summary_of(store, agent=agent, name=taken.name)
        words = significance.of_focus(taken, left)
        notes.set_(store, clock, agent=agent, key=FOCUS_NOTE, value=words)
        return taken


def summary_of(store: Store, *, agent: str, name: str) -> str | None:
    """Return how a concern was left when it last had the focus, or None."""
    tag = significance.tag(name)
    found = [one for one in reflection.list_(store, agent=agent) if tag in one.tags]
    return found[-1].text if found else None


def _leave(store: Store, clock: Clock, chance: Chance, rows: Rows, old: Concern) -> None:
    """Summarise what was done for the old focus, if anything was, and take the focus from it."""
    now = clock.now()
    # The wall clock may have been set back since.
    since = min(old.since or old.created or now, now)
    lived = tables.since(rows, agent=old.agent, since=since)
    mine = [one for one in lived if one.concern == old.name]
    tables.save_concern(rows, msgspec.structs.replace(old, focus=False))
    if not mine:
        return
    given = NewReflection(
        text=significance.of_work(old, mine, since=since, until=now),
        since=since,
        until=now,
        items=tuple(one.item for one in mine if one.item is not None),
        tags=("focus", significance.tag(old.name)),
        origin="program",
    )
    bad_lines = AllOrNothing()
    with reflection.add(store, clock, chance, agent=old.agent, bad_lines=bad_lines) as keeping:
        keeping.add([given])


def _checked(concern: Concern) -> Concern:
    """Return a concern whose text is one line at most; raises UsageError."""
    if concern.text:
        text = one_line(concern.text, field="the concern's text", limit=_TEXT)
        concern = msgspec.structs.replace(concern, text=text)
    return concern


def _refuse_too_much(concerns: list[Concern], rules: AttentionRules) -> None:
    """Raise RefusedError where the shares of the background and of the focus are over 1."""
    background = sum(one.share for one in concerns if not one.focus)
    focused = rules.primary_share if any(one.focus for one in concerns) else 0.0
    if background + focused > 1.0 + 1e-9:
        listed = ", ".join(
            f"{one.name} {rules.primary_share:g} (the focus: attention.primary_share)"
            if one.focus
            else f"{one.name} {one.share:g}"
            for one in concerns
        )
        raise RefusedError(
            f"the shares would add up to {background + focused:g}: {listed}; "
            "lower one to leave 1 in all."
        )


def _concern(store: Store, rows: Rows, agent: str, name: str) -> Concern:
    """Return one concern of an agent; raises UsageError."""
    agents.show(store, name=agent)
    known = tables.concerns_of(rows, agent=agent)
    found = next((one for one in known if one.name == name), None)
    if found is None:
        hint = did_you_mean(name, [one.name for one in known])
        raise UsageError(f'{agent} has no concern "{name}"; {hint}mind concern list shows them.')
    return found


def _standing(rows: Rows, agent: str, name: str, rules: AttentionRules) -> ConcernStanding:
    """Return how one concern stands."""
    return next(one for one in _all_standing(rows, agent, rules) if one.name == name)


def _all_standing(rows: Rows, agent: str, rules: AttentionRules) -> list[ConcernStanding]:
    """Return how all concerns of an agent stand, what no concern claims being the last."""
    known = tables.concerns_of(rows, agent=agent)
    turns = tables.turns_of(rows, agent=agent)
    share = attention.shares(known, rules)
    total = sum(share.values())
    rest = Concern(agent=agent, name=OTHERS, text="what no concern claims", share=0.0)
    return [
        ConcernStanding(
            **msgspec.structs.asdict(one),
            weight=round(share[one.name] / total, 4),
            turns=turns.get(one.name, ConcernTurns(concern=one.name)).turns,
        )
        for one in (*known, rest)
    ]


GLIMPSED = 20
"""How many events of each priority are looked at, at least; twice what may be taken up if more."""
WINDOW = 500
"""Of how many of each priority as many more are chosen from all talks, where there are concerns."""
MOST_COUNTED = 1_000_000


def attend_now(store: Store, clock: Clock, *, agent: str, rules: ModeRules) -> Attended:
    """Return what an agent's next iteration attends to, in the mode that its loop is in."""
    now = clock.now()
    last = worker_log.last_change(store, agent=agent)
    known = checkpoints.load_checkpoint(store, agent=agent) or Checkpoint(agent=agent, at=now)
    known = msgspec.structs.replace(known, mode=worker_log.mode_of(last))
    limits = modes.attending(known.mode, rules, held=worker_log.is_held(last))
    return attend(store, clock, agent=agent, session=known, limits=limits)


def borne_out(
    store: Store, clock: Clock, attended: Attended, *, events: Sequence[str]
) -> Attended | None:
    """Return what a line says that a cycle of some events attended to, as far as the store has it.

    None where that was the turn of another concern. How many events waited is not taken from it.
    """
    agent = attended.agent
    with store.read() as rows:
        concerns = tables.concerns_of(rows, agent=agent)
        taken = inbox.glimpse_at(store, ids=events)
        seen = inbox.glimpse(store, clock, agent=agent, limit=GLIMPSED, window=WINDOW)
        last = worker_log.last_change(store, agent=agent)
    own = {attention.concern_of(concerns, event) for event in taken}
    had = own.union(attention.concern_of(concerns, event) for event in seen)
    working = tuple(name for name in attended.working if name in had)
    if attended.concern not in own or (working and attended.concern not in working):
        return None
    return msgspec.structs.replace(
        attended,
        mode=worker_log.mode_of(last),
        focus=next((one.name for one in concerns if one.focus), None),
        events=tuple(events),
        working=working,
    )


def queue_at(rows: Rows, cycle: Cycle) -> int:
    """Return how many events waited when a cycle was opened, as far as the store can tell now.

    What came within the same second counts, but for what became of the cycle itself.
    """
    taken = events.seqs_of(rows, cycle.events)
    waited = glances.count_due_at(rows, agent=cycle.agent, at=cycle.opened, taken=taken)
    came = events.events_after(
        rows, agent=cycle.agent, after=max(taken, default=0), sources=(DECISION, TICKET)
    )
    outcomes = [one for one in came if one.pushed <= cycle.opened and _is_of(rows, one, cycle)]
    return waited - len(outcomes)


def _is_of(rows: Rows, event: Event, cycle: Cycle) -> bool:
    """Tell whether an open event says what became of a decision or a ticket of a cycle."""
    decision, ticket = (str(event.body.get(name, "")) for name in ("decision", "ticket"))
    matter = decisions.find(rows, decision) or journal.find_ticket(rows, ticket)
    is_open = event.state in {EventState.READY, EventState.LEASED}
    return is_open and matter is not None and matter.cycle == cycle.cycle


def attend(
    store: Store, clock: Clock, *, agent: str, session: Checkpoint, limits: AttentionRules
) -> Attended:
    """Return what an agent's next iteration attends to, in the mode of its session.

    However many events wait, it looks at a bounded number of each priority, and counts the others
    from an index: with 10,000 that wait it takes some ms. A concern whose events all stand behind
    `WINDOW` others of their priority, or behind many of their own source, space and sender that are
    not its own, is not seen until these are fewer.
    """
    with store.read() as rows:
        concerns = tables.concerns_of(rows, agent=agent)
        turns = tables.turns_of(rows, agent=agent)
        limit = max(GLIMPSED, 2 * limits.most)
        window = WINDOW if concerns else limit
        seen = inbox.glimpse(store, clock, agent=agent, limit=limit, window=window)
        queue = inbox.count(store, clock, agent=agent, most=MOST_COUNTED)
        marked = {event.seq: attention.marks(event) for event in seen}
        known = tables.met(rows, agent=agent, marks=chain.from_iterable(marked.values()))
    now = clock.now()
    aged = ordering.ages(now, longest_wait=limits.longest_wait)
    novel = {seq: attention.novelty(found, known) for seq, found in marked.items()}
    assessed = attention.assess(seen, concerns, limits, aged=aged, novel=novel)
    picked = attention.pick(assessed, concerns, turns, limits, iteration=session.iteration + 1)
    focus = next((one.name for one in concerns if one.focus), None)
    oldest = min((one.since for one in seen), default=now)
    return Attended(
        agent=agent,
        at=now,
        mode=session.mode,
        concern=picked.concern,
        focus=focus,
        events=tuple(event.id for event in picked.events),
        marks=tuple(mark for event in picked.events for mark in marked[event.seq]),
        working=picked.working,
        preempted=picked.preempted,
        queue=queue,
        urgent=sum(one.urgency <= Priority.URGENT for one in assessed),
        relevant=sum(one.concern == focus for one in assessed),
        oldest_seconds=max(0.0, seconds_between(oldest, now)),
    )
