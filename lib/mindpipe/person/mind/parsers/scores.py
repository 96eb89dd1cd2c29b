"""How well a parser finds distortions: precision, recall, F1 and kappa, per class and binary."""

from collections.abc import Callable, Iterable, Sequence

from mindpipe.core.records import Record
from mindpipe.person.records.state import DISTORTIONS, LABELS

ANY = "any_distortion"
"""The name of the binary question whether a thought has a distortion at all."""
EACH = "each_distortion"
"""The name of all classes taken together, pair of thought and class by pair."""
WHOLE = "all"
"""The name of both parts of a set together."""
_DIGITS = 4
Parse = Callable[[str], Iterable[str]]


class LabelledText(Record):
    """A thought, its labels by the reader who labelled it, and the part of the set it is in."""

    text: str
    labels: frozenset[str]
    part: str


class Score(Record):
    """How a parser does on one label in one part of a set.

    `rows` counts thoughts, or pairs of thought and class; kappa is Cohen's. Shares and kappa are
    rounded to four digits; one that no row tells is None.
    """

    part: str
    parser: str
    label: str
    precision: float | None
    recall: float | None
    f1: float | None
    kappa: float | None
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    rows: int


def scores(rows: Sequence[LabelledText], parse: Parse, *, parser: str) -> list[Score]:
    """Return the scores of a parser: by part, any distortion, all classes together, each class.

    A class is reported where it is a distortion, or where the set or the parser names it.
    """
    found = [(row, frozenset(parse(row.text))) for row in rows]
    parts = sorted({row.part for row in rows})
    made: list[Score] = []
    for part in [*parts, WHOLE] if len(parts) > 1 else parts:
        own = [pair for pair in found if part in (pair[0].part, WHOLE)]
        made += _of_part(own, part=part, parser=parser)
    return made


def _of_part(
    found: Sequence[tuple[LabelledText, frozenset[str]]], *, part: str, parser: str
) -> list[Score]:
    """Return the scores of one part."""
    distorted = frozenset(DISTORTIONS)
    named = distorted.union(*(row.labels for row, _ in found))

    def score(label: str, pairs: Iterable[tuple[bool, bool]]) -> Score:
        return _score(list(pairs), part=part, parser=parser, label=label)

    return [
        score(ANY, ((bool(row.labels & distorted), bool(own & distorted)) for row, own in found)),
        score(
            EACH,
            ((label in row.labels, label in own) for row, own in found for label in DISTORTIONS),
        ),
        *(
            score(label, ((label in row.labels, label in own) for row, own in found))
            for label in LABELS
            if label in named
        ),
    ]


def _score(pairs: Sequence[tuple[bool, bool]], *, part: str, parser: str, label: str) -> Score:
    """Return the score over pairs of what is so and what was found."""
    hits = sum(so and found for so, found in pairs)
    alarms = sum(found and not so for so, found in pairs)
    misses = sum(so and not found for so, found in pairs)
    return Score(
        part=part,
        parser=parser,
        label=label,
        precision=_share(hits, hits + alarms),
        recall=_share(hits, hits + misses),
        f1=_share(2 * hits, 2 * hits + alarms + misses),
        kappa=_kappa(hits, alarms, misses, len(pairs)),
        true_positives=hits,
        false_positives=alarms,
        false_negatives=misses,
        true_negatives=len(pairs) - hits - alarms - misses,
        rows=len(pairs),
    )


def _share(part: int, whole: int) -> float | None:
    """Return a share, None of nothing."""
    return round(part / whole, _DIGITS) if whole else None


def _kappa(hits: int, alarms: int, misses: int, count: int) -> float | None:
    """Return Cohen's kappa (Cohen 1960), None where chance alone would agree always."""
    so, found = hits + misses, hits + alarms
    expected = so * found + (count - so) * (count - found)
    agreed = (count - alarms - misses) * count
    if expected == count * count:
        return None
    return round((agreed - expected) / (count * count - expected), _DIGITS)
