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


def note_failure(means: Means, rows: Rows) -> None:
    """Hold one more passing failure against the model, in the open transaction."""
    now = means.clock.boot()
    model = means.model.target.label()
    breaker = tables.breaker_of(rows, model=model, boot=now.boot)
    changed = after_failure(breaker, now=now.seconds)
    tables.save_breaker(rows, model=model, boot=now.boot, breaker=changed)


def note_success(means: Means, rows: Rows) -> None:
    """Forget what was held against the model, in the open transaction."""
    now = means.clock.boot()
    model = means.model.target.label()
    breaker = tables.breaker_of(rows, model=model, boot=now.boot)
    tables.save_breaker(rows, model=model, boot=now.boot, breaker=after_success(breaker))
