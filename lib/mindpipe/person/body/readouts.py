"""All that can be read of persons at an instant, as one array for each readout."""

from dataclasses import dataclass
from typing import get_args

import numpy as np

from mindpipe.person.body import feelings, vitals
from mindpipe.person.body.bank import Codes, Floats
from mindpipe.person.body.constants import Constants
from mindpipe.person.body.vitals import View, clipped
from mindpipe.person.records.state import Phase

PHASES: tuple[Phase, ...] = get_args(Phase)
"""From none to despair; a later phase contains the earlier ones."""


def phase_codes(isolation: Floats, constants: Constants) -> Codes:
    """Return the index in `PHASES` of each isolation (thresholds chosen, row 18)."""
    bored = (isolation >= constants.phase_boredom).astype(np.int8)
    lonely = (isolation >= constants.phase_loneliness).astype(np.int8)
    return bored + lonely + (isolation >= constants.phase_despair).astype(np.int8)


@dataclass(slots=True)
class BodyReading:
    """One array [*S] for each readout, in the order and the units of the record `Readouts`.

    `isolation_phase` are indices in `isolation.PHASES`.
    """

    cortisol_nmol_l: Floats
    adrenaline_pmol_l: Floats
    noradrenaline_nmol_l: Floats
    vagal_withdrawal: Floats
    core_temp_c: Floats
    heart_rate_bpm: Floats
    skin_temp_c: Floats
    thermal: Floats
    glucose_mmol_l: Floats
    hunger: Floats
    thirst: Floats
    bladder: Floats
    pain: Floats
    endorphin_pmol_l: Floats
    serotonin_proxy: Floats
    oxytocin_proxy: Floats
    dopamine_proxy: Floats
    sleep_pressure: Floats
    alertness: Floats
    kss: Floats
    sleepiness: Floats
    allostatic_load: Floats
    physical_fatigue: Floats
    mental_fatigue: Floats
    rumination: Floats
    boredom: Floats
    isolation: Floats
    energy: Floats
    fatigue: Floats
    arousal: Floats
    valence: Floats
    cognitive_load: Floats
    regulation: Floats
    attention: Floats
    stress: Floats
    performance: Floats
    isolation_phase: Codes


def read(view: View) -> BodyReading:
    """Return every readout of section 9; rows that are modes themselves are views of the modes."""
    c, felt = view.constants, feelings.dimensions(view)
    sleepiness = feelings.sleepiness(felt.kss)
    return BodyReading(
        cortisol_nmol_l=vitals.cortisol(view, felt.now),
        adrenaline_pmol_l=felt.adrenaline,
        noradrenaline_nmol_l=c.noradrenaline_base + view.mode("nor"),
        vagal_withdrawal=felt.withdrawal,
        core_temp_c=vitals.core_temp(view, felt.now),
        heart_rate_bpm=vitals.heart_rate(view, felt.now, felt.adrenaline, felt.withdrawal),
        skin_temp_c=33.5 + view.mode("skin") + 0.3 * view.mode("fever"),
        thermal=np.copysign(felt.discomfort, view.mode("skin")) + 0.0,
        glucose_mmol_l=felt.glucose,
        hunger=felt.hunger,
        thirst=clipped(view.mode("thirst")),
        bladder=clipped(view.mode("bladder")),
        pain=felt.pain,
        endorphin_pmol_l=c.endorphin_base + view.mode("endo"),
        serotonin_proxy=felt.serotonin,
        oxytocin_proxy=felt.oxytocin,
        dopamine_proxy=clipped(c.dopamine_base + view.mode("dopa")),
        sleep_pressure=view.mode("S"),
        alertness=felt.alertness,
        kss=felt.kss,
        sleepiness=sleepiness,
        allostatic_load=view.mode("allo"),
        physical_fatigue=view.mode("fphys"),
        mental_fatigue=view.mode("fment"),
        rumination=view.mode("rum"),
        boredom=view.mode("bore"),
        isolation=view.mode("iso"),
        energy=felt.energy,
        fatigue=1.0 - felt.energy,
        arousal=felt.arousal,
        valence=felt.valence,
        cognitive_load=feelings.cognitive_load(view, felt, sleepiness),
        regulation=feelings.regulation(view, felt, sleepiness),
        attention=feelings.attention(view, felt),
        stress=feelings.stress(view, felt),
        performance=feelings.performance(view, felt),
        isolation_phase=phase_codes(view.mode("iso"), c),
    )
