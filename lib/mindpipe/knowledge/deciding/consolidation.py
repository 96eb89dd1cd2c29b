"""Weigh claims, one after the other in the order of time, against what is held."""

from collections.abc import Iterable

from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.applying import Case, Terms, apply, observation_of
from mindpipe.knowledge.deciding.belief import Belief
from mindpipe.knowledge.deciding.beliefs import CHANGING, Beliefs
from mindpipe.knowledge.deciding.slots import Place, agreement, families_of, place_of
from mindpipe.knowledge.deciding.values import compare
from mindpipe.knowledge.deciding.verdicts import is_rival, verdict_on
from mindpipe.knowledge.keys import Slots

RESIDENCE = "residence"


def weigh(beliefs: Beliefs, claims: Iterable[Claim], terms: Terms) -> None:
    """Weigh claims against beliefs, which come to stand as the verdicts say.

    A claim that was weighed before changes nothing, nor does an edge that says the same as an item
    which it was made from: that is one source.
    """
    for claim in sorted(claims, key=lambda claim: claim.evidence.at):
        place = place_of(claim, terms.slots)
        if place is None or beliefs.was_weighed(claim, place.key):
            continue
        belief = _belief_for(beliefs, claim, place)
        if belief is None:
            _begin(beliefs, claim, place, terms)
        elif claim.evidence.source == CHANGING or not belief.stands_on(claim.evidence):
            moved = _moved(beliefs, claim, terms)
            verdict = verdict_on(claim, belief, windows=terms.windows, moved=moved)
            if verdict.call == "corroborate" and belief.stands_on_any(claim.items):
                continue
            if verdict.call is not None or _begins(claim):
                apply(beliefs, Case(claim, belief, verdict), terms)


def _belief_for(beliefs: Beliefs, claim: Claim, place: Place) -> Belief | None:
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
    return beliefs.under(place.key) if claim.family else None


def keys_of(claim: Claim, slots: Slots) -> list[str]:
    """Return the keys under which something may be held that bears on a claim."""
    places = [place_of(claim, slots), _home(claim, slots) if claim.bound else None]
    return [place.key for place in places if place is not None]


def _home(claim: Claim, slots: Slots) -> Place | None:
    """Return where it stands where a claim's subject lives."""
    home = claim._replace(kind="world_fact", word=RESIDENCE, topic=(), family="", families=())
    return place_of(home, slots)


def _moved(beliefs: Beliefs, claim: Claim, terms: Terms) -> str | None:
    """Return since when the subject of a bound claim lives where it does, if elsewhere before."""
    home = _home(claim, terms.slots) if claim.bound else None
    belief = beliefs.under(home.key) if home else None
    held = belief.observation if belief else None
    return held.valid_from if held and held.supersedes_observation_id else None


def _begin(beliefs: Beliefs, claim: Claim, place: Place, terms: Terms) -> None:
    """Hold what a claim says as something new, if it says something by itself."""
    if _begins(claim):
        made = observation_of(claim, place, terms)
        beliefs.begin(made, why=f"{claim.evidence.source} {claim.evidence.ref} says so")


def _begins(claim: Claim) -> bool:
    """Tell whether a claim says something by itself, and not only that something is no longer so.

    A figure of which the text leaves open what it counts says something of another one alone.
    """
    return claim.sense == "states" and bool(claim.family or not claim.families)
