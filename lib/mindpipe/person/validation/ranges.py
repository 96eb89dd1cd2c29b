"""The range of every readout: what no life, however hard, may leave."""

from math import inf

from mindpipe.person.records.state import Readouts

_SHARE = (0.0, 1.0)
_OTHER: dict[str, tuple[float, float]] = {
    "cortisol_nmol_l": (0.0, inf),
    "adrenaline_pmol_l": (200.0, inf),
    "noradrenaline_nmol_l": (1.5, inf),
    "core_temp_c": (34.0, 41.0),
    "heart_rate_bpm": (40.0, 190.0),
    "skin_temp_c": (0.0, 45.0),
    "thermal": (-1.0, 1.0),
    "glucose_mmol_l": (3.5, 11.0),
    "endorphin_pmol_l": (5.0, inf),
    "alertness": (-inf, inf),
    "kss": (1.0, 9.0),
    "valence": (-1.0, 1.0),
    "attention": (-1.0, 1.0),
}
RANGES: dict[str, tuple[float, float]] = {
    name: _OTHER.get(name, _SHARE) for name in Readouts.__struct_fields__[:-2]
}
"""Least and most of every readout that is a number; both belong to the range."""
