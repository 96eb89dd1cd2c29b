"""Leave a provider alone that keeps failing, whichever worker noticed."""

from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.ports import Rows
from mindpipe.think import tables
from mindpipe.think.breaker import Stance, after_failure, after_success, seconds_left, stance
from mindpipe.think.means import Means


def check_breaker(means: Means) -> None:
    """Raise ModelFault (a long wait) while the model is left alone."""
    now = means.clock.boot()
    model = means.model.target.label()
    with means.store.read() as rows:
        breaker = tables.breaker_of(rows, model=model, boot=now.boot)
    if stance(breaker, now=now.seconds) is Stance.OPEN:
        left = seconds_left(breaker, now=now.seconds)
        raise ModelFault(
            f"{model} keeps failing and is left alone for {left:.0f} s",
            fault=FaultClass.LONG_WAIT,
            wait=left,
            sent=False,
        )


def note_failure(means: Means, rows: Rows, fault: ModelFault, *, alone: bool) -> ModelFault | None:
    """Hold one more passing failure against the model, in the open transaction.

    Return the fault that ends the turn if the model is left alone from now on. It is a long wait
    for a single event that only looked whether a failing model works again; whatever found it
    working was asked in vain, and so were several events, which are tried alone in the end.
    """
    now = means.clock.boot()
    model = means.model.target.label()
    breaker = tables.breaker_of(rows, model=model, boot=now.boot)
    changed = after_failure(breaker, now=now.seconds)
    tables.save_breaker(rows, model=model, boot=now.boot, breaker=changed)
    left = seconds_left(changed, now=now.seconds)
    if left == 0:
        return None
    looked = alone and stance(breaker, now=now.seconds) is not Stance.CLOSED
    return ModelFault(
        str(fault),
        fault=FaultClass.LONG_WAIT if looked else FaultClass.TRANSIENT,
        http_status=fault.http_status,
        wait=max(left, fault.wait or 0.0),
        sent=fault.sent,
    )


def note_success(means: Means, rows: Rows) -> None:
    """Forget what was held against the model, in the open transaction."""
    now = means.clock.boot()
    model = means.model.target.label()
    breaker = tables.breaker_of(rows, model=model, boot=now.boot)
    tables.save_breaker(rows, model=model, boot=now.boot, breaker=after_success(breaker))
