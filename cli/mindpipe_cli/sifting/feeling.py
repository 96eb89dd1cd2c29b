"""Add to states how they are felt."""

from collections.abc import Iterator

from mindpipe.person.records.state import State
from mindpipe.person.verbs.feel import feel
from mindpipe_cli.sifting import glimpsing
from mindpipe_cli.sifting.glimpsing import NO_READOUTS, Line


def felt(line: Line) -> Iterator[object]:
    """Yield a line, a state with how it is felt; raises BadInputError without readouts."""
    found = line.glimpse
    if found is None or not isinstance(found.record, State):
        yield glimpsing.passing(line)
        return
    try:
        state = feel(found.record, timed=found.says("t_us") or found.says("at"))
    except ValueError as error:
        raise line.problem("$.read", NO_READOUTS) from error
    if found.given is None:
        yield state
    else:
        yield {**found.given, "felt": state.felt, "codes": state.codes}
