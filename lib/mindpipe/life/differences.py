"""What differs between two lives, or one life at two moments: aspect by aspect, row by row."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.ports import Row
from mindpipe.core.records import to_json
from mindpipe.life.records import LifeDifference, Shown


class Aspect(NamedTuple):
    """What people compare: its name, its table, what names a row in both lives, what is left out.

    Numbers that a store counts for all its agents differ where nothing else does.
    """

    what: str
    table: str
    key: tuple[str, ...]
    aside: tuple[str, ...] = ()


ASPECTS = (
    Aspect("settings", "agent", ("name",), ("goals_made", "moves", "away")),
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
    Aspect("spend", "ledger", ("id",)),
)
HISTORY = Aspect("message", "message", ("seq",), ("number",))
"""Messages are compared up to the first that differs: behind it all do."""

Picture = Mapping[str, Mapping[str, bytes]]
"""The rows of each aspect as JSON, by their keys."""
shown = msgspec.json.Decoder(Shown).decode
"""Returns a row of a picture as a record."""


def pictured(aspect: Aspect, names: Sequence[str], rows: Iterable[Row]) -> dict[str, bytes]:
    """Return the rows of an aspect as they are compared; of settings the body's fields."""
    found: dict[str, bytes] = {}
    for row in rows:
        cells = dict(zip(names, row, strict=True))
        named = " ".join(str(cells[name]) for name in aspect.key)
        if aspect.table == "agent":
            cells |= msgspec.json.decode(str(cells.pop("body")))
        aside = {"agent", *aspect.aside, *aspect.key}
        found[named] = to_json({name: cell for name, cell in cells.items() if name not in aside})
    return found


def differences(first: Picture, second: Picture) -> Iterator[LifeDifference]:
    """Yield what differs: where the histories part, then by aspect each row that is not the same.

    Of a row that both have only those columns are shown that differ.
    """
    yield from _parting(first[HISTORY.what], second[HISTORY.what])
    for aspect in ASPECTS:
        ours, theirs = first[aspect.what], second[aspect.what]
        for key in dict.fromkeys((*ours, *theirs)):
            one = _difference(aspect.what, key, ours.get(key), theirs.get(key))
            if one is not None:
                yield one


def _parting(ours: Mapping[str, bytes], theirs: Mapping[str, bytes]) -> Iterator[LifeDifference]:
    """Yield the first message that is not the same."""
    for key in dict.fromkeys((*ours, *theirs)):
        one = _difference(HISTORY.what, key, ours.get(key), theirs.get(key))
        if one is not None:
            yield one
            return


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
    )
