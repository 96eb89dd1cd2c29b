"""How well the labels of thoughts are found, and which entries of the lexicon earn their place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mindpipe.core.records import Record
from mindpipe.person.mind.parsers.folds import EntryRecord, Kept, cross_validated, entry_records
from mindpipe.person.mind.parsers.improved import LEXICON, entries_for, entries_in
from mindpipe.person.mind.parsers.lexicon import COPING, LexiconEntry
from mindpipe.person.mind.parsers.scores import EACH, WHOLE, LabelledText, Score
from mindpipe.person.mind.parsers.seed import KEYWORDS
from mindpipe.person.verbs.feedback import score
from mindpipe.person.voice.composed import seed_words
from mindpipe_cli.benchmarks.scorers import no_data
from mindpipe_cli.feedback import labelled_thoughts

SEED = seed_words()

FOLDER = "cognitive_distortion_dev"
_PART = "dev"


class ThoughtFigure(Record):
    """One row of `mind bench thoughts`: how well a way finds a label that so many thoughts have.

    The ways `two folds, even` and `odd` label the thoughts of that fold by the entries that earn
    their place in the other one; `two folds` is both together.
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
        yield _figure("two folds" if one.part == WHOLE else f"two folds, {one.part}", one)


def entries(folder: str) -> list[EntryRecord]:
    """Return how each entry of the lexicon does in both folds; raises as `figures` does."""
    return _records(_thoughts(folder))


def _thoughts(folder: str) -> Sequence[LabelledText]:
    """Return the labelled thoughts of a folder, all of one part."""
    files = sorted((Path(folder) / FOLDER).glob("*.jsonl"))
    if not files:
        raise no_data(f"labelled thoughts in {FOLDER}", str(folder))
    return labelled_thoughts(str(files[0]), part=_PART).rows


def _records(rows: Sequence[LabelledText]) -> list[EntryRecord]:
    """Return how each entry does."""
    said = {label: [f"i {one}" for one in keywords] for label, keywords in KEYWORDS.items()}
    required: dict[LexiconEntry, Kept] = {
        LexiconEntry(label, one): "coping" for label, known in COPING.items() for one in known
    }
    required |= dict.fromkeys(entries_for(SEED.leans), "voice")
    required |= dict.fromkeys(entries_for(said), "keyword")
    return entry_records(rows, LEXICON, entries_in, required=required)


def told(records: Iterable[EntryRecord]) -> str:
    """Return in words how many entries are there, and why."""
    count = Counter(one.kept for one in records)
    return (
        f"{count.total()} entries: {count['earned']} earned their place in both folds, "
        f"{count['keyword']} find keywords of the parser seed, {count['voice']} what the composed "
        f"voice says, {count['coping']} ways of coping, and {count[None]} are to go"
    )


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
