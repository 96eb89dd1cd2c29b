"""Sets of labelled thoughts as people keep them: which keys, which spellings, which split."""

import hashlib
import re
from collections.abc import Iterable

from mindpipe.core.records import Record
from mindpipe.person.mind.parsers.scores import LabelledText
from mindpipe.person.mind.parsers.seed import plain
from mindpipe.person.records.state import LABELS

_SHAPES = (("content", "labels"), ("text", "labels"), ("text", "label"), ("prompt", "completion"))
_ARROW = re.compile(r"\s*->\s*$")
_PARTS = ("dev", "test")
_TEST_BELOW = 51
SPELLINGS: dict[str, str] = {
    "all_or_nothing_thinking": "all_or_nothing",
    "black_and_white_thinking": "all_or_nothing",
    "overgeneralizing": "overgeneralization",
    "overgeneralisation": "overgeneralization",
    "mental_filtering": "mental_filter",
    "disqualifying_the_positive": "disqualifying_positive",
    "discounting_the_positive": "disqualifying_positive",
    "fortune_teller_error": "fortune_telling",
    "catastrophising": "catastrophizing",
    "should_statement": "should_statements",
    "labelling": "labeling",
    "personalizing": "personalization",
    "personalisation": "personalization",
}
"""Other spellings of labels."""
SOUND = frozenset(("", "none", "no_distortion", "not_distorted"))
"""What people write for a thought without a distortion."""


class LabelledLine(Record):
    """One line of a set: a thought, and one or several labels that were given to it."""

    text: str
    labels: tuple[str, ...]
    part: str | None


class LabelledSet(Record):
    """A set as it can be scored, and how many thoughts were left out for having no known label."""

    rows: tuple[LabelledText, ...]
    left_out: int


def labelled_line(given: dict[str, object]) -> LabelledLine:
    """Return a JSON object as a line of a set.

    It has `content` and `labels`, `text` and `labels` or `label`, or `prompt` (an arrow at its end
    is none of the thought) and `completion`; a label is text or a list of texts. `split` may be
    `dev` or `test`.

    Raises:
        ValueError: it has none of these, or they hold something else.
    """
    for text_key, label_key in _SHAPES:
        if text_key in given and label_key in given:
            text, labels = given[text_key], given[label_key]
            break
    else:
        raise ValueError("expected content and labels, text and label, or prompt and completion")
    if isinstance(labels, str):
        labels = [labels]
    if not isinstance(text, str):
        raise ValueError(f"expected text in {text_key}")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise ValueError(f"expected text or a list of texts in {label_key}")
    part = given.get("split")
    if part is not None and part not in _PARTS:
        raise ValueError("expected dev or test in split")
    words = _ARROW.sub("", text) if text_key == "prompt" else text
    return LabelledLine(text=words, labels=tuple(map(_spelled, labels)), part=part)


def labelled_set(lines: Iterable[LabelledLine], *, part: str | None = None) -> LabelledSet:
    """Return thoughts with all their labels, each thought once.

    A thought is in `part` where that is given, in the part that its line names, or else in `test`
    where the first byte of the SHA-256 of its plain text is below 51 (one in five), and in `dev`.
    A thought none of whose labels is known, nor says that there is no distortion, is left out.
    """
    labels: dict[str, set[str]] = {}
    parts: dict[str, str] = {}
    for line in lines:
        labels.setdefault(line.text, set()).update(line.labels)
        parts.setdefault(line.text, part or line.part or split_of(line.text))
    known = SOUND.union(LABELS)
    rows = tuple(
        LabelledText(text=text, labels=frozenset(own).intersection(LABELS), part=parts[text])
        for text, own in labels.items()
        if not own.isdisjoint(known) or not own
    )
    return LabelledSet(rows=rows, left_out=len(labels) - len(rows))


def split_of(text: str) -> str:
    """Return the part of a set that a thought falls into by its text alone: `dev` or `test`."""
    first = hashlib.sha256(plain(text).encode()).digest()[0]
    return "test" if first < _TEST_BELOW else "dev"


def _spelled(label: str) -> str:
    """Return a label in our spelling."""
    name = re.sub(r"[^a-z]+", "_", label.casefold()).strip("_")
    return SPELLINGS.get(name, name)
