"""Lives of persons: take one up from lines, live it again, let another one part from it."""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import msgspec

from mindpipe.agents import tables as agent_tables
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.ports import Chance, Clock
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import did_you_mean
from mindpipe.life.archive import LifeReader
from mindpipe.life.persons.course import PersonCourse, PersonVersion, faults_of_course
from mindpipe.life.persons.differences import differences
from mindpipe.life.persons.records import (
    PersonDifference,
    PersonForked,
    PersonImported,
    PersonReplayed,
    PersonVerdict,
)
from mindpipe.life.records import LifeDifference
from mindpipe.life.verbs.kept_person import course, put
from mindpipe.life.verbs.life import unpacked
from mindpipe.life.verbs.relived import MISSED, Ask, RelivedTick, relived
from mindpipe.life.verbs.rows import distrusting
from mindpipe.person import tables
from mindpipe.person.calendar import instant_text
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import (
    Failure,
    LivedTick,
    PersonMemory,
    Thought,
)
from mindpipe.person.verbs import persons

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore

_SEEN_US = HOUR_US // 2
"""How far from each other the states are by which lives are compared."""


def import_(
    store: "EngineStore", clock: Clock, chance: Chance, *, lived: PersonCourse
) -> PersonImported:
    """Take a person up from lines into a store: all of its life, or nothing.

    Raises:
        RefusedError: there is a person or an agent of this name.
        UnsafeNameError: an agent may not have this name.
    """
    if lived.of_lines and not lived.memories:
        lived = lived._replace(memories=_remembered(lived))
    with store.write(lived.id) as rows:
        persons.settle(store, clock, chance, person=lived.person, state=lived.state)
        tables.delete_life(rows, lived.id)
        put(rows, lived)
    return PersonImported(
        person=lived.id,
        at=instant_text(lived.state.t_us),
        events=len(lived.events),
        thoughts=len(lived.thoughts),
        memories=len(lived.memories),
        states=len(lived.states),
    )


def _remembered(lived: PersonCourse) -> list[PersonMemory]:
    """Return what a person remembers whose lines say nothing of it: it is lived again."""
    found: dict[str, PersonMemory] = {}
    for one in relived(lived):
        for had in one.tick.happenings:
            if isinstance(had, PersonMemory):
                found[had.id] = had
        for id in one.tick.forgotten:
            found.pop(id, None)
    return list(found.values())


class PersonReplay:
    """A life that is lived again as its differences are gone through; then comes the verdict."""

    def __init__(self, lived: PersonCourse, *, upto_us: int | None = None) -> None:
        self._lived = lived
        self._upto_us = upto_us
        self.verdict: PersonReplayed | None = None

    def differences(self) -> Iterator[PersonDifference]:
        """Yield the first difference, if there is one.

        Raises:
            NothingToDoError: it is not kept how any tick of it was lived.
        """
        lived = self._lived
        begin = lived.begin()
        if begin is None:
            raise NothingToDoError(
                f"nothing is known of how {lived.id} lived: no tick of it is kept."
            )
        counts = dict.fromkeys(("ticks", "thoughts", "replies", "memories", "states"), 0)
        last_us, equal = begin.state.t_us, True
        kept = _Kept(lived)
        for one in relived(lived, until_us=self._upto_us):
            found = next(kept.differences(one), None)
            if found is not None:
                yield found
                equal = False
                break
            last_us = one.then.t_us
            counts["ticks"] += 1
            counts["replies"] += len(one.tick.replies)
            counts["states"] += one.tick.states
            counts["thoughts"] += sum(isinstance(had, Thought) for had in one.tick.happenings)
            counts["memories"] += sum(isinstance(had, PersonMemory) for had in one.tick.happenings)
        else:
            if self._upto_us is None and (found := kept.end()) is not None:
                yield found
                equal = False
        self.verdict = PersonReplayed(
            person=lived.id, at=instant_text(last_us), before=begin.tick, equal=equal, **counts
        )


