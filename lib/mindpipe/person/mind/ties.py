"""With whom a person has to do: what they are to it, what they lived together, how it ended."""

from collections.abc import Iterable

import msgspec

from mindpipe.core.patterns import late
from mindpipe.person.mind.people import named_at
from mindpipe.person.mind.relations import NamedOther, is_animal, others_of
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import PersonEvent, number
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.records.state import PersonRelation, SharedMoment

MOST_SHARED, MOST_TIES = 4, 64
"""How many of the latest moments with somebody are kept, and of how many others any."""


def with_moment(
    relations: tuple[PersonRelation, ...], episode: Episode | None, identity: PersonIdentity
) -> tuple[PersonRelation, ...]:
    """Return a person's relations after something that happened, as its identity is by then.

    Whoever had a part in it, or is named in it, has one more moment; whom a death or a parting took
    keeps all, and how it ended.
    """
    others = {one.name: one for one in others_of(identity)}
    known = {one.name: _as(one, others.get(one.name)) for one in relations}
    if episode is not None:
        moment = SharedMoment(t_us=episode.t_us, text=episode.text, valence=episode.valence)
        told = (one.name for one in others.values() if named_at(episode.text, one) is not None)
        for name in dict.fromkeys((*episode.people, *told)):
            before = known.pop(name, None) or _as(_new(name), others.get(name))
            if before.kind == "" and is_animal(name, others.values()):
                before = msgspec.structs.replace(before, kind="animal")
            # Who was met last stands last.
            known[name] = msgspec.structs.replace(
                before, shared=(*before.shared, moment)[-MOST_SHARED:]
            )
    for fact in identity.learnt:
        died = fact.turn in ("bereavement", "death")
        if not (died or fact.turn == "separation") or not fact.about:
            continue
        if died and fact.about not in others and fact.about not in known:
            continue
        before = known.get(fact.about) or _as(_new(fact.about), others.get(fact.about))
        over = fact.until_us is None
        known[fact.about] = msgspec.structs.replace(
            before,
            ended=("died" if died else "parted") if over else "",
            ended_us=fact.since_us if over else None,
        )
    return _bounded(known.values(), frozenset(others))


def met(relations: tuple[PersonRelation, ...], event: PersonEvent) -> tuple[PersonRelation, ...]:
    """Return the relations with one more input by whom the event is from, if it says so."""
    if not event.source:
        return relations
    known = {relation.name: relation for relation in relations}
    before = known.get(event.source, _new(event.source))
    known[event.source] = msgspec.structs.replace(
        before,
        inputs=before.inputs + 1,
        valence_sum=before.valence_sum + _borne(event),
    )
    return tuple(known.values())


def _borne(event: PersonEvent) -> float:
    """Return how good or bad something is between the two; bad news is nobody's who brings it."""
    valence = number(event, "valence")
    news = event.type == "speech" and valence < 0.0 and event.text
    return 0.0 if news and not _TO_YOU.search(event.text or "") else valence


_TO_YOU = late(r"(?i)\b(?:you|your|yours|yourself|us)\b|\b(?:hate|shut up|go away|leave me)\b")
"""Words without which what is said is of others."""


def _new(name: str) -> PersonRelation:
    """Return a relation with somebody who has not spoken to the person yet."""
    return PersonRelation(name=name, inputs=0, valence_sum=0.0)


def _as(relation: PersonRelation, other: NamedOther | None) -> PersonRelation:
    """Return a relation with what somebody is to the person, where its identity tells."""
    if other is None or (relation.kind, relation.role) == (other.kind, other.role):
        return relation
    return msgspec.structs.replace(relation, kind=other.kind, role=other.role)


def _bounded(known: Iterable[PersonRelation], own: frozenset[str]) -> tuple[PersonRelation, ...]:
    """Return relations, of too many those of a person's own people and those met last."""
    found = tuple(known)
    if len(found) <= MOST_TIES:
        return found
    order = sorted(
        range(len(found)), key=lambda place: (found[place].name in own, place), reverse=True
    )
    kept = frozenset(order[:MOST_TIES])
    return tuple(one for place, one in enumerate(found) if place in kept)
