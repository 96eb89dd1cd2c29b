"""Choose, within a number of tokens, which anchors stay word for word."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

import msgspec

from mindpipe.compaction.anchoring.anchors import each_once, names_in, searched_words, stands_in
from mindpipe.compaction.records import Anchor, AnchorKind, Anchors, Overlay
from mindpipe.compaction.task import Count
from mindpipe.compaction.wording import NAMED_KINDS, written_part
from mindpipe.core.messages import Message

SHARES: tuple[tuple[tuple[AnchorKind, ...], float], ...] = (
    (("ticket",), 1.0),
    (("task",), 0.2),
    (("quoted",), 0.2),
    (("error",), 0.2),
    (("path", "url", "id"), 0.8),
    (("decision", "promise"), 0.1),
    (("task",), 1.0),
    (("quoted",), 1.0),
)
"""The most that kinds may take of the room for anchors, in the order in which they are served.

A summary that came as a text quotes tasks, but gives none. What is left at last is for tasks."""
_FRAME_TOKENS = 8
"""What stands around a sentence at most: dash, kind, brackets, cycle."""
_NAME_TOKENS = 2
"""What stands around a name, which shares its line and most often its cycle with others."""


def ranked(new: Sequence[Anchor], earlier: Sequence[Anchor]) -> list[Anchor]:
    """Return new and earlier anchors, each once, the most important of each kind first.

    New ones and earlier ones take turns, so that what is old fades and yet is never swept away; of
    tasks the very first stays first, as all that follows was done for it.
    """
    mixed = [one for pair in zip_longest(new, earlier) for one in pair if one is not None]
    mixed.sort(key=lambda one: one.kind == "task" and one.cycle == 1, reverse=True)
    return each_once(mixed)


def earlier_anchors(base: Overlay) -> list[Anchor]:
    """Return the anchors of a window; tickets are named anew, as only open ones stay."""
    return [
        one
        for part in base
        if isinstance(part, Anchors)
        for one in part.anchors
        if one.kind != "ticket"
    ]


def pinned(
    candidates: Iterable[Anchor], room: int, count: Count, *, whole: int = 0
) -> Anchors | None:
    """Return the anchors that fit into the room, or None where not one does.

    Kinds have their shares of `whole`, where that is more than the room.
    """
    chosen = list(_fitting(candidates, room, count, whole=max(room, whole)))

    def first(number: int) -> Anchors:
        part = Anchors(anchors=tuple(chosen[:number]), tokens=0)
        tokens = count(f"{written_part(part)}\n") if number else 0
        return msgspec.structs.replace(part, tokens=tokens)

    number = len(chosen)
    if first(number).tokens > room:
        number = bisect_right(range(number), room, key=lambda fewer: first(fewer).tokens) - 1
    return first(number) if number > 0 else None


class AnchorsInView:
    """What a window shows of anchors: in its text, or in the messages that are sent."""

    def __init__(self, text: str, sent: Iterable[Message]) -> None:
        self._text = text
        self._names = set(names_in(text))
        for message in sent:
            self._names.update(names_in(searched_words(message)))

    def shows(self, anchor: Anchor) -> bool:
        """Tell whether an anchor can be seen: a name as a word of its own, a sentence whole."""
        if (anchor.kind, anchor.text) in self._names:
            return True
        if anchor.kind in NAMED_KINDS:
            return False
        if anchor.text.endswith("…"):
            return anchor.text[:-1] in self._text
        return stands_in(anchor.text, self._text)


def _fitting(
    candidates: Iterable[Anchor], room: int, count: Count, *, whole: int
) -> Iterator[Anchor]:
    """Yield, kinds after kinds, what fits into their share of the room."""
    waiting = list(candidates)
    left = room
    for kinds, part in SHARES:
        share = min(left, int(whole * part))
        passed, waiting = waiting, []
        for one in passed:
            if share <= 0 or one.kind not in kinds:
                waiting.append(one)
                continue
            frame = _NAME_TOKENS if one.kind in NAMED_KINDS else _FRAME_TOKENS
            tokens = count(one.text) + frame
            if tokens <= share:
                share -= tokens
                left -= tokens
                yield one
            else:
                waiting.append(one)
