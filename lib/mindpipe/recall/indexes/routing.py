"""Find by the words of a question which indexes it leads to, and which of their entries."""

from collections.abc import Iterator, Sequence

from mindpipe.core.function_words import FUNCTION_WORDS
from mindpipe.recall.indexes.records import Index, Intent, Led, Routed
from mindpipe.recall.query import MOST_WORDS, WORD
from mindpipe.recall.spelling import folded
from mindpipe.recall.stems import stem

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
