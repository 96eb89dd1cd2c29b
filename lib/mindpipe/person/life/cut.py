"""What happens at one instant at which a body is cut, in the one order that there is."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

import msgspec
import numpy as np

from mindpipe.person.body import flow, habits, rates, vitals
from mindpipe.person.body.appraisal import SURPRISES, SURPRISING, UNEXPECTED, surprise
from mindpipe.person.body.bank import Bank, Flags, Instants, LifeRecords, Subject
from mindpipe.person.body.effects import act, feel, hunger, satisfy
from mindpipe.person.body.emotions import DURATIONS_H, REMAINING
from mindpipe.person.body.modes import feedback_to_changes
from mindpipe.person.calendar import DAY_US
from mindpipe.person.life import company
from mindpipe.person.mind import learnt, turns
from mindpipe.person.mind.episodes import (
    eased,
    episode_of,
    with_episode,
    with_goal_done,
    with_goal_ended,
)
from mindpipe.person.mind.queue import JUDGED, ThoughtQueue, goals_of
from mindpipe.person.mind.ties import met, with_moment
from mindpipe.person.mind.told_turn import MAY_TELL
from mindpipe.person.mind.turns import LifeTurn
from mindpipe.person.psyche import coping, distortions
from mindpipe.person.psyche.drives import MoodOfView
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import HOUR_US, LifeTopic, PersonEvent, duration_us, number
from mindpipe.person.records.person import LearntFact, Person, PersonIdentity
from mindpipe.person.records.state import (
    Contribution,
    Doing,
    Hold,
    Mind,
    Pending,
    Unanswered,
    voice_on,
)
from mindpipe.person.records.thought import COMPOSED


def decide(
    bank: Bank, t_us: int, met: Flags, columns: Instants | None = None, *, again: bool = False
) -> MoodOfView | None:
    """Let all decide on the decision grid, and elsewhere those whom an event met.

    Args:
        bank: Persons who are all at `t_us`.
        t_us: The instant.
        met: For whom an external event happened at that instant [N].
        columns: Who alone decides, where nobody looks at distortions before the grid's next
            instant: they do not depend on those before.
        again: Whether they decided then before: an episode that began with that begins anew.

    Returns:
        The mood of `columns`.
    """
    if columns is not None:
        mood = MoodOfView(vitals.view_of_some(bank, columns))
        coping.decide(bank, mood, t_us, columns)
        return mood
    if again:
        anew = bank.episode_us == t_us
        bank.episode_us[anew] = bank.coping[:, anew] = coping.NONE
    if not bank.awake.any():
        return None
    if t_us % GRID_US == 0:
        mood = _mood(bank)
        coping.decide(bank, mood, t_us)
        distortions.decide(bank, mood, t_us)
    elif met.all():
        coping.decide(bank, _mood(bank), t_us)
    else:
        chosen = np.flatnonzero(met)
        some = bank.take(chosen)
        coping.decide(some, _mood(some), t_us)
        bank.put(chosen, some)
    return None


def _mood(bank: Bank) -> MoodOfView:
    """Return how the persons of a bank feel at their anchors."""
    view = vitals.view_of(bank, bank.modes, bank.t_us)
    if bank.rest:
        view.rests = bank.rest.names
    return MoodOfView(view)


_OF_THE_MIND = frozenset(
    {"goal", "goal_done", "concern", "prediction_error", "identity", "thought", "said"}
)
"""Types whose text is not what the person feels of them."""
MOST_MET = 256
"""Of how many events it is known that they happened."""
_TELLING = frozenset({"news", "speech", "action", "contact"})
_IDENTITY = (
    "self_narrative",
    "disposition_traits",
    "relational_markers",
    "key_memories",
    "emotional_patterns",
    "values_commitments",
)


def note(
    mind: Mind,
    event: PersonEvent,
    identity: PersonIdentity | None = None,
    *,
    asleep: bool = False,
    topic: LifeTopic = "",
) -> Mind:
    """Return a mind after an event; of somebody `asleep` nothing that waits expires.

    With an identity what happened has the people whom its words name; `topic` is what it turns.
    """
    changes: dict[str, object] = {"met": (*mind.met, crc32(event.id.encode()))[-MOST_MET:]}
    if event.text and event.type not in _OF_THE_MIND:
        changes |= {"event_us": event.t_us, "event_text": event.text}
    if event.type in ("speech", "action"):
        changes |= {"inbox": (*mind.inbox, _unanswered(event))}
        changes |= {"relations": met(mind.relations, event)}
    if event.type == "said" and event.model not in (None, "", COMPOSED):
        voice = voice_on(mind.voice, event.t_us)
        changes |= {"voice": msgspec.structs.replace(voice, calls=voice.calls + 1)}
    if event.type == "thought" and event.about:
        changes |= {"inbox": tuple(one for one in mind.inbox if one.event != event.about)}
    if (episode := episode_of(event, identity)) is not None:
        if topic:
            episode = msgspec.structs.replace(episode, topic=topic)
        changes |= {"episodes": with_episode(mind.episodes, episode)}
    elif event.type == "goal_done" and event.text:
        changes |= {"episodes": with_goal_done(mind.episodes, event)}
    elif event.type == "task":
        until_us, place = event.t_us + duration_us(event), event.place or ""
        doing = Doing(type=event.type, t_us=event.t_us, until_us=until_us, place=place)
        changes |= {"doing": doing}
    queue = ThoughtQueue(mind.queue)
    _wait(queue, event)
    if queue.items != mind.queue:
        if not asleep:
            queue.forget_expired(event.t_us)
        changes |= {"queue": queue.items}
    return msgspec.structs.replace(mind, **changes)


def hold_of(event: PersonEvent) -> Hold | None:
    """Return what a thought that comes as an event does to the body, or None where nothing."""
    rates = event.rates
    if rates is None:
        rates = feedback_to_changes(event.labels or ())
    span_us = round(number(event, "hold_s") * 1e6)
    if not rates or not span_us:
        return None
    return Hold(start_us=event.t_us, end_us=event.t_us + span_us, rates=rates)


def renewed(person: Person, event: PersonEvent) -> Person:
    """Return who a person is with the fields of its identity that an event brings."""
    given = {name: getattr(event, name) for name in _IDENTITY if getattr(event, name) is not None}
    identity = msgspec.structs.replace(person.identity, **given, last_updated_us=event.t_us)
    return msgspec.structs.replace(person, identity=identity, t_us=event.t_us)


def _wait(queue: ThoughtQueue, event: PersonEvent) -> None:
    """Let come to mind later what an event gives to think about."""
    t_us, text = event.t_us, event.text or ""
    strength = surprise(event)
    if strength >= SURPRISING:
        words = text or SURPRISES.get(event.type, UNEXPECTED)
        queue.add_prediction_error(t_us, words, strength=strength, event=event.id)
    if event.type == "goal":
        importance = number(event, "importance")
        queue.add_goal(t_us, text, importance=importance, due_us=event.due_us, event=event.id)
    elif event.type == "goal_done":
        queue.goal_done(text)
    elif event.type == "concern":
        queue.add_concern(t_us, text, event=event.id)
    elif event.type == "prediction_error":
        strength = number(event, "strength")
        queue.add_prediction_error(t_us, text, strength=strength, event=event.id)
    if _judging(event):
        queue.add_concern(t_us, JUDGED, event=event.id)


def _judging(event: PersonEvent) -> bool:
    """Tell whether an event leaves one wondering what others think: ill words, or being watched."""
    unkind = event.type in ("speech", "action") and (event.valence or 0.0) < 0.0
    return unkind or (event.social_eval or 0.0) > 0.0


def _unanswered(event: PersonEvent) -> Unanswered:
    """Return speech or an action as it waits for its answer."""
    return Unanswered(
        t_us=event.t_us,
        type="speech" if event.type == "speech" else "action",
        text=event.text or "",
        event=event.id,
        valence=number(event, "valence"),
        source=event.source or "",
    )


GRID_US = 60_000_000
"""The decision grid, in microseconds since midnight of day 0."""


class BodyCut(NamedTuple):
    """For whom targets or plans changed, and the persons whose identity did, as they are now.

    Where only some were looked at `seen` are these and the touched; `felt` are those of them who
    decided, and `mood` is how they feel.
    """

    touched: Instants
    renewed: list[Person]
    seen: Instants | None = None
    felt: Instants | None = None
    mood: MoodOfView | None = None


class Stirred(NamedTuple):
    """Whom alone anything but numbers that flow can stir: by need and hour, or by stress."""

    doing: Instants
    feeling: Instants


def cut(
    bank: Bank,
    t_us: int,
    events: Mapping[int, Sequence[PersonEvent]],
    due: Iterable[int],
    *,
    again: bool = False,
    stirred: Stirred | None = None,
) -> BodyCut:
    """Let everything happen that does at an instant, for all persons of a bank, in place.

    What ended goes and what was due is done; on the decision grid habits and slow samples follow;
    then the events; then who is asleep may be woken; then the psyche decides. Targets are those
    after all of it.

    Args:
        bank: Persons who have all flowed to `t_us`.
        t_us: The instant.
        events: External events of that instant, by column, in input order.
        due: The columns for whom something of their own ends or is due by then.
        again: Whether they were cut then before, without these events.
        stirred: Who is looked at on the decision grid, where nobody looks at distortions before
            its next instant; without them everybody is.
    """
    touched = np.zeros(len(bank.persons), dtype=np.bool_)
    awake = bank.awake.copy()
    touched[_finish(bank, due, t_us)] = True
    on_grid = t_us % GRID_US == 0
    grown = _grow(bank, t_us) if t_us % DAY_US == 0 else []
    if on_grid:
        company.follow(bank, t_us, touched)
        _follow(bank, t_us, touched, stirred.doing if stirred else habits.ALL)
    changed = [
        person
        for column, happening in events.items()
        for event in happening
        if (person := _meet(Subject(bank, column, t_us), event)) is not None
    ]
    met = np.zeros(len(bank.persons), dtype=np.bool_)
    met[list(events)] = True
    touched |= met
    seen = _with(touched, stirred.doing) if stirred else None
    every = habits.ALL if on_grid else met.nonzero()[0]
    _rouse(bank, t_us, every if seen is None else seen)
    woken = bank.awake & ~awake
    for column in woken.nonzero()[0].tolist():
        _note_waking(bank, column, by_event=bool(met[column] and bank.forced[column]))
    touched |= bank.awake != awake
    felt = _with(touched, stirred.feeling) if stirred else None
    mood = decide(bank, t_us, met, felt, again=again) if on_grid or events else None
    where: Instants = touched.nonzero()[0]
    if len(where):
        rates.retarget(bank, where)
    return BodyCut(where, [*grown, *changed], seen, felt, mood)


def _with(touched: Flags, columns: Instants) -> Instants:
    """Return some columns with those that were touched."""
    both = touched.copy()
    both[columns] = True
    return both.nonzero()[0]


def _finish(bank: Bank, columns: Iterable[int], t_us: int) -> list[int]:
    """End what has ended and do what is due for some; return for whom anything was."""
    changed: list[int] = []
    ending: list[int] = []
    sated: list[tuple[int, float]] = []
    waiting: list[tuple[int, Pending]] = []
    lives = bank.lives
    for column in columns:
        life = lives[column]
        changes = False
        if life.active and (ended := _ended(life, t_us)):
            changes = True
            ending.append(column)
            for one in ended:
                if one.start_hunger is not None:
                    sated.append((column, one.start_hunger))
        if life.holds:
            held = len(life.holds)
            life.holds[:] = [one for one in life.holds if one.end_us > t_us]
            changes = changes or len(life.holds) != held
        if life.pending and (due := [one for one in life.pending if one.at_us <= t_us]):
            changes = True
            life.pending[:] = [one for one in life.pending if one.at_us > t_us]
            waiting += [(column, one) for one in sorted(due, key=lambda one: one.at_us)]
        if changes:
            changed.append(column)
    while sated:
        # Of several meals of one person that end at once the first is felt first.
        now: dict[int, float] = {}
        later: list[tuple[int, float]] = []
        for column, began in sated:
            if column in now:
                later.append((column, began))
            else:
                now[column] = began
        _sate(bank, now)
        sated = later
    rates.refresh(bank, ending)
    for column, item in waiting:
        habits.fulfil(bank, column, item)
    return changed


def _ended(life: LifeRecords, t_us: int) -> list[Contribution]:
    """Let what has ended act no more, but what follows it; return what has ended."""
    ended, left = list[Contribution](), list[Contribution]()
    for one in life.active:
        (left if one.end_us > t_us else ended).append(one)
    if ended:
        active = life.active = left
        for one in ended:
            if one.type.startswith(turns.KIND):
                step = turns.followed(one, t_us, life.mind.queue)
                if step is not None:
                    active.append(step)
    return ended


def _sate(bank: Bank, began: Mapping[int, float]) -> None:
    """Let persons feel at the end of a meal how much less hungry they are than when it began."""
    columns = np.array(list(began))
    removed = np.maximum(np.array(list(began.values())) - hunger(bank, columns), 0.0)
    satisfy(bank, columns, removed)


def _follow(bank: Bank, t_us: int, touched: Flags, some: habits.Some) -> None:
    """Let habits and, every ten minutes, slow samples follow; mark for whom anything changed."""
    if t_us % rates.SLOW_US == 0:
        woken = habits.disturb(bank, t_us)
        touched[woken] = True
        if len(woken) and not isinstance(some, slice):
            # Who has just woken may be thirsty.
            some = _with(touched, some)
    followed = habits.follow(bank, t_us, some)
    touched[followed] = True
    if t_us % rates.SLOW_US == 0:
        rates.sample(bank)


def _meet(subject: Subject, event: PersonEvent) -> Person | None:
    """Let an event happen to a person; return the person if its identity changed."""
    bank, column, t_us = subject
    life, person = bank.lives[column], bank.persons[column]
    event = _as_meant(event, person)
    lived = person.settings.pacing == "lived"
    if event.type == "sleep":
        habits.fall_asleep(bank, np.array([column]), t_us)
    elif event.type == "wake":
        habits.wake(bank, np.array([column]), t_us, forced=False)
    elif event.type == "thought":
        if (hold := hold_of(event)) is not None:
            life.holds.append(hold)
    else:
        act(subject, event)
        _dwell(subject, event)
    if event.type in ("speech", "action"):
        habits.wake(bank, np.array([column]), t_us, forced=True)
    rates.refresh(bank, (column,))
    if event.type in ("threat", "task"):
        bank.control[column] = 2.0 * number(event, "control") - 1.0
    turn = turns.turn_of(event, person.identity) if lived else None
    if turn is not None:
        _turn(subject, event, turn)
    asleep = lived and not bank.awake[column]
    topic = turn.topic if turn else ""
    life.mind = note(life.mind, event, person.identity, asleep=asleep, topic=topic)
    _aim(life, event, turn)
    ended = lived and _end_goals(life, event)
    if ended or event.type == "goal_done":
        _have_done(life)
        rates.refresh(bank, (column,))
    after = renewed(person, event) if event.type == "identity" else person
    if lived:
        over = _eased(subject, event)
        after = _taught(after, event, turn, over)
        _relate(life, event, after.identity)
    if after is person:
        return None
    _let_go(subject, person.identity, after.identity)
    bank.persons[column] = after
    company.renew(bank, column, t_us)
    return after


GRAVE, WEIGHTY, OPEN_H = -0.5, 0.7, 24.0
"""The valence and importance of grave news, and how long a feeling lasts that outlasts it (C)."""


def _dwell(subject: Subject, event: PersonEvent) -> None:
    """Let grave news weigh for a day where its first feeling, such as fear, is soon over.

    What is to come of it is open as long, and so it is only at the pace of a life.
    """
    lived = subject.bank.persons[subject.column].settings.pacing == "lived"
    if event.type != "news" or not lived:
        return
    valence, importance = number(event, "valence"), number(event, "importance")
    lasts_h = DURATIONS_H.get(event.cls or "sadness", OPEN_H)
    if _is_grave(valence, importance) and lasts_h < OPEN_H:
        feel(subject, "anxiety", 2.0 * valence * importance)


def _as_meant(event: PersonEvent, person: Person) -> PersonEvent:
    """Return an event as a person takes it: grave news in plain words is not neutral."""
    told = event.type in ("speech", "action") and event.valence is None
    if not told or person.settings.pacing != "lived":
        return event
    # What reads words is compiled only where somebody says or does something.
    from mindpipe.person.mind.tidings import understood

    return understood(event, person.identity)


def _turn(subject: Subject, event: PersonEvent, turn: LifeTurn) -> None:
    """Let a turn of a person's life begin; who sleeps is woken to be told of a death or a birth."""
    bank, column, t_us = subject
    life = bank.lives[column]
    if (news := turns.as_news(turn, event)) is not None:
        act(subject, news)
        rates.refresh(bank, (column,))
    first = turns.begun(turn, event)
    if first is not None:
        life.active[:] = turns.joined(life.active, first)
        rates.refresh(bank, (column,))
    if turn.topic in ("bereavement", "birth"):
        habits.wake(bank, np.array([column]), t_us, forced=True)


