"""What differs between two lives, or one life at two moments: aspect by aspect, row by row."""

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from mindpipe.core.ports import Row
from mindpipe.core.records import to_json
from mindpipe.life.records import LifeDifference, Shown
from mindpipe.life.words import about


class Aspect(NamedTuple):
    """What people compare: its name, its table, what names a row in both lives, what is left out.

    Numbers that a store counts for all its agents differ where nothing else does.
    """

    what: str
    table: str
    key: tuple[str, ...]
    aside: tuple[str, ...] = ()


ASPECTS = (
    Aspect("settings", "agent", ("name",), ("goals_made", "moves", "away", "lacks")),
    Aspect("goal", "goal", ("number",)),
    Aspect("plan", "plan", ("number",)),
    Aspect("note", "note", ("key",)),
    Aspect("belief", "observation", ("id",), ("number",)),
    Aspect("memory", "memory_item", ("id",), ("number", "recalled", "recalled_at")),
    Aspect("reflection", "reflection", ("id",), ("number",)),
    Aspect("lesson", "lesson", ("id",), ("number",)),
    Aspect("summary", "compaction", ("number",)),
    Aspect("decision", "decision", ("id",)),
    Aspect("ticket", "ticket", ("id",)),
    Aspect("event", "event", ("id",), ("seq",)),
    Aspect("cycle", "cycle", ("cycle",)),
    Aspect("prompt", "turn", ("cycle", "turn"), ("attempts", "answer", "spans", "state")),
    Aspect("spend", "ledger", ("id",)),
)
HISTORY = Aspect("message", "message", ("seq",), ("number",))
"""Messages are compared up to the first that differs: behind it all do."""
WORDS = Aspect(
    "message",
    "message",
    ("seq",),
    ("number", "id", "segment", "raw", "at", "source", "sha256", "tokens", "tokenizer"),
)
"""Messages by what they say: lives that part have other ids and instants before other words."""

KeyedRow = tuple[str, bytes]
"""A row of an aspect: its key, and what is compared of it as JSON."""
Picture = Callable[[Aspect], Iterator[KeyedRow]]
"""Gives the rows of an aspect of a life, each time from the first on."""
shown = msgspec.json.Decoder(Shown).decode
"""Returns a row of a picture as a record."""


def pictured(aspect: Aspect, names: Sequence[str], rows: Iterable[Row]) -> Iterator[KeyedRow]:
    """Yield the rows of an aspect as they are compared; of settings the body's fields."""
    aside = {"agent", *aspect.aside, *aspect.key}
    for row in rows:
        cells = dict(zip(names, row, strict=True))
        named = " ".join(str(cells[name]) for name in aspect.key)
        if aspect.table == "agent":
            cells |= msgspec.json.decode(str(cells.pop("body")))
        elif aspect.table == "turn":
            cells = _prompt(str(cells["asked"]))
        elif aspect is WORDS:
            cells["parts"] = _without_ids(str(cells["parts"]))
        yield named, to_json({name: cell for name, cell in cells.items() if name not in aside})


def _prompt(asked: str) -> Shown:
    """Return what is compared of a request to a model: the hash of all of it, to whom, and how."""
    request = msgspec.json.decode(asked, type=Shown)
    return {name: request.get(name) for name in ("request_sha256", "target", "options")}


def _without_ids(parts: str) -> str:
    """Return the parts of a message without ids, which differ where nothing else does."""
    said = msgspec.json.decode(parts, type=list[Shown])
    kept = [
        {name: one for name, one in part.items() if name not in {"id", "call"}} for part in said
    ]
    return to_json(kept).decode()


def differences(first: Picture, second: Picture) -> Iterator[LifeDifference]:
    """Yield what differs: where the histories part, then by aspect each row that is not the same.

    Of a row that both have only those columns are shown that differ. Of the lives a hash of each
    row of one aspect is held, and the rows of the second in which they differ.
    """
    parting = [*_parting(first(WORDS), second(WORDS))]
    yield from parting or _parting(first(HISTORY), second(HISTORY))
    for aspect in ASPECTS:
        yield from _differences(aspect, first, second)


def _parting(ours: Iterator[KeyedRow], theirs: Iterator[KeyedRow]) -> Iterator[LifeDifference]:
    """Yield the first message that is not the same; both have theirs in order."""
    for one, other in itertools.zip_longest(ours, theirs):
        if one != other:
            key = (one or other or ("",))[0]
            there = other[1] if other is not None and other[0] == key else None
            found = _difference(HISTORY.what, key, one and one[1], there)
            yield from filter(None, (found,))
            return


def _differences(aspect: Aspect, first: Picture, second: Picture) -> Iterator[LifeDifference]:
    """Yield the rows of an aspect that are not the same, those of the first life first."""
    missing = {key: _hash(row) for key, row in first(aspect)}
    changed: dict[str, bytes] = {}
    more: list[KeyedRow] = []
    for key, row in second(aspect):
        ours = missing.pop(key, None)
        if ours is None:
            more.append((key, row))
        elif ours != _hash(row):
            changed[key] = row
    if missing or changed:
        for key, row in first(aspect):
            if key in missing or key in changed:
                yield from filter(None, (_difference(aspect.what, key, row, changed.get(key)),))
    for key, row in more:
        yield from filter(None, (_difference(aspect.what, key, None, row),))


def _hash(row: bytes) -> bytes:
    return hashlib.blake2b(row, digest_size=16).digest()


def _difference(
    what: str, key: str, ours: bytes | None, theirs: bytes | None
) -> LifeDifference | None:
    """Return how two rows of one key differ, or None."""
    if ours == theirs:
        return None
    first, second = (None if one is None else shown(one) for one in (ours, theirs))
    if first is None:
        return LifeDifference(what=what, key=key, change="only_second", first=None, second=second)
    if second is None:
        return LifeDifference(what=what, key=key, change="only_first", first=first, second=None)
    other = {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}
    return LifeDifference(
        what=what,
        key=key,
        change="changed",
        first={name: cell for name, cell in first.items() if name in other},
        second={name: cell for name, cell in second.items() if name in other},
        says=about(what, second) or UNSET,
    )
