"""The 55 modes of the body, in canonical order: one literal table."""

from typing import NamedTuple


class Mode(NamedTuple):
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
    Mode("hpa_1", "1", "tau_hpa_1", "u", "F 7, F 8"),
    Mode("hpa_2", "1", "tau_hpa_2", "u", "F 7, F 8"),
    Mode("hpa_3", "1", "tau_hpa_3", "u", "F 7, F 8"),
    Mode("car_1", "nmol/L", "tau_car_1", "0", "F 1"),
    Mode("car_2", "nmol/L", "tau_car_2", "0", "F 1"),
    Mode("car_3", "nmol/L", "tau_car_3", "0", "F 1"),
    Mode("car_4", "nmol/L", "tau_car_4", "0", "F 1"),
    Mode("glu_1", "g/s", "tau_glu_1", "carb", "F 19"),
    Mode("glu_2", "g/s", "tau_glu_2", "carb", "F 19"),
    Mode("glu_3", "g/s", "tau_glu_3", "carb", "F 19"),
    Mode("adr", "pmol/L", "tau_adr", "260·symp + min(8000, adr_in) + 3800·ex³", "L, F 12"),
    Mode("nor", "nmol/L", "tau_nor", "0.9·symp + 4·ex + 1.5·clip((-d-6)/20)", "L?"),
    Mode("vag", "1", "tau_vag", "1 - (1-symp)(1-0.3·noise)(1-0.5·pain_in)", "C"),
    Mode("endo", "pmol/L", "tau_endo", "20·u + 15·pain_in + 20·(ex-0.4)₊/0.6", "L, C"),
    Mode("oxy", "1", "tau_oxy", "0.35·touch·(1+0.1 z_e)", "C"),
    Mode("dopa", "1", "tau_dopa", "0", "C"),
    Mode("ser", "1", "tau_ser", "0.08·[lux≥1000] + 0.04·q - 0.15·u + x_ser", "C"),
    Mode("act", "1", "tau_act", "ex", "C"),
    Mode("fphys", "1", "tau_fphys", "ex", "C"),
    Mode("fment", "1", "tau_fment", "task", "C"),
    Mode("depl", "1", "tau_depl", "sc", "C"),
    Mode("exo", "nmol/L", "tau_exo", "0", "L WEI71, F 10"),
    Mode("caf", "200 mg", "tau_caf", "0", "L?"),
    Mode("alc", "40 g", "tau_alc", "0", "C"),
    Mode("cort_up", "1", "tau_cort_up", "thoughts", "C"),
    Mode("cort_dn", "1", "tau_cort_dn", "thoughts", "C"),
    Mode("adr_up", "1", "tau_adr_up", "thoughts", "C"),
    Mode("ser_up", "1", "tau_ser_up", "thoughts", "C"),
    Mode("ser_dn", "1", "tau_ser_dn", "thoughts", "C"),
    Mode("rum", "1", "tau_rum", "thoughts", "F 21"),
    Mode("hpa24", "1", "tau_hpa24", "u", "C"),
    Mode("allo", "1", "tau_allo", "x_allo", "C"),
    Mode("sleepf", "1", "tau_sleepf", "asleep 1, awake 0", "C"),
    Mode("fever", "°C", "tau_fever", "fever", "C"),
    Mode("env", "°C", "tau_env", "clip(0.05·(d - clip(d,-6,6)),-3,3)", "C"),
    Mode("skin", "°C", "tau_skin", "0.35·clip(d,-40,20)", "C"),
    Mode("pain_s", "1", "tau_pain_s", "pain_in", "C"),
    Mode("pain_1", "1", "tau_pain_1", "0", "C"),
    Mode("pain_2", "1", "tau_pain_2", "0", "C"),
    Mode("pain_3", "1", "tau_pain_3", "0", "C"),
    Mode("v1", "1", "tau_v1", "-0.6·u + 0.25·q", "F 20"),
    Mode("v2", "1", "tau_v2", "0", "F 20"),
    Mode("v3", "1", "tau_v3", "0", "F 20"),
    Mode("v4", "1", "tau_v4", "0", "F 20"),
    Mode("v5", "1", "tau_v5", "0", "F 20"),
    Mode("aev", "1", "tau_aev", "0", "C"),
    Mode("S", "1", "", "awake 1, asleep 0", "L SD25, F 13"),
    Mode("L", "TPM", "", "awake 2.4, asleep 14.3 or a ramp", "L TPM"),
    Mode("W", "TPM", "", "0", "L TPM"),
    Mode("hun", "1", "", "0.85·(1/7 h)/k", "C"),
    Mode("thirst", "1", "tau_thirst", "1", "C"),
    Mode("bladder", "1", "", "1", "C"),
    Mode("gly", "1", "", "fed 1, else 0", "L?"),
    Mode("iso", "1", "", "contact 0, alone 1", "L? TOM20"),
    Mode("bore", "1", "tau_bore", "awake with nothing to do 1, else 0", "C"),
)
MODE: dict[str, int] = {mode.name: row for row, mode in enumerate(MODES)}
"""The row of each mode in the bank, by its name."""
