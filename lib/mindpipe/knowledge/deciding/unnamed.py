"""Which project is meant where nobody names one: the only thing of which the same is held."""

from collections.abc import Callable, Iterable, Sequence

from mindpipe.core.errors import UsageError
from mindpipe.knowledge.claims.attributes import NOT
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.keys import THINGS, normal_subject
from mindpipe.knowledge.records import BeliefStatus, Observation
from mindpipe.language.named_attributes import PROJECT

Held = Callable[[], Iterable[Observation]]
"""Returns what is held of projects and tools; it is asked only where a claim names none."""


def of_the_one_thing(claims: Sequence[Claim], held: Held) -> list[Claim]:
    """Return claims, those that name no project as of the one thing that has their attribute.

    "We switched to Postgres" is of the app, where the app's database is known and no other's. What
    is held counts, and what is claimed before; where several have it, or the unnamed project
    itself, nothing is meant but that.
    """
    if not any(map(_is_unnamed, claims)):
        return list(claims)
    known = [
        (one.kind, one.slot.partition(".")[0], "", _name_of(one))
        for one in held()
        if one.status is BeliefStatus.ACTIVE and not one.value.startswith(NOT)
    ]
    known += [
        (one.kind, one.word, one.evidence.at, one.subject)
        for one in claims
        if one.kind in THINGS and one.begins and one.value and not _is_unnamed(one)
    ]
    return [_of_thing(one, known) if _is_unnamed(one) else one for one in claims]


def _of_thing(claim: Claim, known: Iterable[tuple[str, str, str, str]]) -> Claim:
    """Return a claim as of the one thing that has its attribute by then, if it is one."""
    names = {
        _id(name): name
        for kind, word, since, name in known
        if (kind, word) == (claim.kind, claim.word) and since <= claim.evidence.at
    }
    if len(names) != 1 or PROJECT in names:
        return claim
    (name,) = names.values()
    summary = claim.summary.replace(f"{PROJECT}'s ", f"{name}'s ", 1)
    return claim._replace(subject=name, summary=summary)


def _is_unnamed(claim: Claim) -> bool:
    """Tell whether a claim is of the project, and names none."""
    return claim.kind in THINGS and not claim.families and claim.subject.lower() == PROJECT


def _name_of(held: Observation) -> str:
    """Return the name of what is held, as its summary tells it."""
    told = held.summary.partition("'s ")[0]
    return told if _id(told) == held.subject_id else held.subject_id


def _id(name: str) -> str:
    """Return a name as keys have it, "" where it can stand in none."""
    try:
        return normal_subject(name)
    except UsageError:
        return ""
