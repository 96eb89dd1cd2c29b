"""A real local model: what it finds by meaning, silently, with long texts, and by its bits."""

import json

import numpy as np
import pytest

from mindpipe.recall.vectors import CodedVectors, prefilter, vectors_of, words_of
from support.command import Mind
from support.local_models import minilm, weights

pytestmark = [pytest.mark.heavy, pytest.mark.embed]

THINGS = ("boat", "kettle", "violin", "ladder", "lamp", "carpet", "bicycle", "stove", "window")
DEEDS = ("painted", "repaired", "sold", "borrowed", "forgot", "cleaned", "lost", "bought", "drew")
PEOPLE = ("sister", "neighbour", "teacher", "uncle", "doctor", "baker", "captain", "nurse")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday")
TEXTS = [
    f"On {day} my {person} {deed} the {thing}."
    for day in DAYS
    for person in PEOPLE
    for deed in DEEDS
    for thing in THINGS
][::5]
ITEMS = (
    "The physician told him to stay in bed.",
    "We repaired the roof before winter.",
    "Tickets for the opera cost forty euros.",
    f"{'The weather was like that of the day before. ' * 60}Our cat had five kittens.",
)


@pytest.fixture(scope="module")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    made = Mind(tmp_path_factory.mktemp("minilm"))
    made.folder.chmod(0o700)
    made.environment["MIND_EMBED_MODEL"] = f"local/{weights()}"
    made("init", "--agent", "ava")
    items = "".join(f"{json.dumps({'text': text})}\n" for text in ITEMS)
    made("memory", "add", "--agent", "ava", stdin=items)
    ran = made.run("recall", "embed", "--agent", "ava")
    assert (ran.status, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout)["vectors"] == 3 + 4
    return made


@pytest.mark.parametrize(
    ("query", "place"), [("a doctor's advice", 0), ("music on a stage", 2), ("newborn pets", 3)]
)
def test_what_is_meant_is_found_without_its_words(mind: Mind, query: str, place: int) -> None:
    ran = mind("recall", query, "--agent", "ava", "-k", "1")
    assert json.loads(ran.stdout)["text"] == ITEMS[place]


def test_nine_and_a_half_of_ten_nearest_and_more_are_found_by_bits() -> None:
    """Of the ten nearest of 519 sentences at least 0.98 are among those compared exactly."""
    embedder = minilm()
    rows = vectors_of(embedder, TEXTS)
    coded = [CodedVectors(np.arange(len(rows)), words_of(rows))]
    questions = [
        f"What did the {person} do with a {thing}?" for person in PEOPLE for thing in THINGS
    ]
    kept = 0
    for question in vectors_of(embedder, questions):
        nearest = np.argsort(-(rows @ question), kind="stable")[:10].tolist()
        kept += len(set(nearest) & set(prefilter(coded, question, most=50)))
    assert kept / (10 * len(questions)) >= 0.98