def _aim(life: LifeRecords, event: PersonEvent, turn: LifeTurn | None) -> None:
    """Let an exam that was told of be a goal."""
    if turn is None or turn.topic != "exam" or event.type == "goal":
        return
    queue = ThoughtQueue(life.mind.queue)
    due_us, importance = turn.due_us, turn.strength
    queue.add_goal(event.t_us, turn.about, importance=importance, due_us=due_us, event=event.id)
    life.mind = msgspec.structs.replace(life.mind, queue=queue.items)


def _let_go(subject: Subject, before: PersonIdentity, after: PersonIdentity) -> None:
    """Let what turned a life weigh no more where it is no longer so."""
    bank, column, _ = subject
    life, kept = bank.lives[column], learnt.holding(after)
    past = [one for one in learnt.holding(before) if one.turn and one not in kept]
    # What was taken back, or is mended, weighs no more on who thinks of it.
    _ease(subject, [one for one in life.mind.episodes if any(_is_of(one, fact) for fact in past)])
    held = {one.turn for one in kept}
    over = {f"{turns.KIND}{one.turn}" for one in learnt.holding(before) if one.turn not in held}
    if any(one.type in over for one in life.active):
        life.active[:] = [one for one in life.active if one.type not in over]
        rates.refresh(bank, (column,))


