"""Say how states are felt."""

import msgspec

from mindpipe.person.inner.felt import codes_of, felt_of, lines_of
from mindpipe.person.records.state import Readouts, State


def feel(state: State, *, timed: bool = True) -> State:
    """Return a state with the lines of its state block and their codes.

    Args:
        state: It must have readouts.
        timed: Whether its instant is known, so that the time of day is felt.

    Raises:
        ValueError: the state has no readouts.
    """
    if not isinstance(state.read, Readouts):
        raise ValueError("the state has no readouts")
    felt = felt_of(state.read, fever=state.modes.fever, t_us=state.t_us)
    codes = codes_of(felt if timed else felt._replace(t_us=None))
    return msgspec.structs.replace(state, felt=lines_of(codes, t_us=state.t_us), codes=codes)
