"""Tell what files answer as anything else that is recalled, and mix both."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from mindpipe.recall.indexes.records import Found
from mindpipe.recall.records import Filters, Hit, Recalled

FilesOf = Callable[[str, int], list[Recalled]]
"""Returns what files answer to a question, best first, at most so many passages."""
_STEADY = 10
"""Of two lists, the nth of one stands beside the nth of the other; so many ranks are as one."""


def no_files(_question: str, _most: int) -> list[Recalled]:
    """Return nothing: no index leads to any file."""
    return []


def wants_files(filters: Filters) -> bool:
    """Tell whether files may answer: they have no speaker, subject, time or source to ask for."""
    plain = Filters(kind=filters.kind, history=filters.history)
    return filters == plain and filters.kind in (None, "file")


def recalled(found: Sequence[Found], *, explain: bool = False) -> list[Recalled]:
    """Return what files answer, best first."""
    return [_recalled(place, one, explain=explain) for place, one in enumerate(found, 1)]


def _recalled(rank: int, one: Found, *, explain: bool) -> Recalled:
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


def _why(one: Found) -> Iterator[str]:
    """Yield in a few words why a passage is there."""
    document = one.document
    yield f"index: {', '.join(document.routed.matched)}"
    if document.companion:
        yield f"companion of {document.routed.entry.path}"
    if one.overrides:
        yield "overrides its words under this heading"


def _way(one: Found) -> Iterator[str]:
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
