"""The parser `improved`: patterns over lemmas that mind who says what of whom."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mindpipe.language.clauses import sentences
from mindpipe.language.guards import is_ironic, sentence_meant
from mindpipe.language.records import Meant
from mindpipe.person.mind.parsers.lexicon import (
    COPING,
    DENYING,
    NEGATORS,
    PEOPLE,
    PHRASES,
    TELLING,
    TRANSPARENT,
    VIEWS,
    VOICE,
    LexiconEntry,
)
from mindpipe.person.mind.parsers.patterns import (
    Index,
    LabelPattern,
    ThoughtClause,
    clauses,
    indexed,
    matches,
    pattern,
)
from mindpipe.person.records.state import LABELS

_REACH = 5
_REACH_OF_OWN = 2
_PRONOUNS = frozenset(("i", "you", "he", "she", "they"))
_OPENERS = frozenset(("if", "whether"))
_ASKING = frozenset(("if", "unless", "what", "why", "how"))
_VOID: frozenset[Meant] = frozenset({"asked", "quoted", "ironic"})
"""How a sentence may be meant in which nothing is felt or done."""
_NO_VIEW = _VOID | {"imagined"}
"""How a sentence may be meant in which nothing is thought to be so."""


def stands_denied(lemmas: Sequence[str], at: int, *, denies: bool) -> bool:
    """Tell whether the five words before a phrase deny it, an even number of negators does not.

    "Not only" denies nothing. A phrase that denies by itself is void if one of the two words before
    it is a negator.
    """
    near = _since_therefore(lemmas[:at])[-_REACH:]
    if denies:
        return not NEGATORS.isdisjoint(near[-_REACH_OF_OWN:])
    if "not" in near and "only" in near[near.index("not") :]:
        return False
    return sum(word in NEGATORS for word in near) % 2 == 1


def is_own(lemmas: Sequence[str], at: int) -> bool:
    """Tell whether a phrase is the person's: it, or the nearest pronoun before it, is `i`."""
    if lemmas[at] == "i":
        return True
    before = _since_therefore(lemmas[:at])
    return next((word for word in reversed(before) if word in _PRONOUNS), "i") == "i"


def is_taken_back(lemmas: Sequence[str], at: int) -> bool:
    """Tell whether a view is supposed only, denied as a whole, or told of somebody else.

    "I do not think that ..." denies over words that let a denial through; "she says that ..." tells
    what another one thinks, which is no distortion of the person's.
    """
    before = lemmas[:at]
    if before and before[-1] in _OPENERS:
        return True
    for word in reversed(before[-_REACH:]):
        if word in NEGATORS or word in DENYING:
            return True
        if word not in TRANSPARENT:
            break
    return _is_told_of_another(before)


def _is_told_of_another(before: Sequence[str]) -> bool:
    """Tell whether a verb of saying or thinking, not the person's own, stands right before."""
    for back in range(1, min(3, len(before)) + 1):
        if before[-back] in TELLING:
            who = next((word for word in reversed(before[:-back]) if word in PEOPLE), "")
            return who != "i"
    return False


def _since_therefore(before: Sequence[str]) -> Sequence[str]:
    """Return the words since the latest conclusion, over which neither denial nor subject reach."""
    for at in range(len(before) - 1, -1, -1):
        if before[at] == "therefore":
            return before[at + 1 :]
    return before


NAME = "improved@4"
"""The parser with the version of its lexicon, as thoughts hold it."""
LEXICON = tuple(
    LexiconEntry(label, text)
    for table in (COPING, PHRASES, VIEWS, VOICE)
    for label, texts in table.items()
    for text in texts
)
"""Every entry."""
_PHRASES: Index = indexed(COPING, PHRASES)
_VIEWS: Index = indexed(VIEWS, VOICE)


def parse_improved(text: str) -> tuple[str, ...]:
    """Return the labels whose entries hold in a thought, each once, in the order of `LABELS`."""
    found = {entry.label for entry in entries_in(text)}
    return tuple(label for label in LABELS if label in found)


def entries_in(text: str) -> Iterator[LexiconEntry]:
    """Yield the entries of the lexicon that hold in a thought, some more than once.

    A phrase is void under a denial or under somebody else's pronoun before it; a view, which has a
    subject of its own, where it is taken back or told of somebody else. The guards of the readers
    void both where a sentence is asked, quoted or ironic, and views where it is imagined; but for
    those entries that ask or suppose themselves.
    """
    ironic = False
    for sentence in sentences(text, most=len(text)):
        ironic = ironic or is_ironic(sentence.text)
        meant = "ironic" if ironic else sentence_meant(sentence.text)
        for clause in clauses(sentence.text):
            for at in range(len(clause.lemmas)):
                for void, found in ((_VOID, _phrases(clause, at)), (_NO_VIEW, _views(clause, at))):
                    yield from (one for one in found if meant not in void or asks(one.pattern))


def entries_for(sayings: Mapping[str, Iterable[str]]) -> frozenset[LexiconEntry]:
    """Return the entries that find what is said under each label."""
    return frozenset(
        entry
        for label, said in sayings.items()
        for text in said
        for entry in entries_in(text)
        if entry.label == label
    )


def asks(text: str) -> bool:
    """Tell whether a pattern asks or supposes itself, so that a question is what it labels."""
    return text.split(maxsplit=1)[0] in _ASKING


def _phrases(clause: ThoughtClause, at: int) -> Iterator[LexiconEntry]:
    """Yield the phrases that begin at a word and hold there."""
    for entry, phrase in _beginning(_PHRASES, clause, at):
        if not matches(phrase, clause, at):
            continue
        if is_own(clause.lemmas, at) and not stands_denied(clause.lemmas, at, denies=phrase.denies):
            yield entry


def _views(clause: ThoughtClause, at: int) -> Iterator[LexiconEntry]:
    """Yield the views that begin at a word and hold there."""
    for entry, view in _beginning(_VIEWS, clause, at):
        if matches(view, clause, at) and not is_taken_back(clause.lemmas, at):
            yield entry


def _beginning(
    index: Index, clause: ThoughtClause, at: int
) -> Iterator[tuple[LexiconEntry, LabelPattern]]:
    """Yield entries that begin with a word, by its lemma or as it was written."""
    for word in (clause.lemmas[at], f"={clause.words[at]}"):
        for entry in index.get(word, ()):
            yield entry, pattern(entry.pattern)
