"""A build whose idempotency key names the attempt."""

import msgspec

from mindpipe.core.ports import ProgramCall
from mindpipe.core.tools import ToolManifest
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call
from mindpipe.think.verbs import running

_program = running._program


def _program_of_this_attempt(
    means: Means, work: Work, call: Call, manifest: ToolManifest, *, argv: tuple[str, ...]
) -> ProgramCall:
    made = _program(means, work, call, manifest, argv=argv)
    key = f"{made.environment['IDEMPOTENCY_KEY']}-{work.epoch}"
    return msgspec.structs.replace(made, environment={**made.environment, "IDEMPOTENCY_KEY": key})


PATCHES = ((running, "_program", _program_of_this_attempt),)
