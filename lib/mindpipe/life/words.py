"""What people read of a life's rows: a message, and both sides of a difference, in words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.core.text import counted
from mindpipe.life.records import Change, LifeDifference, Shown

_SAID = {
    "goal": ("text", "state"),
    "plan": ("title", "text", "cron", "at", "after"),
    "note": ("value",),
    "belief": ("summary", "status"),
    "memory": ("text",),
    "decision": ("body", "state"),
    "ticket": ("tool", "args", "state"),
    "event": ("text", "source"),
    "cycle": ("trigger", "outcome"),
    "summary": ("action", "strategy"),
    "spend": ("model", "micros"),
    "reflection": ("body",),
    "lesson": ("body",),
}
"""The columns that say what a row is about, where a life has one that the other has not."""

_WORDS = frozenset(("summary", "text", "title"))
"""Columns of words by which people know a row again."""


class WordedDifference(Record):
    """One thing that is not the same in two lives, each side in words, empty where it has none."""

    what: str
    key: str
    change: Change
    first: str
    second: str


_COUNTED = {"prompt": "request", "spend": "call"}
"""What is told as one sum at the end: its rows are hashes and prices of what stands above it."""


def in_words(found: Iterable[LifeDifference], *, full: bool = False) -> Iterator[WordedDifference]:
    """Yield differences in words; of prompts and spend only how many, unless in `full`."""
    summed: defaultdict[str, list[LifeDifference]] = defaultdict(list)
    for one in found:
        if one.what in _COUNTED and not full:
            summed[one.what].append(one)
        else:
            yield worded(one)
    for what, rows in summed.items():
        changes: set[Change] = {one.change for one in rows}
        yield WordedDifference(
            what=what,
            key="all that differ",
            change=changes.pop() if len(changes) == 1 else "changed",
            first=_sum(what, [one.first for one in rows if one.first is not None]),
            second=_sum(what, [one.second for one in rows if one.second is not None]),
        )


def _sum(what: str, rows: list[Shown]) -> str:
    """Return how many rows of one kind a side has, and what they cost in all."""
    if not rows:
        return ""
    spent = sum(int(one.get("micros") or 0) for one in rows)
    return counted(len(rows), _COUNTED[what]) + (f", {spent:,} micros" if spent else "")


def worded(found: LifeDifference) -> WordedDifference:
    """Return a difference in words: what a row says, or of a changed one all that changed.

    What changed is named by what it says where it says anything, and else by its key.
    """
    names = () if found.change == "changed" else _SAID.get(found.what, ())
    first, second = found.first, found.second
    if first is not None and second is not None:
        first, second = _apart(first, second), _apart(second, first)
    return WordedDifference(
        what=found.what,
        key=found.says or found.key,
        change=found.change,
        first=_side(first, names),
        second=_side(second, names),
    )


def _apart(ours: Shown, theirs: Shown) -> Shown:
    """Return one side with no more of named things (tools) than what the other has not so."""
    apart = dict(ours)
    for field, value in ours.items():
        named, others = _named(value), _named(theirs.get(field))
        if named is None or others is None:
            continue
        more = {name: _more(one, others.get(name, {})) for name, one in named.items()}
        apart[field] = [
            {"name": name, **one}
            for name, one in more.items()
            if one or name not in others or _more(others[name], named[name])
        ]
    return apart


def _named(value: object) -> dict[str, Shown] | None:
    """Return the things of a list by their names, or None where it is none of such."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return None
    return {str(one.get("name")): one for one in value} if all("name" in x for x in value) else None


def _more(one: Shown, other: Shown) -> Shown:
    """Return the fields of a thing that another one has not so."""
    return {
        field: value
        for field, value in one.items()
        if field != "name" and (field not in other or other[field] != value)
    }


def _side(fields: Shown | None, names: tuple[str, ...]) -> str:
    if fields is None:
        return ""
    if "parts" in fields:
        return message_words(fields)
    said, *more = [_value(fields[name]) for name in names if fields.get(name)] or [""]
    if said:
        return f"{said} ({', '.join(more)})" if more else said
    # What is nested is long, and little is read from it.
    plain = sorted(fields.items(), key=lambda one: _value(one[1])[:1] in ("{", "["))
    return ", ".join(f"{name}: {_value(value)}" for name, value in plain)


def about(what: str, row: Shown) -> str:
    """Return what a row of a life says it is about; empty where no words of it do."""
    named = next(iter(_SAID.get(what, ())), "")
    said = row.get(named)
    return said if isinstance(said, str) and named in _WORDS else ""


def message_words(message: Shown) -> str:
    """Return what a message says: its texts, its calls, and what came of them."""
    try:
        parts = msgspec.json.decode(str(message["parts"]), type=list[dict[str, object]])
    except NO_RECORD:
        return str(message["parts"])
    return "\n".join(map(_part, parts))


def _part(part: Mapping[str, object]) -> str:
    if part.get("type") == "text":
        return str(part.get("text"))
    kept = {name: one for name, one in part.items() if one not in (None, "", ())}
    for name in ("type", "id", "args_text"):
        kept.pop(name, None)
    return to_json(kept).decode()


def _value(value: object) -> str:
    return value if isinstance(value, str) else to_json(value).decode()
