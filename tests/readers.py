"""Everything that reads bytes from outside: how each reader is called, and what sound input is."""

import contextlib
import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import msgspec
from hypothesis import strategies as st

from histories import ANTHROPIC, CHAT, RESPONSES, conversation, said, tool, user
from loopback import wire_anthropic, wire_chat, wire_responses
from loopback.turns import Call, Turn
from mindpipe.agents.files import read_agent_file
from mindpipe.agents.manifests import read_tools
from mindpipe.core.faults import problems_of
from mindpipe.core.messages import CallPart, Head, ResultPart, ResultStatus, TextPart, ToolSpec
from mindpipe.core.records import to_json
from mindpipe.core.strict_json import load_json
from mindpipe.formats import exporters, importers
from mindpipe.formats.records import ImportOptions, RenderOptions
from mindpipe.formats.replies import anthropic, openai_chat, openai_responses, program
from mindpipe.formats.replies.sse import EventReader
from mindpipe.models.recordings import read_recording
from mindpipe.models.requests import read_request
from mindpipe.validator import check
from mindpipe.validator.profiles import profile_for
from mindpipe.wiring.models import read_models_file
from mindpipe.wiring.settings import read_toml
from mutating import bytes_like, documents_like

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
        for imported in importers.read_documents(octets, format=form, options=options):
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
        made = msgspec.convert(value, kind)
    assert (made is None) == bool(faults), (value, faults)
    if made is not None:
        assert msgspec.json.decode(to_json(made), type=kind) == made


def exported(form: str) -> bytes:
    """Return a small conversation in the form of another program."""
    chunks = exporters.export_document(TALK, format=form, options=RenderOptions()).chunks
    return b"".join(chunks)


def _foreign(form: str) -> st.SearchStrategy[bytes]:
    whole = exported(form)
    with contextlib.suppress(ValueError):
        return documents_like(json.loads(whole)) | bytes_like(whole)
    return bytes_like(whole)


WIRES = {
    "anthropic": (wire_anthropic, anthropic),
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
    for form in importers.FORMATS:
        found[f"import {form}"] = Reader(_foreign(form), functools.partial(_imports, form))
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
