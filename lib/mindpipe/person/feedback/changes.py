"""What the labels of a thought do to the body: rates per second, by the mode that they push."""

from collections.abc import Iterable

from mindpipe.person.records.labels import DISTORTIONS, LABELS

RATES: dict[str, dict[str, float]] = {
    "rumination": {"cort_up": 0.02, "ser_dn": 0.01, "rum": 0.3},
    "acceptance": {"cort_dn": 0.01, "ser_up": 0.005},
    "reappraisal": {"cort_dn": 0.01, "ser_up": 0.005},
    "suppression": {"cort_up": 0.01, "adr_up": 0.005},
    "catastrophizing": {"adr_up": 0.03, "cort_up": 0.02},
}
"""Rates of each label that has any; all but `rum`, a modelling choice, are those of the seed."""
RATED: tuple[str, ...] = ("cort_up", "cort_dn", "adr_up", "ser_up", "ser_dn", "rum")
"""The modes that thoughts push."""
BEARABLE = 2
"""How many distinct distortions carry no penalty."""
PENALTY = 0.01
"""What more distortions add to the rate of `cort_up`."""


def feedback_to_changes(labels: Iterable[str]) -> dict[str, float]:
    """Return the rates per second that the labels of one thought carry together.

    Keys are modes of the body's bank, in the order of `RATED`, those at rest left out. Every rate
    is a magnitude above 0: what the seed writes as cortisol +0.02 is `cort_up` 0.02, and as
    cortisol -0.01 is `cort_dn` 0.01, so that rise and relief by one thought stay apart. A label
    counts once. More than two distinct distortions add 0.01 to `cort_up`.

    Raises:
        ValueError: a label is none of `LABELS`.
    """
    given = frozenset(labels)
    if unknown := sorted(given.difference(LABELS)):
        raise ValueError(f"{unknown[0]} is no label of a thought")
    rates = dict.fromkeys(RATED, 0.0)
    for label, pushes in RATES.items():
        if label in given:
            for mode, rate in pushes.items():
                rates[mode] += rate
    if len(given.intersection(DISTORTIONS)) > BEARABLE:
        rates["cort_up"] += PENALTY
    return {mode: rate for mode, rate in rates.items() if rate}
