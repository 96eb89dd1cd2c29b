"""The parser `improved`: patterns over lemmas that mind who says what of whom."""

from collections.abc import Iterator

from mindpipe.person.feedback.clauses import Clause, clauses
from mindpipe.person.feedback.guards import is_own, is_taken_back, stands_denied
from mindpipe.person.feedback.lexicon.phrases import PHRASES
from mindpipe.person.feedback.lexicon.views import VIEWS
from mindpipe.person.feedback.patterns import Index, Pattern, indexed, matches, pattern
from mindpipe.person.records.labels import LABELS

NAME = "improved@2"
"""The parser with the version of its lexicon, as thoughts hold it."""
_PHRASES: Index = indexed(PHRASES)
_VIEWS: Index = indexed(VIEWS)


def parse_improved(text: str) -> tuple[str, ...]:
    """Return the labels whose patterns stand in a thought, each once, in the order of `LABELS`.

    A phrase is void under a denial or under somebody else's pronoun before it; a view, which has a
    subject of its own, where it is taken back or told of somebody else.
    """
    found = set[str]()
    for clause in clauses(text):
        for at in range(len(clause.lemmas)):
            found.update(_phrases(clause, at))
            found.update(_views(clause, at))
    return tuple(label for label in LABELS if label in found)


def _phrases(clause: Clause, at: int) -> Iterator[str]:
    """Yield the labels of phrases that begin at a word and hold there."""
    for label, phrase in _beginning(_PHRASES, clause, at):
        if not matches(phrase, clause, at):
            continue
        if is_own(clause.lemmas, at) and not stands_denied(clause.lemmas, at, denies=phrase.denies):
            yield label


def _views(clause: Clause, at: int) -> Iterator[str]:
    """Yield the labels of views that begin at a word and hold there."""
    for label, view in _beginning(_VIEWS, clause, at):
        if matches(view, clause, at) and not is_taken_back(clause.lemmas, at):
            yield label


def _beginning(index: Index, clause: Clause, at: int) -> Iterator[tuple[str, Pattern]]:
    """Yield labels and patterns that begin with a word, by its lemma or as it was written."""
    for word in (clause.lemmas[at], f"={clause.words[at]}"):
        for label, text in index.get(word, ()):
            yield label, pattern(text)
