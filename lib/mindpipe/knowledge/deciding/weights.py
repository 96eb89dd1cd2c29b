"""How much a new value weighs against what is held, and by how much it has to weigh more.

    new = (weight of all evidence for the new value) (1 + min(change, 2) / 2)
    old = max over the evidence for the old value of weight 2^(-age in days / window)

`change` counts the words by which the newest evidence says that its value is new, the age is that
of the old evidence when the new one was true, and the window is that of the kind's freshness. The
margin says how far new has to be over old: nothing where values change by their nature.
"""

from collections.abc import Iterable

from mindpipe.core.instants import seconds_between
from mindpipe.knowledge.freshness import Windows
from mindpipe.knowledge.records import Evidence, Kind

CHANGES_COUNTED = 2
DAY_SECONDS = 86_400.0
USUAL_MARGIN = 0.25
MARGINS = {
    "age": 0.0,
    "count": 0.0,
    "date": 0.0,
    "job": 0.0,
    "metric": 0.0,
    "name": 1.0,
    "residence": 0.0,
    "schedule": 0.0,
    "status": 0.0,
    "version": 0.0,
    "workplace": 0.0,
}


def margin_of(word: str) -> float:
    """Return by how much a new value of a slot's word has to outweigh the old one."""
    return MARGINS.get(word, USUAL_MARGIN)


def new_weight(evidence: Iterable[Evidence], *, change: int) -> float:
    """Return what a new value weighs, with the words in which the newest evidence calls it new."""
    told = 1 + min(change, CHANGES_COUNTED) / 2
    return round(sum(one.weight for one in evidence) * told, 6)


def old_weight(evidence: Iterable[Evidence], *, kind: Kind, at: str, windows: Windows) -> float:
    """Return what the strongest evidence for a held value weighs at an instant, 0 without any."""
    return round(
        max(
            (
                one.weight * 2 ** (-_days(one.at, at) / windows[kind])
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
