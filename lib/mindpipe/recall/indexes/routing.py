"""Where an index of files leads, and what is recalled from there."""

from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.recall.indexes.records import FoundPassages, Index, Intent, Led, Routed
from mindpipe.recall.query import MOST_WORDS, WORD
from mindpipe.recall.records import Filters, Hit, Recalled
from mindpipe.recall.stems import stem
from mindpipe.recall.words import folded

Stems = tuple[str, ...]
_TAG = 0.5


def stems_of(text: str) -> Stems:
    """Return the words of a text in order, as their stems."""
    return tuple(stem(word) for word in WORD.findall(folded(text))[:MOST_WORDS])


def says(asked: Stems, keyword: str) -> bool:
    """Tell whether all words of a keyword stand side by side in a question."""
    wanted = stems_of(keyword)
    if not wanted or FUNCTION_WORDS.issuperset(WORD.findall(folded(keyword))):
        return False
    starts = range(len(asked) - len(wanted) + 1)
    return any(asked[start : start + len(wanted)] == wanted for start in starts)


def leads(index: Index, asked: Stems) -> Iterator[tuple[Intent, str]]:
    """Yield the intents that a question has, each with the first keyword that says so."""
    for intent in index.intent_mappings:
        keyword = next((one for one in intent.keywords if says(asked, one)), None)
        if keyword is not None:
            yield intent, keyword


def routed(
    index: Index, asked: Stems, *, name: str, way: tuple[Led, ...], lines: Sequence[int | None]
) -> Iterator[Routed]:
    """Yield the entries of an index that bear on a question.

    `name` is the index's own, `lines` are those on which its entries stand.
    """
    for entry, line in zip(index.entries, lines, strict=True):
        told = (*entry.keywords, entry.id, *([entry.title] if entry.title else []))
        strong = [one for one in dict.fromkeys(told) if says(asked, one)]
        weak = [one for one in dict.fromkeys(entry.tags) if says(asked, one)]
        if strong or weak:
            bearing = len(strong) + _TAG * len(weak)
            yield Routed(name, line, entry, way, (*strong, *weak), bearing)


def best(found: Sequence[Routed], *, most: int) -> list[Routed]:
    """Return at most so many entries, those that bear the most first, each file once."""
    order = sorted(found, key=lambda one: -one.bearing * one.entry.weight)
    by_path: dict[str, Routed] = {}
    for one in order:
        by_path.setdefault(one.entry.path, one)
    return list(by_path.values())[:most]


_STEADY = 10
"""Of two lists, the nth of one stands beside the nth of the other; so many ranks are as one."""


def wants_files(filters: Filters) -> bool:
    """Tell whether files may answer: they have no speaker, subject, time or source to ask for."""
    plain = Filters(kind=filters.kind, history=filters.history)
    return filters == plain and filters.kind in (None, "file")


def recalled(found: Sequence[FoundPassages], *, explain: bool = False) -> list[Recalled]:
    """Return what files answer, best first."""
    return [_recalled(place, one, explain=explain) for place, one in enumerate(found, 1)]


def _recalled(rank: int, one: FoundPassages, *, explain: bool) -> Recalled:
    """Return one passage of a file."""
    document, passage = one.document, one.passage
    entry = document.routed.entry
    bearing = document.routed.bearing
    return Recalled(
        rank=rank,
        ref=f"{document.path}:{passage.line}",
        source="file",
        score=one.score,
        why="; ".join(_why(one)),
        text=passage.text,
        at="",
        kind="companion" if document.companion else "source",
        subject=entry.id,
        path=document.path,
        heading=passage.heading,
        line=passage.line,
        weight=document.weight,
        route=tuple(_way(one)) if explain else (),
        signals={"entry": bearing, "words": round(one.score / document.weight - bearing, 6)}
        if explain
        else msgspec.UNSET,
    )


def _why(one: FoundPassages) -> Iterator[str]:
    """Yield in a few words why a passage is there."""
    document = one.document
    yield f"index: {', '.join(document.routed.matched)}"
    if document.companion:
        yield f"companion of {document.routed.entry.path}"
    if one.overrides:
        yield "overrides its words under this heading"


def _way(one: FoundPassages) -> Iterator[str]:
    """Yield each step from the first index to the file."""
    routed = one.document.routed
    for number, step in enumerate(routed.way):
        after = routed.way[number + 1].name if number + 1 < len(routed.way) else routed.name
        yield f"{step.name}: {step.keyword} → {after}"
    line = f":{routed.line}" if routed.line else ""
    yield f"{routed.name}{line}: {routed.entry.id} ({', '.join(routed.matched)})"
    yield one.document.path


def mixed(kept: Sequence[Recalled], files: Sequence[Recalled], *, most: int) -> list[Recalled]:
    """Return both as one list, at most so many: by rank, where weight counts for files."""
    both = [*files, *kept]
    order = sorted(both, key=lambda one: -(one.weight or 1.0) / (_STEADY + one.rank))
    return [msgspec.structs.replace(one, rank=place) for place, one in enumerate(order[:most], 1)]


def hit_of(one: Recalled, *, query: str) -> Hit:
    """Return an answer to one of many questions."""
    return Hit(
        query=query,
        rank=one.rank,
        ref=one.ref,
        score=one.score,
        why=one.why,
        source=one.source,
        signals=one.signals,
    )
