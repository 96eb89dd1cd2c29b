"""The inner voice of a person who lives at its own pace: what happened reaches its thoughts."""

from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.core.text import RecordedWords
from mindpipe.person.calendar import DAY_US, ago_text
from mindpipe.person.chance import uniform
from mindpipe.person.mind.coming import going_on
from mindpipe.person.mind.draft import LivedDraft, ToldEpisode
from mindpipe.person.mind.episodes import is_named
from mindpipe.person.mind.gates import ThoughtEngine, carried
from mindpipe.person.mind.intrusions import intruding, returning, weighing
from mindpipe.person.mind.moment import DREAMT, BegunThought, Scene, ThoughtOutcome, affect_of
from mindpipe.person.mind.needs import SOURCES, silent_needs
from mindpipe.person.mind.pacing import (
    NEVER_US,
    OF_EVENT,
    PASSING,
    REMINDED,
    STREAM,
    WHICH,
    freshest,
    is_fresh,
    next_us,
    reacts,
    unnoticed,
)
from mindpipe.person.mind.queue import ThoughtCandidate, ThoughtQueue, goals_of, select
from mindpipe.person.mind.recall import recalled_episodes
from mindpipe.person.mind.residue import in_brief
from mindpipe.person.mind.routine import coming_at
from mindpipe.person.mind.salience import Peak
from mindpipe.person.mind.situation import holds, plans_of, situation_of
from mindpipe.person.records.episode import ComingThing, Episode
from mindpipe.person.records.event import HOUR_US, MINUTE_US
from mindpipe.person.records.person import Person, PersonIdentity, calls_of_voice
from mindpipe.person.records.scales import MOST_US
from mindpipe.person.records.state import Mind, QueueCategory, QueueItem, ThoughtMode, voice_on
from mindpipe.person.records.thought import (
    COMPOSED,
    SPENT,
    LifeMoment,
    ThoughtStep,
    ThoughtTrigger,
    VoiceError,
)

OF_IT = 0.93
"""The share of thoughts soon after an event that are of it."""
ASCRIBED_US = 90 * MINUTE_US
"""How long after an event that matters wholly a change of the body is put down to it."""
DAMPED_US = HOUR_US
"""For how long the composed voice speaks after a call failed."""
GOAL_RESTS_US, LEAST_REST_US = 3 * HOUR_US, 20 * MINUTE_US
SAME_NEED_US = 40 * MINUTE_US
"""For how long the same need does not come to mind twice in a row."""
WEIGHTS: dict[QueueCategory, float] = {
    "PredictionError": 8.0,
    "BiologicalNeed": 1.2,
    "GoalRehearsal": 1.5,
    "SocialModeling": 2.0,
    "AssociativeDrift": 3.0,
}
"""How likely each category is at rest: the body asks less often than a mind by itself wanders."""
REMINDED_BELOW = 0.35
"""How often a mind at rest is reminded of something that happened."""
HEALED_US, HEALS_ABOVE = 14 * DAY_US, 0.3
"""How long a hurt or an illness is felt in what one does, and from which importance on."""
OVERDUE = "its time has passed, and you have not heard how it ended"
UNKNOWN_END = "The time of this has passed, and you have not heard how it ended:"
MOST_HEARD = 1_200
"""The most characters of what is said that a thought takes in."""
MOST_TOLD, MOST_AHEAD = 6, 3
"""How much of what is new and of what lies ahead a prompt tells."""


