"""How many tokens a window takes, by kind, as the provider counts them; what leaving it costs."""

from math import ceil

from mindpipe.compaction.records import (
    Anchors,
    Kept,
    Masked,
    Overlay,
    PartKind,
    Pointer,
    Summary,
)
from mindpipe.compaction.task import Count
from mindpipe.compaction.wording import opening


def tokens_by_kind(
    parts: Overlay, *, head: int, count: Count, calibration: float
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


def opening_tokens(parts: Overlay, count: Count) -> int:
    """Return the tokens of the line that opens a summary; 0 where nothing was folded."""
    folded = [part for part in parts if isinstance(part, Summary)]
    return count(f"{opening(folded)}\n") if folded else 0


def pays_after(*, cached: int, kept: int, saving: int, cached_price: float | None) -> int | None:
    """Return after how many requests a compaction has paid for what it costs in lost cache.

    The next request pays the fresh price for the `kept` tokens of the prefix that were `cached`
    and are not any more; every request after it saves `saving` tokens at the price of the cache.
    Prices are shares of a fresh token's: `cached_price` (None: not known), 1.
    """
    if cached_price is None or saving <= 0:
        return None
    lost = min(cached, kept) * (1 - cached_price)
    each = saving * cached_price
    return 0 if lost <= 0 else None if each <= 0 else ceil(lost / each)
