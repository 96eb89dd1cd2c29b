"""How many tokens a window takes, by kind, as the provider counts them; what leaving it costs."""

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from mindpipe.compaction.records import (
    Anchors,
    Kept,
    Masked,
    Overlay,
    PartKind,
    Pointer,
    Summary,
)
from mindpipe.compaction.window_text import covered_ranges, opening
from mindpipe.core.messages import Head

if TYPE_CHECKING:
    from mindpipe.compaction.task import Count

KINDS: tuple[PartKind, ...] = ("head", "kept", "masked", "summary", "anchors", "pointer")
"""What takes tokens in a window, in the order in which it is sent."""


def tokens_by_kind(
    parts: Overlay, *, head: int, count: "Count", calibration: float
) -> dict[PartKind, int]:
    """Return the tokens of a window by kind, each times `calibration` and rounded up.

    `head` are the tokens of system text and tools; the opening line counts as `summary`.
    """
    sizes: dict[PartKind, int] = {
        "head": head,
        "kept": sum(part.tokens for part in parts if isinstance(part, Kept)),
        "masked": sum(part.tokens for part in parts if isinstance(part, Masked)),
        "summary": opening_tokens(parts, count)
        + sum(part.tokens for part in parts if isinstance(part, Summary)),
        "anchors": sum(part.tokens for part in parts if isinstance(part, Anchors)),
        "pointer": sum(part.tokens for part in parts if isinstance(part, Pointer)),
    }
    return {kind: ceil(tokens * calibration) for kind, tokens in sizes.items()}


def head_tokens(head: Head, *, count: "Count") -> int:
    """Return the tokens of system text and tools."""
    tools = msgspec.json.encode(head.tools).decode() if head.tools else ""
    return count(head.system) + count(tools)


def opening_tokens(parts: Overlay, count: "Count") -> int:
    """Return the tokens of the line that opens a summary; 0 where nothing was folded."""
    covered = covered_ranges(parts)
    return count(f"{opening(covered)}\n") if covered else 0


def pays_after(
    *, before: int, after: int, head: int, cached: int, cached_price: float | None
) -> int | None:
    """Return after how many more requests a compaction has paid for what it costs in lost cache.

    A token out of the cache costs `cached_price` of a fresh one (None: not known). Without a
    compaction the next request reads `cached` of its `before` tokens from the cache; with one only
    its `head`, and pays for the rest of its `after` tokens anew. Each request after that one saves
    the difference, out of the cache.
    """
    if cached_price is None:
        return None
    without = before - cached * (1 - cached_price)
    once = after - min(head, cached) * (1 - cached_price)
    each = (before - after) * cached_price
    if once <= without:
        return 0
    return ceil((once - without) / each) if each > 0 else None
