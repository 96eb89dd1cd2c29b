"""What an event leaves in the mind: words, surprises, goals, concerns, who was met, a thought."""

import msgspec

from mindpipe.person.body.appraisal import SURPRISES, SURPRISING, UNEXPECTED, surprise
from mindpipe.person.body.event_fields import number
from mindpipe.person.feedback.changes import feedback_to_changes
from mindpipe.person.inner.queue import JUDGED, ThoughtQueue
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Hold, Mind, Relation, Unanswered

_OF_THE_MIND = frozenset(
    {"goal", "goal_done", "concern", "prediction_error", "identity", "thought"}
)
"""Types whose text is not what the person feels of them."""
_IDENTITY = (
    "self_narrative",
    "disposition_traits",
    "relational_markers",
    "key_memories",
    "emotional_patterns",
    "values_commitments",
)


def note(mind: Mind, event: Event) -> Mind:
    """Return a mind after an event."""
    changes: dict[str, object] = {}
    if event.text and event.type not in _OF_THE_MIND:
        changes |= {"event_us": event.t_us, "event_text": event.text}
    if event.type in ("speech", "action"):
        changes |= {"inbox": (*mind.inbox, _unanswered(event))}
        changes |= {"relations": _related(mind.relations, event)}
    if event.type == "thought" and event.about:
        changes |= {"inbox": tuple(one for one in mind.inbox if one.event != event.about)}
    queue = ThoughtQueue(mind.queue)
    _wait(queue, event)
    if queue.items != mind.queue:
        queue.forget_expired(event.t_us)
        changes |= {"queue": queue.items}
    return msgspec.structs.replace(mind, **changes) if changes else mind


def hold_of(event: Event) -> Hold | None:
    """Return what a thought that comes as an event does to the body, or None where nothing."""
    rates = event.rates
    if rates is None:
        rates = feedback_to_changes(event.labels or ())
    span_us = round(number(event, "hold_s") * 1e6)
    if not rates or not span_us:
        return None
    return Hold(start_us=event.t_us, end_us=event.t_us + span_us, rates=rates)


def renewed(person: Person, event: Event) -> Person:
    """Return who a person is with the fields of its identity that an event brings."""
    given = {name: getattr(event, name) for name in _IDENTITY if getattr(event, name) is not None}
    identity = msgspec.structs.replace(person.identity, **given, last_updated_us=event.t_us)
    return msgspec.structs.replace(person, identity=identity, t_us=event.t_us)


def _wait(queue: ThoughtQueue, event: Event) -> None:
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


def _judging(event: Event) -> bool:
    """Tell whether an event leaves one wondering what others think: ill words, or being watched."""
    unkind = event.type in ("speech", "action") and (event.valence or 0.0) < 0.0
    return unkind or (event.social_eval or 0.0) > 0.0


def _unanswered(event: Event) -> Unanswered:
    """Return speech or an action as it waits for its answer."""
    return Unanswered(
        t_us=event.t_us,
        type="speech" if event.type == "speech" else "action",
        text=event.text or "",
        event=event.id,
        valence=number(event, "valence"),
        source=event.source or "",
    )


def _related(relations: tuple[Relation, ...], event: Event) -> tuple[Relation, ...]:
    """Return the relations with one more input by whom the event is from, if it says so."""
    if not event.source:
        return relations
    known = {relation.name: relation for relation in relations}
    before = known.get(event.source, Relation(name=event.source, inputs=0, valence_sum=0.0))
    known[event.source] = Relation(
        name=before.name,
        inputs=before.inputs + 1,
        valence_sum=before.valence_sum + number(event, "valence"),
    )
    return tuple(known.values())
