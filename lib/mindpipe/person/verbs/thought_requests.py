"""Ask for the thoughts that come of states, of changes that are noticed, and of what is said."""

import collections
from collections.abc import Iterator

import msgspec

from mindpipe.core.records import Record
from mindpipe.person import prompts
from mindpipe.person.chance import key_of
from mindpipe.person.lines import NO_READOUTS, FilterLine
from mindpipe.person.mind.lived import LivedEngine
from mindpipe.person.mind.memory import ContextSelector, Recollection
from mindpipe.person.mind.moment import Scene, Thinker, ThoughtAttempt, attempt_at, recalled
from mindpipe.person.mind.queue import ThoughtQueue, select
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Carry, PersonState, Readouts, ThoughtMode, Unanswered
from mindpipe.person.records.thought import (
    PersonMemory,
    RequestText,
    SalienceLine,
    Thought,
    ThoughtRequest,
    ThoughtTrigger,
    UserMessage,
)

SECOND_US = 1_000_000


class ThoughtRequests:
    """What of one person's past and present its inner voice is asked from, line by line."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._recollection = Recollection()
        self._waiting: collections.deque[Unanswered] = collections.deque()
        self._heard: set[str] = set()
        self._numbers: collections.Counter[int] = collections.Counter()
        self._state: PersonState | None = None
        self._asked_us: int | None = None

    def become(self, person: Person) -> None:
        """Take it that this is who the person is from now on."""
        self._person = person

    def recall(self, past: Thought | PersonMemory) -> None:
        """Add a thought or a memory to what is looked back on."""
        if isinstance(past, Thought):
            self._recollection.think(past)
            if past.mode == "respond" and past.trigger.event:
                self._heard.add(past.trigger.event)
        else:
            self._recollection.remember(past)

    def at(self, state: PersonState) -> None:
        """Take it that this is how the person is from now on; raises ValueError without readouts.

        What waits in the state for an answer is heard.
        """
        _read(state)
        self._state = state
        for waiting in state.mind.inbox:
            self._hear(waiting)

    def hear(self, event: PersonEvent) -> None:
        """Hear speech or an action, unless it was heard already."""
        number = self._numbers[event.t_us]
        self._numbers[event.t_us] += 1
        if event.type not in ("speech", "action"):
            return
        self._hear(
            Unanswered(
                t_us=event.t_us,
                type=event.type,
                text=event.text or "",
                event=event.id or f"ev:{event.person}:{event.t_us}:{number}",
                valence=event.valence or 0.0,
                source=event.source or "",
            )
        )

    def react(self, salience: SalienceLine) -> ThoughtRequest | None:
        """Return what is asked where a change broke into awareness, else None."""
        trigger = salience.trigger
        if trigger is None:
            return None
        if self._is_lived():
            return self._lived(salience.t_us, "react", carry=_carry_of(salience, trigger))
        return self._asked(salience.t_us, "react", trigger)

    def spontaneous(self) -> ThoughtRequest | None:
        """Return what is asked about what comes to mind by itself in the present state, or None.

        Of drives only those that the state tells come to mind; the queue is as the state has it.
        """
        state = self._state
        if state is None or not state.flags.awake:
            return None
        if self._is_lived():
            return self._lived(state.t_us, "spontaneous")
        settings, read = self._person.settings, _read(state)
        queue = ThoughtQueue(state.mind.queue)
        queue.forget_expired(state.t_us)
        found = queue.candidates(state.t_us, read, read.drives, drifting=settings.drift)
        chosen = select(found, key=key_of(self._person.seed, self._person.person), t_us=state.t_us)
        if chosen is None:
            return None
        event = chosen.item.event if chosen.item else ""
        trigger = ThoughtTrigger(
            category=chosen.category,
            source=chosen.source,
            text=chosen.text,
            event=event or None,
        )
        return self._asked(state.t_us, "spontaneous", trigger)

    def respond(self) -> Iterator[ThoughtRequest]:
        """Yield what is asked about all that waits for an answer, once the person is awake.

        Answers are apart by the limit of calls, and by a second at least.
        """
        while self._waiting and self._state is not None and self._state.flags.awake:
            first = self._waiting.popleft()
            t_us = max(first.t_us, self._state.t_us)
            if self._asked_us is not None:
                least = max(SECOND_US, self._person.settings.min_call_interval_us)
                t_us = max(t_us, self._asked_us + least)
            self._asked_us = t_us
            if self._is_lived():
                if (asked := self._lived(t_us, "respond", inbox=(first,))) is not None:
                    yield asked
                continue
            trigger = ThoughtTrigger(
                type=first.type, text=first.text, event=first.event, valence=first.valence
            )
            yield self._asked(t_us, "respond", trigger)

    def _hear(self, waiting: Unanswered) -> None:
        """Let what was said wait for its answer, once."""
        if waiting.event not in self._heard:
            self._heard.add(waiting.event)
            self._waiting.append(waiting)

    def _is_lived(self) -> bool:
        """Tell whether the person lives at its own pace."""
        return self._person.settings.pacing == "lived"

    def _lived(
        self,
        t_us: int,
        mode: ThoughtMode,
        *,
        inbox: tuple[Unanswered, ...] = (),
        carry: Carry | None = None,
    ) -> ThoughtRequest | None:
        """Return what somebody who lives at its own pace is asked, None where nothing comes."""
        scene, state = self._scene(t_us)
        thinker = Thinker(model="", voice=None, prompts=prompts.PromptBuilder)
        engine = LivedEngine(self._person, thinker, self._recollection)
        mind = msgspec.structs.replace(state.mind, inbox=inbox, carry=carry)
        begun = engine.asked_at(mind, scene, mode)
        return None if begun is None or begun.attempt is None else _request_of(begun.attempt)

    def _scene(self, t_us: int) -> tuple[Scene, PersonState]:
        """Return the scene of an instant in the present state.

        Raises:
            ValueError: no state came before.
        """
        state = self._state
        if state is None:
            raise ValueError("no state came before")
        read = _read(state)
        scene = Scene(
            t_us=t_us,
            read=read,
            fever=state.modes.fever,
            psyche=state.psyche,
            drives=read.drives,
            awake=state.flags.awake,
            since_us=state.flags.since_us,
            ate_us=state.habit.last_meal_us,
        )
        return scene, state

    def _asked(self, t_us: int, mode: ThoughtMode, trigger: ThoughtTrigger) -> ThoughtRequest:
        """Return the request for a thought in the present state.

        Raises:
            ValueError: no state came before.
        """
        scene, _ = self._scene(t_us)
        settings = self._person.settings
        back = recalled(
            self._recollection,
            scene.read,
            selector=ContextSelector(most=settings.max_context_memories),
            most_thoughts=settings.max_recent_thoughts,
        )
        prompting = prompts.PromptBuilder(settings.max_prompt_tokens)
        attempt, _ = attempt_at(self._person, scene, mode, trigger, back, prompting)
        return _request_of(attempt)


def _request_of(attempt: ThoughtAttempt) -> ThoughtRequest:
    """Return a thought that lacks its words as the request for them."""
    asked = attempt.asked
    return ThoughtRequest(
        system=asked.system,
        messages=(UserMessage(parts=(RequestText(text=asked.user),)),),
        max_tokens=asked.max_tokens,
        temperature=asked.temperature,
        about=attempt.about,
    )


def _carry_of(salience: SalienceLine, trigger: ThoughtTrigger) -> Carry | None:
    """Return a change that broke into awareness as the mind carries it."""
    if trigger.dim is None or trigger.dir is None:
        return None
    return Carry(
        t_us=salience.t_us,
        dim=trigger.dim,
        dir=trigger.dir,
        salience=salience.salience if trigger.salience is None else trigger.salience,
        threshold=salience.threshold if trigger.threshold is None else trigger.threshold,
        text=trigger.text,
    )


def _read(state: PersonState) -> Readouts:
    """Return the readouts of a state; raises ValueError without them."""
    if not isinstance(state.read, Readouts):
        raise ValueError("the state has no readouts")
    return state.read


class RequestsOfLines:
    """What was told so far of each person whose inner voice is asked."""

    def __init__(self, mode: ThoughtMode) -> None:
        self._mode = mode
        self._asking: dict[str, ThoughtRequests] = {}

    def requests(self, line: FilterLine) -> Iterator[ThoughtRequest]:
        """Yield what is asked once a line has come.

        Raises:
            BadInputError: a state has no readouts, or something is to be asked before any state.
        """
        if line.partial is not None:
            try:
                yield from self._told(line.partial.record)
            except ValueError as error:
                if isinstance(line.partial.record, PersonState):
                    raise line.problem("$.read", NO_READOUTS) from error
                words = f"there is nothing to feel: {error}"
                raise line.problem("$.trigger", words) from error

    def _told(self, record: Record) -> Iterator[ThoughtRequest]:
        """Yield what is asked once a record has come."""
        match record:
            case Person():
                self._of(record.person).become(record)
            case Thought() | PersonMemory():
                self._of(record.person).recall(record)
            case PersonState():
                self._of(record.person).at(record)
                yield from self._asked(record)
            case PersonEvent() | SalienceLine():
                yield from self._asked(record)
            case _:
                return

    def _asked(self, record: PersonState | PersonEvent | SalienceLine) -> Iterator[ThoughtRequest]:
        """Yield what is asked in the mode that is wished."""
        asking = self._of(record.person)
        if isinstance(record, PersonEvent):
            asking.hear(record)
        if self._mode == "respond":
            yield from asking.respond()
            return
        request = None
        if self._mode == "react" and isinstance(record, SalienceLine):
            request = asking.react(record)
        elif self._mode == "spontaneous" and isinstance(record, PersonState):
            request = asking.spontaneous()
        if request is not None:
            yield request

    def _of(self, person: str) -> ThoughtRequests:
        """Return what was told of a person, who may have been told of by no line of its own."""
        return self._asking.setdefault(person, ThoughtRequests(Person(person=person)))
