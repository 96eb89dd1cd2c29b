"""One person's body in plain arithmetic, written from the specification a second time.

It shares no code and no table with the bank: what both say is compared, and it is what a person
costs where each is an object of its own.
"""

from math import cos, exp, expm1, log, pi, sin, tanh
from typing import Any

LN2 = log(2)
HOUR = 3600.0
TAU = {
    "hpa_1": 660, "hpa_2": 600 / LN2, "hpa_3": 360, "car_1": 300, "car_2": 420, "car_3": 600,
    "car_4": 1200 / LN2, "glu_1": 1200, "glu_2": 1440, "glu_3": 1680, "adr": 150 / LN2,
    "nor": 138 / LN2, "vag": 15, "endo": 1320 / LN2, "oxy": 1800, "dopa": 1200, "ser": 86400,
    "act": 45, "fphys": 2700, "fment": 3600, "depl": 1800, "exo": 3960 / LN2, "caf": 18000 / LN2,
    "alc": 5400 / LN2, "cort_up": 3600, "cort_dn": 3600, "adr_up": 150 / LN2, "ser_up": 7200,
    "ser_dn": 7200, "rum": 120, "hpa24": 86400, "allo": 14 * 86400, "sleepf": 2700, "fever": 10800,
    "env": 5400, "skin": 600, "pain_s": 2, "pain_1": 600, "pain_2": 6 * HOUR, "pain_3": 72 * HOUR,
    "v1": 600, "v2": 2 * HOUR, "v3": 12 * HOUR, "v4": 40 * HOUR, "v5": 96 * HOUR, "aev": 90,
    "thirst": 12 * HOUR, "bore": 2700,
}  # fmt: skip
RAMP = 2.1 * log(6.34 / 0.3) / 8


def clip(x: float, least: float = 0.0, most: float = 1.0) -> float:
    return min(max(x, least), most)


def standard(trait: float) -> float:
    return (trait - 0.5) / 0.17


def channels(active: list[dict[str, float]]) -> dict[str, float]:
    """Return the channels of contributions in start order (section 8.1)."""
    level = {}
    for name in ("u", "symp", "task", "pain_in", "touch", "sc"):
        free = 1.0
        for one in active:
            free *= 1 - one.get(name, 0.0)
        level[name] = 1 - free
    for name in ("noise", "lux", "fever", "q", "fed"):
        level[name] = max((one.get(name, 0.0) for one in active), default=0.0)
    for name in ("carb", "eat", "adr_in"):
        level[name] = sum(one.get(name, 0.0) for one in active)
    met = max((one.get("met", 1.0) for one in active), default=1.0)
    level["ex"] = clip((max(met, 1.0) - 1) / 11)
    climate = [one for one in active if "air_c" in one]
    level["d"] = climate[-1]["air_c"] - (27 - 6 * climate[-1]["clo"]) if climate else 0.0
    return level


def targets(ch: dict[str, float], *, awake: bool, z_e: float, sampled: Any) -> dict[str, float]:
    """Return what each mode of section 6 is pulled to; 0 for those that are not named."""
    u, symp, ex, pain, q, d = (ch[name] for name in ("u", "symp", "ex", "pain_in", "q", "d"))
    idle = not (ch["task"] >= 0.1 or q > 0 or ch["noise"] > 0.4 or ex > 0.1 or u > 0.05)
    x = dict.fromkeys(("hpa_1", "hpa_2", "hpa_3", "hpa24"), u)
    x |= dict.fromkeys(("glu_1", "glu_2", "glu_3"), ch["carb"])
    x |= dict.fromkeys(("act", "fphys"), ex)
    return x | {
        "adr": 260 * symp + min(8000.0, ch["adr_in"]) + 3800 * ex**3,
        "nor": 0.9 * symp + 4 * ex + 1.5 * clip((-d - 6) / 20),
        "vag": 1 - (1 - symp) * (1 - 0.3 * ch["noise"]) * (1 - 0.5 * pain),
        "endo": 20 * u + 15 * pain + 20 * max(ex - 0.4, 0) / 0.6,
        "oxy": 0.35 * ch["touch"] * (1 + 0.1 * z_e),
        "ser": 0.08 * (ch["lux"] >= 1000) + 0.04 * q - 0.15 * u + sampled.x_ser,
        "fment": ch["task"],
        "depl": ch["sc"],
        "allo": sampled.x_allo,
        "sleepf": float(not awake),
        "fever": ch["fever"],
        "env": clip(0.05 * (d - clip(d, -6, 6)), -3, 3),
        "skin": 0.35 * clip(d, -40, 20),
        "pain_s": pain,
        "v1": -0.6 * u + 0.25 * q,
        "S": float(awake),
        "L": 2.4 if awake else 14.3,
        "hun": 0.85 * (1 / (7 * HOUR)) / (1 / (7 * HOUR) + ch["eat"]),
        "thirst": 1.0,
        "bladder": 1.0,
        "gly": float(ch["fed"] > 0),
        "iso": float(q == 0),
        "bore": float(awake and idle),
    }


