"""Every recorded conversation lives in a store: imported, equal again, valid for other APIs."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.history.adoption import ForeignDocument
from mindpipe.history.records import ExportWanted, ImportReceipt
from mindpipe.history.verbs.history import ChainWalk, check_log, export, import_
from mindpipe.providers.records import ImportOptions, RenderOptions
from mindpipe.store.sqlite import SqliteStore
from mindpipe.validator.check import check
from mindpipe.validator.profiles import profile_for
from mindpipe.validator.records import Question
from support.command import Mind
from support.fakes import FixedClock
from support.foreign_documents import read_file
from support.stores import WordTokens, store_at

SHARED = Path(__file__).parents[3] / "shared"
DATA = SHARED / "data"
PAIRS = SHARED / "bench" / "pairs.py"
FORMS = ("anthropic", "openai-chat", "openai-responses", "ai-sdk")
# One of so many is read every day, and each of them at night.
EVERY = (4, pytest.param(1, marks=pytest.mark.long))
# Recordings that break a rule themselves, and the repairs with which they are taken.
BROKEN = {
    "edge_cases.jsonl": 2,
    "test_openai_responses__test_openai_conversation_id_tool_call_continuation.json[2]": 1,
}

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the development data are not at {DATA}"),
]


@dataclass(frozen=True)
class Recording:
    """One recorded conversation: its name, its form and its octets."""

    name: str
    form: str
    octets: bytes


def tau() -> Iterator[Recording]:
    octets = gzip.decompress((DATA / "tau_bench_dev" / "gpt-4o-airline.dev.jsonl.gz").read_bytes())
    for number, line in enumerate(octets.splitlines()):
        yield Recording(f"tau-{number}", "openai-chat", line)


def swe() -> Iterator[Recording]:
    for path in sorted((DATA / "swe_agent").glob("*.traj")):
        yield Recording(path.name, "openai-chat", path.read_bytes())


def claude_code() -> Iterator[Recording]:
    for path in sorted((DATA / "claude_code").glob("*.jsonl")):
        yield Recording(path.name, "claude-code", path.read_bytes())


def cassettes() -> Iterator[Recording]:
    for path in sorted((DATA / "api_cassettes").glob("*.json")):
        for number, exchange in enumerate(json.loads(path.read_bytes())):
            body = exchange["request"]
            if not isinstance(body, dict) or not {"input", "messages"} & body.keys():
                continue
            chat = "anthropic" if "anthropic" in exchange["uri"] else "openai-chat"
            form = "openai-responses" if "input" in body else chat
            yield Recording(f"{path.name}[{number}]", form, json.dumps(body).encode())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


def take(store: SqliteStore, recording: Recording) -> str:
    """Import a recording into the history of an agent of its own and return the agent."""
    agent = f"agent-{len(list(store.connection.execute('SELECT DISTINCT agent FROM import')))}"
    repaired = BROKEN.get(recording.name)
    if repaired is not None:
        with pytest.raises(BadInputError):
            _import(store, recording, agent, repair=False)
    (receipt,) = _import(store, recording, agent, repair=repaired is not None)
    assert len(receipt.repairs) == (repaired or 0)
    return agent


def _import(
    store: SqliteStore, recording: Recording, agent: str, *, repair: bool
) -> list[ImportReceipt]:
    options = ImportOptions(
        agent=agent, name=recording.name, at="2026-11-21T20:00:00Z", repair=repair
    )
    foreign = ForeignDocument(octets=recording.octets, format=recording.form, options=options)
    return import_(store, FixedClock(), WordTokens(), foreign=foreign, file=read_file())


def written(store: SqliteStore, agent: str, form: str, *, render: bool = False) -> bytes:
    wanted = ExportWanted(format=form, options=RenderOptions(), render=render)
    return b"".join(export(store, agent=agent, wanted=wanted).chunks())


def lines_of(octets: bytes) -> list[object]:
    """Return every line as JSON, and one that is none as it is."""
    values: list[object] = []
    for line in filter(None, map(bytes.strip, octets.splitlines())):
        try:
            values.append(json.loads(line))
        except ValueError:
            values.append(line)
    return values


def live(store: SqliteStore, recording: Recording) -> str:
    """Import a recording, hold it to everything that is promised of it, and return its agent."""
    agent = take(store, recording)
    back = written(store, agent, recording.form)
    if recording.form == "claude-code":
        assert lines_of(back) == lines_of(recording.octets)
    else:
        assert json.loads(back) == json.loads(recording.octets)
    if not store.connection.execute("SELECT 1 FROM message WHERE agent=?", (agent,)).fetchall():
        return agent
    assert list(ChainWalk(store, agent=agent).broken()) == []
    assert check_log(store, agent=agent, question=Question()) == []
    for form in FORMS:
        if form != recording.form:
            assert faults(store, agent, form) == [], (recording.name, form)
    return agent


def faults(store: SqliteStore, agent: str, form: str) -> list[str]:
    """Return every error that the validator finds in a history as it is written for an API."""
    body = json.loads(written(store, agent, form))
    found = check(form, body, profile=profile_for(None), kind="history")
    return [f"{one.rule} {one.at}: {one.what}" for one in found if one.severity == "error"]


def pairs(before: Path, after: Path, *options: str) -> dict[str, dict[str, int]]:
    """Ask the independent counter of pairs about histories before and after."""
    done = subprocess.run(
        [sys.executable, str(PAIRS), *options, "--json", "--before", before, "--after", after],
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    return json.loads(done.stdout)


def count(folder: Path, store: SqliteStore, lived: dict[str, Recording], *options: str) -> None:
    """Hold the exports of chat histories against their recordings, pair by pair."""
    before, after = folder / "before.jsonl", folder / "after.jsonl"
    before.write_bytes(b"".join(_named(one.octets, agent) for agent, one in lived.items()))
    after.write_bytes(
        b"".join(
            _named(written(store, agent, "openai-chat", render=True), agent) for agent in lived
        )
    )
    found = pairs(before, after, *options)
    for side in ("before", "after"):
        assert found[side]["orphan calls"] == found[side]["orphan results"] == 0
        assert found[side]["double results"] == found[side]["invalid messages"] == 0
        assert found[side]["histories"] == len(lived)
    compared = found["compared"]
    assert compared["histories_lost"] == compared["histories_new"] == 0
    assert compared["calls_before"] == compared["calls_kept"] == found["after"]["calls"]


def _named(octets: bytes, agent: str) -> bytes:
    document = json.loads(octets)
    for name in ("messages", "traj", "history"):
        if name in document:
            return json.dumps({"id": agent, "messages": document[name]}).encode() + b"\n"
    raise AssertionError("no messages")


@pytest.mark.parametrize("part", EVERY)
def test_tau_bench(store: SqliteStore, tmp_path: Path, part: int) -> None:
    lived = {live(store, one): one for one in list(tau())[::part]}
    assert len(lived) == 100 // part
    count(tmp_path, store, lived)


def test_swe_agent(store: SqliteStore, tmp_path: Path) -> None:
    lived = {live(store, one): one for one in swe()}
    assert len(lived) == 7
    count(tmp_path, store, lived, "--swe")


def test_claude_code(store: SqliteStore) -> None:
    assert len([live(store, one) for one in claude_code()]) == 4


@pytest.mark.parametrize("part", EVERY)
def test_api_cassettes(store: SqliteStore, part: int) -> None:
    assert len([live(store, one) for one in list(cassettes())[::part]]) == 164 // part


@pytest.mark.heavy
def test_a_whole_file_by_the_command(mind_with_store: Mind) -> None:
    mind = mind_with_store
    file = DATA / "tau_bench_dev" / "gpt-4o-airline.dev.jsonl.gz"
    mind("agent", "new", "ava")
    receipts = mind("history", "import", "--agent", "ava", "--format", "openai-chat", str(file))
    assert len(receipts.records()) == 100
    assert mind("history", "verify", "--agent", "ava").record()["broken"] == 0
    back = mind("history", "export", "--agent", "ava", "--format", "openai-chat").stdout
    assert lines_of(back) == lines_of(gzip.decompress(file.read_bytes()))
    for form in FORMS:
        assert mind("history", "check", "--agent", "ava", "--for", form).stdout == b""
