"""Indexes that people keep: intents and keywords lead a question to files and their passages."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Annotated, NamedTuple

import msgspec

from mindpipe.core.records import Record
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.memory.records import Id, Word
from mindpipe.recall.query import MOST_WORDS, WORD
from mindpipe.recall.records import Filters, Hit, Recalled
from mindpipe.recall.words import folded, stem

FilePath = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
Weight = Annotated[float, msgspec.Meta(ge=0.01, le=100)]
COMPANION = "_memory"
"""What stands behind the name of a file in that of its companion: `kant.md`, `kant_memory.md`."""
COMPANION_WEIGHT = 2.0
"""The words of a companion count so much more than those of its file."""


class Intent(Record):
    """Where a question with any of some keywords is looked up: in another index."""

    keywords: tuple[Word, ...]
    load_index: FilePath
    intent: Word | None = None


class IndexEntry(Record):
    """One file that an index knows, and what it is about.

    `id`, `name` and `title` are what it is called, any of them or none. `weight` is how much its
    words count beside those of others. `status`, `last_modified` and `links` are for those who keep
    the index; a question does not look at them.
    """

    path: FilePath
    id: Id | None = None
    name: Word | None = None
    title: Word | None = None
    summary: str = ""
    keywords: tuple[Word, ...] = ()
    tags: tuple[Word, ...] = ()
    weight: Weight = 1.0
    status: Word | None = None
    last_modified: str | int | float | None = None
    links: tuple[str, ...] = ()
    meta: dict[str, object] = {}

    def names(self) -> tuple[str, ...]:
        """Return what it is called, never nothing: else as its file."""
        given = tuple(one for one in (self.id, self.name, self.title) if one)
        return given or (PurePosixPath(self.path).stem,)


class Index(Record):
    """One file of an index: intents that lead to other ones, and entries that lead to files.

    All paths count from `base`, which counts from the folder of the first index; only its own is
    looked at. Without it they count from that folder, or from the nearest one above it in which the
    first of its paths is there. What else is to be noted stands in `meta`.
    """

    version: str | int | float | None = None
    description: str = ""
    base: FilePath | None = None
    intent_mappings: tuple[Intent, ...] = ()
    entries: tuple[IndexEntry, ...] = ()
    meta: dict[str, object] = {}


class RouteStep(NamedTuple):
    """One step to an index: its name, and the keyword of the question that led there."""

    name: str
    keyword: str


class RoutedEntry(NamedTuple):
    """An entry that a question leads to: where it stands, the way there, and what of it matched.

    `name` is that of the index, `line` its line there (from 1). `bearing` is how much it bears on
    the question: one for each keyword or name, half for each tag.
    """

    name: str
    line: int | None
    entry: IndexEntry
    way: tuple[RouteStep, ...]
    matched: tuple[str, ...]
    bearing: float


class IndexPassage(NamedTuple):
    """A part of a file under one heading, with the line that it begins on (from 1)."""

    heading: str
    line: int
    text: str


class IndexedDocument(NamedTuple):
    """One file that a question was led to: its path, the way there, whether it is a companion."""

    path: str
    routed: RoutedEntry
    companion: bool
    passages: tuple[IndexPassage, ...]

    @property
    def weight(self) -> float:
        """Return how much its words count."""
        return self.routed.entry.weight * (COMPANION_WEIGHT if self.companion else 1.0)


class FoundPassages(NamedTuple):
    """A passage that answers a question, with its score.

    `overrides` tells whether its file has words of its own under the same heading, which come
    after it.
    """

    document: IndexedDocument
    passage: IndexPassage
    score: float
    overrides: bool = False


Stems = tuple[str, ...]
_STOPS = frozenset(map(stem, FUNCTION_WORDS))
_TAG = 0.5


def stems_of(text: str) -> Stems:
    """Return the words of a text in order, as their stems."""
    return tuple(stem(word) for word in WORD.findall(folded(text))[:MOST_WORDS])


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that are not in every text."""
    return frozenset(stems_of(text)) - _STOPS


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
    index: Index,
    asked: Stems,
    *,
    name: str,
    way: tuple[RouteStep, ...],
    lines: Sequence[int | None],
) -> Iterator[RoutedEntry]:
    """Yield the entries of an index that bear on a question.

    `name` is the index's own, `lines` are those on which its entries stand.
    """
    for entry, line in zip(index.entries, lines, strict=True):
        told = (*entry.keywords, *entry.names())
        strong = [one for one in dict.fromkeys(told) if says(asked, one)]
        weak = [one for one in dict.fromkeys(entry.tags) if says(asked, one)]
        if strong or weak:
            bearing = len(strong) + _TAG * len(weak)
            yield RoutedEntry(name, line, entry, way, (*strong, *weak), bearing)


def best(found: Sequence[RoutedEntry], *, most: int) -> list[RoutedEntry]:
    """Return at most so many entries, those that bear the most first, each file once."""
    order = sorted(found, key=lambda one: -one.bearing * one.entry.weight)
    by_path: dict[str, RoutedEntry] = {}
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
        subject=entry.names()[0],
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
    document = one.document
    yield f"index: {', '.join(document.routed.matched)}"
    if document.companion:
        yield f"companion of {document.routed.entry.path}"
    if one.overrides:
        yield "overrides its words under this heading"


def _way(one: FoundPassages) -> Iterator[str]:
    routed = one.document.routed
    for number, step in enumerate(routed.way):
        after = routed.way[number + 1].name if number + 1 < len(routed.way) else routed.name
        yield f"{step.name}: {step.keyword} → {after}"
    line = f":{routed.line}" if routed.line else ""
    yield f"{routed.name}{line}: {routed.entry.names()[0]} ({', '.join(routed.matched)})"
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


