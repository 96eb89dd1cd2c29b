"""The three ways to a thought and their gates: answering, reacting, and thinking by oneself."""

import msgspec

from mindpipe.core.text import RecordedWords
from mindpipe.person.chance import key_of
from mindpipe.person.mind import learnt
from mindpipe.person.mind.draft import LivedDraft
from mindpipe.person.mind.identity import IdentityCore, narrative_of
from mindpipe.person.mind.labels import thought_of
from mindpipe.person.mind.memory import (
    RECENT,
    BoundedMemories,
    ContextSelector,
    Recollection,
    memory_of,
)
from mindpipe.person.mind.moment import (
    BegunThought,
    Scene,
    Thinker,
    ThoughtAttempt,
    ThoughtOutcome,
    attempt_at,
    recalled,
    retelling_at,
)
from mindpipe.person.mind.queue import ThoughtQueue, select
from mindpipe.person.mind.residue import storable
from mindpipe.person.mind.salience import Peak, chained, trigger_of
from mindpipe.person.records.person import Person, PersonIdentity
from mindpipe.person.records.scales import MOST_US
from mindpipe.person.records.state import Carry, Mind, ThoughtMode
from mindpipe.person.records.thought import (
    COMPOSED,
    SPENT,
    Failure,
    Thought,
    ThoughtTrigger,
    VoiceError,
)

CARRIED_US = 5_000_000
"""For how many µs a trigger that the call limit blocked is carried."""
DAY_US = 86_400_000_000


