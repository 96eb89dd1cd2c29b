"""Every recorded conversation of the development data imports, holds, and comes back equal."""

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.records import to_json
from mindpipe.providers.importer import read_documents
from mindpipe.providers.records import Imported, ImportOptions
from support.foreign_documents import faults, problems, restored

DATA = Path(__file__).parents[2].parent / "shared" / "data"

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the development data are not at {DATA}"),
]

# What breaks a rule in the recording itself, with the repairs that it takes.
REPAIRED = {
    "edge_cases.jsonl": ["missing_result", "missing_result"],
    "test_openai_responses__test_openai_conversation_id_tool_call_continuation.json[2]": [
        "orphan_result"
    ],
}


def read(octets: bytes, *, format: str, name: str) -> tuple[Imported, ...]:
    options = ImportOptions(
        agent="ada", name=name, at="2026-11-21T20:00:00Z", repair=name in REPAIRED
    )
    return read_documents(octets, format=format, options=options)


def check(imported: Imported, *, name: str) -> None:
    assert problems(imported) == []
    assert [one.kind for one in imported.repairs] == REPAIRED.get(name, [])
    assert faults(imported) == []


def parsed(octets: bytes) -> object:
    return load_json(octets, source="recording")


def test_tau_bench() -> None:
    octets = gzip.decompress((DATA / "tau_bench_dev" / "gpt-4o-airline.dev.jsonl.gz").read_bytes())
    lines = octets.splitlines()
    found = read(octets, format="openai-chat", name="tau.jsonl")
    assert len(found) == len(lines) == 100
    for imported, line in zip(found, lines, strict=True):
        check(imported, name="tau.jsonl")
        assert parsed(restored(imported)) == parsed(line)
    assert len({imported.name for imported in found}) == 100
    ids = [message.id for imported in found for message in imported.messages]
    assert len(ids) == len(set(ids))


def test_swe_agent() -> None:
    paths = sorted((DATA / "swe_agent").glob("*.traj"))
    assert len(paths) == 7
    for path in paths:
        octets = path.read_bytes()
        (imported,) = read(octets, format="openai-chat", name=path.name)
        check(imported, name=path.name)
        assert parsed(restored(imported)) == parsed(octets)


def line_values(octets: bytes) -> list[object]:
    """Return every line parsed, and the bytes of a line that is no JSON."""
    values: list[object] = []
    for line in octets.split(b"\n"):
        if not line.strip():
            continue
        try:
            values.append(parsed(line))
        except BadInputError:
            values.append(line)
    return values


def test_claude_code() -> None:
    paths = sorted((DATA / "claude_code").glob("*.jsonl"))
    assert len(paths) == 4
    for path in paths:
        octets = path.read_bytes()
        (imported,) = read(octets, format="claude-code", name=path.name)
        check(imported, name=path.name)
        assert line_values(restored(imported)) == line_values(octets)


def form_of(body: dict[str, object], uri: str) -> str | None:
    """Return the form of a request; requests without messages (files, Gemini's own) have none."""
    if "input" in body:
        return "openai-responses"
    if "messages" not in body:
        return None
    return "anthropic" if "anthropic" in uri else "openai-chat"


def request_bodies() -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield name, form and body of every recorded request that holds messages."""
    for path in sorted((DATA / "api_cassettes").glob("*.json")):
        exchanges = parsed(path.read_bytes())
        assert isinstance(exchanges, list)
        for number, exchange in enumerate(exchanges):
            body = exchange["request"]
            form = form_of(body, exchange["uri"]) if isinstance(body, dict) else None
            if form is not None:
                yield f"{path.name}[{number}]", form, body


def test_api_cassettes() -> None:
    seen: Counter[str] = Counter()
    for name, form, body in request_bodies():
        (imported,) = read(to_json(body), format=form, name=name)
        check(imported, name=name)
        assert parsed(restored(imported)) == body
        seen[form] += 1
    assert seen == {"anthropic": 82, "openai-chat": 16, "openai-responses": 66}
