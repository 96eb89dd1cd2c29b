"""A build whose idempotency key names the attempt."""

import msgspec

from mindpipe.core.ports import ProgramCall
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.cycle import tool_calls
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call

_program = tool_calls._program


def _program_of_this_attempt(
    deps: Dependencies,
    work: OpenCycle,
    call: Call,
    manifest: ToolManifest,
    *,
    argv: tuple[str, ...],
) -> ProgramCall:
    made = _program(deps, work, call, manifest, argv=argv)
    key = f"{made.environment['IDEMPOTENCY_KEY']}-{work.epoch}"
    return msgspec.structs.replace(made, environment={**made.environment, "IDEMPOTENCY_KEY": key})


PATCHES = ((tool_calls, "_program", _program_of_this_attempt),)
