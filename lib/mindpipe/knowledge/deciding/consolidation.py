"""Decide subject by subject what is remembered comes to, in fair shares."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import later
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, NOT, REPLACED
from mindpipe.knowledge.claims.claim import DOUBT, PLAN, Claim
from mindpipe.knowledge.claims.of_items import (
    claims_of_items,
    ending,
    names_of,
    naming,
    replacing,
    settling,
    turned,
    voices_of,
)
from mindpipe.knowledge.claims.of_substrates import (
    claims_of_entities,
    claims_of_lesson,
    claims_of_reflections,
)
from mindpipe.knowledge.confidence import is_doubted
from mindpipe.knowledge.deciding.applying import Case, Terms, apply, doubt, observation_of, said_by
from mindpipe.knowledge.deciding.beliefs import CHANGING, Belief, Beliefs, value_as_held
from mindpipe.knowledge.deciding.called import of_the_called
from mindpipe.knowledge.deciding.days import fallen_due, in_time
from mindpipe.knowledge.deciding.slots import SlotPlace, agreement, compare, families_of, place_of
from mindpipe.knowledge.deciding.unnamed import Held, of_the_one_thing
from mindpipe.knowledge.deciding.weights import is_rival, verdict_on
from mindpipe.knowledge.keys import Slots, normal_subject
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefDecision,
    BeliefStatus,
    Call,
    Consolidated,
    Evidence,
)
from mindpipe.language.records import ENDING, MENTIONED, REPLACEMENT, StatementReader
from mindpipe.language.strict import STRICT
from mindpipe.language.words import STANDINGS
from mindpipe.memory.records import Entity, Item, Lesson, Reflection


def weigh(beliefs: Beliefs, claims: Iterable[Claim], terms: Terms) -> None:
    """Weigh claims against beliefs, which come to stand as the verdicts say.

    A claim that was weighed before changes nothing, nor does an edge that says the same as an item
    which it was made from: that is one source. A plan whose day has come is overdue, unless it was
    called off before it.
    Of the same instant what was given first goes first, and of one item what is so before what is
    not so: of "I don't live in Bremen, I live in Hamburg" Hamburg is held.
    """
    told = list(map(in_time, claims))
    given: dict[str, int] = {}
    for claim in told:
        given.setdefault(claim.evidence.ref, len(given))
    said = sorted(told, key=lambda claim: _order(claim, given[claim.evidence.ref]))
    for claim in said:
        if claim.evidence.at < terms.now:
            _weigh(beliefs, list(fallen_due(beliefs, by=claim.evidence.at, now=terms.now)), terms)
        _weigh(beliefs, (claim,), terms)
    _weigh(beliefs, list(fallen_due(beliefs, by=terms.now, now=terms.now)), terms)


def _weigh(beliefs: Beliefs, claims: Iterable[Claim], terms: Terms) -> None:
    """Weigh claims one after the other, as of their time."""
    said = list(claims)
    for claim in said:
        for doubted in _doubted_by(beliefs, claim, terms):
            doubt(beliefs, doubted, claim.evidence)
    for meant in (each for one in said for each in _meant_by(beliefs, one)):
        claim = meant
        place = None if claim.word == DOUBT else place_of(claim, terms.slots)
        if place is None or beliefs.was_weighed(claim, place.key):
            continue
        belief = _belief_for(beliefs, claim, place)
        if belief is None:
            _begin(beliefs, claim, place, terms)
        elif claim.evidence.source == CHANGING or not belief.stands_on(claim.evidence):
            claim = _as_held(_as_spelled(claim, belief), belief)
            told = _of_today(claim, belief, now=terms.now)
            verdict = verdict_on(told, belief, windows=terms.windows)
            if verdict.call == "corroborate" and belief.stands_on_any(claim.items):
                continue
            if verdict.call is not None or claim.pretends or _begins(claim):
                apply(beliefs, Case(claim, belief, verdict), terms)
            if verdict.call in ("supersede", "retract"):
                ended = msgspec.structs.replace(claim.evidence, meant="ended")
                for left in beliefs.left_behind(claim, place.subject_id):
                    doubt(beliefs, left, ended)


def _as_spelled(claim: Claim, belief: Belief) -> Claim:
    """Return a claim that denies what is held with the value as it is held: `not Bremen`."""
    held = belief.observation
    named = f"{NOT}{held.value}"
    alike = claim.value.casefold() == named.casefold() and claim.value != named
    return naming(claim, held) if alike else claim


def _as_held(claim: Claim, belief: Belief) -> Claim:
    """Return a figure that is another of a project's as what the project's slot then holds."""
    held = belief.observation
    value = value_as_held(claim, held.value)
    if claim.kind == held.kind or not claim.families or value is None:
        return claim
    summary = held.summary.replace(held.value, value)
    evidence = msgspec.structs.replace(claim.evidence, value=value)
    return claim._replace(
        value=value,
        evidence=evidence,
        kind=held.kind,
        word=held.slot,
        family="",
        families=(),
        topic=(),
        summary=summary,
    )


def _of_today(claim: Claim, belief: Belief, *, now: str) -> Claim:
    """Return a claim as of right after what it bears on began, where that has still to come.

    A clock that was set forward once let it begin, and nothing that is said now would count.
    """
    begins = belief.observation.valid_from
    if not claim.evidence.at <= now < begins:
        return claim
    at = later(begins, seconds=1)
    return claim._replace(evidence=msgspec.structs.replace(claim.evidence, at=at))


def _ends_work(claim: Claim) -> bool:
    """Tell whether somebody is said to work no more at a place that is named."""
    return claim.word == "workplace" and claim.evidence.meant == "ended" and bool(claim.value)


def _trade_of(claim: Claim) -> Claim:
    """Return a claim as one of the trade of whom it is."""
    return claim._replace(kind=ATTRIBUTES["job"].kind, word="job", topic=())


def _doubted_by(beliefs: Beliefs, claim: Claim, terms: Terms) -> Iterator[Belief]:
    """Yield what a claim puts in doubt: what may be over, and the trade of whom is out of work.

    Where "he died" and nobody was named, it may have been the one animal that is held.

    Where somebody left another place than the one he is held to be at, no trade is doubted.
    """
    if claim.word == DOUBT:
        with contextlib.suppress(UsageError):
            yield from beliefs.doubted_by(claim, normal_subject(claim.subject))
    if claim.word == ENDING and claim.value:
        with contextlib.suppress(UsageError):
            subject = normal_subject(claim.subject)
            if not beliefs.ended_by(claim, subject):
                yield from beliefs.nearly_ended_by(claim, subject)
    if claim.word == ENDING and not claim.value:
        with contextlib.suppress(UsageError):
            animals = beliefs.animals_of(claim, normal_subject(claim.subject))
            yield from animals if len(animals) == 1 else ()
    if not _ends_work(claim):
        return
    place, work = place_of(_trade_of(claim), terms.slots), place_of(claim, terms.slots)
    trade = None if place is None else beliefs.under(place.key)
    at = None if work is None else beliefs.under(work.key)
    there = at is not None and at.observation.value == claim.value.removeprefix(NOT)
    if there and trade is not None and trade.observation.value not in STANDINGS:
        yield trade


def _meant_by(beliefs: Beliefs, claim: Claim) -> Iterator[Claim]:
    """Yield what a claim says by what is held: what it replaces or ends need not be named."""
    if claim.word == REPLACEMENT:
        try:
            held = beliefs.replaced_by(claim, normal_subject(claim.subject))
        except UsageError:
            held = None
        yield from () if held is None else replacing(claim, held.observation)
        return
    if claim.word == ENDING:
        with contextlib.suppress(UsageError):
            over = beliefs.ended_by(claim, normal_subject(claim.subject))
            yield from (ending(claim, one.observation) for one in over)
        return
    if claim.value == MENTIONED and not claim.topic:
        planned = None
        with contextlib.suppress(UsageError):
            planned = beliefs.planned(claim, normal_subject(claim.subject))
        settled = settling(claim, None if planned is None else planned.observation)
        if planned is not None:
            _end_plan(beliefs, planned, claim.evidence)
        yield from _meant_by(beliefs, settled) if settled is not None else ()
        return
    if claim.topic == (MENTIONED,):
        try:
            held = beliefs.mentioned(claim, normal_subject(claim.subject))
        except UsageError:
            held = None
        yield from () if held is None else (turned(claim, held.observation),)
        return
    if claim.word == "prefers" and claim.sense == "states":
        with contextlib.suppress(UsageError):
            outdone = beliefs.outdone_by(claim, normal_subject(claim.subject))
            yield from (ending(claim, one.observation) for one in outdone)
    if claim.ends_thing:
        with contextlib.suppress(UsageError):
            short = beliefs.named_in_short(claim, normal_subject(claim.subject))
            claim = claim if short is None else naming(claim, short.observation)
    given = claim.value or claim.word == PLAN
    named = claim if given and not claim.names_kind else _named(beliefs, claim)
    yield from () if named is None else (named,)


def _end_plan(beliefs: Beliefs, plan: Belief, evidence: Evidence) -> None:
    """Hold a plan no more that has come about."""
    held = plan.observation
    ended = max(evidence.learnt, held.learnt)
    plan.change(status=BeliefStatus.INVALIDATED, valid_to=evidence.at, ended=ended)
    beliefs.changed(plan, why=f"{evidence.ref}{said_by(evidence)}: it has come about")


def _named(beliefs: Beliefs, claim: Claim) -> Claim | None:
    """Return that something has ended, by the one value that is held, or None if there is none.

    Of an animal that is named by its kind it is the one of that kind, if one has a name.
    """
    try:
        held = beliefs.only_other(claim, normal_subject(claim.subject))
    except UsageError:
        return None
    if held is None:
        return claim if claim.names_kind else None
    return naming(claim, held.observation)


def _order(claim: Claim, given: int) -> tuple[str, bool, int, bool]:
    """Return what puts claims in order; `given` is the place of what one stands on."""
    ends = claim.evidence.meant in ("denied", "ended")
    return (claim.evidence.at, claim.word == DOUBT, given, ends)


def _belief_for(beliefs: Beliefs, claim: Claim, place: SlotPlace) -> Belief | None:
    """Return what is held in the slot of a claim: under its key, or the figure that agrees best."""
    if not claim.families:
        return beliefs.under(place.key)
    agreeing = [
        (compare(claim.word, old=held.value, new=claim.value) == "same", agreed, belief)
        for belief in beliefs.of_families(families_of(claim, place.subject_id))
        if (agreed := agreement(claim, held := belief.observation))
        and not belief.stands_on(claim.evidence)
    ]
    rivals = [one for one in agreeing if one[0] or is_rival(claim)]
    if rivals:
        return max(rivals, key=lambda one: (*one[:2], one[2].observation.valid_from))[2]
    same = beliefs.under(place.key) if claim.family else None
    if same is not None or not (claim.names_another and claim.named):
        return same
    return beliefs.named_by(claim, place.subject_id)


def keys_of(claim: Claim, slots: Slots) -> list[str]:
    """Return the keys under which something may be held that bears on a claim, now or planned."""
    planned = claim._replace(kind="world_fact", word=PLAN, topic=(claim.word, *claim.topic))
    plans = claim.since or claim.evidence.meant == "planned" or claim.value == MENTIONED
    may_be = [claim, planned] if plans else [claim]
    if _ends_work(claim):
        may_be.append(_trade_of(claim))
    if claim.word in (ENDING, DOUBT):
        return []
    if claim.word == REPLACEMENT:
        may_be = [
            claim._replace(kind=one.kind, word=one.slot, topic=(claim.value,) if one.many else ())
            for one in map(ATTRIBUTES.__getitem__, REPLACED)
        ]
    places = (place_of(one, slots) for one in may_be)
    return [one.key for one in places if one is not None]


def _begin(beliefs: Beliefs, claim: Claim, place: SlotPlace, terms: Terms) -> None:
    """Hold what a claim says as something new, if it says something by itself."""
    if _begins(claim):
        made = observation_of(claim, place, terms)
        # One figure in passing is nothing that is known of anything yet.
        if claim.families:
            made = msgspec.structs.replace(made, status=BeliefStatus.STALE)
        evidence = claim.evidence
        beliefs.begin(made, why=f"{evidence.source} {evidence.ref}{said_by(evidence)} says so")


def _begins(claim: Claim) -> bool:
    """Tell whether a claim says something by itself, and not only that something is no longer so.

    A figure of which the text leaves open what it counts says something of another one alone, and
    what only says that it is somebody's own word says nothing of him.
    """
    return (
        claim.begins
        and not claim.pretends
        and claim.sense == "states"
        and bool(claim.family or not claim.families)
    )


class RememberedClaims(NamedTuple):
    """Items, lessons, reflections and entities that are read together."""

    items: Sequence[Item] = ()
    lessons: Sequence[Lesson] = ()
    reflections: Sequence[Reflection] = ()
    entities: Sequence[Entity] = ()


def _left_to_him(claim: Claim, items: Sequence[Item], spoken: AbstractSet[str]) -> Claim:
    """Return what an edge claims; of who speaks here, nothing begins with what others alone told.

    So it is with the items that it was made from, see `claims_of_items`.
    """
    told = [one for one in items if one.id in claim.items]
    if not told or len(told) < len(claim.items):
        return claim
    subject = names_of([claim.subject])
    speaks = subject & (spoken | voices_of(items))
    return claim._replace(begins=False) if speaks and not subject & voices_of(told) else claim


def claims_by_subject(
    remembered: RememberedClaims,
    reader: StatementReader = STRICT,
    *,
    spoken: AbstractSet[str] = frozenset(),
    held: Held = tuple,
    told: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, list[Claim]]:
    """Return all that is claimed, by subject as keys have it, the subjects in order.

    `spoken` are those who have spoken before, as keys have them, `told` what they are held to be
    called; `held` returns what is held of projects and tools.
    """
    found = [
        *claims_of_items(remembered.items, reader, spoken=spoken),
        *(claim for one in remembered.lessons for claim in claims_of_lesson(one)),
        *claims_of_reflections(remembered.reflections, reader),
        *(
            _left_to_him(claim, remembered.items, spoken)
            for claim in claims_of_entities(remembered.entities, reader)
        ),
    ]
    claims: dict[str, list[Claim]] = {}
    voices = spoken | voices_of(remembered.items)
    for claim in of_the_called(of_the_one_thing(found, held), told, voices):
        try:
            claims.setdefault(normal_subject(claim.subject), []).append(claim)
        except UsageError:
            continue
    return dict(sorted(claims.items()))


def shared_out(unread: Sequence[tuple[int, str]], *, limit: int) -> tuple[int, ...]:
    """Return the numbers of at most `limit` items, in order, shared out over their subjects.

    `unread` are numbers with their subjects, in order. Subjects take turns, each with its oldest.
    """
    if len(unread) <= limit:
        return tuple(number for number, _ in unread)
    queues: dict[str, list[int]] = {}
    for number, subject in unread:
        queues.setdefault(subject, []).append(number)
    turns = max(map(len, queues.values()))
    taken = (queue[turn] for turn in range(turns) for queue in queues.values() if turn < len(queue))
    return tuple(sorted(number for number, _ in zip(taken, range(limit), strict=False)))


def mark_after(mark: int, unread: Iterable[int], read: frozenset[int]) -> int:
    """Return up to which number all items have been read, where some beyond the mark have.

    `unread` are the numbers of the items beyond the mark, in order.
    """
    for number in unread:
        if number not in read:
            break
        mark = number
    return mark


def report_on(
    subject: str,
    changes: Iterable[BeliefChange],
    decisions: Iterable[BeliefDecision],
    *,
    marks: int,
) -> Consolidated:
    """Return what was changed of one subject."""
    stood = list(changes)
    new = [one.observation for one in stood if not one.expected]
    stale = [one.observation for one in stood if one.observation.status is BeliefStatus.STALE]
    said = list(decisions)
    return Consolidated(
        subject=subject,
        created=tuple(one.id for one in new),
        reinforced=_called(said, "corroborate"),
        refined=_called(said, "refine"),
        superseded=_called(said, "supersede"),
        contested=_called(said, "contradict"),
        retracted=_called(said, "retract"),
        doubted=tuple(one.id for one in stale if is_doubted(one)),
        queued=tuple(one.id for one in said if one.state == "queued"),
        marks=marks,
    )


def joined(one: Consolidated, other: Consolidated) -> Consolidated:
    """Return what two parts changed of one subject, in their order."""
    fields = {
        name: tuple(dict.fromkeys((*value, *getattr(other, name))))
        for name, value in msgspec.structs.asdict(one).items()
        if isinstance(value, tuple)
    }
    return msgspec.structs.replace(one, **fields, marks=one.marks + other.marks)


def _called(decisions: Iterable[BeliefDecision], call: Call) -> tuple[str, ...]:
    """Return the observations on which a verdict was given and applied, each once."""
    found = (one.observation for one in decisions if one.call == call and one.state == "applied")
    return tuple(dict.fromkeys(one for one in found if one is not None))
