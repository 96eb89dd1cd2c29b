"""Take from a reported usage only what can be."""

import re
from collections.abc import Callable

import msgspec

from mindpipe.core.json import spelled
from mindpipe.core.models import ModelReply, ModelRequest, Usage
from mindpipe.providers.stream import Fields, count_of, fields_of

HIDDEN_TOKENS = 50_000
"""So many tokens a server may read beside the request, words of its own and a form for ours."""
TIMES_WRITTEN = 2
"""A server that does not keep to the limit of a reply is believed up to this many times of it."""

_REPORT = re.compile(rb'"usage"\s*:\s*[^\sn]')
_USAGES = (("usage",), ("message", "usage"), ("response", "usage"))
"""Where a whole reply has its usage, and where the events of one do."""


def usage_of(
    reported: object,
    *,
    read: str = "input_tokens",
    written: str = "output_tokens",
    cache_read: tuple[str, ...] = (),
    cache_write: tuple[str, ...] = (),
    read_is_whole: bool = False,
) -> Usage:
    """Return the tokens that a reply reports under the names of its API, each None if no count.

    `read_is_whole` says that the input holds what the cache read or wrote, which is taken out. What
    is neither missing nor a count of at least 0 makes the usage a clamped one.
    """
    figures = fields_of(reported)
    told = [figures.get(read), figures.get(written)]
    told += [_member(figures, path) for path in (cache_read, cache_write)]
    counts = [count_of(one) for one in told]
    odd = any(one is not None and count is None for one, count in zip(told, counts, strict=True))
    input_tokens, output_tokens = counts[:2]
    cached, kept = (count or 0 for count in counts[2:])
    if read_is_whole and input_tokens is not None:
        input_tokens = max(0, input_tokens - cached - kept)
    return Usage(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cache_read_tokens=cached,
        cache_write_tokens=kept,
        clamped=odd or not (reported is None or isinstance(reported, dict)),
    )


def _member(figures: Fields, path: tuple[str, ...]) -> object:
    """Return what stands at the end of a path of names, None where the path is empty or ends."""
    if not path:
        return None
    for name in path[:-1]:
        figures = fields_of(figures.get(name))
    return figures.get(path[-1])


def believed(
    reply: ModelReply, request: ModelRequest, *, tell: Callable[[str], None]
) -> ModelReply:
    """Return a reply as if figures that cannot be had not been reported; `tell` hears of them.

    No text has more tokens than bytes, and a reply is no longer than it may be. A usage that lost
    a figure is a clamped one.
    """
    usage, wrong = reply.usage, []
    figures = (usage.input_tokens or 0, usage.cache_read_tokens, usage.cache_write_tokens)
    if min(figures) < 0 or sum(figures) > len(request.body) + HIDDEN_TOKENS:
        wrong.append("input")
        usage = Usage(output_tokens=usage.output_tokens)
    limit = request.options.max_tokens + request.options.thinking_tokens
    if not 0 <= (usage.output_tokens or 0) <= TIMES_WRITTEN * limit:
        wrong.append("output")
        usage = msgspec.structs.replace(usage, output_tokens=None)
    if not wrong and not usage.clamped:
        return reply
    what = "a usage that is no count of tokens"
    if wrong:
        what = f"more {' and '.join(wrong)} tokens than there can be"
    tell(f"{request.target.label()} reported {what}; that counts as not reported.")
    return msgspec.structs.replace(reply, usage=msgspec.structs.replace(usage, clamped=True))


def with_plain_usage(document: bytes) -> bytes:
    """Return a reply, or an event of one, with each figure of its usage that JSON lacks as text.

    NaN, 1e400 or a count of more digits than others read is a fault of the report alone: the reply
    beside it is there and paid for, and nobody has to ask for it again.
    """
    return spelled(document, at=_USAGES) if _REPORT.search(document) else document
