"""Say of states in time order which of their changes break into awareness."""

from mindpipe.person.awareness.dimensions import WATCHED
from mindpipe.person.awareness.salience import Peak, Salience, Sense, threshold
from mindpipe.person.inner.chain import absorption
from mindpipe.person.inner.shifts import after_event, shift_text
from mindpipe.person.records.person import PersonSettings
from mindpipe.person.records.state import Readouts, State
from mindpipe.person.records.thought import SalienceLine, Trigger


class Watch:
    """Watch the states of one person; what breaks into awareness counts as noticed.

    It goes on from what the first state says of salience, or begins with that state. The time
    between two states is taken as it is, from one second on.
    """

    def __init__(self) -> None:
        self._salience: Salience | None = None
        self._slept = False

    def salience(self, state: State, settings: PersonSettings) -> SalienceLine | None:
        """Return the salience of a state, or None while the person sleeps.

        Raises:
            ValueError: the state has no readouts.
        """
        if not isinstance(state.read, Readouts):
            raise ValueError("the state has no readouts")
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
        values = self._salience.values
        return SalienceLine(
            person=state.person,
            t_us=state.t_us,
            dims={watched.name: value for watched, value in zip(WATCHED, values, strict=True)},
            trigger=None if peak is None else _trigger(peak, state),
            salience=max(values),
            threshold=threshold(sense, absorbed),
        )


def _sense(read: Readouts) -> Sense:
    """Return what salience looks at."""
    return Sense(**{name: getattr(read, name) for name in Sense._fields})


def _trigger(peak: Peak, state: State) -> Trigger:
    """Return what a reaction to a peak comes from, in words that name a recent event."""
    mind = state.mind
    phrase = shift_text(peak.dim, peak.dir, woken=peak.woken)
    text = after_event(phrase, event_text=mind.event_text, event_us=mind.event_us, t_us=state.t_us)
    return Trigger(
        dim=peak.dim, dir=peak.dir, text=text, salience=peak.salience, threshold=peak.threshold
    )
