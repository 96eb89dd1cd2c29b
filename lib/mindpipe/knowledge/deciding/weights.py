"""How much evidence weighs, and what is decided by it."""

from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.core.instants import seconds_between
from mindpipe.knowledge.claims.attributes import NOT
from mindpipe.knowledge.claims.claim import Claim, is_operators
from mindpipe.knowledge.confidence import Windows, weight_of
from mindpipe.knowledge.deciding.authority import is_hearsay, is_own, speaks
from mindpipe.knowledge.deciding.beliefs import Belief
from mindpipe.knowledge.deciding.slots import compare
from mindpipe.knowledge.keys import THINGS
from mindpipe.knowledge.records import Call, Evidence, Kind, Observation
from mindpipe.language.figures import MEASURES

CHANGES_COUNTED = 2
DAY_SECONDS = 86_400.0
NO_MARGIN = 0.0
MARGINS = {
    "communication_style": 0.25,
    "instruction": 0.25,
    "procedure": 0.25,
    "strength": 0.25,
    "tendency": 0.25,
    "weakness": 0.25,
    "definition": 0.25,
    "name": 1.0,
}
"""By how much a new value has to outweigh the old one where it is told in words of one's own, which
may say the same; of all other slots, which have one value at a time, later words count."""


def margin_of(word: str) -> float:
    """Return by how much a new value of a slot's word has to outweigh the old one."""
    return MARGINS.get(word, NO_MARGIN)


def new_weight(evidence: Iterable[Evidence], *, change: int) -> float:
    """Return what a new value weighs, with the words in which the newest evidence calls it new."""
    told = 1 + min(change, CHANGES_COUNTED) / 2
    return round(sum(map(weight_of, evidence)) * told, 6)


def old_weight(evidence: Iterable[Evidence], *, kind: Kind, at: str, windows: Windows) -> float:
    """Return what the strongest evidence for a held value weighs at an instant, 0 without any."""
    return round(
        max(
            (
                weight_of(one) * 2 ** (-_days(one.at, at) / windows[kind])
                for one in evidence
                if one.stance == "support"
            ),
            default=0.0,
        ),
        6,
    )


def _days(since: str, at: str) -> float:
    """Return the days between two instants, none where the order is reversed."""
    return max(seconds_between(since, at), 0.0) / DAY_SECONDS


class WeightVerdict(NamedTuple):
    """What a claim does to an observation; without a call it is kept as context and no more."""

    call: Call | None
    why: str
    old: float = 0.0
    new: float = 0.0
    margin: float = 0.0


def verdict_on(claim: Claim, belief: Belief, *, windows: Windows) -> WeightVerdict:
    """Return what a claim does to the observation that is held in its slot."""
    if claim.pretends:
        return WeightVerdict(None, "it says that it is of whom it speaks, which nobody vouches for")
    held = belief.observation
    compared = compare(claim.word, old=held.value, new=claim.value)
    if is_hearsay(claim.evidence, held.subject_id) and speaks(belief.all(), held.subject_id):
        return _heard(claim, held, alike=compared not in ("other", "apart"))
    if claim.sense != "states":
        return _ended(claim, held, alike=compared != "other")
    if compared in ("same", "coarser"):
        return WeightVerdict("corroborate", f'it says the same as "{held.value}"')
    if because := _beside(claim, held, apart=compared == "apart"):
        return WeightVerdict(None, because)
    finer = WeightVerdict("refine", f'it says more exactly what "{held.value}" says')
    return finer if compared == "finer" else _weighed(claim, belief, windows=windows)


def _heard(claim: Claim, held: Observation, *, alike: bool) -> WeightVerdict:
    """Return the verdict on another's word about what somebody said of himself."""
    if alike and claim.sense == "states":
        return WeightVerdict("corroborate", f'another says the same as "{held.value}"')
    return WeightVerdict(None, f"it is hearsay beside the own word of {held.subject_id}")


def _beside(claim: Claim, held: Observation, *, apart: bool) -> str | None:
    """Return why another value says nothing against the held one, or None where it does."""
    at = claim.evidence.at
    if apart:
        return f'"{held.value}" may be so all the same'
    if at < held.valid_from:
        return f"it was true before {held.valid_from}, since when this is held"
    known = not (claim.lasts_since and held.value.startswith(NOT))
    if known and claim.is_of_long_ago and claim.since < held.valid_from:
        return (
            f"it began {claim.since[:10]}, long before {held.valid_from}, since when this is held"
        )
    if claim.families and not is_rival(claim):
        return f"a second {claim.family or 'figure'} that is not said to be new"
    return None


