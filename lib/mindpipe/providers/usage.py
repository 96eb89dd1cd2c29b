"""Take from a reported usage only what can be."""

from collections.abc import Callable

import msgspec

from mindpipe.core.models import ModelReply, ModelRequest, Usage

HIDDEN_TOKENS = 1_000_000
"""So many tokens a server may read beside the request, words of its own and a form for ours."""
TIMES_WRITTEN = 2
"""A server that does not keep to the limit of a reply is believed up to this many times of it."""


def believed(
    reply: ModelReply, request: ModelRequest, *, tell: Callable[[str], None]
) -> ModelReply:
    """Return a reply as if figures that cannot be had not been reported; `tell` hears of them.

    No text has more tokens than bytes, and a reply is no longer than it may be.
    """
    usage, wrong = reply.usage, []
    read = (usage.input_tokens or 0) + usage.cache_read_tokens + usage.cache_write_tokens
    if read > len(request.body) + HIDDEN_TOKENS:
        wrong.append("input")
        usage = Usage(output_tokens=usage.output_tokens)
    limit = request.options.max_tokens + request.options.thinking_tokens
    if (usage.output_tokens or 0) > TIMES_WRITTEN * limit:
        wrong.append("output")
        usage = msgspec.structs.replace(usage, output_tokens=None)
    if not wrong:
        return reply
    tell(
        f"{request.target.label()} reported more {' and '.join(wrong)} tokens than there can be; "
        "that counts as not reported."
    )
    return msgspec.structs.replace(reply, usage=usage)
