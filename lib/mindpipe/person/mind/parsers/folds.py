"""Which entries of the lexicon earn their place: two-fold cross-validation over labelled thoughts.

Thoughts fall into two folds by the first byte of the SHA-256 of their plain text, even or odd. An
entry is one pattern under one label. In a fold it earns its place where it is right of more
thoughts than it is wrong of: where it stands in at least one thought of its label, and in fewer
without. The lexicon keeps what earns its place in both folds, and no number is fitted; what stands
in no thought of a fold has not earned it. Three kinds of entries are there whatever thoughts say,
since the parser has to find them: keywords of the parser `seed`, what the composed voice says, and
the wordings of ways of coping. All else goes.

What is reported is what carries over: the entries that earn their place in one fold label the
thoughts of the other. Of a lexicon that was chosen by the same thoughts already, it says too much.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from mindpipe.core.records import Record
from mindpipe.person.mind.parsers.lexicon import LexiconEntry
from mindpipe.person.mind.parsers.scores import LabelledText, Score, scores
from mindpipe.person.mind.parsers.seed import plain
from mindpipe.person.records.state import LABELS

FOLDS = ("even", "odd")
Entries = Callable[[str], Iterable[LexiconEntry]]
"""Say which entries stand in a thought."""


Kept = Literal["earned", "keyword", "voice", "coping"]
"""Why an entry is there: it earned its place in both folds, or is required."""


class EntryRecord(Record):
    """How often an entry is right and wrong in each fold; without `kept` it is to go."""

    label: str
    entry: str
    right: tuple[int, int]
    wrong: tuple[int, int]
    kept: Kept | None

    def is_kept_in(self, fold: int) -> bool:
        """Tell whether an entry is required, or earns its place in one fold, 0 or 1."""
        return self.kept not in (None, "earned") or self.right[fold] > self.wrong[fold]


def fold_of(text: str) -> int:
    """Return the fold of a thought, 0 or 1."""
    return hashlib.sha256(plain(text).encode()).digest()[0] % 2


def entry_records(
    rows: Sequence[LabelledText],
    lexicon: Iterable[LexiconEntry],
    entries: Entries,
    *,
    required: Mapping[LexiconEntry, Kept],
) -> list[EntryRecord]:
    """Return how each entry of a lexicon does in both folds; `required` are there all the same."""
    right: tuple[Counter[LexiconEntry], ...] = (Counter(), Counter())
    wrong: tuple[Counter[LexiconEntry], ...] = (Counter(), Counter())
    for row in rows:
        for entry in set(entries(row.text)):
            held = right if entry.label in row.labels else wrong
            held[fold_of(row.text)][entry] += 1
    return [
        EntryRecord(
            label=one.label,
            entry=one.pattern,
            right=(right[0][one], right[1][one]),
            wrong=(wrong[0][one], wrong[1][one]),
            kept="earned"
            if all(right[fold][one] > wrong[fold][one] for fold in (0, 1))
            else required.get(one),
        )
        for one in lexicon
    ]


def cross_validated(
    rows: Sequence[LabelledText], entries: Entries, records: Iterable[EntryRecord]
) -> list[Score]:
    """Return the scores of each fold, and of both, by the entries that the other one keeps."""
    kept: tuple[set[LexiconEntry], ...] = (set(), set())
    for one in records:
        for fold in (0, 1):
            if one.is_kept_in(fold):
                kept[fold].add(LexiconEntry(one.label, one.entry))

    def labels(text: str) -> tuple[str, ...]:
        own = {one.label for one in entries(text) if one in kept[1 - fold_of(text)]}
        return tuple(label for label in LABELS if label in own)

    folded = [
        LabelledText(text=row.text, labels=row.labels, part=FOLDS[fold_of(row.text)])
        for row in rows
    ]
    return scores(folded, labels, parser="improved")
