"""The parts of a window that come last, anchors and pointer, and what it keeps of what leaves."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mindpipe.compaction.anchoring.pinning import Sight, pinned
from mindpipe.compaction.anchoring.pointing import POINTER_TOKENS, TERMS, mixed, pointer
from mindpipe.compaction.records import Anchor, Anchors, Line, Measures, Overlay, Summary
from mindpipe.compaction.selection.rarity import grounded_share, search_terms, vocabulary
from mindpipe.compaction.task import Count, Said
from mindpipe.compaction.wording import NAMED_KINDS, summary_text, written_part
from mindpipe.core.messages import Message, Role

ANCHOR_TOKENS = 4000
"""Most tokens of all anchors together."""


class Leaving(NamedTuple):
    """What is said in what leaves, what is still sent, what of all should stay word for word.

    `terms` are the search terms of the window before, `promised` the tokens that anchors were
    promised at most.
    """

    said: Sequence[Said]
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
    sight = Sight(text or "", leaving.sent)
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


def _terms(said: Sequence[Said], hidden: Iterable[Anchor], text: str) -> list[str]:
    """Return names that are not in the text and words that people and the agent said, in turns."""
    names = [one.text for one in hidden if one.kind in NAMED_KINDS and one.text not in text]
    spoken = vocabulary(one for one in said if one.role is not Role.TOOL)
    return mixed(names[: TERMS // 2], search_terms(spoken, text, most=TERMS))


def _lines(parts: Overlay) -> Iterator[Line]:
    """Yield the lines of all summaries."""
    for part in parts:
        if isinstance(part, Summary):
            yield from part.lines


def _share(candidates: Sequence[Anchor], sight: Sight, named: Iterable[Anchor]) -> float:
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