MOST_CHARACTERS = 1500
"""A passage goes on to the end of the paragraph in which it passes so many characters."""
PER_FILE = 3
"""So many passages of one file at most answer one question."""
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")


def passages_of(text: str) -> tuple[IndexPassage, ...]:
    """Return the passages of a file: its sections, long ones at the ends of paragraphs.

    What stands between --- and --- at its head is no passage. A heading is written with those
    above it: `Ethics > Duty`.
    """
    return tuple(_passages(text.splitlines()))


def _passages(lines: Sequence[str]) -> Iterator[IndexPassage]:
    """Yield passages that hold any words."""
    start = _after_front_matter(lines)
    headings: dict[int, str] = {}
    held: list[str] = []
    begun = start
    fence: str | None = None
    for number, line in enumerate(lines[start:], start):
        fence = _fenced(line, fence)
        found = None if fence else _HEADING.fullmatch(line)
        is_long = not line.strip() and sum(map(len, held)) >= MOST_CHARACTERS
        if found is not None or (is_long and fence is None):
            yield from _passage(headings, begun, held)
            begun, held = number + 1, []
        if found is not None:
            level = len(found[1])
            headings = {deep: words for deep, words in headings.items() if deep < level}
            headings[level] = found[2]
        else:
            held.append(line)
    yield from _passage(headings, begun, held)


def _passage(headings: dict[int, str], begun: int, held: Sequence[str]) -> Iterator[IndexPassage]:
    """Yield the passage of some lines, unless all are blank; `begun` is the place of the first."""
    blank = next((place for place, line in enumerate(held) if line.strip()), None)
    if blank is not None:
        heading = " > ".join(words for _, words in sorted(headings.items()))
        text = "\n".join(held[blank:]).rstrip()
        yield IndexPassage(heading=heading, line=begun + blank + 1, text=text)


def _after_front_matter(lines: Sequence[str]) -> int:
    """Return the place of the first line behind what stands between --- and --- at the head."""
    if not lines or lines[0].strip() != "---":
        return 0
    ends = (place for place, line in enumerate(lines[1:], 1) if line.strip() in ("---", "..."))
    return next(ends, -1) + 1


def _fenced(line: str, fence: str | None) -> str | None:
    """Return the mark of the code that a line stands in or opens, None outside of code."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if fence is None:
        return found[1]
    closes = found[1].startswith(fence) and not line.strip().strip(found[1][0])
    return None if closes else fence


def companion_of(path: str) -> str | None:
    """Return the name of a file's companion; None for one that is a companion, or no Markdown."""
    stem_of_name = path.removesuffix(".md")
    if stem_of_name == path or stem_of_name.endswith(COMPANION):
        return None
    return f"{stem_of_name}{COMPANION}.md"


def ranked(documents: Sequence[IndexedDocument], asked: Stems, *, most: int) -> list[FoundPassages]:
    """Return the passages that answer a question, best first, at most so many.

    A passage counts for each word that it shares with the question, rare words the more, and for
    what its entry matched; then for the weight of its file. What a companion says comes first,
    then its file. A file of which no passage shares a word is there with its first.
    """
    wanted = frozenset(asked) - _STOPS
    words = {
        (one.path, passage): frozenset(stems_of(f"{passage.heading} {passage.text}"))
        for one in documents
        for passage in one.passages
    }
    holders = Counter(word for held in words.values() for word in held & wanted)
    found: list[FoundPassages] = []
    for document in documents:
        own = [
            _found(document, passage, words[document.path, passage] & wanted, holders, len(words))
            for passage in document.passages
        ]
        own.sort(key=lambda one: (-one.score, one.passage.line))
        bearing = [one for one in own if words[document.path, one.passage] & wanted]
        found += [_marked(one, documents) for one in (bearing or own[:1])[:PER_FILE]]
    return _companions_first(found)[:most]


def _companions_first(found: Sequence[FoundPassages]) -> list[FoundPassages]:
    """Return passages, best first; none of a file counts for more than its companion's best."""
    best: dict[str, float] = {}
    for one in found:
        if one.document.companion:
            path = one.document.routed.entry.path
            best[path] = max(best.get(path, 0.0), one.score)
    bounded = [
        one._replace(score=min(one.score, best.get(one.document.routed.entry.path, one.score)))
        for one in found
    ]
    return sorted(
        bounded,
        key=lambda one: (
            -one.score,
            one.document.routed.entry.path,
            not one.document.companion,
            one.passage.line,
        ),
    )


def _found(
    document: IndexedDocument,
    passage: IndexPassage,
    shared: frozenset[str],
    holders: Counter[str],
    passages: int,
) -> FoundPassages:
    rare = math.fsum(math.log1p(passages / holders[word]) for word in sorted(shared))
    score = document.weight * (document.routed.bearing + rare)
    return FoundPassages(document, passage, round(score, 6))


def _marked(found: FoundPassages, documents: Sequence[IndexedDocument]) -> FoundPassages:
    """Return a passage, and whether its file has words of its own under the same heading."""
    mine, heading = found.document, found.passage.heading
    if not mine.companion:
        return found
    overrides = any(
        not one.companion
        and one.routed.entry.path == mine.routed.entry.path
        and any(passage.heading == heading for passage in one.passages)
        for one in documents
    )
    return found._replace(overrides=overrides)