class PersonCheck:
    """A check of the lines of a person, made as it is gone through; they have no seal.

    So what they refer to is looked up, and the life is lived again.
    """

    def __init__(self, lived: PersonCourse) -> None:
        self._lived = lived
        self.verdict: PersonVerdict | None = None

    def wrong(self) -> Iterator[Record]:
        """Yield all that refers to what is not there, and the first difference."""
        lived = self._lived
        replay = PersonReplay(lived)
        wrong = 0
        again = replay.differences() if lived.begin() else ()
        for one in chain(faults_of_course(lived), again):
            wrong += 1
            yield one
        self.verdict = PersonVerdict(
            person=lived.id,
            at=instant_text(lived.state.t_us),
            events=len(lived.events),
            thoughts=len(lived.thoughts),
            memories=len(lived.memories),
            states=len(lived.states),
            ticks=replay.verdict.ticks if replay.verdict else 0,
            wrong=wrong,
        )


class _Kept:
    """What is kept of a life, to be held against what is lived again."""

    def __init__(self, lived: PersonCourse) -> None:
        self._lived = lived
        begin = lived.begin()
        self._since_us = begin.state.t_us if begin else 0
        # Of the first instant all is lived again, unless earlier ticks of it are not known.
        self._known_us = self._since_us + (begin is not None and begin.tick > 0)
        self._states = {one.t_us: one for one in lived.states}
        self._thoughts = {one.id: one for one in lived.thoughts if one.t_us >= self._known_us}
        self._memories = {one.id: one for one in lived.memories}
        self._failures = {one.t_us: one for one in lived.failures}
        self._events = {one.id for one in lived.events}
        self._versions = {one.tick: one.person for one in lived.versions}
        self._forgotten: set[str] = set()
        self._made: dict[str, PersonMemory] = {}
        self._last: RelivedTick | None = None

    def differences(self, one: RelivedTick) -> Iterator[PersonDifference]:
        """Yield what differs in a tick, in the order in which it came to be."""
        then, tick = one.then, one.tick
        if self._last is not None and then.tick > self._last.then.tick + 1:
            missing = f"tick {self._last.then.tick + 1}"
            yield self._told(then, then.t_us, "tick", missing, None, None)
        for asked in one.missed:
            now = {"system": asked.system, "user": asked.user}
            kept = [reply for reply in then.replies if reply.t_us == asked.moment.t_us]
            was = {"request_sha256": kept[0].request} if kept else None
            yield self._told(then, asked.moment.t_us, "prompt", asked.moment.mode, was, now)
        for event in then.events:
            if event not in self._events:
                yield self._told(then, then.t_us, "event", event, None, None)
        self._forgotten |= set(tick.forgotten)
        for had in sorted(tick.happenings, key=_instant):
            found = self._difference(then, had)
            if found is not None:
                yield found
        since_us = self._last.then.t_us if self._last else self._since_us
        for lost in self._thoughts.values():
            # At the last instant also the next tick may have thought, of what came in then.
            if since_us <= lost.t_us < then.t_us:
                yield self._told(then, lost.t_us, "thought", lost.id, lost, None)
                return
        who = self._versions.get(then.tick)
        if who is not None and to_json(who) != to_json(tick.person):
            yield self._told(then, then.t_us, "identity", then.person, who, tick.person)
        if tick.states:
            state = self._states.get(then.t_us)
            if state is None or not _same_state(state, tick.state):
                yield self._told(then, then.t_us, "state", "", state, tick.state)
        self._last = one

    def _difference(self, then: LivedTick, had: Record) -> PersonDifference | None:
        """Return how something that happened differs from what is kept of it, or None."""
        match had:
            case Thought():
                kept: Record | None = self._thoughts.pop(had.id, None)
                what, key = "thought", had.id
            case Failure():
                kept, what, key = self._failures.get(had.t_us), "failure", had.mode
                if had.error_class == MISSED:
                    return None
            case PersonMemory():
                kept, what, key = self._memories.get(had.id), "memory", had.id
                self._made[had.id] = had
                if kept is None:
                    # Perhaps it is forgotten later; the end tells.
                    return None
            case _:
                return None
        if kept is not None and to_json(kept) == to_json(had):
            return None
        return self._told(then, _instant(had), what, key, kept, had)

    def end(self) -> PersonDifference | None:
        """Return how the end differs from how the person is, or None."""
        return next(self._ends(), None)

    def _ends(self) -> Iterator[PersonDifference]:
        one, lived = self._last, self._lived
        if one is None:
            return
        now = one.tick
        if (one.then.tick, one.then.t_us) != (lived.tick, lived.state.t_us):
            key = f"tick {lived.tick}"
            yield self._told(one.then, lived.state.t_us, "tick", key, None, None)
        if to_json(lived.person) != to_json(now.person):
            yield self._told(one.then, one.then.t_us, "identity", "", lived.person, now.person)
        if not _same_state(lived.state, now.state):
            yield self._told(one.then, one.then.t_us, "state", "", lived.state, now.state)
        for lost in self._thoughts.values():
            yield self._told(one.then, lost.t_us, "thought", lost.id, lost, None)
        if lived.of_lines and not lived.memories:
            return
        for had in self._made.values():
            if had.id not in self._memories and had.id not in self._forgotten:
                yield self._told(one.then, had.t_us, "memory", had.id, None, had)
        for memory in self._memories.values():
            if memory.t_us >= self._known_us and memory.id not in self._made:
                yield self._told(one.then, memory.t_us, "memory", memory.id, memory, None)

    def _told(
        self,
        then: LivedTick,
        t_us: int,
        what: str,
        key: str,
        was: object,
        now: object,
    ) -> PersonDifference:
        """Return a difference; of what both have only those fields that differ."""
        before, after = msgspec.to_builtins(was), msgspec.to_builtins(now)
        if isinstance(before, dict) and isinstance(after, dict):
            other = {one for one in before.keys() | after if before.get(one) != after.get(one)}
            before = {one: value for one, value in before.items() if one in other}
            after = {one: value for one, value in after.items() if one in other}
        return PersonDifference(
            person=then.person,
            tick=then.tick,
            t_us=t_us,
            at=instant_text(t_us),
            what=what,
            key=key,
            then=before,
            now=after,
        )


