"""The last line of a window's text: how to find the rest, and words that are worth a search."""

from collections.abc import Sequence
from itertools import zip_longest

from mindpipe.compaction.records import Overlay, Pointer
from mindpipe.compaction.task import Count

TERMS = 6
"""Most words that a pointer names."""
POINTER_TOKENS = 64
"""What is set aside for a pointer."""


def earlier_terms(base: Overlay) -> tuple[str, ...]:
    """Return the terms that a window names."""
    return tuple(term for part in base if isinstance(part, Pointer) for term in part.terms)


def mixed(new: Sequence[str], earlier: Sequence[str]) -> list[str]:
    """Return new and earlier terms in turns, each once."""
    turns = (term for pair in zip_longest(new, earlier) for term in pair if term is not None)
    return list(dict.fromkeys(turns))


def pointer(terms: Sequence[str], room: int, count: Count, *, stored: bool) -> Pointer | None:
    """Return the pointer with as many terms as fit into the room; None where not even one line.

    What is not `stored` cannot be searched by a tool; the pointer then only says what is not here.
    """
    for shown in range(min(len(terms), TERMS), -1, -1):
        text = pointer_text(terms[:shown], stored=stored)
        tokens = count(f"{text}\n")
        if tokens <= room:
            return Pointer(text=text, terms=tuple(terms[:shown]), tokens=tokens)
    return None


def pointer_text(terms: Sequence[str], *, stored: bool) -> str:
    """Return the words of a pointer, one line in brackets."""
    quoted = [f'"{term}"' for term in terms]
    if not stored:
        named = f", e.g. {', '.join(quoted)}" if quoted else ""
        return f"[The rest is in the full history, not here{named}.]"
    named = f", e.g. for {', '.join(quoted)}" if quoted else ""
    return f"[The rest is in your history: use search_history{named}; read_history shows a cycle.]"