def rates(ch: dict[str, float], *, awake: bool, ramp: bool, z_e: float) -> dict[str, float]:
    """Return the rate of each mode in 1/s."""
    asleep_L = 0.0 if ramp else log(6.34 / 0.3) / 8 / HOUR
    alone = 1 / (24 * HOUR * (1 - 0.15 * z_e)) if awake else 0.0
    return {name: 1 / tau for name, tau in TAU.items()} | {
        "S": 1 / ((18.2 if awake else 4.2) * HOUR),
        "L": 0.0353 / HOUR if awake else asleep_L,
        "W": 1.51 / HOUR,
        "hun": 1 / (7 * HOUR) + ch["eat"],
        "bladder": 1 / ((4 if awake else 10) * HOUR),
        "gly": 1 / ((6 if ch["fed"] > 0 else 24) * HOUR),
        "iso": ch["q"] / 1500 if ch["q"] > 0 else alone,
    }


def thought(k: dict[str, float], x: dict[str, float], held: dict[str, float]) -> None:
    """Change the rates and targets of the modes that held thoughts push (section 22.4)."""
    for pair in (("cort_up", "cort_dn"), ("ser_up", "ser_dn"), ("adr_up",), ("rum",)):
        together = k[pair[0]] + sum(held.get(name, 0.0) for name in pair)
        for name in pair:
            k[name], x[name] = together, held.get(name, 0.0) / together


def flow(y: dict[str, float], k: dict[str, float], x: dict[str, float], dt_s: float) -> None:
    """Let every mode go towards its target for some seconds."""
    for name, rate in k.items():
        y[name] = y[name] * exp(-rate * dt_s) - x.get(name, 0.0) * expm1(-rate * dt_s)


def basal_cortisol(hour: float) -> float:
    t = 2 * pi * hour / 24
    first, second = -0.8050 * cos(t) + 0.4368 * sin(t), -0.3324 * cos(2 * t) - 0.1989 * sin(2 * t)
    return exp(1.3531 + first + second + 0.0272 * cos(3 * t) - 0.1023 * sin(3 * t))


def cortisol(y: dict[str, float], hour: float) -> float:
    hpa = -7.061672073580146 * y["hpa_1"] + 7.207270463193941 * y["hpa_2"]
    hpa += 0.8544016103862058 * y["hpa_3"]
    car = -6.07728153989302 * y["car_1"] + 21.669286848302328 * y["car_2"]
    car += -20.503890767987198 * y["car_3"] + 4.91188545957788 * y["car_4"]
    level = basal_cortisol(hour) + 23.530536402949455 * hpa + car + y["exo"] + 4 * y["cort_up"]
    return level * (1 - 0.3 * y["cort_dn"])


def body(y: dict[str, float], hour: float) -> dict[str, float]:
    """Return the readouts of section 9.1 at an hour of the person's own clock."""

    def w(period: float, peak: float) -> float:
        return cos(2 * pi * (hour - peak) / period)

    glu = 12.5 * y["glu_1"] - 36 * y["glu_2"] + 24.5 * y["glu_3"]
    adrenaline = 200 + y["adr"] + 400 * y["adr_up"]
    vagal = clip(y["vag"] + 0.35 * y["rum"])
    heart = 66 + 3 * w(24, 16) - 8 * y["sleepf"] + 12 * vagal
    heart += 0.020 * (adrenaline - 200) * (1 - y["act"])
    heart += 8.5 * (y["fever"] + max(y["env"], 0)) + 100 * y["act"]
    hurt = min(1, y["pain_s"] + y["pain_1"] + y["pain_2"] + y["pain_3"])
    alert = y["L"] + 2.5 * w(24, 16.8) - 0.5 + 0.5 * w(12, 19.8) + y["W"] + 1.2 * min(1.5, y["caf"])
    temp = 36.95 + 0.30 * w(24, 17) - 0.20 * y["sleepf"] + y["fever"] + y["env"]
    kss = clip(10.6 - 0.6 * alert, 1, 9)
    side = (y["skin"] > 0) - (y["skin"] < 0)
    return {
        "cortisol_nmol_l": cortisol(y, hour),
        "adrenaline_pmol_l": adrenaline,
        "noradrenaline_nmol_l": 1.5 + y["nor"],
        "vagal_withdrawal": vagal,
        "core_temp_c": clip(temp, 34, 41),
        "heart_rate_bpm": clip(heart, 40, 190),
        "skin_temp_c": 33.5 + y["skin"] + 0.3 * y["fever"],
        "thermal": side * clip((abs(y["skin"]) - 1.5) / 6),
        "glucose_mmol_l": clip(5.2 + 178.79995952768942 * glu - 0.9 * (1 - y["gly"]), 3.5, 11),
        "hunger": clip(y["hun"] + 0.085 * w(24, 20)),
        "thirst": clip(y["thirst"]),
        "bladder": clip(y["bladder"]),
        "pain": hurt * (1 - 0.35 * (1 - exp(-y["endo"] / 10))),
        "endorphin_pmol_l": 5 + y["endo"],
        "serotonin_proxy": clip(0.5 + y["ser"] + 0.3 * (y["ser_up"] - y["ser_dn"])),
        "oxytocin_proxy": clip(0.3 + y["oxy"]),
        "dopamine_proxy": clip(0.5 + y["dopa"]),
        "sleep_pressure": y["S"],
        "alertness": alert,
        "kss": kss,
        "sleepiness": clip((kss - 3) / 6),
        "allostatic_load": y["allo"],
        "physical_fatigue": y["fphys"],
        "mental_fatigue": y["fment"],
        "rumination": y["rum"],
        "boredom": y["bore"],
        "isolation": y["iso"],
    }


