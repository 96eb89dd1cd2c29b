"""What broke into awareness, in words and as a record."""

from mindpipe.person.awareness.dimensions import WATCHED
from mindpipe.person.awareness.salience import Peak, Salience
from mindpipe.person.inner.shifts import after_event, shift_text
from mindpipe.person.records.state import Mind
from mindpipe.person.records.thought import SalienceLine, Trigger


def trigger_of(peak: Peak, mind: Mind, t_us: int) -> Trigger:
    """Return what a reaction to a peak comes from, in words that name a recent event."""
    phrase = shift_text(peak.dim, peak.dir, woken=peak.woken)
    text = after_event(phrase, event_text=mind.event_text, event_us=mind.event_us, t_us=t_us)
    return Trigger(
        dim=peak.dim, dir=peak.dir, text=text, salience=peak.salience, threshold=peak.threshold
    )


def line_of(
    person: str, mind: Mind, t_us: int, salience: Salience, peak: Peak | None
) -> SalienceLine:
    """Return the latest evaluation of salience as a record, with its peak if it had one."""
    values = salience.values
    return SalienceLine(
        person=person,
        t_us=t_us,
        dims={watched.name: value for watched, value in zip(WATCHED, values, strict=True)},
        trigger=None if peak is None else trigger_of(peak, mind, t_us),
        salience=max(values),
        threshold=salience.limit,
    )