def _is_of(episode: Episode, fact: LearntFact) -> bool:
    """Tell whether something that happened told of a turn, or is a grief for the same one since."""
    if episode.t_us == fact.since_us:
        return episode.topic != ""
    mourned = fact.turn in ("bereavement", "death") and episode.valence < 0.0
    return mourned and episode.t_us > fact.since_us and fact.about in episode.text


def _end_goals(life: LifeRecords, event: PersonEvent) -> bool:
    """Let goals be over that an event plainly ends; tell whether any is."""
    goals = goals_of(life.mind.queue)
    if not goals or not event.text:
        return False
    # What reads words is compiled only where somebody who wants something is told something.
    from mindpipe.person.mind.outcomes import ended_goals

    queue, episodes = ThoughtQueue(life.mind.queue), life.mind.episodes
    ended = ended_goals(event, goals)
    for goal in ended:
        queue.goal_done(goal.text)
        episodes = with_goal_ended(episodes, event, goal.text, goal.outcome)
    if ended:
        life.mind = msgspec.structs.replace(life.mind, queue=queue.items, episodes=episodes)
    return bool(ended)


def _have_done(life: LifeRecords) -> None:
    """Let what lay ahead weigh no more once its goal is reached."""
    ahead = {one.event for one in life.mind.queue}
    exam = f"{turns.KIND}exam"
    life.active[:] = [one for one in life.active if one.type != exam or one.event in ahead]


