"""Cut a Markdown file into passages, and rank those of many files by what a question asks."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.recall.indexes.records import COMPANION, FoundPassages, IndexedDocument, IndexPassage
from mindpipe.recall.indexes.routing import Stems, stems_of
from mindpipe.recall.stems import stem

MOST_CHARACTERS = 1500
"""A passage goes on to the end of the paragraph in which it passes so many characters."""
PER_FILE = 3
"""So many passages of one file at most answer one question."""
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_STOPS = frozenset(map(stem, FUNCTION_WORDS))


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
    what its entry matched; then for the weight of its file. Under a heading that a companion has,
    its file's own words give way. A file of which no passage shares a word is there with its first.
    """
    wanted = frozenset(asked) - _STOPS
    words = {(one.path, passage): _words(passage) for one in documents for passage in one.passages}
    holders = Counter(word for held in words.values() for word in held & wanted)
    told = {
        (one.routed.entry.path, passage.heading)
        for one in documents
        if one.companion
        for passage in one.passages
    }
    found: list[FoundPassages] = []
    for document in documents:
        own = [
            _found(document, passage, words[document.path, passage] & wanted, holders, len(words))
            for passage in document.passages
            if document.companion or (document.routed.entry.path, passage.heading) not in told
        ]
        own.sort(key=lambda one: (-one.score, one.passage.line))
        bearing = [one for one in own if words[document.path, one.passage] & wanted]
        found += [_marked(one, documents) for one in (bearing or own[:1])[:PER_FILE]]
    found.sort(key=lambda one: (-one.score, one.document.path, one.passage.line))
    return found[:most]


def _words(passage: IndexPassage) -> frozenset[str]:
    """Return the stems of a passage and its heading."""
    return frozenset(stems_of(f"{passage.heading} {passage.text}"))


def _found(
    document: IndexedDocument,
    passage: IndexPassage,
    shared: frozenset[str],
    holders: Counter[str],
    passages: int,
) -> FoundPassages:
    """Return a passage with its score."""
    rare = math.fsum(math.log1p(passages / holders[word]) for word in sorted(shared))
    score = document.weight * (document.routed.bearing + rare)
    return FoundPassages(document, passage, round(score, 6))


def _marked(found: FoundPassages, documents: Sequence[IndexedDocument]) -> FoundPassages:
    """Return a passage, and whether its file's own words gave way to it."""
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
