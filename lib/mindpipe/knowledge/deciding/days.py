"""What days bring: plans that are overdue, what was said until one, ages that come and pass."""

import re
from collections.abc import Iterator

import msgspec

from mindpipe.core.instants import later
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, Attribute
from mindpipe.knowledge.claims.claim import FROM, PLAN, SOME_DAY, Claim
from mindpipe.knowledge.claims.prose import stems
from mindpipe.knowledge.confidence import DAY_SECONDS
from mindpipe.knowledge.deciding.applying import doubt
from mindpipe.knowledge.deciding.beliefs import Belief, Beliefs
from mindpipe.knowledge.keys import SUBJECT_TYPES, canonical_key
from mindpipe.knowledge.records import BeliefStatus, Evidence, Observation
from mindpipe.language.topics import topic_words

SOON_DAYS = 7
"""So many days before its day a plan is all but done when it is told: it comes true by itself."""
AGE_DAYS = 183
"""An age is told on any day of its year: after half of one it is as likely past as not."""
_DAY = re.compile(r".* from \d{4}-\d\d-\d\d", re.DOTALL)
_PLANNED = "From {day} on: {summary}"
_BY_SLOT: dict[str, Attribute] = {one.slot: one for one in ATTRIBUTES.values()}


def in_time(claim: Claim) -> Claim:
    """Return a claim as it is weighed when it is made: before its day it is a plan.

    The slot of a plan is that of what it will be; its value ends in the day. With a change of long
    ago nothing begins, unless it lasts.
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
    """Tell whether an observation is a plan with a day."""
    return observation.slot.startswith(f"{PLAN}.") and _DAY.fullmatch(observation.value) is not None


def is_overdue(observation: Observation) -> bool:
    """Tell whether an observation is a plan whose day has come, and of which nothing was heard."""
    return is_plan(observation) and observation.valid_to is not None


def grown_by(now: str) -> str:
    """Return the instant by which an age was told too long ago."""
    return later(now, seconds=-AGE_DAYS * DAY_SECONDS)


def key_of_plan(observation: Observation) -> str | None:
    """Return the key of what a plan is about: under it stands what its day puts in doubt."""
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
    """Let days that have come by an instant tell on what is held, and yield what they claim.

    What was held up to a day ends with it. A plan that was told long before its day does not come
    true by that alone: it may have been called off in words that nobody reads. It is overdue from
    then on, and what it was to take the place of is in doubt, until somebody says what is so. One
    of the next days is claimed, and so is an age, which nobody calls off. `now` is when that
    becomes known.
    """
    for belief in beliefs.timed():
        held = belief.observation
        if held.pinned or held.operator_confirmed or is_overdue(held):
            continue
        if is_plan(held):
            value, _, day = held.value.rpartition(FROM)
            if (at := f"{day}T00:00:00Z") > by:
                continue
            if held.slot == f"{PLAN}.age" or _is_soon(belief, at):
                yield from _come_true(belief, value, at=at)
                _end(beliefs, belief, at=at, now=now, why=f"{day} has come")
            else:
                _let_pass(beliefs, belief, value, at=at)
        elif held.valid_to is not None and held.valid_to <= by:
            why = f"it was to hold until {held.valid_to[:10]}"
            _end(beliefs, belief, at=held.valid_to, now=now, why=why)
        elif held.slot == "age" and held.status is BeliefStatus.ACTIVE:
            _outgrow(beliefs, belief, by)


def _last_support(belief: Belief) -> Evidence | None:
    """Return the last evidence that supports a belief and counts, if any does."""
    return next((one for one in reversed(belief.latest()) if one.stance == "support"), None)


def _is_soon(belief: Belief, at: str) -> bool:
    """Tell whether a plan was told within few days of its day."""
    said = _last_support(belief)
    return said is not None and at <= later(said.at, seconds=SOON_DAYS * DAY_SECONDS)


def _come_true(belief: Belief, value: str, *, at: str) -> Iterator[Claim]:
    """Yield what a plan says, as evidence of its day."""
    held = belief.observation
    planned, said = _planned(held), _last_support(belief)
    if planned is None or said is None:
        return
    attribute, topic = planned
    summary = held.summary.partition(": ")[2]
    yield Claim(
        kind=attribute.kind,
        subject=held.subject_id,
        word=attribute.slot,
        value=value,
        summary=summary,
        evidence=msgspec.structs.replace(said, at=at, value=value, linked=None),
        topic=(topic,) if topic else (),
        about=stems(topic_words(value)),
        said=summary,
    )


def _let_pass(beliefs: Beliefs, plan: Belief, value: str, *, at: str) -> None:
    """Let a plan be overdue since its day, and what it was to change in doubt."""
    said, key = _last_support(plan), key_of_plan(plan.observation)
    before = None if key is None else beliefs.under(key)
    plan.change(valid_to=max(at, plan.observation.valid_from))
    beliefs.changed(plan, why=f"{at[:10]} has come, and nobody has said that it is so")
    if said is not None and before is not None and before.observation.value != value:
        doubt(beliefs, before, msgspec.structs.replace(said, at=at, meant="planned", linked=None))


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
