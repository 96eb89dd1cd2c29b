"""Canonical keys: what they are made of, that they are made one way, and which slots there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.errors import UsageError
from mindpipe.knowledge.audit import faults_of
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, known_attribute
from mindpipe.knowledge.claims.claim import PLAN
from mindpipe.knowledge.claims.of_substrates import ONE_AT_A_TIME
from mindpipe.knowledge.keys import (
    PART_CHARACTERS,
    SLOTS,
    canonical_key,
    extended,
    normal_subject,
    normal_topic,
    require_slot,
    slot_of,
)
from mindpipe.language.named_attributes import KNOWN
from mindpipe.language.records import ENDING, REPLACEMENT
from support.beliefs import observation
from support.tables import each_row


@each_row(
    ("kind", "type", "subject", "slot", "expected"),
    [
        ("operator_preference", "entity", "sarah", "diet", "entity:sarah:operator_preference:diet"),
        ("project_state", "project", "holace", "phase", "project:holace:project_state:phase"),
        ("tooling_state", "tool", "bot", "mode", "tool:bot:tooling_state:mode"),
        ("self_model", "agent", "self", "tendency.late", "agent:self:self_model:tendency.late"),
        ("relationship_fact", "agent", "bo", "partner", "agent:bo:relationship_fact:partner"),
        ("world_fact", "global", "sarah", "residence", "global:world_fact:sarah.residence"),
    ],
)
def test_a_key_is_composed_of_kind_subject_and_slot(
    kind: str, type: str, subject: str, slot: str, expected: str
) -> None:
    assert canonical_key(kind, type, subject, slot) == expected  # type: ignore[arg-type]


@each_row(
    ("name", "subject", "topic"),
    [
        ("Call Scrub.io", "call-scrub-io", "call_scrub_io"),
        ("  Sarah   O'Neil ", "sarah-o-neil", "sarah_o_neil"),
        ("ＦＵＬＬ Straße", "full-strasse", "full_strasse"),
        ("हिन्दी", "हिन्दी", "हिन्दी"),
        ("C++ 17", "c-17", "c_17"),
    ],
)
def test_names_become_parts_of_keys(name: str, subject: str, topic: str) -> None:
    assert (normal_subject(name), normal_topic(name)) == (subject, topic)


@given(st.text(min_size=1, max_size=300))
def test_a_part_is_normal_at_once_and_never_ends_another(name: str) -> None:
    try:
        made = normal_subject(name)
    except UsageError:
        assert not any(one.isalnum() for one in name)
        return
    assert normal_subject(made) == made
    assert 0 < len(made) <= PART_CHARACTERS
    assert not set(made) & set(":. \n")


def test_long_names_that_begin_alike_stay_apart() -> None:
    first, second = ("x" * 200 + end for end in "ab")
    assert normal_subject(first) != normal_subject(second)


def test_slots_are_closed_and_say_what_is_near() -> None:
    assert slot_of(SLOTS, "world_fact", "residence") == "residence"
    assert slot_of(SLOTS, "world_fact", "metric", topic="Response time") == "metric.response_time"
    with pytest.raises(UsageError, match='no slot "residenc"; did you mean residence'):
        require_slot(SLOTS, "world_fact", "residenc")
    for wrong in ("metric", "residence.home", "metric.Response", "metric.", "x.y"):
        with pytest.raises(UsageError, match="has no slot"):
            require_slot(SLOTS, "world_fact", wrong)


def test_each_slot_is_one_that_something_fills() -> None:
    read = {(one.kind, one.slot, one.many) for one in ATTRIBUTES.values()}
    named = ((known_attribute(one), one) for one in KNOWN)
    read |= {(one.kind, one.slot, one.many) for one, _ in named}
    figures = {("project_state", word, True) for word in ("count", "metric", "schedule")}
    edges = {("relationship_fact", word, False) for word in ONE_AT_A_TIME}
    others = {
        ("world_fact", "definition", False),
        ("world_fact", PLAN, True),
        ("self_model", "procedure", True),
    }
    nobodys = {("world_fact", REPLACEMENT, False), ("world_fact", ENDING, False)}
    filled = (read | figures | edges | others) - nobodys
    table = {
        (kind, word.removesuffix(".*"), word.endswith(".*"))
        for kind, slots in SLOTS.items()
        for word in slots
    }
    assert table == filled


def test_a_user_adds_slots() -> None:
    slots = extended("world_fact.blood_type, project_state.risk.*")
    require_slot(slots, "world_fact", "blood_type")
    require_slot(slots, "project_state", "risk.market")
    require_slot(slots, "world_fact", "residence")
    with pytest.raises(UsageError):
        require_slot(slots, "project_state", "blood_type")


@each_row("entry", ["blood_type", "world_fact", "world_fact.", "wrld_fact.x", "world_fact.Ab"])
def test_a_slot_that_is_none_is_refused(entry: str) -> None:
    with pytest.raises(UsageError, match=r"knowledge\.slots"):
        extended(entry)


@each_row(
    ("more", "fault"),
    [
        ({"slot": "shoe_size"}, 'world_fact has no slot "shoe_size"; knowledge.slots adds more'),
        ({"subject": "Sarah"}, 'subject_id "Sarah" is not normal'),
        (
            {"valid_to": "2020-01-01T00:00:00Z"},
            "valid_to 2020-01-01T00:00:00Z is before valid_from",
        ),
        ({"ended": "2020-01-01T00:00:00Z"}, "ended 2020-01-01T00:00:00Z is before learnt"),
        ({"supersedes_observation_id": "ob_1"}, "it supersedes itself"),
        ({"canonical_key": "a:b"}, 'canonical_key is "a:b", code makes "global:'),
        ({"subject_type": "tool"}, "the subject of a world_fact is of type global, not tool"),
    ],
)
def test_what_is_unsound_is_named(more: dict[str, str], fault: str) -> None:
    found = faults_of(observation(**more), slots=SLOTS)  # type: ignore[arg-type]
    assert len(found) == 1
    assert found[0].startswith(fault)


def test_what_is_sound_has_no_fault() -> None:
    assert faults_of(observation(), slots=SLOTS) == []
