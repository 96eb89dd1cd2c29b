"""Who read what is believed: kept with its evidence, as it was when it was read."""

import contextlib
import json

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from support.command import Mind
from support.stores import store_at

TOLD = '{"id": "m1", "text": "I live in Porto.", "speaker": "mara", "at": "2026-05-01T10:00:00Z"}\n'
AGAIN = '{"id": "m2", "text": "I\'ve been living in Porto since May.", "speaker": "mara"}\n'


@pytest.fixture(name="ava")
def _ava(mind: Mind) -> Mind:
    mind("init", "--agent", "ava")
    return mind


def evidence(mind: Mind) -> dict[str, str | None]:
    """Return who read each piece of evidence of all that is held, by its item."""
    held = [one["id"] for one in mind("observation", "list", "--agent", "ava").records()]
    shown = mind("observation", "show", "--agent", "ava", *held).records()
    return {one["ref"]: one.get("reader") for each in shown for one in each["evidence"]}


@pytest.mark.heavy
def test_evidence_keeps_who_read_it_whoever_reads_later(ava: Mind) -> None:
    ava("memory", "add", "--agent", "ava", stdin=TOLD)
    ava("consolidate", "--agent", "ava")
    assert evidence(ava) == {"m1": "strict/1"}
    ava("memory", "add", "--agent", "ava", stdin=AGAIN)
    ava("consolidate", "--agent", "ava", "--reader", "parsed")
    kept = evidence(ava)
    assert kept["m1"] == "strict/1"
    parsed, pipeline, digest = str(kept["m2"]).split()
    assert (parsed, pipeline.rpartition("-")[2]) == ("parsed/1", "3.8.0")
    assert digest.startswith("sha256:")
    assert ava("knowledge", "verify", "--agent", "ava").record()["wrong"] == 0
    (held,) = [one["id"] for one in ava("observation", "list", "--agent", "ava").records()]
    lines = ava("observation", "show", "--agent", "ava", held, "--explain").records()
    assert {one["ref"]: one["reader"] for one in lines if one["part"] == "evidence"} == kept
    # What is read again from files is what was weighed before, whoever reads.
    known = ava("observation", "show", "--agent", "ava", held).stdout
    (ava.folder / "known.jsonl").write_bytes(known)
    again = ava(
        "consolidate", "--known", "known.jsonl", "--reader", "parsed", stdin=TOLD + AGAIN
    ).record()
    assert again["evidence"] == json.loads(known)["evidence"]


def test_figures_and_what_a_mind_says_of_itself_name_their_readers_too(ava: Mind) -> None:
    counted = '{"id": "m1", "text": "The bakery now has 14 big ovens in the back room."}\n'
    ava("memory", "add", "--agent", "ava", stdin=counted)
    ava("consolidate", "--agent", "ava")
    assert evidence(ava) == {"m1": "strict/1"}


def auto(mind: Mind) -> Mind:
    """Return `mind` in the same folder where the setting is auto."""
    return Mind(mind.folder, {"MIND_KNOWLEDGE_READER": "auto"})


def reader_of(mind: Mind) -> str | None:
    """Return what is kept with the agent."""
    return mind("agent", "show", "ava").record()["reader"]


def take_away_pipeline(mind: Mind) -> None:
    """Let the pipeline that was chosen be one that this machine has not."""
    with contextlib.closing(store_at(mind.folder / "mind.db")) as store:
        agents.set_(store, name="ava", change=AgentChange(reader="parsed:en_elsewhere"))


@pytest.mark.heavy
@pytest.mark.of_a_file
def test_auto_is_resolved_once_and_says_where_its_pipeline_is_gone(ava: Mind) -> None:
    ava("memory", "add", "--agent", "ava", stdin=TOLD)
    assert reader_of(ava) is None
    auto(ava)("consolidate", "--agent", "ava")
    chosen = str(reader_of(ava))
    assert chosen.startswith("parsed:en_core_web_sm")
    assert str(evidence(ava)["m1"]).startswith("parsed/1 ")
    take_away_pipeline(ava)
    ava("memory", "add", "--agent", "ava", stdin=AGAIN)
    gone = auto(ava).run("consolidate", "--agent", "ava")
    assert (gone.status, gone.stdout) == (69, b"")
    assert gone.words == (
        "mind consolidate: ava is read with parsed:en_elsewhere, which auto came to first and "
        "which is not installed now; install it, or choose again: mind consolidate --agent ava "
        "--reader auto.\n"
    )
    # Another reader for once leaves it; auto on the command line chooses again.
    ava("consolidate", "--agent", "ava", "--reader", "strict", "--limit", "1")
    assert reader_of(ava) == "parsed:en_elsewhere"
    ava("memory", "add", "--agent", "ava", "--text", "I am a nurse.", "--speaker", "mara")
    ava("consolidate", "--agent", "ava", "--reader", "auto")
    assert reader_of(ava) == chosen


