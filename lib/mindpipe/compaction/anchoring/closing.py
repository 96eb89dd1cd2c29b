"""What is said of cycles that leave a window: their anchors and what points to them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mindpipe.compaction.anchoring.pinning import AnchorsInView, pinned
from mindpipe.compaction.records import (
    Anchor,
    Anchors,
    Measures,
    Overlay,
    Pointer,
    Summary,
    SummaryLine,
)
from mindpipe.compaction.selection.rarity import grounded_share, search_terms, vocabulary
from mindpipe.compaction.task import Count, SpokenWords
from mindpipe.compaction.wording import NAMED_KINDS, summary_text, written_part
from mindpipe.core.messages import Message, Role

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


ANCHOR_TOKENS = 4000
"""Most tokens of all anchors together."""


class Leaving(NamedTuple):
    """What is said in what leaves, what is still sent, what of all should stay word for word.

    `terms` are the search terms of the window before, `promised` the tokens that anchors were
    promised at most.
    """

    said: Sequence[SpokenWords]
    sent: Sequence[Message]
    candidates: Sequence[Anchor]
    terms: Sequence[str] = ()
    promised: int = 0


class Closing(NamedTuple):
    """Anchors and pointer, as far as there was room, and what the window keeps."""

    parts: Overlay
    measures: Measures


def closing(parts: Overlay, leaving: Leaving, *, room: int, count: Count, stored: bool) -> Closing:
    """Return what follows the parts that cover the cycles; nothing where nothing was folded.

    Anchors that can be seen already are not repeated; a ticket is seen only in the text itself.
    """
    text = summary_text(parts)
    rare = vocabulary(leaving.said)
    grounded = grounded_share(rare, _lines(parts))
    sight = AnchorsInView(text or "", leaving.sent)
    if text is None:
        return Closing(
            (), Measures(anchors=_share(leaving.candidates, sight, ()), grounded=grounded)
        )
    hidden = [one for one in leaving.candidates if not sight.shows(one)]
    pointing_room = min(POINTER_TOKENS, room // 5)
    anchors = pinned(
        hidden, min(ANCHOR_TOKENS, room - pointing_room), count, whole=leaving.promised
    )
    named: tuple[Anchor, ...] = ()
    if anchors is not None:
        named = anchors.anchors
        room -= anchors.tokens
        text = f"{text}\n{written_part(anchors)}"
    terms = mixed(_terms(leaving.said, hidden, text), leaving.terms)
    pointing = pointer(terms, room, count, stored=stored)
    measures = Measures(anchors=_share(leaving.candidates, sight, named), grounded=grounded)
    return Closing(tuple(part for part in (anchors, pointing) if part is not None), measures)


def _terms(said: Sequence[SpokenWords], hidden: Iterable[Anchor], text: str) -> list[str]:
    """Return names that are not in the text and words that people and the agent said, in turns."""
    names = [one.text for one in hidden if one.kind in NAMED_KINDS and one.text not in text]
    spoken = vocabulary(one for one in said if one.role is not Role.TOOL)
    return mixed(names[: TERMS // 2], search_terms(spoken, text, most=TERMS))


def _lines(parts: Overlay) -> Iterator[SummaryLine]:
    """Yield the lines of all summaries."""
    for part in parts:
        if isinstance(part, Summary):
            yield from part.lines


def _share(candidates: Sequence[Anchor], sight: AnchorsInView, named: Iterable[Anchor]) -> float:
    """Return the share of anchors that are named or can be seen; 1 where there are none."""
    if not candidates:
        return 1.0
    there = {(one.kind, one.text) for one in named}
    return sum((one.kind, one.text) in there or sight.shows(one) for one in candidates) / len(
        candidates
    )


def tickets_tokens(candidates: Iterable[Anchor], count: Count) -> int:
    """Return the tokens that open tickets need among the anchors; 0 where there are none."""
    tickets = [one for one in candidates if one.kind == "ticket"]
    return count(f"{written_part(Anchors(anchors=tuple(tickets), tokens=0))}\n") if tickets else 0