def _relate(life: LifeRecords, event: PersonEvent, identity: PersonIdentity) -> None:
    """Let an event be a moment with all who had a part in it, and end what it ends."""
    found = next((one for one in reversed(life.mind.episodes) if one.is_of(event.id)), None)
    relations = with_moment(life.mind.relations, found, identity)
    if relations != life.mind.relations:
        life.mind = msgspec.structs.replace(life.mind, relations=relations)


def _eased(subject: Subject, event: PersonEvent) -> list[Episode]:
    """Let what an event takes back, or tells to have ended well, weigh no more; return that."""
    bank, column, _ = subject
    life = bank.lives[column]
    if not event.text or not any(one.valence < 0.0 for one in life.mind.episodes):
        return []
    # What reads words is compiled only where something is told and something weighs.
    from mindpipe.person.mind.relief import relieved

    over = relieved(event, life.mind.episodes, bank.persons[column].identity)
    _ease(subject, over)
    return over


def _ease(subject: Subject, over: Sequence[Episode]) -> None:
    """Let some of what happened weigh no more: on the mood, on the body, and on what comes up."""
    bank, column, _ = subject
    life = bank.lives[column]
    if not over:
        return
    for one in over:
        _lift(subject, one)
    mind, events = life.mind, {name for one in over for name in (one.id, one.event) if name}
    queue = tuple(one for one in mind.queue if one.event not in events)
    episodes = tuple(eased(one) if one in over else one for one in mind.episodes)
    life.mind = msgspec.structs.replace(mind, queue=queue, episodes=episodes)
    # A turn goes on until it is known that nothing of its kind holds any more.
    life.active[:] = [
        one for one in life.active if one.event not in events or one.type.startswith(turns.KIND)
    ]
    rates.refresh(bank, (column,))