def is_rival(claim: Claim) -> bool:
    """Tell whether a claim could replace another value: of days only one that is said to be new."""
    return bool(claim.change) or claim.family not in MEASURES


def _ended(claim: Claim, held: Observation, *, alike: bool) -> WeightVerdict:
    """Return the verdict on a claim that something is no longer so."""
    if not alike or claim.evidence.at < held.valid_from:
        return WeightVerdict(None, "it ends another value")
    if _is_firm(held) and not is_operators(claim.evidence):
        return WeightVerdict(
            "contradict", "only an operator's word ends what an operator confirmed"
        )
    if claim.evidence.sources and not held.sources:
        return WeightVerdict(
            "contradict", "an untrusted source ends nothing that a trusted one said"
        )
    return WeightVerdict("retract", f'it says that "{held.value}" is so no longer')


def _weighed(claim: Claim, belief: Belief, *, windows: Windows) -> WeightVerdict:
    """Weigh another value against the held one: the later one replaces it by enough weight."""
    at, held, latest = claim.evidence.at, belief.observation, belief.latest()
    new = new_weight(_for_value(claim, latest), change=claim.change)
    others = [one for one in latest if not _is_of(one, claim.evidence)]
    old = old_weight(others, kind=held.kind, at=at, windows=windows)
    denied = claim.value.startswith(NOT) and is_own(claim.evidence, held.subject_id)
    margin = NO_MARGIN if denied else margin_of(claim.word)
    weighed = WeightVerdict("contradict", "", old=old, new=new, margin=margin)
    if is_operators(claim.evidence):
        return weighed._replace(call="supersede", why="an operator said so")
    if refused := _unweighed(claim, belief):
        return weighed._replace(why=refused)
    if is_own(claim.evidence, held.subject_id) and _is_only_hearsay(belief):
        return weighed._replace(call="supersede", why="it is one's own word against hearsay")
    if new < old + margin:
        return weighed._replace(why=f"{new:g} is not {margin:g} over {old:g}")
    return weighed._replace(call="supersede", why=f"it is later, and {new:g} over {old:g}")


def _unweighed(claim: Claim, belief: Belief) -> str | None:
    """Return why another value does not replace the held one, whatever it weighs, or None."""
    held = belief.observation
    if _is_firm(held):
        return "an operator confirmed what is held"
    if claim.evidence.sources and not held.sources:
        return "an untrusted source replaces nothing that a trusted one said"
    if claim.evidence.at <= held.valid_from and not _goes_on(claim, belief):
        return "both were said of the same instant"
    return _of_another(claim, belief)


def _goes_on(claim: Claim, belief: Belief) -> bool:
    """Tell whether it is who said all of what is held that says something else now."""
    support = [one for one in belief.all() if one.stance == "support"]
    return all(_speaker(one) == _speaker(claim.evidence) for one in support)


def _of_another(claim: Claim, belief: Belief) -> str | None:
    """Return why hearsay replaces nothing that another than its speaker said of somebody, or None.

    Projects and tools have no word of their own: of them everybody's later word counts.
    """
    evidence, held = claim.evidence, belief.observation
    if held.kind in THINGS or not is_hearsay(evidence, held.subject_id):
        return None
    if _goes_on(claim, belief):
        return None
    return f"another's word replaces nobody's on {held.subject_id}, who is to say it"


def _speaker(evidence: Evidence) -> tuple[str | None, str | None, tuple[str, ...]]:
    """Return who said something, as far as it is known."""
    return evidence.speaker, evidence.claimed_speaker, evidence.sources


def _is_only_hearsay(belief: Belief) -> bool:
    """Tell whether all support of a belief about somebody is the word of others."""
    subject = belief.observation.subject_id
    support = [one for one in belief.all() if one.stance == "support"]
    return bool(support) and all(is_hearsay(one, subject) for one in support)


def _for_value(claim: Claim, latest: Iterable[Evidence]) -> list[Evidence]:
    """Return all the evidence for the new value: the claim's, and what contradicted before."""
    before = [one for one in latest if one.stance == "contradict" and one.value == claim.value]
    return [*before, claim.evidence]


def _is_of(one: Evidence, other: Evidence) -> bool:
    """Tell whether two are of one source, whose later word takes the place of the earlier."""
    return (one.source, one.ref) == (other.source, other.ref)


def _is_firm(held: Observation) -> bool:
    """Tell whether an operator stands for an observation."""
    return held.pinned or held.operator_confirmed
