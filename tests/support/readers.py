"""Everything that reads bytes from outside, what sound input of it is, and what is almost right."""

import contextlib
import copy
import functools
import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import msgspec
from hypothesis import strategies as st

from mindpipe.agents.manifests import read_tools
from mindpipe.agents.settings import read_agent_file
from mindpipe.core.json import load_json
from mindpipe.core.messages import CallPart, Head, ResultPart, ResultStatus, TextPart, ToolSpec
from mindpipe.core.problems import problems_of
from mindpipe.core.records import to_json
from mindpipe.memory.faults import item_faults
from mindpipe.memory.records import GivenItem
from mindpipe.model_access import read_models_file
from mindpipe.providers import importer
from mindpipe.providers.anthropic import reply
from mindpipe.providers.completions import read_request
from mindpipe.providers.memories import NotTaken, foreign_memories
from mindpipe.providers.openai_chat import reply as openai_chat
from mindpipe.providers.openai_responses import reply as openai_responses
from mindpipe.providers.program import reply as program
from mindpipe.providers.records import ImportOptions, RenderOptions
from mindpipe.providers.replay import read_recording
from mindpipe.providers.stream import EventReader
from mindpipe.settings import read_toml
from mindpipe.validator import check
from mindpipe.validator.profiles import profile_for
from support.command import ROOT
from support.histories import ANTHROPIC, CHAT, RESPONSES, conversation, said, tool, user
from support.loopback import wire_anthropic, wire_chat, wire_responses
from support.loopback.turns import Call, Turn
from support.whole_documents import export_document

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, 2**63, 10**400, 1.5, -0.0, 1e308, [], {}, [[]], [{}], {"": {}}),
    *("", " ", "\x00", "\ud800", "\x1b[31m", "\u202e", "x" * 300, "0", "-1", "null", "1e999", "⚠"),
    *("2026-11-21T20:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "a.b/../c"),
    *("$ref", "user", "assistant", "tool", "text", "call", "result", "tool_use", "tool_result"),
    *({"type": "text"}, {"type": "call"}, {"role": "user"}, {"$ref": "#"}, {"$ref": "http://x"}),
    *({"type": "object", "properties": {"a": 1}}, ["a", 1, None], {"a": {"a": {"a": {}}}}),
)
ODD_BYTES = (
    *("", "00", "ff", "eda080", "0d", "0a", "efbbbf", "e280a8", "22", "5c", "5c7530303030"),
    *("5c7564383030", "5c753132", "7b", "7d", "5b", "5d", "2c", "3a", "31", "4e614e", "2d", "65"),
    *("3d", "0a5b615d0a", "646174613a20", "0a0a", "6576656e743a206572726f720a", "6e756c6c", "7b7d"),
    *("20" * 70, "5b" * 200),
)
"""Bytes as hexadecimal digits."""
MANY = (("[", 200_000), ('{"a":', 5_000), ("9", 5_000), ("a = [", 1), ("[", 3_000), ("a.", 300))
"""Texts that are long when repeated so often."""
_PLACE = st.integers(0, 10_000)
_CHANGES = st.lists(
    st.tuples(st.sampled_from(("put", "drop", "twice", "rename")), _PLACE, _PLACE),
    max_size=4,
)
_ODD = st.sampled_from(ODD_BYTES).map(lambda odd: (bytes.fromhex(odd), 1))
_LONG = st.sampled_from(MANY).map(lambda odd: (odd[0].encode(), odd[1]))
_CUTS = st.lists(st.tuples(_PLACE, st.integers(0, 6), _ODD | _ODD | _ODD | _LONG), max_size=2)


def values_like(sound: Any) -> st.SearchStrategy[Any]:
    """Draw a JSON value that is a sound one with up to four changes."""
    return _CHANGES.map(lambda changes: _changed(sound, changes))


def documents_like(*sound: Any) -> st.SearchStrategy[bytes]:
    """Draw JSON text like one of the sound values, changed in its values, its bytes or both."""
    values = st.sampled_from(sound).flatmap(values_like)
    return st.tuples(values.map(_text), _CUTS).map(lambda drawn: _cut(*drawn))


def bytes_like(*sound: bytes) -> st.SearchStrategy[bytes]:
    """Draw bytes like one of the sound documents, changed in one or two places."""
    return st.tuples(st.sampled_from(sound), _CUTS).map(lambda drawn: _cut(*drawn))


def _text(value: Any) -> bytes:
    return json.dumps(value).encode()


def _cut(octets: bytes, cuts: list[tuple[int, int, tuple[bytes, int]]]) -> bytes:
    for place, length, (odd, times) in cuts:
        at = place % (len(octets) + 1)
        octets = octets[:at] + odd * times + octets[at + length :]
    return octets


def _changed(value: Any, changes: list[tuple[str, int, int]]) -> Any:
    value = json.loads(json.dumps(value))
    for change, place, odd in changes:
        spots = list(_spots(value))
        if not spots:
            return ODD_VALUES[odd % len(ODD_VALUES)]
        _change(
            change, *spots[place % len(spots)], copy.deepcopy(ODD_VALUES[odd % len(ODD_VALUES)])
        )
    return value


