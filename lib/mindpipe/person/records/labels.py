"""The names of all that a thought can be labelled with, in the order in which labels are told."""

from typing import get_args

from mindpipe.person.records.state import Coping, Distortion

COPING: tuple[str, ...] = get_args(Coping)
DISTORTIONS: tuple[str, ...] = get_args(Distortion)
CONTRACT = (
    "rumination",
    "acceptance",
    "reappraisal",
    "suppression",
    "catastrophizing",
    "problem_solving",
    "distraction",
    "denial",
)
"""The eight patterns that the parser `seed` knows: seven ways of coping and one distortion."""
LABELS: tuple[str, ...] = CONTRACT + tuple(name for name in DISTORTIONS if name not in CONTRACT)
