"""Let patterns over iterations bear on the mode: stay for a while, or take up the queue; pure."""

from mindpipe.loop.attention_records import Attended
from mindpipe.loop.modes import Shift
from mindpipe.loop.records import Mode
from mindpipe.loop.reflection_records import Adjustments

_WHY = "patterns over iterations ask for it (mind reflect patterns)"
_ALWAYS = frozenset({Mode.OVERLOAD, Mode.RECOVERY})


def adjusted(
    mode: Mode, follows: Shift | None, asked: Adjustments, seen: Attended, *, iteration: int
) -> Shift | None:
    """Return the change of mode that patterns in force leave, or ask for.

    Nothing is asked of a loop for which nothing waits, so that it comes to rest as ever; overload
    and recovery begin as ever.
    """
    if not seen.queue or mode is Mode.RECOVERY:
        return follows
    if asked.mode is not None:
        if mode is asked.mode:
            return None
        return Shift(asked.mode, _WHY) if asked.mode in mode.successors() else follows
    if asked.dwell_until is not None and iteration < asked.dwell_until:
        return follows if follows is not None and follows.after in _ALWAYS else None
    return follows
