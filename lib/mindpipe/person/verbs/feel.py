"""Say how states are felt, and what the inner voice is asked about them."""

from collections.abc import Iterator

from mindpipe.person.lines import NO_READOUTS, FilterLine
from mindpipe.person.mind.felt import with_felt
from mindpipe.person.records.state import PersonState


def feel(line: FilterLine) -> Iterator[object]:
    """Yield a line, a state with how it is felt; raises BadInputError without readouts."""
    found = line.partial
    if found is None or not isinstance(found.record, PersonState):
        yield line.as_it_came()
        return
    try:
        state = with_felt(found.record, timed=found.says("t_us") or found.says("at"))
    except ValueError as error:
        raise line.problem("$.read", NO_READOUTS) from error
    if found.given is None:
        yield state
    else:
        yield {**found.given, "felt": state.felt, "codes": state.codes}