def _same_state(kept: PersonState, now: PersonState) -> bool:
    """Tell whether two states are one; what is written for readers need not be there."""
    if kept.read is msgspec.UNSET:
        unread = dict.fromkeys(("read", "felt", "codes"), msgspec.UNSET)
        now = msgspec.structs.replace(now, **unread)
    return to_json(kept) == to_json(now)


def _instant(record: Record) -> int:
    t_us: int = getattr(record, "t_us", 0)
    return t_us


class PersonFork:
    """Where a person's life parts from another one, and what it is from there on."""

    def __init__(
        self,
        lived: PersonCourse,
        *,
        at_us: int | None,
        without: Sequence[str] = (),
        ask: Ask | None = None,
    ) -> None:
        """Live up to an instant, without some events.

        `ask` asks a model where the record has no reply to a request.

        Raises:
            UsageError: it is after the last instant that was lived or before the first one that is
                known, or there was no such event.
        """
        begin = lived.begin()
        last_us = lived.state.t_us
        self.at_us = last_us if at_us is None else at_us
        if self.at_us > last_us:
            raise UsageError(f"{lived.id} has lived until {instant_text(last_us)} only.")
        for event in without:
            _require_event(lived, event)
        if self.at_us == last_us and not without:
            self.lived, self.asked = lived, 0
            return
        if begin is None:
            raise UsageError(f"nothing is known of how {lived.id} lived: no tick of it is kept.")
        if self.at_us < begin.state.t_us:
            first = instant_text(begin.state.t_us)
            raise UsageError(f"how {lived.id} was before {first} is not known.")
        self.asked = 0
        ticks: list[RelivedTick] = []
        for one in relived(lived, without=without, until_us=self.at_us, ask=ask):
            self.asked += len(one.missed)
            ticks.append(one)
        self.lived = _course_of(lived, ticks, without=without)


def _require_event(lived: PersonCourse, event: str) -> None:
    """Raise UsageError where a person had no such event; names the nearest."""
    known = [one.id for one in lived.events]
    if event not in known:
        raise UsageError(
            f"{lived.id} had no event {event}; {did_you_mean(event, known)}mind store export "
            "person_event lists them."
        )


