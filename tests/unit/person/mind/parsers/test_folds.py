"""An entry of the lexicon earns its place where it is right more than wrong in both folds."""

from mindpipe.person.mind.parsers.folds import FOLDS, cross_validated, entry_records, fold_of
from mindpipe.person.mind.parsers.lexicon import LexiconEntry
from mindpipe.person.mind.parsers.scores import EACH, WHOLE, LabelledText

SURE = LexiconEntry("labeling", "sure")
LUCKY = LexiconEntry("labeling", "lucky")
EVEN = LexiconEntry("labeling", "even")
KEYWORD = LexiconEntry("labeling", "keyword")
NOBODYS = LexiconEntry("acceptance", "fine")
LEXICON = (SURE, LUCKY, EVEN, KEYWORD, NOBODYS)


def thoughts(words: str, labels: tuple[str, ...], fold: int, count: int = 1) -> list[LabelledText]:
    """Return thoughts of one fold that have some words, under labels."""
    texts = (f"{words} {number}" for number in range(1000))
    found = [text for text in texts if fold_of(text) == fold][:count]
    return [LabelledText(text=one, labels=frozenset(labels), part="dev") for one in found]


ROWS = [
    *(row for fold in (0, 1) for row in thoughts("sure", ("labeling",), fold, 2)),
    *thoughts("sure thing", (), 0),
    *thoughts("lucky", ("labeling",), 0, 5),
    *thoughts("even", ("labeling",), 0),
    *thoughts("even", ("labeling",), 1),
    *thoughts("even so", (), 1),
]


def entries(text: str) -> list[LexiconEntry]:
    """Return the entries whose word a thought has."""
    return [one for one in LEXICON if one.pattern in text.split()]


def test_an_entry_earns_its_place_in_both_folds_or_goes() -> None:
    records = entry_records(ROWS, LEXICON, entries, required={KEYWORD: "keyword"})
    assert [(one.entry, one.right, one.wrong, one.kept) for one in records] == [
        ("sure", (2, 2), (1, 0), "earned"),
        ("lucky", (5, 0), (0, 0), None),
        ("even", (1, 1), (0, 1), None),
        ("keyword", (0, 0), (0, 0), "keyword"),
        ("fine", (0, 0), (0, 0), None),
    ]


def test_each_fold_is_labelled_by_what_the_other_one_keeps() -> None:
    records = entry_records(ROWS, LEXICON, entries, required={})
    by = {one.part: one for one in cross_validated(ROWS, entries, records) if one.label == EACH}
    # The even fold keeps sure, lucky and even; the odd one keeps sure alone.
    odd, even = by[FOLDS[1]], by[FOLDS[0]]
    assert (odd.true_positives, odd.false_positives, odd.false_negatives) == (3, 1, 0)
    assert (even.true_positives, even.false_positives, even.false_negatives) == (2, 1, 6)
    assert by[WHOLE].true_positives == 5
