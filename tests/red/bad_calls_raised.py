"""A build that raises where a model calls a tool that is not there, or with broken arguments."""

from collections.abc import Mapping, Sequence

from mindpipe.core.models import ModelReply
from mindpipe.engine.cycle import model_call
from mindpipe.engine.records.journal import CallState
from mindpipe.engine.tools.calls import CallPlace, KnownTool, PlannedCall, plan


def _plan(
    reply: ModelReply, tools: Mapping[str, KnownTool], place: CallPlace, new_ids: Sequence[str]
) -> PlannedCall:
    planned = plan(reply, tools, place, new_ids)
    if any(call.state is CallState.INVALID for call in planned.calls):
        raise ValueError("a bad call")
    return planned


PATCHES = ((model_call, "plan", _plan),)
