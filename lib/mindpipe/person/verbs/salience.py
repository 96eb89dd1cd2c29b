"""Say of states in time order which of their changes break into awareness."""

from mindpipe.person.awareness.salience import Salience, Sense
from mindpipe.person.inner.chain import absorption
from mindpipe.person.inner.noticed import line_of
from mindpipe.person.records.person import PersonSettings
from mindpipe.person.records.state import Readouts, State
from mindpipe.person.records.thought import SalienceLine


class ReadoutsMissingError(Exception):
    """A state without the readouts that salience looks at."""


class BackwardsError(Exception):
    """A state that is earlier than the one before it."""


class Watch:
    """Watch the states of one person; what breaks into awareness counts as noticed.

    It goes on from what the first state says of salience, or begins with that state. The time
    between two states is taken as it is, from one second on.
    """

    def __init__(self) -> None:
        self._salience: Salience | None = None
        self._slept = False
        self._last_us: int | None = None

    def salience(self, state: State, settings: PersonSettings) -> SalienceLine | None:
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