@pytest.mark.heavy
@pytest.mark.of_a_file
def test_another_setting_lets_go_of_what_auto_came_to(ava: Mind) -> None:
    take_away_pipeline(ava)
    plain = ava.run("consolidate", "--agent", "ava")
    assert (plain.status, reader_of(ava)) == (69, "parsed:en_elsewhere")
    strict = Mind(ava.folder, {"MIND_KNOWLEDGE_READER": "strict"})
    assert strict.run("consolidate", "--agent", "ava").status == 3
    assert reader_of(ava) is None
    take_away_pipeline(ava)
    ava("agent", "set", "ava", "--unset", "reader")
    assert reader_of(ava) is None


def test_what_the_agent_itself_said_is_no_evidence_by_whatever_name(ava: Mind) -> None:
    ava("agent", "set", "ava", "--name", "Ava Lind")
    for speaker in ("ava", "Ava", "Ava Lind", "assistant"):
        told = ("memory", "add", "--agent", "ava", "--speaker", speaker)
        ava(*told, "--text", f"Jonas lives in Bremen. I told {speaker} so.")
    ava.run("consolidate", "--agent", "ava")
    assert ava("observation", "list", "--agent", "ava").records() == []


@pytest.mark.heavy
def test_extract_and_what_the_mind_writes_are_read_by_the_reader_of_the_agent(ava: Mind) -> None:
    said = '{"id": "m1", "text": "My sister Eva, a nurse in Bergen, called.", "speaker": "mara"}\n'
    strict = ava("memory", "extract", stdin=said).record()
    parsed = ava("memory", "extract", "--reader", "parsed", stdin=said).record()
    assert (strict["tags"], parsed["tags"]) == (
        ["relation", "relation:sister"],
        ["relation", "relation:sister", "job"],
    )
    profile = '{"name": "Eva", "profile": "Eva is a nurse. She sings."}\n'
    ava("entity", "add", "--agent", "ava", stdin=profile)
    auto(ava)("consolidate", "--agent", "ava")
    (held,) = ava("observation", "list", "--agent", "ava").records()
    assert held["summary"] == "Eva works as nurse."


SLOTS = {"MIND_KNOWLEDGE_SLOTS": "world_fact.shoe_size project_state.risk.*"}
NAMED = (
    '{"id": "m1", "speaker": "mara", "at": "2026-05-01T10:00:00Z", "text": "My shoe size is 42."}\n'
    '{"id": "m2", "speaker": "mara", "at": "2026-05-02T10:00:00Z", '
    '"text": "The risk of Atlas is delay."}\n'
)
OVER = (
    '{"id": "m3", "speaker": "mara", "at": "2026-05-03T10:00:00Z", '
    '"text": "My shoe size is no longer 42."}\n'
)


@pytest.mark.heavy
@pytest.mark.parametrize("reader", ["strict", "parsed"])
def test_an_attribute_that_the_setting_adds_is_believed_and_ends(ava: Mind, reader: str) -> None:
    told = Mind(ava.folder, SLOTS | {"MIND_KNOWLEDGE_READER": reader})
    told("memory", "add", "--agent", "ava", stdin=NAMED)
    told("consolidate", "--agent", "ava")

    def held() -> dict[str, str]:
        found = told("observation", "list", "--agent", "ava", "--status", "active").records()
        return {one["canonical_key"]: one["value"] for one in found}

    assert held() == {
        "global:world_fact:mara.shoe_size": "42",
        "project:atlas:project_state:risk.delay": "delay",
    }
    assert told("knowledge", "verify", "--agent", "ava").record()["wrong"] == 0
    told("memory", "add", "--agent", "ava", stdin=OVER)
    told("consolidate", "--agent", "ava")
    assert held()["global:world_fact:mara.shoe_size"] == "not 42"
    # What the setting adds no longer is read no longer.
    assert ava("consolidate", "--reader", reader, stdin=OVER).stdout == b""


def test_a_switch_that_names_no_project_is_of_the_one_that_is_held(ava: Mind) -> None:
    for day, text in ((1, "The app uses MySQL."), (3, "We switched to Postgres last night.")):
        said = {"id": f"m{day}", "speaker": "mara", "at": f"2026-05-0{day}T10:00:00Z"}
        ava("memory", "add", "--agent", "ava", stdin=json.dumps({**said, "text": text}))
        ava("consolidate", "--agent", "ava")
    found = ava("observation", "list", "--agent", "ava", "--status", "active").records()
    assert [one["summary"] for one in found] == ["app's database is Postgres."]