def _lift(subject: Subject, episode: Episode) -> None:
    """Give back what news, or what turned a life, still weighs on the mood."""
    bad = episode.valence < 0.0 and not episode.is_over_well
    if not bad or (episode.type != "news" and not episode.topic):
        return
    emotion = episode.emotion or "sadness"
    if _is_grave(episode.valence, episode.importance) and DURATIONS_H[emotion] < OPEN_H:
        emotion = "anxiety"
    hours = (subject.t_us - episode.t_us) / HOUR_US
    left = REMAINING ** (hours / DURATIONS_H[emotion])
    feel(subject, emotion, -2.0 * episode.valence * episode.importance * left)


def _is_grave(valence: float, importance: float) -> bool:
    """Tell whether news weighs for a day at least."""
    return valence <= GRAVE and importance >= WEIGHTY


def _taught(
    person: Person, event: PersonEvent, turn: LifeTurn | None, over: Sequence[Episode]
) -> Person:
    """Return who a person is after what an event taught it of itself at once."""
    identity = learnt.mended(person.identity, event, over)
    if turn is not None:
        identity = learnt.turned(identity, turn, event)
    identity = _arranged(identity, event)
    if identity is person.identity:
        return person
    return msgspec.structs.replace(person, identity=identity, t_us=event.t_us)