def _spots(value: Any) -> Any:
    """Yield every place inside a value, as the list or object that holds it, and the key."""
    if not isinstance(value, dict | list):
        return
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        yield from _spots(inner)


def _change(change: str, holder: Any, key: Any, odd: Any) -> None:
    if change == "drop":
        del holder[key]
    elif change == "twice" and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif change == "rename" and isinstance(holder, dict) and isinstance(odd, str):
        holder[odd] = holder.pop(key)
    else:
        holder[key] = odd


OF_TYPES = {
    "string": "2026-11-21T20:00:00Z",
    "integer": 1,
    "number": 1.0,
    "boolean": True,
    "null": None,
}


def sample_of(schema: dict[str, Any], whole: dict[str, Any] | None = None) -> Any:
    """Return a value that says everything the schema knows, each list with one item."""
    whole = whole or schema
    if "$ref" in schema:
        return sample_of(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if "anyOf" in schema:
        return sample_of(schema["anyOf"][0], whole)
    return schema["enum"][0] if "enum" in schema else _plain(schema, whole)


def _plain(schema: dict[str, Any], whole: dict[str, Any]) -> Any:
    kind = schema.get("type", "string")
    if kind == "object":
        known = schema.get("properties", {})
        return {name: sample_of(one, whole) for name, one in known.items()} or {"a": [1]}
    if kind == "array":
        return [sample_of(schema["items"], whole)] if isinstance(schema.get("items"), dict) else []
    return OF_TYPES[kind[0] if isinstance(kind, list) else kind]


AT = "2026-11-21T20:00:00Z"
TURN = Turn(
    text="I will look.", thinking="Hm.", calls=(Call("call_1", "recall", '{"q": "x"}'),),
    finish="calls",
)  # fmt: skip
CALL = CallPart(id="c_1", tool="recall", args={"q": "x"}, args_text='{"q": "x"}')
TALK = conversation(
    user("Hello", TextPart(text="there")),
    said("Wait.", CALL),
    tool(ResultPart(call="c_1", status=ResultStatus.OK, text="found", json={"a": 1})),
    said("Good."),
    head=Head(
        system="Be kind.",
        tools=(ToolSpec(name="recall", description="Recall.", input_schema={"type": "object"}),),
    ),
)
MANIFEST: dict[str, Any] = {
    "name": "look",
    "description": "Look around.",
    "command": ["./look", "-a"],
    "effect": "pure",
    "labels": ["reads_private"],
    "timeout": 5,
    "input_schema": {
        "type": "object",
        "properties": {"q": {"type": "string"}, "n": {"anyOf": [{"type": "number"}]}},
    },
}
AGENT_FILE: dict[str, Any] = {
    "agent": {"name": "ava", "tools": [MANIFEST], "temperature": 0.5, "title": "Ava"},
    "notes": [],
    "goals": [],
}
MODELS_TOML = (
    b'[servers.openai]\nbase_url = "http://127.0.0.1/v1"\nkey_variable = "K"\n'
    b'[prices."openai/m"]\ninput = 1\noutput = 2\ncache_read = 1\n'
)
SETTINGS_TOML = b'store = "a.db"\n[inbox]\nmax_bytes = 100\nlease_seconds = 1.5\n"max_open" = 3\n'
TOOL_TOML = b'[[tools]]\nname = "look"\ndescription = "L"\ncommand = ["look"]\n' + (
    b'effect = "pure"\n[tools.input_schema]\ntype = "object"\n'
)


@dataclass(frozen=True)
class Reader:
    """One reader: documents to try it with, and how it is called."""

    documents: st.SearchStrategy[bytes]
    read: Callable[[bytes], object]


def _imports(form: str, octets: bytes) -> None:
    """Import, with and without repair; what was imported must be writable in every form."""
    for repair in (False, True):
        options = ImportOptions(agent="ava", name="talk.json", at=AT, repair=repair, trust=False)
        for imported in importer.read_documents(octets, format=form, options=options):
            assert not (imported.problems and imported.messages)
            to_json(imported)


def _checks(form: str, octets: bytes) -> None:
    found = check.check(form, load_json(octets, source="body"), profile=profile_for(None))
    msgspec.json.encode(found)


def _assembles(kind: Callable[[], Any], octets: bytes) -> None:
    """Assemble a stream that arrives whole, and one that arrives in small pieces."""
    for size in (len(octets) or 1, 97):
        reader, assembler = EventReader(), kind()
        for start in range(0, min(len(octets), 20_000), size):
            for event in reader.feed(octets[start : start + size]):
                for piece in assembler.feed(event):
                    piece.text.encode("utf-8", "surrogatepass")
                if assembler.ended:
                    break
        if assembler.ended:
            to_json(assembler.reply())


def _reply(read: Callable[[bytes], Any], octets: bytes) -> None:
    to_json(read(octets))


def _file(read: Callable[[str], object], folder: Path, octets: bytes) -> None:
    (folder / "file").write_bytes(octets)
    read(str(folder / "file"))


def record(kind: type[msgspec.Struct], octets: bytes) -> None:
    """Name the faults of a record; there are none if, and only if, it can be made."""
    value = load_json(octets, source="line", line=1)
    faults = problems_of(value, kind, source="line", line=1)
    made = None
    with contextlib.suppress(msgspec.ValidationError, UnicodeEncodeError):
        converted = msgspec.convert(value, kind)
        to_json(converted)
        made = converted
    assert (made is None) == bool(faults), (value, faults)
    if made is not None:
        assert msgspec.json.decode(to_json(made), type=kind) == made


def _remembers(form: str, octets: bytes) -> None:
    """Read what another program remembers; it must be sound where it is taken."""
    found = foreign_memories(octets, format=form, source="dump.json", left_out=NotTaken())
    for one in found:
        assert not item_faults(msgspec.json.decode(to_json(one), type=GivenItem))


ARCHIVES = {
    "chatgpt": "history/chatgpt.json",
    "claude-export": "history/claude-export.json",
    "letta": "history/letta.af",
}
DUMPS = {"letta": "history/letta.af", "mem0": "memory/mem0.json"}


def _kept(name: str) -> st.SearchStrategy[bytes]:
    """Return files like one that other golden cases read."""
    whole = (ROOT / "fixtures" / "cases" / name).read_bytes()
    return documents_like(json.loads(whole)) | bytes_like(whole)


def _logs() -> st.SearchStrategy[bytes]:
    """Return files like those of llm."""
    found: list[bytes] = []
    for name in ("llm-logs", "llm-logs-threads"):
        with contextlib.closing(sqlite3.connect(":memory:")) as database:
            database.executescript((ROOT / f"fixtures/cases/history/{name}.sql").read_text())
            found.append(database.serialize())
    return st.one_of(map(bytes_like, found))


def exported(form: str) -> bytes:
    """Return a small conversation in the form of another program."""
    chunks = export_document(TALK, format=form, options=RenderOptions()).chunks
    return b"".join(chunks)


def _foreign(form: str) -> st.SearchStrategy[bytes]:
    whole = exported(form)
    with contextlib.suppress(ValueError):
        return documents_like(json.loads(whole)) | bytes_like(whole)
    return bytes_like(whole)


WIRES = {
    "anthropic": (wire_anthropic, reply),
    "openai-chat": (wire_chat, openai_chat),
    "openai-responses": (wire_responses, openai_responses),
}
PROGRAM_REPLY = {"text": "a", "tool_calls": [{"name": "t", "arguments": {"a": 1}}], "usage": {}}
REQUEST = {
    "messages": [{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}],
    "system": "s",
    "tools": [{"name": "t", "description": "d", "input_schema": {"type": "object"}}],
    "max_tokens": 5,
}
RECORDED = b'{"request_sha256":"a","reply":{"parts":[{"type":"text","text":"a"}],"finish":"end"}}\n'


def readers(folder: Path) -> Mapping[str, Reader]:
    """Return every reader by name; files are made in the folder."""
    found = {
        "request": Reader(
            documents_like(REQUEST), lambda octets: read_request(octets, source="s", number=1)
        ),
        "tools.json": Reader(
            documents_like(MANIFEST, [MANIFEST], {"tools": [MANIFEST]}),
            lambda octets: read_tools(octets, source="t.json", folder=PurePath("/x")),
        ),
        "tools.toml": Reader(
            bytes_like(TOOL_TOML),
            lambda octets: read_tools(octets, source="t.toml", folder=PurePath("/x")),
        ),
        "agent file": Reader(
            documents_like(AGENT_FILE), lambda octets: read_agent_file(octets, source="ava.json")
        ),
        "mind.toml": Reader(
            bytes_like(SETTINGS_TOML), lambda octets: read_toml(octets, "mind.toml")
        ),
        "models.toml": Reader(
            bytes_like(MODELS_TOML), functools.partial(_file, read_models_file, folder)
        ),
        "recording": Reader(
            bytes_like(RECORDED), lambda octets: read_recording(octets, source="r.jsonl")
        ),
        "program reply": Reader(
            documents_like(PROGRAM_REPLY), functools.partial(_reply, program.read_reply)
        ),
    }
    for form in importer.FORMATS:
        found[f"import {form}"] = Reader(_foreign(form), functools.partial(_imports, form))
    for form, name in ARCHIVES.items():
        found[f"import {form}"] = Reader(_kept(name), functools.partial(_imports, form))
    found["import llm"] = Reader(_logs(), functools.partial(_imports, "llm"))
    for form, name in DUMPS.items():
        found[f"memories {form}"] = Reader(_kept(name), functools.partial(_remembers, form))
    for form in check.FORMATS:
        found[f"check {form}"] = Reader(_foreign(form), functools.partial(_checks, form))
    for name, (wire, reading) in WIRES.items():
        stream = b"".join(wire.events(TURN, "m"))
        found[f"stream {name}"] = Reader(
            bytes_like(stream), functools.partial(_assembles, reading.Assembler)
        )
        found[f"reply {name}"] = Reader(
            documents_like(wire.body(TURN, "m")), functools.partial(_reply, reading.read_reply)
        )
    return found


TARGETS = (ANTHROPIC, CHAT, RESPONSES)
