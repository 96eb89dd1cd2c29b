"""Recorded conversations in every form: clean as rendered, and caught when they are harmed."""

import gzip
import hashlib
from collections import Counter
from pathlib import Path

import pytest

from data.mutants import FORMS, TABLE, Change, Grip
from mindpipe.core.json import load_json
from mindpipe.core.messages import Conversation
from mindpipe.providers.importer import read_document
from mindpipe.providers.records import ImportOptions, RenderOptions
from mindpipe.validator.check import check
from mindpipe.validator.profiles import profile_for
from support.whole_documents import export_document

pytestmark = pytest.mark.data

RECORDED = Path(__file__).parents[3] / "shared/data/tau_bench_dev/gpt-4o-airline.dev.jsonl.gz"
LIST_NAMES = {"openai-responses": "input"}
SEED = 20261121


@pytest.fixture(scope="module")
def recorded() -> list[Conversation]:
    """Return every recorded conversation as it is imported."""
    if not RECORDED.exists():
        pytest.skip(f"the development data are not beside the project: {RECORDED}")
    found: list[Conversation] = []
    for number, line in enumerate(gzip.decompress(RECORDED.read_bytes()).splitlines()):
        options = ImportOptions(agent="ada", name=f"tau-{number}")
        imported = read_document(line, format="openai-chat", options=options)
        assert imported.problems == ()
        found.append(
            Conversation(head=imported.head, messages=imported.messages, blobs=imported.blobs)
        )
    return found


@pytest.fixture(scope="module")
def rendered(recorded: list[Conversation]) -> dict[str, list[bytes]]:
    """Return every conversation in every form, with our own ids."""
    options = RenderOptions(keep_raw=False)
    return {
        form: [
            b"".join(export_document(talk, format=form, options=options).chunks)
            for talk in recorded
        ]
        for form in FORMS
    }


def rules_of(form: str, body: object) -> set[str]:
    """Return the rules of all errors and warnings."""
    found = check(form, body, profile=profile_for(None), kind="history")
    return {one.rule for one in found if one.severity != "note"}


def pick(change: Change, form: str, number: int) -> int:
    """Return a seeded number for one mutant."""
    text = f"{SEED} {change.__name__} {form} {number}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("options", [RenderOptions(), RenderOptions(keep_raw=False)])
def test_every_recorded_conversation_is_clean(
    recorded: list[Conversation], form: str, options: RenderOptions
) -> None:
    assert len(recorded) == 100
    for number, talk in enumerate(recorded):
        written = b"".join(export_document(talk, format=form, options=options).chunks)
        assert (number, rules_of(form, load_json(written, source=form))) == (number, set())


@pytest.mark.parametrize("part", [5, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("at", range(len(FORMS)), ids=FORMS)
@pytest.mark.parametrize("change", TABLE, ids=lambda one: one.__name__)
def test_every_mutant_is_caught(
    rendered: dict[str, list[bytes]], change: Change, at: int, part: int
) -> None:
    form, expected = FORMS[at], set(TABLE[change][at].split())
    outcomes: Counter[str] = Counter()
    for number, octets in list(enumerate(rendered[form]))[at % part :: part]:
        body = load_json(octets, source=form)
        grip = Grip(form, body[LIST_NAMES.get(form, "messages")])
        if not grip.calls or not change(grip, pick(change, form, number)):
            outcomes["not applicable"] += 1
            continue
        found = rules_of(form, body)
        caught = found >= expected if expected else not found
        assert caught, f"conversation {number}: {sorted(found)} instead of {sorted(expected)}"
        outcomes["caught"] += 1
    assert outcomes["caught"] >= 50 // part, outcomes
