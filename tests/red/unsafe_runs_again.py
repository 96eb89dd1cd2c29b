"""A build that treats an unsafe tool as if it could be run again."""

import msgspec

from mindpipe.core.tools import Effect
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call
from mindpipe.think.verbs import act

_run = act.run


def _run_again(means: Means, work: Work, call: Call) -> None:
    if call.effect is Effect.UNSAFE:
        call = msgspec.structs.replace(call, effect=Effect.IDEMPOTENT)
    _run(means, work, call)


PATCHES = ((act, "run", _run_again),)
