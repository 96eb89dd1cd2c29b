"""Talk with a person: what is said to it is an event, and so is what it answers aloud."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.core.records import Record
from mindpipe.core.sources import person_source
from mindpipe.core.text import RecordedWords
from mindpipe.person.life.lives import Lives
from mindpipe.person.mind.moment import Thinker
from mindpipe.person.mind.residue import storable
from mindpipe.person.mind.situation import placed_week
from mindpipe.person.mind.tidings import understood
from mindpipe.person.prompts import spoken_texts
from mindpipe.person.records.episode import HeardWords
from mindpipe.person.records.event import SECOND_US, PersonEvent
from mindpipe.person.records.person import Person, calls_of_voice, model_of
from mindpipe.person.records.state import PersonState, voice_on
from mindpipe.person.records.thought import COMPOSED, Thought, VoiceError, VoiceRequest
from mindpipe.person.verbs.persons import Resident
from mindpipe.person.voice.models import Voices
from mindpipe.person.voice.speech import Speakers, Words
from mindpipe.person.voice.spoken import spoken
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, NewSpaceEntity

LISTENING_US = 3 * SECOND_US
"""How long a person listens and thinks at least before it answers; most calls may be 2 s apart."""
TURN_US = 60 * SECOND_US
"""How much time a turn takes where nothing else is asked for."""
SAID_BEFORE = 6
"""How many of the latest turns are before a model that is asked what is said aloud."""


class ListeningSpeakers(Speakers):
    """Speakers who know what a person was asked at each instant, so that it can be asked more."""

    def __init__(self, voices: Voices, *, model: str | None = None) -> None:
        super().__init__(voices, model=model)
        self.asked: dict[int, VoiceRequest] = {}

    def thinker(self, person: Person) -> Thinker:
        """Return with what a person thinks, where no call is left as well."""
        found = super().thinker(person)
        instead = found.instead
        if instead is None:
            return found

        def heard(asked: VoiceRequest) -> str:
            self._hear(asked)
            return instead(asked)

        return found._replace(instead=heard)

    def speak(self, asked: Sequence[VoiceRequest]) -> list[Words]:
        """Return the words, or the failure, for each of several persons, in their order."""
        for one in asked:
            self._hear(one)
        return super().speak(asked)

    def _hear(self, asked: VoiceRequest) -> None:
        """Know what was asked of an answer, by its instant."""
        if asked.moment.mode == "respond":
            self.asked[asked.moment.t_us] = asked


class TalkingLife(Protocol):
    """A person who lives on turn by turn, in a file or in a store."""

    @property
    def person(self) -> Person:
        """Return who it is by now."""
        ...

    @property
    def state(self) -> PersonState:
        """Return how it is."""
        ...

    def live(self, until_us: int, events: Sequence[PersonEvent]) -> list[Record]:
        """Live until an instant, and return what happened in the order of time.

        What the person says aloud among the events is heard where it can be.
        """
        ...

    def notes(self) -> list[str]:
        """Return the warnings since they were last asked for."""
        ...


class LifeOnLines:
    """A person of a file of lines."""

    def __init__(self, lives: Lives, coming: Sequence[PersonEvent]) -> None:
        """Take a life of one person, with the events of the file that are still to come."""
        self._lives = lives
        self._coming = list(coming)

    @property
    def person(self) -> Person:
        """Return who it is by now."""
        return self._lives.persons()[0]

    @property
    def state(self) -> PersonState:
        """Return how it is."""
        return self._lives.states(read=True)[0]

    def live(self, until_us: int, events: Sequence[PersonEvent]) -> list[Record]:
        """Live until an instant, and return what happened in the order of time."""
        given = sorted((*self._coming, *events), key=_instant)
        self._coming.clear()
        happened = self._lives.live(until_us, {self.person.person: given})
        return sorted((*events, *happened), key=_instant)

    def notes(self) -> list[str]:
        """Return the warnings since they were last asked for."""
        return self._lives.notes()


class Audience(NamedTuple):
    """Who hears in a store what is said: the spaces that the person speaks in.

    Where it is known who talks to it, and both are in the space, what that one says is posted too.
    """

    store: Store
    clock: Clock
    chance: Chance
    deliver: Deliver
    spaces: tuple[str, ...]
    speaker: str | None = None

    def hear(self, said: PersonEvent) -> None:
        """Post what the person said or was told, inside the transaction that is open."""
        post = NewPost(
            sender=said.person,
            text=said.text or "",
            key=said.id,
            sources=(person_source(said.person),),
        )
        deliver = self.deliver
        if said.type != "said":
            if self.speaker is None:
                return
            post = msgspec.structs.replace(post, sender=self.speaker, sources=())
            deliver = self._to_others(said.person)
        spaces.hold(self.store, names=self.spaces)
        for space in self.spaces:
            spaces.post(
                self.store, self.clock, self.chance, space=space, post=post, deliver=deliver
            )

    def _to_others(self, person: str) -> Deliver:
        """Return what pushes to all but a person, who has heard it as what was said to it."""

        def deliver(events: list[NewEvent]) -> None:
            self.deliver([one for one in events if one.agent != person])

        return deliver


class LifeInStore:
    """A person of a store: each part of a turn is a tick, kept with the posts that it brings."""

    def __init__(self, resident: Resident, state: PersonState, audience: Audience) -> None:
        self._resident = resident
        self._state = state
        self._audience = audience
        self._notes: list[str] = []

    @property
    def person(self) -> Person:
        """Return who it is by now."""
        return self._resident.person

    @property
    def state(self) -> PersonState:
        """Return how it is."""
        return self._state

    def live(self, until_us: int, events: Sequence[PersonEvent]) -> list[Record]:
        """Live until an instant, keep that, and return what happened in the order of time."""
        self._resident.expect(events)
        ahead = self._resident.ahead(until_us)
        step = self._resident.live(ahead)

        def hear() -> None:
            for said in events:
                self._audience.hear(said)

        self._resident.keep(ahead, step.tick, beside=hear)
        self._state = step.tick.state
        self._notes += step.notes
        return sorted((*step.tick.events, *step.happenings), key=_instant)

    def notes(self) -> list[str]:
        """Return the warnings since they were last asked for."""
        found, self._notes = self._notes, []
        return found


class TalkPlace(NamedTuple):
    """Who talks to somebody, if that is known, and where: in one space, or in all that it is in.

    `own` is a space of the two, which is made where there is none, and then told.
    """

    speaker: str | None = None
    space: str | None = None
    own: Callable[[str], None] | None = None


def audience_of(
    store: Store, clock: Clock, chance: Chance, *, person: str, place: TalkPlace, deliver: Deliver
) -> Audience:
    """Return who hears a person and who talks to it; in all its spaces it speaks alone.

    Raises:
        UsageError: there is no such space, or one of the two is not in it.
    """
    space, speaker = place.space, place.speaker
    if space is None and place.own is None:
        found = tuple(one.name for one in spaces.list_(store, member=person))
        return Audience(store, clock, chance, deliver, found)
    if space is None:
        who = agents.show(store, name=person)
        host = NewSpaceEntity(name=who.name, kind="agent", title=who.title, id=who.entity)
        guest = NewSpaceEntity(name=speaker or "", kind="human")
        space, made = spaces.meet(store, clock, chance, host=host, guest=guest)
        if made and place.own is not None:
            place.own(f"made the space {space}")
    for name in filter(None, (person, speaker)):
        spaces.member(store, space=space, name=name)
    return Audience(store, clock, chance, deliver, (space,), speaker)


class TalkPart(NamedTuple):
    """A part of a turn: all that happened in it and the state at its end, and what was answered."""

    records: list[Record]
    answer: PersonEvent | None = None


class Talk:
    """A talk with one person, turn by turn; time passes in each."""

    def __init__(
        self,
        life: TalkingLife,
        *,
        speaking: ListeningSpeakers,
        voices: Voices,
        model: str | None,
        speaker: str = "",
        turn_us: int = TURN_US,
        tell: Callable[[str], None],
    ) -> None:
        """Begin to talk.

        Args:
            life: Who is talked to.
            speaking: Who finds the words of its thoughts.
            voices: Who finds the words that it says aloud.
            model: The model that is asked for instead of its own.
            speaker: Who talks to it, or nothing where it does not know that.
            turn_us: How much time passes in a turn.
            tell: Is told warnings.
        """
        self._life = life
        self._speaking = speaking
        self._voices = voices
        self._model = model
        self._speaker = speaker
        self._turn_us = turn_us
        self._tell = tell
        self._failed = False
        self._before: deque[str] = deque(maxlen=2 * SAID_BEFORE)

    def say(self, text: str) -> Iterator[TalkPart]:
        """Say something to the person; yield what comes of it until it answers, and then the rest.

        So what was heard and thought can be kept before a model is asked for an answer.
        """
        begun_us, person = self._life.state.t_us, self._life.person
        # The present instant is lived already: what is said in it would be heard in another order
        # by who lives the same events again.
        heard_us = _next_second(begun_us)
        heard = PersonEvent(
            v=1,
            person=person.person,
            t_us=heard_us,
            id=f"talk:{person.person}:{heard_us}",
            type="speech",
            text=text,
            source=self._speaker or None,
        )
        self._speaking.asked.clear()
        least_us = person.settings.min_call_interval_us + SECOND_US
        thinks_us = heard_us + min(max(LISTENING_US, least_us), self._turn_us // 2)
        records = self._life.live(thinks_us, [heard])
        yield self._part(records)
        answer = self._answer(heard, records, _next_second(thinks_us))
        answers = [] if answer is None else [answer]
        records = self._life.live(begun_us + self._turn_us, answers)
        self._before.append(f"{self._speaker or 'they'}: {text}")
        self._before += [f"you: {one.text}" for one in answers]
        yield self._part(records, answer)

    def _part(self, records: list[Record], answer: PersonEvent | None = None) -> TalkPart:
        """Return a part of a turn, which is over; tell its warnings."""
        for note in self._life.notes():
            self._tell(note)
        return TalkPart([*records, self._life.state], answer)

    def _answer(
        self, heard: PersonEvent, records: Sequence[Record], t_us: int
    ) -> PersonEvent | None:
        """Return what the person says aloud to what it heard; None where it did not attend to it.

        Of what it was asked the request for its thought of that is taken, and where that failed the
        latest one.
        """
        own = [
            one
            for one in records
            if isinstance(one, Thought) and one.mode == "respond" and one.trigger.event == heard.id
        ]
        thought = own[0] if own else None
        instant = thought.t_us if thought else max(self._speaking.asked, default=None)
        request = None if instant is None else self._speaking.asked.get(instant)
        if request is None:
            return None
        words, model = self._words(request, heard, thought)
        return PersonEvent(
            v=1,
            person=heard.person,
            t_us=t_us,
            id=f"said:{heard.person}:{t_us}",
            type="said",
            text=words,
            about=heard.id,
            model=model,
            people=(self._speaker,) if self._speaker else None,
        )

    def _words(
        self, request: VoiceRequest, heard: PersonEvent, thought: Thought | None
    ) -> tuple[str, str]:
        """Return what is said aloud, and by which model: the composed one where its own fails."""
        system, user = spoken_texts(
            request.system,
            request.user,
            listener=self._speaker,
            thought=thought.content if thought else "",
            before=self._before,
        )
        request = msgspec.structs.replace(request, system=system, user=user)
        model = model_of(self._life.person, asked=self._model)
        # Where the composed voice thought instead, its model rests, or has no calls left.
        if model != COMPOSED and not (thought and thought.composed) and self._has_calls():
            try:
                words = self._voices.ask(model, request, place=heard.person)
                if found := storable(words).strip():
                    return found, words.model if isinstance(words, RecordedWords) else model
                raise VoiceError("its model said nothing", error_class="empty")
            except VoiceError as error:
                self._tell_once(f"{heard.person}: {error}; the composed voice answers aloud")
        moment = HeardWords(t_us=heard.t_us, text=heard.text or "", source=heard.source or "")
        meant = understood(heard, self._life.person.identity).valence or 0.0
        lived = self._life.state.mind.episodes
        week = placed_week(self._life.person)
        aloud = spoken(request.moment, moment, valence=meant, episodes=lived, week=week)
        return self._voices.said(aloud, request), COMPOSED

    def _has_calls(self) -> bool:
        """Tell whether a call of the day is left; what is said aloud counts as thoughts do."""
        state = self._life.state
        most = calls_of_voice(self._life.person.settings)
        return voice_on(state.mind.voice, state.t_us).calls < most

    def _tell_once(self, words: str) -> None:
        """Tell the first failure of a model, not each."""
        if not self._failed:
            self._failed = True
            self._tell(words)


def _next_second(t_us: int) -> int:
    """Return the first whole second after an instant."""
    return (t_us // SECOND_US + 1) * SECOND_US


def _instant(record: Record) -> int:
    t_us: int = getattr(record, "t_us", 0)
    return t_us
