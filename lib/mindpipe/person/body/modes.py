"""The 55 modes of the body, what contributes to them, and what labels of a thought do to them."""

from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.person.records.state import DISTORTIONS, LABELS


class BodyMode(NamedTuple):
    """One mode: its unit, its time constant, what it is pulled to, and what that rests on.

    `tau` is the name of a constant in seconds, or empty where the rate depends on the person's
    regime (see `rates.py`). `target` says in the words of the channels what the mode tends to.
    """

    name: str
    unit: str
    tau: str
    target: str
    mark: str


MODES = (
    BodyMode("hpa_1", "1", "tau_hpa_1", "u", "F 7, F 8"),
    BodyMode("hpa_2", "1", "tau_hpa_2", "u", "F 7, F 8"),
    BodyMode("hpa_3", "1", "tau_hpa_3", "u", "F 7, F 8"),
    BodyMode("car_1", "nmol/L", "tau_car_1", "0", "F 1"),
    BodyMode("car_2", "nmol/L", "tau_car_2", "0", "F 1"),
    BodyMode("car_3", "nmol/L", "tau_car_3", "0", "F 1"),
    BodyMode("car_4", "nmol/L", "tau_car_4", "0", "F 1"),
    BodyMode("glu_1", "g/s", "tau_glu_1", "carb", "F 19"),
    BodyMode("glu_2", "g/s", "tau_glu_2", "carb", "F 19"),
    BodyMode("glu_3", "g/s", "tau_glu_3", "carb", "F 19"),
    BodyMode("adr", "pmol/L", "tau_adr", "260·symp + min(8000, adr_in) + 3800·ex³", "L, F 12"),
    BodyMode("nor", "nmol/L", "tau_nor", "0.9·symp + 4·ex + 1.5·clip((-d-6)/20)", "L?"),
    BodyMode("vag", "1", "tau_vag", "1 - (1-symp)(1-0.3·noise)(1-0.5·pain_in)", "C"),
    BodyMode("endo", "pmol/L", "tau_endo", "20·u + 15·pain_in + 20·(ex-0.4)₊/0.6", "L, C"),
    BodyMode("oxy", "1", "tau_oxy", "0.35·touch·(1+0.1 z_e)", "C"),
    BodyMode("dopa", "1", "tau_dopa", "0", "C"),
    BodyMode("ser", "1", "tau_ser", "0.08·[lux≥1000] + 0.04·q - 0.15·u + x_ser", "C"),
    BodyMode("act", "1", "tau_act", "ex", "C"),
    BodyMode("fphys", "1", "tau_fphys", "ex", "C"),
    BodyMode("fment", "1", "tau_fment", "task", "C"),
    BodyMode("depl", "1", "tau_depl", "sc", "C"),
    BodyMode("exo", "nmol/L", "tau_exo", "0", "L WEI71, F 10"),
    BodyMode("caf", "200 mg", "tau_caf", "0", "L?"),
    BodyMode("alc", "40 g", "tau_alc", "0", "C"),
    BodyMode("cort_up", "1", "tau_cort_up", "thoughts", "C"),
    BodyMode("cort_dn", "1", "tau_cort_dn", "thoughts", "C"),
    BodyMode("adr_up", "1", "tau_adr_up", "thoughts", "C"),
    BodyMode("ser_up", "1", "tau_ser_up", "thoughts", "C"),
    BodyMode("ser_dn", "1", "tau_ser_dn", "thoughts", "C"),
    BodyMode("rum", "1", "tau_rum", "thoughts", "F 21"),
    BodyMode("hpa24", "1", "tau_hpa24", "u", "C"),
    BodyMode("allo", "1", "tau_allo", "x_allo", "C"),
    BodyMode("sleepf", "1", "tau_sleepf", "asleep 1, awake 0", "C"),
    BodyMode("fever", "°C", "tau_fever", "fever", "C"),
    BodyMode("env", "°C", "tau_env", "clip(0.05·(d - clip(d,-6,6)),-3,3)", "C"),
    BodyMode("skin", "°C", "tau_skin", "0.35·clip(d,-40,20)", "C"),
    BodyMode("pain_s", "1", "tau_pain_s", "pain_in", "C"),
    BodyMode("pain_1", "1", "tau_pain_1", "0", "C"),
    BodyMode("pain_2", "1", "tau_pain_2", "0", "C"),
    BodyMode("pain_3", "1", "tau_pain_3", "0", "C"),
    BodyMode("v1", "1", "tau_v1", "-0.6·u + 0.25·q", "F 20"),
    BodyMode("v2", "1", "tau_v2", "0", "F 20"),
    BodyMode("v3", "1", "tau_v3", "0", "F 20"),
    BodyMode("v4", "1", "tau_v4", "0", "F 20"),
    BodyMode("v5", "1", "tau_v5", "0", "F 20"),
    BodyMode("aev", "1", "tau_aev", "0", "C"),
    BodyMode("S", "1", "", "awake 1, asleep 0", "L SD25, F 13"),
    BodyMode("L", "TPM", "", "awake 2.4, asleep 14.3 or a ramp", "L TPM"),
    BodyMode("W", "TPM", "", "0", "L TPM"),
    BodyMode("hun", "1", "", "0.85·(1/7 h)/k", "C"),
    BodyMode("thirst", "1", "tau_thirst", "1", "C"),
    BodyMode("bladder", "1", "", "1", "C"),
    BodyMode("gly", "1", "", "fed 1, else 0", "L?"),
    BodyMode("iso", "1", "", "contact 0, alone 1", "L? TOM20"),
    BodyMode("bore", "1", "tau_bore", "awake with nothing to do 1, else 0", "C"),
)
MODE: dict[str, int] = {mode.name: row for row, mode in enumerate(MODES)}
"""The row of each mode in the bank, by its name."""

SHARED = ("u", "symp", "task", "pain_in", "touch", "sc")
"""Combined as 1 - Π(1 - level)."""
GREATEST = (
    *("noise", "lux", "met", "fever", "q", "fed"),
    *("unrest", "broken", "distaste", "weary"),
)
"""Combined as the greatest."""
SUMMED = ("carb", "eat", "adr_in")
"""Combined as the sum."""
CLIMATE = ("air_c", "clo")
"""Taken together from the climate that started latest."""
CONTRIBUTED = frozenset((*SHARED, *GREATEST, *SUMMED, *CLIMATE))

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