class LivedEngine(ThoughtEngine):
    """The inner voice of one person, dense around what happens and sparse at rest.

    Every event with words reaches a thought: at once, or when the person wakes or comes to rest.
    """

    def due_us(self, mind: Mind, *, awake: bool = True, since_us: int = 0) -> int | None:
        """Return the instant from which on there is something to do without any peak."""
        if self._thinker.voice is None:
            return super().due_us(mind, awake=awake, since_us=since_us)
        settings = self.person.settings
        least_us = settings.spontaneous_interval_us
        alone_us = next_us(mind, self._key, awake=awake, since_us=since_us, least_us=least_us)
        if not awake:
            return None if alone_us == NEVER_US else alone_us
        if mind.identity_us is None:
            return -MOST_US
        free_us = -MOST_US
        if mind.last_call_us is not None:
            free_us = mind.last_call_us + settings.min_call_interval_us
        if mind.inbox or mind.carry or unnoticed(mind) is not None:
            return free_us
        return min(max(free_us, alone_us), (mind.identity_us // DAY_US + 1) * DAY_US)

    def begin(self, mind: Mind, scene: Scene, peak: Peak | None = None) -> BegunThought:
        """Return what is asked at an instant: an answer, what happened, a reaction, or a thought.

        A change of the body that comes too soon after another one is noticed and not thought of.
        """
        if self._thinker.voice is None:
            return super().begin(mind, scene, peak)
        renewed: Person | None = None
        if scene.awake:
            mind, renewed = self._new_day(mind, scene.t_us)
            mind = msgspec.structs.replace(mind, carry=carried(mind, peak, scene.t_us))
        if not self.can_call(mind, scene.t_us):
            return BegunThought(mind, person=renewed)
        mind, scene = self._situated(mind, scene)
        begun = self._retelling(mind, scene, renewed) or self._opened(mind, scene)
        begun = begun._replace(person=renewed)
        return begun if begun.attempt is None else self._budgeted(begun, scene.t_us)

    def asked_at(self, mind: Mind, scene: Scene, mode: ThoughtMode) -> BegunThought | None:
        """Return what is asked in one way at an instant, whatever the clocks say of it.

        What waits for an answer, or the change that breaks in, is what the mind carries.
        """
        mind, scene = self._situated(mind, scene)
        if mode == "respond":
            return self.respond(mind, scene)
        if mode == "react":
            return self._notice(mind, scene) or super().react(mind, scene)
        return self._wander(mind, scene)

    def end(self, begun: BegunThought, words: str | VoiceError) -> ThoughtOutcome:
        """Return what comes of what was begun; where a voice fails, the composed one speaks."""
        attempt, instead = begun.attempt, self._thinker.instead
        if attempt is None or not isinstance(words, VoiceError):
            if isinstance(words, RecordedWords) and words.model == COMPOSED:
                begun = begun._replace(mind=self._uncounted(begun))
            begun = _with_words(begun, words)
            named = not self._thinker.composed or _names(begun, words)
            return super().end(_told(begun) if named else begun, words)
        if words.error_class == SPENT:
            return super().end(begun, words)
        t_us, before_us = attempt.scene.t_us, begun.mind.failed_us
        begun = begun._replace(mind=msgspec.structs.replace(begun.mind, failed_us=t_us))
        if instead is None or attempt.retelling:
            return super().end(begun, words)
        said = RecordedWords(instead(attempt.asked), COMPOSED)
        # A voice that goes on failing is told of once a day.
        again = before_us is not None and before_us // DAY_US == t_us // DAY_US
        failure = None if again else self._failure(attempt, words)
        begun = _with_words(begun, said)
        begun = _told(begun) if _names(begun, said) else begun
        return super().end(begun, said)._replace(failure=failure)

    def _situated(self, mind: Mind, scene: Scene) -> tuple[Mind, Scene]:
        """Return a mind that knows where the person is, and a scene without needs against that."""
        t_us = scene.t_us
        situation = situation_of(self.person, mind, t_us, awake=scene.awake)
        silent = silent_needs(mind, situation, scene.read, t_us, ate_us=scene.ate_us)
        drives = tuple(one for one in scene.drives if SOURCES.get(one[0]) not in silent)
        scene = scene._replace(silent=silent, drives=drives)
        return msgspec.structs.replace(mind, situation=situation), scene

    def _opened(self, mind: Mind, scene: Scene) -> BegunThought:
        """Return what is asked by the first gate that is open, or a mind without anything."""
        if not scene.awake:
            return self._dream(mind, scene) or BegunThought(mind)
        found = self.respond(mind, scene) or self._notice(mind, scene) or self.react(mind, scene)
        if found is not None:
            return found
        carry = mind.carry
        mind = msgspec.structs.replace(mind, carry=None)
        found = self.spontaneous(mind, scene) or BegunThought(mind)
        return found._replace(aware=carry.dim) if carry else found

    def _notice(self, mind: Mind, scene: Scene) -> BegunThought | None:
        """Return what is asked about what happened and has not reached a thought yet."""
        episode = unnoticed(mind)
        if episode is None:
            return None
        carry = mind.carry
        event = episode.event or episode.id
        trigger = ThoughtTrigger(text=episode.text, event=event, episode=episode.id)
        if carry is not None:
            trigger = msgspec.structs.replace(
                trigger,
                dim=carry.dim,
                dir=carry.dir,
                salience=carry.salience,
                threshold=carry.threshold,
            )
        mind = msgspec.structs.replace(mind, carry=None)
        begun = self._asked(mind, scene, "react", trigger)
        return begun._replace(aware=carry.dim) if carry else begun

    def react(self, mind: Mind, scene: Scene) -> BegunThought | None:
        """Return what is asked about a change of the body, or None before its time."""
        if mind.carry is None or not reacts(mind, scene.t_us):
            return None
        mind = msgspec.structs.replace(mind, last_react_us=scene.t_us)
        return super().react(mind, scene)

    def spontaneous(self, mind: Mind, scene: Scene) -> BegunThought | None:
        """Return what is asked about what comes to mind by itself, or None before its time."""
        t_us, least_us = scene.t_us, self.person.settings.spontaneous_interval_us
        due_us = next_us(mind, self._key, awake=True, since_us=scene.since_us, least_us=least_us)
        return None if t_us < due_us else self._wander(mind, scene)

    def _wander(self, mind: Mind, scene: Scene) -> BegunThought | None:
        """Return what is asked about what comes to mind by itself, or None where nothing does."""
        t_us, settings = scene.t_us, self.person.settings
        queue = ThoughtQueue(mind.queue)
        queue.forget_expired(t_us, woke_us=scene.since_us)
        mind = msgspec.structs.replace(mind, queue=queue.items, last_spontaneous_us=t_us)
        episode = self._comes_back(mind, scene)
        if episode is not None:
            return self._asked(mind, scene, "spontaneous", _trigger_of(episode))
        found = queue.candidates(
            t_us,
            scene.read,
            scene.drives,
            drifting=settings.drift,
            woke_us=scene.since_us,
        )
        found = [
            one
            for one in found
            if SOURCES.get(one.source) not in scene.silent and self._may_come(one, mind, t_us)
        ]
        chosen = select(found, key=self._key, t_us=t_us, weights=WEIGHTS)
        if chosen is None:
            return None
        queue.take(chosen, t_us)
        item = chosen.item
        draw = uniform(self._key, t_us, STREAM, PASSING)
        text = passing_text(self.person.identity, draw)
        trigger = ThoughtTrigger(
            category=chosen.category,
            source=chosen.source,
            text=_text_of(chosen, text, t_us),
            event=(item.event or None) if item else None,
        )
        mind = msgspec.structs.replace(mind, queue=queue.items)
        return self._asked(mind, scene, "spontaneous", trigger)

    def _comes_back(self, mind: Mind, scene: Scene) -> Episode | None:
        """Return which of the things that happened comes to mind at an instant, if one does."""
        t_us = scene.t_us
        fresh = freshest(mind.episodes, t_us)
        if fresh is not None and uniform(self._key, t_us, STREAM, OF_EVENT) < OF_IT:
            return fresh
        return returning(mind.episodes, t_us, key=self._key, since_us=scene.since_us) or intruding(
            mind.episodes, t_us, key=self._key
        )

    def _may_come(self, candidate: ThoughtCandidate, mind: Mind, t_us: int) -> bool:
        """Tell whether something may come to mind again: goals rest, and needs give way."""
        item = candidate.item
        if item is not None and item.category == "GoalRehearsal":
            return t_us - (item.chosen_us or item.t_us) >= _rest_us(candidate, t_us)
        same = mind.chain.theme == f"{candidate.category}/{candidate.source}"
        need = candidate.category in ("BiologicalNeed", "GoalRehearsal")
        return not (need and same and t_us - mind.chain.last_us < SAME_NEED_US)

    def _dream(self, mind: Mind, scene: Scene) -> BegunThought | None:
        """Return what is asked of a dream, of what weighs or of the day, or None before it."""
        t_us = scene.t_us
        due_us = next_us(mind, self._key, awake=False, since_us=scene.since_us, least_us=0)
        if t_us < due_us:
            return None
        draw = uniform(self._key, t_us, STREAM, WHICH)
        episode = _dreamt_of(mind.episodes, t_us, draw)
        if episode is None:
            known = self.person.identity.key_memories
            text = known[int(draw * len(known))] if known else ""
            trigger = ThoughtTrigger(category="AssociativeDrift", source=DREAMT, text=text)
        else:
            trigger = msgspec.structs.replace(_trigger_of(episode), source=DREAMT)
        return self._asked(mind, scene, "spontaneous", trigger)

    def _asked(
        self, mind: Mind, scene: Scene, mode: ThoughtMode, trigger: ThoughtTrigger
    ) -> BegunThought:
        """Return a call that is about to be made, with what happened and where the person is."""
        episode = _episode_for(mind, trigger, scene.t_us)
        if episode is not None:
            trigger = msgspec.structs.replace(trigger, episode=episode.id)
        trigger = msgspec.structs.replace(trigger, text=in_brief(trigger.text, most=MOST_HEARD))
        moment = self._lived(mind, scene, trigger, episode)
        if episode is not None and scene.awake:
            mind = _thought_of(mind, episode, scene)
        return self._called(mind, scene, mode, trigger, moment)

    def _lived(
        self, mind: Mind, scene: Scene, trigger: ThoughtTrigger, episode: Episode | None
    ) -> LivedDraft:
        """Return what a person knows at an instant besides how its body is."""
        t_us, person = scene.t_us, self.person
        back = recalled_episodes(
            mind.episodes,
            t_us,
            about=episode,
            situation=mind.situation,
            valence=scene.read.valence,
            key=self._key,
        )
        reminded = (
            episode is not None or uniform(self._key, t_us, STREAM, REMINDED) < REMINDED_BELOW
        )
        memory = back[0] if back and reminded else None
        goal = _goal_of(mind, trigger, t_us)
        coming = coming_at(person, t_us)
        if not holds(coming.block, person, mind.episodes, t_us):
            coming = coming._replace(block=None)
        plans = plans_of(person, mind, t_us)
        moment = LifeMoment(
            name=person.name,
            traits=person.traits,
            identity=person.identity,
            situation=mind.situation,
            affect=affect_of(scene.read),
            step=_step_of(episode, t_us),
            episode=episode,
            ago=_ago(episode, t_us),
            memory=memory,
            memory_ago=_ago(memory, t_us),
            weighs=weighing(mind.episodes, t_us),
            since=_since(mind.episodes, episode, t_us),
            goal=goal.text if goal else "",
            goal_over=goal is not None and _is_over(goal, t_us),
            goal_us=goal.due_us if goal else None,
            dream=not scene.awake,
            said=self.recollection.said,
            quoted=self.recollection.quoted,
            lately=self.recollection.lately,
            introduced=self.recollection.spoken_of(person.identity.relational_markers),
            met=_met(mind.episodes, t_us),
            ails=_ailing(mind.episodes, t_us),
            quiet_us=t_us - max(self.recollection.last_us, scene.since_us),
            fresh=freshest(mind.episodes, t_us) is not None,
            coming=coming.block,
            coming_us=coming.start_us,
            plans=(*(going_on(person, t_us) if scene.awake else ()), *plans),
            woke_us=scene.since_us if scene.awake else None,
            language=person.settings.language,
        )
        fresh = [one for one in mind.episodes if _is_known(one, t_us, awake=scene.awake)]
        told = [ToldEpisode(one, _ago(one, t_us)) for one in _weightiest(fresh)]
        return LivedDraft(
            moment,
            happened=tuple(told),
            back=tuple(
                ToldEpisode(one, _ago(one, t_us))
                for one in back[: person.settings.max_context_memories]
            ),
            ahead=_ahead(mind, plans, t_us),
        )

    def _budgeted(self, begun: BegunThought, t_us: int) -> BegunThought:
        """Return a call within the budget of its day; without one the composed voice speaks."""
        attempt, instead, mind = begun.attempt, self._thinker.instead, begun.mind
        if self._thinker.composed or attempt is None or instead is None:
            return begun
        voice = voice_on(mind.voice, t_us)
        spent = voice.calls >= calls_of_voice(self.person.settings)
        failed = mind.failed_us is not None and t_us - mind.failed_us < DAMPED_US
        if not spent and not failed:
            voice = msgspec.structs.replace(voice, calls=voice.calls + 1)
            return begun._replace(mind=msgspec.structs.replace(mind, voice=voice))
        notes = begun.notes
        if spent and not voice.told:
            voice = msgspec.structs.replace(voice, told=True)
            notes += self._spent()
        mind = msgspec.structs.replace(mind, voice=voice)
        if attempt.retelling:
            return begun._replace(mind=mind, attempt=None, notes=notes)
        words = RecordedWords(instead(attempt.asked), COMPOSED)
        return begun._replace(mind=mind, notes=notes, words=words)

    def _uncounted(self, begun: BegunThought) -> Mind:
        """Return a mind without the call of words that a recording has of the composed voice."""
        voice = begun.mind.voice
        if begun.words is not None or self._thinker.composed or not voice.calls:
            return begun.mind
        voice = msgspec.structs.replace(voice, calls=voice.calls - 1)
        return msgspec.structs.replace(begun.mind, voice=voice)

    def _spent(self) -> tuple[str, ...]:
        """Return the notice that the calls of a day are all made, once in a run."""
        if self._told:
            return ()
        self._told = True
        most = calls_of_voice(self.person.settings)
        words = f"all {most} calls of a day are made (max_calls); the composed voice goes on"
        return (f"{self.person.person}: {words}",)

    _told = False


def _with_words(begun: BegunThought, words: str | VoiceError) -> BegunThought:
    """Return what was begun, without its thought where the composed voice has nothing to say."""
    attempt = begun.attempt
    silent = attempt is not None and not attempt.retelling and not words
    return begun._replace(attempt=None) if silent else begun


def _names(begun: BegunThought, words: str | VoiceError) -> bool:
    """Tell whether the composed voice names what its thought is of, and not the hour instead."""
    attempt = begun.attempt
    of = attempt.about.trigger.episode if attempt is not None else None
    episode = next((one for one in begun.mind.episodes if of and one.is_of(of)), None)
    return episode is not None and is_named(episode, str(words))


def _told(begun: BegunThought) -> BegunThought:
    """Return what was begun, with what its thought is of noted as told, where it has words."""
    attempt = begun.attempt
    if attempt is None or attempt.retelling or not attempt.scene.awake:
        return begun
    of, t_us = attempt.about.trigger.episode, attempt.scene.t_us
    episodes = tuple(
        msgspec.structs.replace(one, told_us=t_us) if of and one.is_of(of) else one
        for one in begun.mind.episodes
    )
    return begun._replace(mind=msgspec.structs.replace(begun.mind, episodes=episodes))


def _trigger_of(episode: Episode) -> ThoughtTrigger:
    """Return what a thought comes from that something which happened brings."""
    category: QueueCategory = "AssociativeDrift"
    source = "episode"
    if episode.type == "goal":
        category, source = "GoalRehearsal", "goal"
    elif episode.type in ("speech", "action", "contact", "concern"):
        category = "SocialModeling"
    return ThoughtTrigger(
        category=category,
        source=source,
        text=episode.text,
        event=episode.event or episode.id,
        episode=episode.id,
    )


def _met(episodes: Sequence[Episode], t_us: int) -> tuple[str, ...]:
    """Return who had a part in what happened in the last day, or was heard of."""
    lately = [one for one in episodes if t_us - one.until_us < DAY_US]
    return tuple(
        dict.fromkeys(name for one in lately for name in (one.source, *one.people) if name)
    )


def _since(episodes: Sequence[Episode], about: Episode | None, t_us: int) -> Episode | None:
    """Return the newest thing known that happened after another and has to do with the same."""
    if about is None:
        return None
    people = {about.source, *about.people} - {""}
    later = [
        one
        for one in episodes
        if one.id != about.id
        and about.t_us < one.t_us < t_us
        and one.noticed_us is not None
        and t_us - one.t_us < DAY_US
        and (people & {one.source, *one.people} or about.topic == one.topic != "")
    ]
    return max(later, key=lambda one: (one.t_us, one.id), default=None)


def _ailing(episodes: Sequence[Episode], t_us: int) -> Episode | None:
    """Return the hurt or the illness that matters most and is not healed yet, if there is one."""
    found = (
        one
        for one in episodes
        if one.type in ("injury", "illness")
        and one.importance >= HEALS_ABOVE
        and t_us - one.until_us < HEALED_US
    )
    return max(found, key=lambda one: (one.importance, one.t_us, one.id), default=None)


def _weightiest(fresh: Sequence[Episode]) -> list[Episode]:
    """Return of what is fresh what matters most, and the latest, in their order."""
    if len(fresh) <= MOST_TOLD:
        return list(fresh)
    ranked = sorted(fresh[:-1], key=lambda one: (-one.importance, -one.t_us, one.id))
    kept = [fresh[-1], *ranked[: MOST_TOLD - 1]]
    return [one for one in fresh if one in kept]


def _rest_us(goal: ThoughtCandidate, t_us: int) -> int:
    """Return for how long a goal rests after it came to mind; the more it presses the shorter.

    One whose time has passed presses no more than one without a time.
    """
    item = goal.item
    over = item is not None and _is_over(item, t_us)
    urgency = item.strength if item is not None and over else goal.urgency
    return LEAST_REST_US + round((1.0 - urgency) * GOAL_RESTS_US)


def _text_of(chosen: ThoughtCandidate, passing: str, t_us: int) -> str:
    """Return what a prompt says of what comes to mind."""
    item = chosen.item
    if item is not None and item.category == "GoalRehearsal" and _is_over(item, t_us):
        return f"{UNKNOWN_END} {item.text}"
    return passing if passing and chosen.category == "AssociativeDrift" else chosen.text


def passing_text(identity: PersonIdentity, draw: float) -> str:
    """Return what a mind that drifts comes upon: somebody, a memory, a value, or only itself."""
    kinds = (
        ("You think of this one: ", identity.relational_markers),
        ("This comes back to you: ", identity.key_memories),
        ("You think of what matters to you: ", identity.values_commitments),
        ("You look around you.", ("",)),
    )
    found = [(title, one) for title, some in kinds for one in some]
    place = int(draw * (len(found) + len(found) // 2 + 1))
    return "".join(found[place]) if place < len(found) else ""


def _dreamt_of(episodes: Sequence[Episode], t_us: int, draw: float) -> Episode | None:
    """Return what a dream is of: what is fresh, or weighs, or one of the things of the day."""
    if (fresh := freshest(episodes, t_us)) is not None:
        return fresh
    day = [one for one in episodes if one.noticed_us is not None and t_us - one.t_us < DAY_US]
    weighs = weighing([one for one in episodes if one.noticed_us is not None], t_us)
    found = [*([weighs] if weighs else []), *day]
    return found[int(draw * len(found))] if found else None


def _episode_for(mind: Mind, trigger: ThoughtTrigger, t_us: int) -> Episode | None:
    """Return what a thought is of: what its trigger names, or what a change is put down to."""
    named = trigger.episode or trigger.event
    if named is not None:
        return next((one for one in reversed(mind.episodes) if one.is_of(named)), None)
    if trigger.dim is None:
        return None
    fresh = freshest(mind.episodes, t_us)
    if fresh is None:
        return None
    age_us = t_us - (fresh.noticed_us or t_us)
    return fresh if age_us < ASCRIBED_US * fresh.importance * fresh.importance else None


def _thought_of(mind: Mind, episode: Episode, scene: Scene) -> Mind:
    """Return a mind with one more thought of something that happened."""
    t_us, is_new = scene.t_us, episode.noticed_us is None
    after = msgspec.structs.replace(
        episode,
        noticed_us=t_us if is_new else episode.noticed_us,
        felt=round(scene.read.valence, 6) if is_new else episode.felt,
        thoughts=episode.thoughts + 1,
        last_us=t_us,
    )
    episodes = tuple(after if one.id == episode.id else one for one in mind.episodes)
    return msgspec.structs.replace(mind, episodes=episodes)


def _step_of(episode: Episode | None, t_us: int) -> ThoughtStep:
    """Return how far a thought of something has come."""
    if episode is None:
        return "passing"
    if episode.last_us is None or not (is_fresh(episode, t_us) or t_us - episode.last_us < HOUR_US):
        return "noticing"
    return "meaning" if episode.thoughts % 2 else "leaning"


def _is_known(episode: Episode, t_us: int, *, awake: bool) -> bool:
    """Tell whether something that happened is news to a person: fresh, or about to be noticed."""
    return (awake and episode.noticed_us is None) or is_fresh(episode, t_us)


def _ahead(mind: Mind, things: Iterable[ComingThing], t_us: int) -> tuple[tuple[str, str], ...]:
    """Return what lies ahead, soonest first, and when; what is overdue comes last."""
    late = [one for one in goals_of(mind.queue) if _is_over(one, t_us)]
    late.sort(key=lambda item: (item.due_us or 0, -item.strength, item.t_us))
    told = [(one.text, one.when) for one in things]
    return tuple([*told, *((item.text, OVERDUE) for item in late)][:MOST_AHEAD])


def _ago(episode: Episode | None, t_us: int) -> str:
    """Return how long ago something was, in words; what was wanted is over when it ended."""
    if episode is None:
        return ""
    return ago_text(episode.until_us if episode.ended else episode.t_us, t_us)


def _is_over(goal: QueueItem, t_us: int) -> bool:
    """Tell whether the time of a goal has passed."""
    return goal.due_us is not None and goal.due_us <= t_us


def _goal_of(mind: Mind, trigger: ThoughtTrigger, t_us: int) -> QueueItem | None:
    """Return the goal that a thought is of, or the one that presses most; what is over is last."""
    goals = goals_of(mind.queue)
    for item in goals:
        if trigger.event is not None and item.event == trigger.event:
            return item
    far_us = 2**62

    def order(item: QueueItem) -> tuple[bool, int, float, int]:
        return (_is_over(item, t_us), item.due_us or far_us, -item.strength, item.t_us)

    return min(goals, key=order, default=None)
