"""Summarise a period by rules: how much there was, by whom, and what counted most."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence

from mindpipe.core.sources import attribution, joined, speakers
from mindpipe.core.text import counted
from mindpipe.memory.records import Item, NewReflection

QUOTED = 10
"""How many items a summary repeats word for word."""
_SPEAKERS = 5


def weightiest(items: Iterable[Item], *, most: int) -> list[Item]:
    """Return the most significant items in the order of their times; of equals the newer ones."""
    ordered = sorted(items, key=lambda item: (-item.significance, _reversed(item.at), item.id))
    return sorted(ordered[:most], key=lambda item: (item.at, item.id))


def summary(
    items: Sequence[Item], read: Sequence[Item], *, since: str, until: str
) -> NewReflection:
    """Return the reflection on a period: of all its items, and the words of those that were read.

    It names the items that were read, and stands under the sources of all. Its id is a hash of all
    that, so that making it twice makes one.
    """
    said_by = [speakers(item.speaker, item.claimed_speaker, item.sources) for item in items]
    known = Counter(one.known for one in said_by if one.known)
    named = ", ".join(f"{name} ({count})" for name, count in _ranked(known)[:_SPEAKERS])
    kinds = ", ".join(f"{count} {kind}" for kind, count in _ranked(Counter(i.kind for i in items)))
    head = f"From {since} to {until}: {counted(len(items), 'item')} ({kinds})."
    lines = [f"- {item.at[:10]} {_said(item)}" for item in weightiest(read, most=QUOTED)]
    spoke = [f"Who spoke: {named}."] if named else []
    text = "\n".join([head, *spoke, *lines])
    ids = tuple(item.id for item in read)
    return NewReflection(
        id=f"rf_{_digest(text, since, until, *ids)}",
        text=text,
        since=since,
        until=until,
        items=ids,
        origin="program",
        sources=joined(*(item.sources for item in items)),
    )


def _digest(*words: str) -> str:
    """Return a hash of some words as letters of an id."""
    return hashlib.sha256("\x1f".join(words).encode()).hexdigest()[:22]


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return names and counts, the greatest first, equals by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _said(item: Item) -> str:
    """Return an item's words on one line, with who said them."""
    words = " ".join(item.text.split())
    words = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
    known, claimed = speakers(item.speaker, item.claimed_speaker, item.sources)
    if known is not None:
        return f"{known}: {words}"
    # A summary may not make them anybody's own: they stay a quotation that says where it is from.
    came = attribution(None, claimed, item.sources)
    return words if came is None else f"({came}) {json.dumps(words, ensure_ascii=False)}"


_LONGEST = 300


def _reversed(instant: str) -> tuple[int, ...]:
    """Return what sorts instants the other way round."""
    return tuple(-ord(letter) for letter in instant)
