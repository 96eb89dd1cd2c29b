"""How well the labels of thoughts are found, and which entries of the lexicon earn their place."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from mindpipe.core.records import Record
from mindpipe.person.mind.parsers.folds import EntryRecord, cross_validated, entry_records
from mindpipe.person.mind.parsers.improved import LEXICON, entries_for, entries_in
from mindpipe.person.mind.parsers.scores import EACH, WHOLE, LabelledText, Score
from mindpipe.person.mind.parsers.seed import KEYWORDS
from mindpipe.person.verbs.feedback import score
from mindpipe.person.voice.composed import LEANS
from mindpipe_cli.benchmarks.scorers import no_data
from mindpipe_cli.feedback import labelled_thoughts

FOLDER = "cognitive_distortion_dev"
_PART = "dev"


class ThoughtFigure(Record):
    """One row of `mind bench thoughts`: how well a way finds a label that so many thoughts have.

    The way `two folds` labels the thoughts of each fold by the entries that earn their place in the
    other one.
    """

    way: str
    label: str
    precision: float | None
    recall: float | None
    f1: float | None
    count: int


def figures(folder: str) -> Iterator[ThoughtFigure]:
    """Yield the rows of both parsers as they are, then those of `improved` by two folds.

    Raises:
        UnavailableError: there are no labelled thoughts.
        BadInputError: a line is none.
    """
    rows = _thoughts(folder)
    for one in score(rows):
        yield _figure(one.parser, one)
    for one in cross_validated(rows, entries_in, _records(rows)):
        if one.part == WHOLE:
            yield _figure("two folds", one)


def entries(folder: str) -> Iterator[EntryRecord]:
    """Yield how each entry of the lexicon does in both folds; raises as `figures` does."""
    yield from _records(_thoughts(folder))


def _thoughts(folder: str) -> Sequence[LabelledText]:
    """Return the labelled thoughts of a folder, all of one part."""
    files = sorted((Path(folder) / FOLDER).glob("*.jsonl"))
    if not files:
        raise no_data(f"labelled thoughts in {FOLDER}", str(folder))
    return labelled_thoughts(str(files[0]), part=_PART).rows


def _records(rows: Sequence[LabelledText]) -> list[EntryRecord]:
    """Return how each entry does."""
    said = {label: [f"i {one}" for one in keywords] for label, keywords in KEYWORDS.items()}
    exempt = entries_for(said) | entries_for(LEANS)
    return entry_records(rows, LEXICON, entries_in, exempt=exempt)


def _figure(way: str, of: Score) -> ThoughtFigure:
    """Return a score as a row."""
    return ThoughtFigure(
        way=way,
        label="all" if of.label == EACH else of.label,
        precision=of.precision,
        recall=of.recall,
        f1=of.f1,
        count=of.true_positives + of.false_negatives,
    )
