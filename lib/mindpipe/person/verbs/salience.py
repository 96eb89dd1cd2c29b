"""Say of states in time order which of their changes break into awareness."""

from collections.abc import Callable, Iterator

from mindpipe.person.lines import NO_READOUTS, FilterLine
from mindpipe.person.mind.salience import Salience, Sense, absorption, line_of
from mindpipe.person.records.person import Person, PersonSettings
from mindpipe.person.records.state import PersonState, Readouts
from mindpipe.person.records.thought import SalienceLine


class ReadoutsMissingError(Exception):
    """A state without the readouts that salience looks at."""


class BackwardsError(Exception):
    """A state that is earlier than the one before it."""


class SalienceWatch:
    """Watch the states of one person; what breaks into awareness counts as noticed.

    It goes on from what the first state says of salience, or begins with that state. The time
    between two states is taken as it is, from one second on.
    """

    def __init__(self) -> None:
        self._salience: Salience | None = None
        self._slept = False
        self._last_us: int | None = None

    def salience(self, state: PersonState, settings: PersonSettings) -> SalienceLine | None:
        """Return the salience of a state, or None while the person sleeps.

        Raises:
            ReadoutsMissingError: the state has no readouts.
            BackwardsError: it is earlier than the state before.
        """
        if not isinstance(state.read, Readouts):
            raise ReadoutsMissingError
        if self._last_us is not None and state.t_us < self._last_us:
            raise BackwardsError
        self._last_us = state.t_us
        if not state.flags.awake:
            self._slept = True
            return None
        if self._salience is None:
            self._salience = Salience(state.mind.salience)
        waking, self._slept = self._slept, False
        sense = _sense(state.read)
        absorbed = settings.absorption_gain * absorption(state.mind.chain, state.t_us)
        peak = self._salience.evaluate(
            state.t_us, sense, waking=waking, woken=state.mind.event_woken, absorbed=absorbed
        )
        if peak is not None:
            self._salience.mark(peak.dim, state.t_us)
        return line_of(state.person, state.mind, state.t_us, self._salience, peak)


def _sense(read: Readouts) -> Sense:
    """Return what salience looks at."""
    return Sense(**{name: getattr(read, name) for name in Sense._fields})


def salience() -> Callable[[FilterLine], Iterator[object]]:
    """Return what yields a line, and behind a state its salience, from line to line."""
    return SalienceOfLines().salience


class SalienceOfLines:
    """The salience of states person by person, by what was seen so far of each."""

    def __init__(self) -> None:
        self._settings: dict[str, PersonSettings] = {}
        self._watches: dict[str, SalienceWatch] = {}

    def salience(self, line: FilterLine) -> Iterator[object]:
        """Yield a line, and behind a state its salience, which is weighed anew if it came along.

        Raises:
            BadInputError: a state has no readouts, or is earlier than the one before it.
        """
        record = line.record()
        if isinstance(record, Person):
            self._settings[record.person] = record.settings
        if isinstance(record, SalienceLine):
            return
        if not isinstance(record, PersonState):
            yield line.as_it_came()
            return
        watch = self._watches.setdefault(record.person, SalienceWatch())
        try:
            found = watch.salience(record, self._settings.get(record.person, PersonSettings()))
        except ReadoutsMissingError as error:
            raise line.problem("$.read", NO_READOUTS) from error
        except BackwardsError as error:
            raise line.problem("$.t_us", "earlier than the state before") from error
        yield line.as_it_came()
        if found is not None:
            yield found
