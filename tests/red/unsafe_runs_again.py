"""A build that treats an unsafe tool as if it could be run again."""

from collections.abc import Collection, Sequence

import msgspec

from mindpipe.core.tools import Effect
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call
from mindpipe.think.verbs import act

_run = act.run


def _run_again(means: Means, work: Work, calls: Sequence[Call], sources: Collection[str]) -> None:
    again = [
        msgspec.structs.replace(call, effect=Effect.IDEMPOTENT)
        if call.effect is Effect.UNSAFE
        else call
        for call in calls
    ]
    _run(means, work, again, sources)


PATCHES = ((act, "run", _run_again),)