def _arranged(identity: PersonIdentity, event: PersonEvent) -> PersonIdentity:
    """Return an identity after what an event tells to be otherwise for a while."""
    if event.type not in _TELLING or not event.text or not MAY_TELL.search(event.text):
        return identity
    # What finds that in words is compiled only where they may tell of it.
    from mindpipe.person.mind.arrangements import arranged

    for fact in arranged(event, identity):
        identity = learnt.added(identity, fact)
    return identity


def _grow(bank: Bank, t_us: int) -> list[Person]:
    """Let those to whom things happened learn of the day that is over; return who changed."""
    changed: list[Person] = []
    for column, life in enumerate(bank.lives):
        person = bank.persons[column]
        if not life.mind.episodes or person.settings.pacing != "lived":
            continue
        identity = learnt.grown(
            person.identity,
            life.mind.episodes,
            life.mind.relations,
            t_us=t_us,
            since_us=t_us - DAY_US,
        )
        if identity is not person.identity:
            bank.persons[column] = msgspec.structs.replace(person, identity=identity, t_us=t_us)
            company.renew(bank, column, t_us)
            changed.append(bank.persons[column])
    return changed


def _rouse(bank: Bank, t_us: int, some: habits.Some) -> None:
    """Wake who is asleep and disturbed among some."""
    habits.wake(bank, habits.among(some, habits.roused(bank, some)), t_us, forced=True)


def _note_waking(bank: Bank, column: int, *, by_event: bool) -> None:
    """Keep in mind whether an event woke a person."""
    life = bank.lives[column]
    if life.mind.event_woken != by_event:
        life.mind = msgspec.structs.replace(life.mind, event_woken=by_event)


FEW = 4
"""For more persons minutes one by one are as fast."""


def glide(bank: Bank, last_us: int) -> int:
    """Let persons pass the minutes in which nobody does or decides anything anew.

    Args:
        bank: Persons who are all at an anchor on the decision grid, without attention.
        last_us: An instant of that grid, up to which there is no slow sample, and nothing of
            anybody's own ends, is due or happens.

    Returns:
        The instant that they reached, the anchor itself where the very next minute stirs somebody.
    """
    start_us, count = int(bank.anchor_us[0]), len(bank.persons)
    minutes = range(start_us + GRID_US, last_us + 1, GRID_US)
    kept = [bank.modes.copy()]
    for t_us in minutes:
        flow.advance(bank, t_us)
        kept.append(bank.modes.copy())
    many = bank.take(np.tile(np.arange(count), len(minutes)))
    many.modes = np.concatenate(kept[1:], axis=1)
    many.t_us = many.anchor_us = np.repeat(np.asarray(minutes), count)
    quiet = _quiet(many, count)
    reached_us = start_us + quiet * GRID_US
    bank.modes[:] = kept[quiet]
    bank.anchor_us[:] = bank.t_us[:] = reached_us
    if quiet:
        decide(bank, reached_us, np.zeros(count, dtype=np.bool_))
    return reached_us


def _quiet(many: Bank, count: int) -> int:
    """Return after how many minutes of `count` persons each somebody is stirred next."""
    stirs = habits.stirred(many) | habits.roused(many)
    if many.awake.any():
        stirs |= coping.stirred(many, _mood(many))
    stirring: Flags = np.logical_or.reduce(stirs.reshape(-1, count), axis=1)
    return int(stirring.argmax()) if stirring.any() else len(stirring)