def _course_of(
    lived: PersonCourse, ticks: Sequence[RelivedTick], *, without: Sequence[str]
) -> PersonCourse:
    """Return the life that ticks are, behind what is known of the time before them."""
    begin = lived.begin()
    assert begin is not None
    since_us, forgotten = begin.state.t_us, {had for one in ticks for had in one.tick.forgotten}
    before = [one for one in lived.versions if one.tick <= begin.tick]
    had = [one for tick in ticks for one in tick.tick.happenings]
    last = ticks[-1].tick if ticks else None
    versions = [
        PersonVersion(one.then.tick, who)
        for one in ticks
        for who in one.tick.happenings
        if isinstance(who, Person)
    ]
    events = [event for one in ticks for event in one.tick.events]
    lived_again = {event.id for event in events}
    early = [
        one
        for one in lived.events
        if begin.tick and one.t_us <= since_us and one.id not in {*lived_again, *without}
    ]
    memories = [*(one for one in lived.memories if one.t_us <= since_us and begin.tick)]
    memories += [one for one in had if isinstance(one, PersonMemory)]
    return PersonCourse(
        person=last.person if last else begin.person,
        state=last.state if last else begin.state,
        tick=ticks[-1].then.tick if ticks else begin.tick,
        versions=[*before, *versions],
        states=[
            *(one for one in lived.states if one.t_us <= since_us),
            *(one.tick.state for one in ticks if one.tick.states),
        ],
        events=[*early, *events],
        thoughts=[
            *(one for one in lived.thoughts if one.t_us <= since_us and begin.tick),
            *(one for one in had if isinstance(one, Thought)),
        ],
        memories=[one for one in memories if one.id not in forgotten],
        failures=[
            *(one for one in lived.failures if one.t_us <= since_us and begin.tick),
            *(one for one in had if isinstance(one, Failure)),
        ],
        ticks=[
            msgspec.structs.replace(
                one.then,
                voice=one.tick.voice,
                events=tuple(event.id for event in one.tick.events),
                replies=one.tick.replies,
            )
            for one in ticks
        ],
    )


def seen(lived: PersonCourse, *, at_us: int | None = None) -> PersonCourse:
    """Return a life as it is, or was at an instant, with states at every half hour.

    Those that are not kept are lived again, as far as that is known.

    Raises:
        UsageError: how it was at the instant is not known.
    """
    shown = lived if at_us is None else _as_it_was(lived, at_us)
    gaps = (other.t_us - one.t_us for one, other in pairwise(shown.states))
    ends_at = shown.states[-1].t_us if shown.states else 0
    if max(gaps, default=_SEEN_US + 1) <= _SEEN_US and ends_at == shown.state.t_us:
        return shown
    states = {one.t_us: one for one in shown.states}
    for one in relived(shown, grid_us=_SEEN_US):
        if one.missed:
            break
        states[one.tick.state.t_us] = one.tick.state
    return shown._replace(states=[states[t] for t in sorted(states)])


def _as_it_was(lived: PersonCourse, at_us: int) -> PersonCourse:
    """Return a life as a fork of it at an instant is; raises UsageError where none can be made."""
    fork = PersonFork(lived, at_us=at_us)
    if fork.asked:
        raise UsageError(
            f"how {lived.id} was at {instant_text(at_us)} is not known: not all is kept that its "
            f"voice said until then; mind life replay {lived.id} tells from where on."
        )
    if not lived.of_lines:
        return fork.lived
    # What lines do not tell of at all is missing at any instant.
    return fork.lived._replace(
        thoughts=fork.lived.thoughts if lived.thoughts else (),
        memories=fork.lived.memories if lived.memories else (),
    )


def diff(first: PersonCourse, second: PersonCourse) -> Iterator[LifeDifference]:
    """Yield what differs between two lives, of which `seen` has made the states."""
    return differences(first, second)


def course_of_file(reader: LifeReader) -> PersonCourse:
    """Return the life of a person that is in a life file.

    Raises:
        InputOutputError: the file is not as it was written.
    """
    with distrusting(reader), unpacked(reader) as store:
        return course(store, person=reader.manifest.agent)


def begin_fork(store: "EngineStore", fork: PersonFork) -> None:
    """Let a copy of a person in a new store be what a fork made of it."""
    person = fork.lived.id
    with store.write() as rows:
        tables.delete_life(rows, person)
        put(rows, fork.lived)
        who = agent_tables.require_agent(rows, person)
        why = f"a simulated person; mind simulate run --person {person}"
        agent_tables.put_agent(rows, msgspec.structs.replace(who, paused=why))


def forked(fork: PersonFork, *, into: str, without: Sequence[str]) -> PersonForked:
    """Return what a fork came to."""
    lived = fork.lived
    replies = sum(len(one.replies) for one in lived.ticks)
    return PersonForked(
        person=lived.id,
        store=into,
        at=instant_text(lived.state.t_us),
        t_us=lived.state.t_us,
        thoughts=len(lived.thoughts),
        kept_replies=replies - fork.asked,
        asked=fork.asked,
        without=tuple(without),
    )
