"""Every pattern of the lexicon has a sentence in which it holds, and every class is of use."""

from pathlib import Path

from mindpipe.person.mind.parsers.improved import LEXICON, parse_improved
from mindpipe.person.mind.parsers.lexicon import CLASSES
from mindpipe.person.mind.parsers.patterns import clauses, matches, pattern
from mindpipe.person.records.state import LABELS
from support.tables import each_row

_LINES = (Path(__file__).parent / "examples.txt").read_text().splitlines()
EXAMPLES = [tuple(line.split(": ", 1)) for line in _LINES]
PATTERNS = list(map(tuple, LEXICON))


@each_row(("label", "text"), EXAMPLES)
def test_a_sentence_has_its_label(label: str, text: str) -> None:
    assert label in parse_improved(text)


@each_row(("label", "text"), PATTERNS)
def test_a_pattern_stands_in_a_sentence_of_its_label(label: str, text: str) -> None:
    assert any(_stands(text, said) for other, said in EXAMPLES if other == label)


def test_patterns_are_written_once_under_labels_that_there_are() -> None:
    assert len(PATTERNS) == len(set(PATTERNS))
    assert {label for label, _ in PATTERNS} == set(LABELS)


def test_every_class_of_words_is_named() -> None:
    named = "\n".join(text for _, text in PATTERNS)
    assert [name for name in CLASSES if f"@{name}" not in named] == []


def _stands(text: str, said: str) -> bool:
    """Tell whether a pattern stands anywhere in a sentence."""
    return any(
        matches(pattern(text), clause, at)
        for clause in clauses(said)
        for at in range(len(clause.lemmas))
    )
