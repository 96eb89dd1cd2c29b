"""Live a person's life again from what it heard: events, and the replies of its voice."""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise

import msgspec

from mindpipe.life.persons.course import PersonCourse
from mindpipe.person.calendar import DAY_US
from mindpipe.person.life.lives import Lives
from mindpipe.person.mind.moment import Thinker
from mindpipe.person.prompts import PromptBuilder
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.thought import (
    COMPOSED,
    NO_VOICE,
    LivedTick,
    PersonMemory,
    PersonTick,
    SalienceLine,
    Thought,
    VoiceError,
    VoiceReply,
    VoiceRequest,
)
from mindpipe.person.voice.composed import composed
from mindpipe.person.voice.speech import Words, reply_of, request_hash, words_of_reply

Ask = Callable[[VoiceRequest, str], Words]
"""Asks a model, by the name of the voice that the person had then."""

MISSED = "replay_miss"


class RecordedVoices:
    """Gives a person the replies that are kept of its life, to the same requests.

    Where none is kept `ask` is asked, or the call fails. `missed` are the requests of which none
    is kept. Replies of lines, which have no requests, are given at their instants, before
    `same_until_us`. Of a voice that goes on failing lines tell once a day: where they have no words
    after that, the call failed too, and the composed voice had nothing to say.
    """

    def __init__(self, person: Person, *, ask: Ask | None, same_until_us: int | None) -> None:
        self.missed: list[VoiceRequest] = []
        self.voice = COMPOSED
        self._person = person
        self._ask = ask
        self._same_until_us = same_until_us
        self._kept: defaultdict[str, deque[VoiceReply]] = defaultdict(deque)
        self._at: dict[int, VoiceReply] = {}
        self._failed: dict[int, VoiceReply] = {}
        self._replies: list[VoiceReply] = []

    def expect(self, replies: Sequence[VoiceReply]) -> None:
        """Keep replies that may be asked for."""
        for one in replies:
            if one.request:
                self._kept[one.request].append(one)
                continue
            self._at[one.t_us] = one
            day = one.t_us // DAY_US
            if one.error_class and (day not in self._failed or one.t_us < self._failed[day].t_us):
                self._failed[day] = one

    def thinker(self, person: Person) -> Thinker:
        """Return with what a person thinks: it is `speak` that finds the words."""
        return Thinker(
            model=self.voice,
            voice=None if self.voice == NO_VOICE else composed,
            prompts=PromptBuilder,
            composed=self.voice == COMPOSED,
            instead=composed,
        )

    def speak(self, asked: Sequence[VoiceRequest]) -> list[Words]:
        """Return the words, or the failure, of each request."""
        return [self._words(one) for one in asked]

    def replies(self) -> tuple[VoiceReply, ...]:
        """Return what was replied since this was last asked for."""
        found, self._replies = tuple(self._replies), []
        return found

    def _words(self, asked: VoiceRequest) -> Words:
        if self.voice == COMPOSED:
            return composed(asked)
        reply = self._reply(asked)
        if reply is not None:
            self._replies.append(reply)
            return words_of_reply(reply)
        self.missed.append(asked)
        said: Words = VoiceError("no reply of it is kept", error_class=MISSED)
        if self._ask is not None:
            said = self._ask(asked, self.voice)
        self._replies.append(reply_of(asked, said))
        return said

    def _reply(self, asked: VoiceRequest) -> VoiceReply | None:
        """Return the reply that is kept of a request, each once."""
        kept = self._kept.get(request_hash(asked))
        if kept:
            return kept.popleft()
        t_us = asked.moment.t_us
        if self._same_until_us is None or t_us < self._same_until_us:
            failed = self._failed.get(t_us // DAY_US)
            goes_on = failed is not None and failed.t_us < t_us
            return self._at.pop(t_us, failed if goes_on else None)
        return None


class RelivedTick(msgspec.Struct, frozen=True):
    """A tick that was lived again, and the one that it was; `missed` are requests of no reply."""

    then: LivedTick
    tick: PersonTick
    missed: tuple[VoiceRequest, ...] = ()


def relived(
    course: PersonCourse,
    *,
    without: Collection[str] = (),
    until_us: int | None = None,
    ask: Ask | None = None,
    grid_us: int | None = None,
) -> Iterator[RelivedTick]:
    """Yield the ticks of a life, lived again one after the other.

    Events of the ids in `without` do not happen; nothing after `until_us` is lived. With `grid_us`
    it stops at multiples of that too.
    """
    begin = course.begin()
    if begin is None:
        return
    person, state = begin.person, begin.state
    events = {one.id: one for one in course.events}
    removed = [events[one].t_us for one in without if one in events]
    voices = RecordedVoices(person, ask=ask, same_until_us=min(removed, default=None))
    for one in course.ticks:
        voices.expect(one.replies)
    had: list[Thought | PersonMemory] = [*course.thoughts, *course.memories]
    past = [one for one in had if one.t_us <= state.t_us and begin.tick]
    lives: Lives | None = None
    speaks = ""
    for then, ends in _ticks(course, state.t_us, until_us, grid_us):
        changed = _changed(course, then.tick, person)
        if lives is None or changed is not None or speaks != then.voice:
            person, speaks = changed or person, then.voice
            voices.voice = speaks or COMPOSED
            lives = Lives([person], [state], {person.person: past}, voices if speaks else None)
        coming = [events[one] for one in then.events if one not in without and one in events]
        news: list[Person] = [] if changed is None else [changed]
        for end_us in ends:
            due = [one for one in coming if one.t_us <= end_us]
            coming = coming[len(due) :]
            tick = _live(lives, end_us, due, news)
            person, state, news = tick.person, tick.state, []
            gone = set(tick.forgotten)
            past = [one for one in past if one.id not in gone]
            past += [one for one in tick.happenings if isinstance(one, Thought | PersonMemory)]
            tick = msgspec.structs.replace(
                tick,
                states=then.kept if end_us == then.t_us else grid_us is not None,
                voice=voices.voice if speaks else "",
                replies=voices.replies(),
            )
            missed, voices.missed = tuple(voices.missed), []
            yield RelivedTick(msgspec.structs.replace(then, t_us=end_us), tick, missed)


def _ticks(
    course: PersonCourse, start_us: int, until_us: int | None, grid_us: int | None
) -> Iterator[tuple[LivedTick, list[int]]]:
    """Yield each tick with the instants at which it stops, its end the last."""
    stops = [start_us, *(one.t_us for one in course.ticks)]
    for then, (since, end_us) in zip(course.ticks, pairwise(stops), strict=True):
        if until_us is not None and since >= until_us:
            return
        end_us = end_us if until_us is None else min(end_us, until_us)
        between: list[int] = []
        if grid_us is not None:
            between = list(range((since // grid_us + 1) * grid_us, end_us, grid_us))
        yield then, [*between, end_us]


def _live(
    lives: Lives, end_us: int, events: Sequence[PersonEvent], news: Sequence[Person]
) -> PersonTick:
    """Live until an instant."""
    (before,) = lives.persons()
    found = lives.live(end_us, {before.person: list(events)})
    lives.notes()
    (person,), (state,) = lives.persons(), lives.states(read=True)
    lasting = [one for one in found if not isinstance(one, SalienceLine)]
    return PersonTick(
        person=person,
        state=state,
        events=tuple(events),
        happenings=(*news, *lasting, *lives.gists()),
        forgotten=tuple(lives.forgotten()),
    )


def _changed(course: PersonCourse, tick: int, person: Person) -> Person | None:
    """Return who a person is by what people set of it before a tick, or None."""
    for version in course.versions:
        who = version.person
        if version.tick == tick and (who.settings, who.consts) != (person.settings, person.consts):
            return msgspec.structs.replace(person, settings=who.settings, consts=who.consts)
    return None
