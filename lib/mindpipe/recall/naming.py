"""Which entities a question names, by their names and aliases, whatever the case and accents."""

from collections.abc import Iterable

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.memory.entities import slug
from mindpipe.recall.query import MOST_WORDS, WORD
from mindpipe.recall.words import folded

_LONGEST = 4


def slugs_in(text: str) -> set[str]:
    """Return the ids that up to four words of a text, side by side, would be an entity's.

    Function words alone are no name.
    """
    words = WORD.findall(text)[:MOST_WORDS]
    runs = (
        words[start : start + length]
        for length in range(1, _LONGEST + 1)
        for start in range(len(words) - length + 1)
    )
    return {slug(" ".join(run)) for run in runs if not FUNCTION_WORDS.issuperset(map(folded, run))}


def names_any(text: str, names: Iterable[str]) -> bool:
    """Tell whether all words of one of some names stand side by side in a text."""
    said = _spaced(text)
    return any(name.strip() and name in said for name in map(_spaced, names))


def words_in(names: Iterable[str]) -> list[str]:
    """Return the words of some names as full text takes them, each once, no function words."""
    words = (word for name in names for word in WORD.findall(folded(name)))
    return list(dict.fromkeys(word for word in words if word not in FUNCTION_WORDS))


def _spaced(text: str) -> str:
    """Return the words of a text with a space before and after each."""
    return f" {' '.join(WORD.findall(folded(text)))} "