class ThoughtEngine:
    """The inner voice of one person.

    All that has to last is in the `Mind` that goes in and comes out; `person` changes when its
    identity is renewed. Ask at waking awareness instants, in order: wherever salience peaks, and
    from the instant on that `due_us` tells. `begin` and `end` are the two halves of `live`, for
    callers that let several voices speak at once.
    """

    def __init__(
        self, person: Person, thinker: Thinker, recollection: Recollection | None = None
    ) -> None:
        self.person = person
        self.recollection = recollection or Recollection()
        self.refused = False
        self._thinker = thinker
        self._calls = 0
        self._lacking = 0
        self._key = key_of(person.seed, person.person)
        settings = person.settings
        self._selector = ContextSelector(most=settings.max_context_memories)
        self._prompting = thinker.prompts(settings.max_prompt_tokens)

    def can_call(self, mind: Mind, t_us: int) -> bool:
        """Tell whether the limit of calls lets a voice be called at an instant."""
        least = self.person.settings.min_call_interval_us
        return least == 0 or mind.last_call_us is None or t_us - mind.last_call_us >= least

    def due_us(self, mind: Mind, *, awake: bool = True, since_us: int = 0) -> int | None:
        """Return the instant from which on there is something to do without any peak.

        None means that nothing will be; an instant of the past means now. `refused` is set once
        the calls of a run are all made and one more was wanted. Nobody thinks asleep.

        Args:
            mind: What is on the mind.
            awake: Whether the person is awake.
            since_us: Since when it is awake, or asleep.
        """
        del since_us
        if not awake:
            return None
        if self._thinker.voice is None:
            return -MOST_US if mind.inbox else None
        if self.refused:
            return None
        if mind.last_spontaneous_us is None or mind.identity_us is None:
            return -MOST_US
        settings = self.person.settings
        free_us = mind.last_spontaneous_us
        if mind.last_call_us is not None:
            free_us = mind.last_call_us + settings.min_call_interval_us
        if mind.inbox or mind.carry:
            return free_us
        alone_us = max(free_us, mind.last_spontaneous_us + settings.spontaneous_interval_us)
        return min(alone_us, (mind.identity_us // DAY_US + 1) * DAY_US)

    def live(self, mind: Mind, scene: Scene, peak: Peak | None = None) -> ThoughtOutcome:
        """Return what comes of an instant: at most one thought, by the first gate that is open."""
        begun = self.begin(mind, scene, peak)
        if begun.attempt is None or self._thinker.voice is None:
            return self.end(begun, "")
        if begun.words is not None:
            return self.end(begun, begun.words)
        try:
            words: str | VoiceError = self._thinker.voice(begun.attempt.asked)
        except VoiceError as error:
            words = error
        return self.end(begun, words)

    def begin(self, mind: Mind, scene: Scene, peak: Peak | None = None) -> BegunThought:
        """Return what is asked at an instant, with all timers set as if it had been answered.

        An answer comes before a reaction, and a reaction before a thought by oneself. A reaction
        that has to wait is carried for at most 5 s.
        """
        if self._thinker.voice is None:
            mind = msgspec.structs.replace(mind, inbox=(), carry=None)
            return BegunThought(mind, aware=peak.dim if peak else None)
        mind, person = self._new_day(mind, scene.t_us)
        carry = carried(mind, peak, scene.t_us)
        mind = msgspec.structs.replace(mind, carry=carry)
        if not self.can_call(mind, scene.t_us):
            return BegunThought(mind, person=person)
        begun = (
            self._retelling(mind, scene, person)
            or self.respond(mind, scene)
            or self.react(mind, scene)
            or self.spontaneous(mind, scene)
        )
        if begun is None:
            return BegunThought(mind, person=person)
        if self._is_spent():
            mind = msgspec.structs.replace(mind, carry=None)
            aware = peak.dim if peak else begun.aware
            return BegunThought(mind, aware=aware, person=person, notes=self._refusal())
        self._calls += 1
        return begun._replace(person=person)

    def respond(self, mind: Mind, scene: Scene) -> BegunThought | None:
        """Return what is asked to answer the first of what waits, or None where nothing does."""
        if not mind.inbox:
            return None
        first = mind.inbox[0]
        trigger = ThoughtTrigger(
            type=first.type, text=first.text, event=first.event, valence=first.valence
        )
        mind = msgspec.structs.replace(mind, inbox=mind.inbox[1:])
        return self._asked(mind, scene, "respond", trigger)

    def react(self, mind: Mind, scene: Scene) -> BegunThought | None:
        """Return what is asked about the trigger that the mind carries, or None without one."""
        carry = mind.carry
        if carry is None:
            return None
        trigger = ThoughtTrigger(
            dim=carry.dim,
            dir=carry.dir,
            text=carry.text,
            salience=carry.salience,
            threshold=carry.threshold,
        )
        mind = msgspec.structs.replace(mind, carry=None)
        return self._asked(mind, scene, "react", trigger)._replace(aware=carry.dim)

    def spontaneous(self, mind: Mind, scene: Scene) -> BegunThought | None:
        """Return what is asked about what comes to mind by itself, or None before its time."""
        t_us, settings = scene.t_us, self.person.settings
        since_us = mind.last_spontaneous_us
        if since_us is None or t_us - since_us < settings.spontaneous_interval_us:
            return None
        queue = ThoughtQueue(mind.queue)
        queue.forget_expired(t_us)
        found = queue.candidates(t_us, scene.read, scene.drives, drifting=settings.drift)
        chosen = select(found, key=self._key, t_us=t_us)
        if chosen is None:
            return None
        queue.take(chosen, t_us)
        trigger = ThoughtTrigger(
            category=chosen.category,
            source=chosen.source,
            text=chosen.text,
            event=(chosen.item.event or None) if chosen.item else None,
        )
        mind = msgspec.structs.replace(mind, queue=queue.items, last_spontaneous_us=t_us)
        return self._asked(mind, scene, "spontaneous", trigger)

    def end(self, begun: BegunThought, words: str | VoiceError) -> ThoughtOutcome:
        """Return what comes of what was begun, with the words of the voice or its failure.

        Where all calls of everybody are made, nothing is thought.
        """
        outcome = ThoughtOutcome(
            begun.mind, person=begun.person, aware=begun.aware, notes=begun.notes
        )
        if begun.attempt is None:
            return outcome
        if isinstance(words, VoiceError):
            if words.error_class == SPENT:
                return outcome
            return outcome._replace(failure=self._failure(begun.attempt, words))
        if isinstance(words, RecordedWords) and words.model == COMPOSED:
            self._calls -= 1
        if begun.attempt.retelling:
            told = self._retold(storable(words), begun.attempt.scene.t_us)
            self.person = msgspec.structs.replace(self.person, identity=told)
            return outcome._replace(person=self.person)
        return self._thought(outcome, begun.attempt, words)

    def _retold(self, words: str, t_us: int) -> PersonIdentity:
        """Return who somebody is after it was asked; at its own pace that is only added."""
        identity = self.person.identity
        if self.person.settings.pacing == "lived":
            return learnt.retold(identity, narrative_of(words), t_us)
        return IdentityCore(identity).retell(words)

    def _retelling(self, mind: Mind, scene: Scene, renewed: Person | None) -> BegunThought | None:
        """Return the call by which a renewed person says anew who it is, where it may."""
        if renewed is None or self._thinker.composed or not renewed.settings.identity_by_model:
            return None
        mind = msgspec.structs.replace(mind, last_call_us=scene.t_us, calls=mind.calls + 1)
        return BegunThought(mind, retelling_at(renewed, scene, self._prompting))

    def _asked(
        self, mind: Mind, scene: Scene, mode: ThoughtMode, trigger: ThoughtTrigger
    ) -> BegunThought:
        """Return a call that is about to be made; its time counts from now on."""
        return self._called(mind, scene, mode, trigger, None)

    def _called(
        self,
        mind: Mind,
        scene: Scene,
        mode: ThoughtMode,
        trigger: ThoughtTrigger,
        lived: LivedDraft | None,
    ) -> BegunThought:
        """Return a call with what only those know who live at their own pace, or None."""
        settings = self.person.settings
        back = recalled(
            self.recollection,
            scene.read,
            selector=self._selector,
            most_thoughts=settings.max_recent_thoughts,
        )
        attempt, prompt = attempt_at(
            self.person, scene, mode, trigger, back, self._prompting, lived
        )
        mind = msgspec.structs.replace(mind, last_call_us=scene.t_us, calls=mind.calls + 1)
        notes = []
        if not prompt.fits:
            most = settings.max_prompt_tokens
            notes.append(f"a prompt of about {prompt.tokens} tokens is over its limit of {most}")
        lacking = self._selector.incomplete
        if lacking > self._lacking:
            notes.append(f"{lacking} memories lack a dimension of their body")
        self._lacking = max(lacking, self._lacking)
        return BegunThought(mind, attempt, notes=tuple(notes))

    def _thought(
        self, outcome: ThoughtOutcome, attempt: ThoughtAttempt, words: str
    ) -> ThoughtOutcome:
        """Return what comes of words: a thought, and the memory of it where it is kept."""
        thinker = self._thinker
        thought = thought_of(attempt.about, words, model=thinker.model, composed=thinker.composed)
        memory = memory_of(thought, attempt.scene.read)
        bounded = BoundedMemories([])
        if memory is not None:
            thought = msgspec.structs.replace(thought, memory_id=memory.id)
            bounded = self.recollection.remember(memory)
        self.recollection.think(thought)
        return outcome._replace(
            mind=_after(outcome.mind, thought),
            thought=thought,
            memory=memory,
            gists=bounded.gists,
            forgotten=bounded.forgotten,
        )

    def _failure(self, attempt: ThoughtAttempt, error: VoiceError) -> Failure:
        """Return what is told of a call that failed."""
        moment = attempt.asked.moment
        return Failure(
            person=moment.person,
            t_us=moment.t_us,
            mode=moment.mode,
            model=self._thinker.model,
            error_class=error.error_class,
            message=storable(str(error)),
        )

    def _new_day(self, mind: Mind, t_us: int) -> tuple[Mind, Person | None]:
        """Return a mind whose clocks run, and who the person is where a day renews that."""
        before_us = mind.identity_us
        if before_us is not None and before_us // DAY_US == t_us // DAY_US:
            return mind, None
        started_us = t_us if mind.last_spontaneous_us is None else mind.last_spontaneous_us
        mind = msgspec.structs.replace(mind, last_spontaneous_us=started_us, identity_us=t_us)
        core = IdentityCore(self.person.identity)
        if before_us is None or not core.is_due(self.recollection.labelled):
            return mind, None
        if self.person.settings.pacing == "lived":
            # What was given stays; what is learnt is added where it happens.
            return mind, self.person
        identity = core.renew(
            t_us,
            memories=self.recollection.memories,
            labelled=self.recollection.labelled,
            relations=mind.relations,
        )
        self.person = msgspec.structs.replace(self.person, identity=identity, t_us=t_us)
        return mind, self.person

    def _is_spent(self) -> bool:
        """Tell whether all calls of this run are made; the composed voice makes none."""
        return not self._thinker.composed and self._calls >= self.person.settings.max_calls

    def _refusal(self) -> tuple[str, ...]:
        """Return the warning that no call is made any more, once."""
        if self.refused:
            return ()
        self.refused = True
        most = self.person.settings.max_calls
        return (f"{self.person.person}: all {most} calls of a run are made (max_calls)",)


def carried(mind: Mind, peak: Peak | None, t_us: int) -> Carry | None:
    """Return the trigger that waits, or a new one that is more salient than that."""
    carry = mind.carry
    if carry is not None and t_us - carry.t_us > CARRIED_US:
        carry = None
    if peak is None or (carry is not None and carry.salience >= peak.salience):
        return carry
    return Carry(
        t_us=t_us,
        dim=peak.dim,
        dir=peak.dir,
        salience=peak.salience,
        threshold=peak.threshold,
        text=trigger_of(peak, mind, t_us).text,
    )


def _after(mind: Mind, thought: Thought) -> Mind:
    """Return a mind with one more thought."""
    chain = chained(
        mind.chain, thought.mode, thought.trigger, labels=thought.labels, t_us=thought.t_us
    )
    return msgspec.structs.replace(mind, chain=chain, recent=(*mind.recent, thought.id)[-RECENT:])
