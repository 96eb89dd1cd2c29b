"""What days bring: plans that come true on theirs, what was said until one, ages that are past."""

import re
from collections.abc import Iterator

import msgspec

from mindpipe.core.instants import later
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, Attribute
from mindpipe.knowledge.claims.claim import FROM, PLAN, SOME_DAY, Claim
from mindpipe.knowledge.claims.prose import stems
from mindpipe.knowledge.confidence import DAY_SECONDS
from mindpipe.knowledge.deciding.beliefs import Belief, Beliefs
from mindpipe.knowledge.keys import SUBJECT_TYPES, canonical_key
from mindpipe.knowledge.records import BeliefStatus, Observation
from mindpipe.language.topics import topic_words

AGE_DAYS = 183
"""An age is told on any day of its year: after half of one it is as likely past as not."""
_DAY = re.compile(r".* from \d{4}-\d\d-\d\d", re.DOTALL)
_PLANNED = "From {day} on: {summary}"
_BY_SLOT: dict[str, Attribute] = {one.slot: one for one in ATTRIBUTES.values()}


def in_time(claim: Claim) -> Claim:
    """Return a claim as it is weighed when it is made: before its day it is a plan.

    The slot of a plan is that of what it will be; its value ends in the day. A plan without a day
    never comes true by itself. With a change of long ago nothing begins, unless it lasts.
    """
    some_day = claim.evidence.meant == "planned" and not claim.since
    if claim.since <= claim.evidence.at and not some_day:
        over = claim.is_of_long_ago and not claim.lasts_since
        return claim._replace(begins=False) if over else claim
    day = SOME_DAY if some_day else claim.since[:10]
    value = f"{claim.value}{FROM}{day}"
    return claim._replace(
        kind="world_fact",
        word=PLAN,
        topic=(claim.word, *claim.topic),
        value=value,
        summary=_PLANNED.format(day=day, summary=claim.summary),
        evidence=msgspec.structs.replace(claim.evidence, value=value),
        since="",
        until="",
    )


def is_plan(observation: Observation) -> bool:
    """Tell whether an observation is a plan that waits for its day."""
    return observation.slot.startswith(f"{PLAN}.") and _DAY.fullmatch(observation.value) is not None


def grown_by(now: str) -> str:
    """Return the instant by which an age was told too long ago."""
    return later(now, seconds=-AGE_DAYS * DAY_SECONDS)


def key_of_plan(observation: Observation) -> str | None:
    """Return the key under which a plan will be held when its day has come."""
    found = _planned(observation)
    if found is None:
        return None
    attribute, topic = found
    slot = f"{attribute.slot}.{topic}" if topic else attribute.slot
    kind = attribute.kind
    return canonical_key(kind, SUBJECT_TYPES[kind], observation.subject_id, slot)


def _planned(observation: Observation) -> tuple[Attribute, str] | None:
    """Return what a plan will be: the attribute, and the topic if it has one."""
    topic = observation.slot.removeprefix(f"{PLAN}.")
    fits = [one for one in _BY_SLOT if topic == one or topic.startswith(f"{one}_")]
    if not is_plan(observation) or not fits:
        return None
    attribute = _BY_SLOT[max(fits, key=len)]
    return attribute, topic.removeprefix(attribute.slot)[1:] if attribute.many else ""


def fallen_due(beliefs: Beliefs, *, by: str, now: str) -> Iterator[Claim]:
    """End what was held up to a day that has come by an instant, and yield what plans then claim.

    `now` is when that becomes known.
    """
    for belief in beliefs.timed():
        held = belief.observation
        if held.pinned or held.operator_confirmed:
            continue
        if is_plan(held):
            value, _, day = held.value.rpartition(FROM)
            if (at := f"{day}T00:00:00Z") <= by:
                yield from _come_true(belief, value, at=at)
                _end(beliefs, belief, at=at, now=now, why=f"{day} has come")
        elif held.valid_to is not None and held.valid_to <= by:
            why = f"it was to hold until {held.valid_to[:10]}"
            _end(beliefs, belief, at=held.valid_to, now=now, why=why)
        elif held.slot == "age" and held.status is BeliefStatus.ACTIVE:
            _outgrow(beliefs, belief, by)


def _come_true(belief: Belief, value: str, *, at: str) -> Iterator[Claim]:
    """Yield what a plan says, as evidence of its day."""
    held = belief.observation
    planned = _planned(held)
    support = [one for one in belief.latest() if one.stance == "support"]
    if planned is None or not support:
        return
    attribute, topic = planned
    summary = held.summary.partition(": ")[2]
    yield Claim(
        kind=attribute.kind,
        subject=held.subject_id,
        word=attribute.slot,
        value=value,
        summary=summary,
        evidence=msgspec.structs.replace(support[-1], at=at, value=value, linked=None),
        topic=(topic,) if topic else (),
        about=stems(topic_words(value)),
        said=summary,
    )


def _end(beliefs: Beliefs, belief: Belief, *, at: str, now: str, why: str) -> None:
    """Hold something no more since a day."""
    held = belief.observation
    belief.change(
        status=BeliefStatus.INVALIDATED,
        valid_to=max(at, held.valid_from),
        ended=max(now, held.learnt),
    )
    beliefs.changed(belief, why=why)


def _outgrow(beliefs: Beliefs, belief: Belief, now: str) -> None:
    """Let an age be stale that was told too long ago."""
    told = belief.observation.last_supported_at
    if told is not None and told <= grown_by(now):
        belief.change(status=BeliefStatus.STALE)
        beliefs.changed(belief, why=f"an age that was told {told[:10]}, half a year ago")
