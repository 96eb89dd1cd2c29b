"""Check that words which somebody claims to quote stand in the log, letter by letter."""

from mindpipe.memory.records import Item, Span


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Return the first and the first following character of a quote in a text, or None.

    Only exactly the same characters count; blank words quote nothing.
    """
    start = text.find(quote) if quote.strip() else -1
    return None if start < 0 else (start, start + len(quote))


def holds(span: Span, log: str) -> bool:
    """Tell whether a span's words stand at its place in its message's searched text."""
    return bool(span.quote) and log[span.start : span.end] == span.quote


def overlaps(item: Item, others: list[Item]) -> bool:
    """Tell whether an item stands on characters that another one stands on too."""
    mine = item.span
    return mine is not None and any(
        span.message == mine.message and span.start < mine.end and mine.start < span.end
        for span in (one.span for one in others)
        if span is not None
    )
