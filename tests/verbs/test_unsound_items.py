"""Nothing that memory takes keeps consolidation from reading what comes beside and after it."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import NothingToDoError
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.records import BeliefStatus, Consolidated, ObservationFilter
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs import consolidate as verbs
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions, consolidate
from mindpipe.memory.faults import item_faults
from mindpipe.memory.records import GivenItem
from mindpipe.memory.verbs import memory
from support.life import AGENT, Life

HOME = {"text": "I live in Rome."}
AHEAD, EVER = "2027-06-01T00:00:00Z", "9999-12-31T23:59:59Z"
SHAPES: tuple[dict[str, object], ...] = (
    *({"text": f"I like {'a' * size} most of all, {size} of them."} for size in (199, 200, 201)),
    {"text": "I have 3 " + "a" * 500 + " birds in the big garden."},
    *({**HOME, "speaker": name} for name in ("!!!", "a" * 200, "a:b:c", "source:web", "assistant")),
    *({**HOME, "subject": name} for name in ("!!!", "self", "a" * 200, "agent:self")),
    *({**HOME, "at": at} for at in ("0001-01-01T00:00:00Z", AHEAD)),
    {**HOME, "at": EVER, "learnt": "0001-01-01T00:00:00Z"},
    *({**HOME, "origin": origin} for origin in ("operator", "program", "tool", "recalled")),
    {**HOME, "sources": ["more:sources"]},
    {**HOME, "sources": [f"s{number}" for number in range(1000)]},
    {**HOME, "sources": ["mail"], "claimed_speaker": "!!!"},
    {"text": "I live in " + "a" * 700 + "."},
    {"text": "I live in Ro\ufb01\u202eme."},
    {"text": "I have " + "9" * 400 + " cats and I am " + "9" * 30 + " years old."},
    {"text": "The app is at version 1." + "1." * 300 + "2."},
)


def read(life: Life, *given: dict[str, object], **options: object) -> list[Consolidated]:
    """Add items in one transaction and consolidate."""
    items = [msgspec.convert(one, GivenItem) for one in given]
    assert [fault for item in items for fault in item_faults(item)] == []
    how = ConsolidateOptions(SlotRules(), **options)
    with life.open() as store:
        memory.add(store, life.clock, life.chance, agent=AGENT, given=items)
        try:
            return list(consolidate(store, life.clock, agent=AGENT, options=how))
        except NothingToDoError:
            return []


def values(life: Life) -> set[str]:
    wanted = ObservationFilter(agent=AGENT, statuses=(BeliefStatus.ACTIVE,))
    with life.open() as store, store.read() as rows:
        return {one.value for one in observations.find(rows, wanted)}


@pytest.mark.parametrize("speaker", [None, "Ann"])
def test_whatever_is_taken_is_read_and_what_comes_after_it_too(
    tmp_path: Path, speaker: str | None
) -> None:
    life = Life(tmp_path / "life")
    for number, shape in enumerate(SHAPES):
        read(life, {"id": f"it_{number}", "speaker": speaker, **shape})
    read(life, {"text": "I live in Bern.", "speaker": "Zoe"})
    assert "Bern" in values(life)


def test_a_source_that_comes_to_something_unsound_is_put_aside_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = Life(tmp_path / "life")
    told: list[str] = []

    def word(_subject: str, claims: Sequence[Claim]) -> Sequence[Claim]:
        """Word claims as a build would that cites what is never evidence."""
        return [
            claim._replace(evidence=msgspec.structs.replace(claim.evidence, origin="recalled"))
            if claim.evidence.ref == "it_2"
            else claim
            for claim in claims
        ]

    given = [
        {"id": "it_1", "speaker": "Ann", "text": "I live in Rome."},
        {"id": "it_2", "speaker": "Ann", "text": "I work as a nurse."},
        {"id": "it_3", "speaker": "Ann", "text": "I prefer tea."},
    ]
    monkeypatch.setattr(verbs, "worded_by", lambda _write, *, tell: word)
    (found,) = read(life, *given, write=str, tell=told.append)
    assert found.aside == ("it_2",)
    assert values(life) == {"Rome", "tea"}
    assert len(told) == 1
    assert told[0].startswith("memory_item it_2 is put aside: evidence it_2 is of origin recalled")
    assert read(life) == []
