"""Labelled sets are read in the shapes in which people keep them, and split by their text alone."""

import hashlib

import pytest

from mindpipe.person.mind.parsers.labelled import labelled_line, labelled_set, split_of
from support.tables import each_row


@each_row(
    ("given", "text", "labels"),
    [
        ({"content": "It rains", "labels": ["labeling"]}, "It rains", ("labeling",)),
        ({"text": "It rains", "labels": []}, "It rains", ()),
        ({"text": "It rains", "label": "Mind Reading"}, "It rains", ("mind_reading",)),
        ({"prompt": "It rains ->", "completion": " None"}, "It rains", ("none",)),
        ({"text": "a ->", "label": "should statement"}, "a ->", ("should_statements",)),
    ],
)
def test_a_line_has_one_of_several_shapes(
    given: dict[str, object], text: str, labels: tuple[str, ...]
) -> None:
    line = labelled_line(given)
    assert (line.text, line.labels) == (text, labels)


@each_row(
    ("given", "words"),
    [
        ({"text": "a"}, "expected content and labels"),
        ({"text": 1, "label": "none"}, "expected text in text"),
        ({"text": "a", "label": 1}, "in label"),
        ({"content": "a", "labels": ["x", 1]}, "in labels"),
        ({"content": "a", "labels": [], "split": "train"}, "expected dev or test"),
    ],
)
def test_other_lines_are_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        labelled_line(given)


def test_labels_of_one_thought_come_together() -> None:
    lines = [labelled_line({"text": "a", "label": name}) for name in ("labelling", "denial")]
    (row,) = labelled_set(lines).rows
    assert row.labels == {"labeling", "denial"}


def test_thoughts_of_unknown_labels_are_left_out_and_sound_ones_are_kept() -> None:
    given = {"a": "sadness", "b": "Not distorted", "c": "labeling"}
    lines = [labelled_line({"text": text, "label": name}) for text, name in given.items()]
    lines.append(labelled_line({"text": "d", "labels": []}))
    found = labelled_set(lines)
    assert [(row.text, set(row.labels)) for row in found.rows] == [
        ("b", set()),
        ("c", {"labeling"}),
        ("d", set()),
    ]
    assert found.left_out == 1


def test_one_in_five_is_for_testing_however_it_is_written() -> None:
    texts = [f"thought {number}" for number in range(3000)]
    parts = [split_of(text) for text in texts]
    assert 450 < parts.count("test") < 750
    assert [split_of(f" {text.upper()}\n") for text in texts] == parts
    edges = {hashlib.sha256(text.encode()).digest()[0]: split_of(text) for text in texts}
    assert (edges[50], edges[51]) == ("test", "dev")


def test_a_part_that_is_named_stands_before_the_hash() -> None:
    line = labelled_line({"text": "a", "label": "none", "split": "test"})
    assert [row.part for row in labelled_set([line]).rows] == ["test"]
    assert [row.part for row in labelled_set([line], part="dev").rows] == ["dev"]
