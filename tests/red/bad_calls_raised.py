"""A build that raises where a model calls a tool that is not there, or with broken arguments."""

from collections.abc import Mapping, Sequence

from mindpipe.core.models import ModelReply
from mindpipe.think.calls import Place, Planned, Tool, plan
from mindpipe.think.records import CallState
from mindpipe.think.verbs import asking


def _plan(
    reply: ModelReply, tools: Mapping[str, Tool], place: Place, new_ids: Sequence[str]
) -> Planned:
    planned = plan(reply, tools, place, new_ids)
    if any(call.state is CallState.INVALID for call in planned.calls):
        raise ValueError("a bad call")
    return planned


PATCHES = ((asking, "plan", _plan),)
