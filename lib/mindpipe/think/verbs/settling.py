"""Say what a call of a model truly cost."""

import msgspec

from mindpipe.core.models import ModelReply, ModelRequest
from mindpipe.spending.records import Settlement
from mindpipe.think.means import Means
from mindpipe.think.replies import octets_of


def settlement(means: Means, *, entry: str, request: ModelRequest, reply: ModelReply) -> Settlement:
    """Return what the entry of a call is settled with; tokens that nobody reported are counted."""
    usage = reply.usage
    reported = usage.input_tokens is not None
    if not reported:
        counted = means.tokens.count(request.body.decode("utf-8", "replace"))
        usage = msgspec.structs.replace(usage, input_tokens=counted)
    if usage.output_tokens is None:
        counted = means.tokens.count(octets_of(reply).decode("utf-8", "replace"))
        usage = msgspec.structs.replace(usage, output_tokens=counted)
    micros = means.prices.of(usage, request.target)
    return Settlement(id=entry, micros=micros, usage=usage, reported=reported)
