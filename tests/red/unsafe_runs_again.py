"""A build that treats an unsafe tool as if it could be run again."""

from collections.abc import Collection, Sequence

import msgspec

from mindpipe.core.tools import Effect
from mindpipe.engine.cycle import tool_calls
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call

_run = tool_calls.run_calls


def _run_again(
    deps: Dependencies, work: OpenCycle, calls: Sequence[Call], sources: Collection[str]
) -> None:
    again = [
        msgspec.structs.replace(call, effect=Effect.IDEMPOTENT)
        if call.effect is Effect.UNSAFE
        else call
        for call in calls
    ]
    _run(deps, work, again, sources)


PATCHES = ((tool_calls, "run_calls", _run_again),)
