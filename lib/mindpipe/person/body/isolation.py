"""Phases of isolation: how long a person has been alone shows in how it is."""

from typing import get_args

import numpy as np

from mindpipe.person.body.bank import Codes, Floats
from mindpipe.person.constants import Constants
from mindpipe.person.records.state import Phase

PHASES: tuple[Phase, ...] = get_args(Phase)
"""From none to despair; a later phase contains the earlier ones."""


def phase_codes(isolation: Floats, constants: Constants) -> Codes:
    """Return the index in `PHASES` of each isolation (thresholds chosen, row 18)."""
    bored = (isolation >= constants.phase_boredom).astype(np.int8)
    lonely = (isolation >= constants.phase_loneliness).astype(np.int8)
    return bored + lonely + (isolation >= constants.phase_despair).astype(np.int8)
