"""Who is meant by a name: the one speaker who is called so, where nobody else bears it."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from mindpipe.knowledge.bearers import bearers, id_of
from mindpipe.knowledge.claims.attributes import NOT
from mindpipe.knowledge.claims.claim import Claim

_OF_PERSONS = frozenset({"relation", "partner", "lives_with", "pet"})


def of_the_called(
    claims: Sequence[Claim], told: Mapping[str, str], voices: AbstractSet[str]
) -> list[Claim]:
    """Return claims, those of a name as of the one speaker who says that he is called so.

    `told` are the names of those who spoke before, `voices` who speaks in these claims. A speaker
    who tells of one of his own name means another, and so does who names somebody else by it.
    """
    names = dict.fromkeys(voices, "") | dict(told)
    names |= {
        id_of(one.subject): one.value
        for one in claims
        if one.word == "name" and not one.value.startswith(NOT) and _is_own(one)
    }
    whom = {name: one for name, one in bearers(names).items() if name != one}
    borne = {
        *_named(claims),
        *(id_of(one.subject) for one in claims if _speaks_of_another(one, whom)),
    }
    return [_of(one, whom, borne) for one in claims] if whom else list(claims)


def _of(claim: Claim, whom: Mapping[str, str], borne: AbstractSet[str]) -> Claim:
    """Return a claim of a name as of whom it means; nothing begins with another's word of him."""
    name = id_of(claim.subject)
    if name not in whom or name in borne:
        return claim
    return claim._replace(subject=whom[name], begins=False)


def _is_own(claim: Claim) -> bool:
    """Tell whether a claim is its subject's own word."""
    return id_of(claim.evidence.speaker or "") == id_of(claim.subject)


def _speaks_of_another(claim: Claim, whom: Mapping[str, str]) -> bool:
    """Tell whether somebody tells of one who has his own name."""
    return whom.get(id_of(claim.subject)) == id_of(claim.evidence.speaker or "")


def _named(claims: Iterable[Claim]) -> set[str]:
    """Return the names by which claims name relatives, friends and animals."""
    return {
        id_of(one.value.removeprefix(NOT).partition(" (")[0])
        for one in claims
        if one.word in _OF_PERSONS
    }