def psyche(
    y: dict[str, float],
    b: dict[str, float],
    ch: dict[str, float],
    z: dict[str, float],
    *,
    awake: bool,
) -> dict[str, Any]:
    """Return the readouts of section 9.2 from modes, readouts of the body, channels and traits."""
    sl, hungry = b["sleepiness"], max(b["hunger"] - 0.6, 0) / 0.4
    energy = (9 - b["kss"]) / 8 - 0.25 * y["fphys"] - 0.15 * clip(4.5 - b["glucose_mmol_l"])
    energy = clip(energy - 0.15 * clip(y["fever"] / 2) - 0.10 * min(1, y["alc"]))
    spent = max(0.35 - energy, 0) / 0.35
    parts = (
        0.05 + 0.30 * energy if awake else 0.05,
        1 - exp(-max(b["adrenaline_pmol_l"] - 200, 0) / 500),
        0.5 * b["vagal_withdrawal"],
        0.6 * b["pain"],
        0.25 * ch["noise"],
        clip(y["aev"] * (1 + 0.15 * z["n"])),
        0.1 * min(1.5, y["caf"]),
    )
    calm = 1.0
    for part in parts:
        calm *= 1 - part
    arousal = 1 - calm
    valence = tanh(_mood(y, b, ch, z) - 0.45 * spent)
    free = (1 - 0.9 * ch["task"]) * (1 - 0.45 * y["rum"]) * (1 - 0.35 * b["pain"])
    free *= (1 - 0.4 * max(arousal - 0.6, 0) / 0.4) * (1 - 0.3 * sl)
    able = clip(0.75 + 0.08 * z["c"] - 0.12 * z["n"], 0.3, 0.95)
    able *= (1 - 0.45 * sl) * (1 - 0.35 * y["fment"]) * (1 - 0.35 * ch["u"])
    able *= (1 - 0.25 * y["allo"]) * (1 - 0.15 * hungry) * (1 - 0.30 * b["pain"])
    able *= (1 - 0.02 * y["depl"]) * (1 - 0.25 * y["rum"]) * (1 - 0.3 * min(1, y["alc"]))
    inward = 0.6 * b["pain"] + 0.5 * y["rum"] + 0.4 * spent
    inward += 0.2 * (ch["q"] == 0 and ch["task"] < 0.1)
    outward = 0.8 * ch["task"] + 0.4 * ch["q"] + 0.3 * ch["noise"]
    stress = 0.45 * ch["u"] + 0.35 * max(-valence, 0) + 0.20 * max(arousal - 0.5, 0) / 0.5
    phases = ((0.92, "despair"), (0.30, "loneliness"), (0.08, "boredom"), (-1.0, "none"))
    return {
        "energy": energy,
        "fatigue": 1 - energy,
        "arousal": arousal,
        "valence": valence,
        "cognitive_load": 1 - 0.9 * free,
        "regulation": able,
        "attention": clip(inward - outward, -1, 1),
        "stress": clip(stress),
        "performance": exp(-((arousal - 0.65 + 0.30 * ch["task"]) ** 2) / (2 * 0.25**2)),
        "isolation_phase": next(name for least, name in phases if y["iso"] >= least),
    }


def _mood(
    y: dict[str, float], b: dict[str, float], ch: dict[str, float], z: dict[str, float]
) -> float:
    mood = 0.25 + clip(0.12 * z["e"] - 0.18 * z["n"], -0.45, 0.45)
    mood += 0.6 * sum(y[f"v{number}"] for number in range(1, 6)) - 0.9 * b["pain"]
    mood -= 0.35 * max(b["hunger"] - 0.6, 0) / 0.4 + 0.35 * ch["u"] + 0.5 * y["iso"]
    mood += b["serotonin_proxy"] - 0.5 + 0.25 * (b["oxytocin_proxy"] - 0.3)
    return mood - 0.3 * abs(b["thermal"])
