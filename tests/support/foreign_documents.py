"""Reading small foreign documents in tests, and saying in few words what came of them."""

import json

from mindpipe.core.json import load_json
from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    TextPart,
)
from mindpipe.core.records import to_json
from mindpipe.history.adoption import ReadFile
from mindpipe.io.spool import Spool
from mindpipe.providers.envelope import restore_document
from mindpipe.providers.importer import read_document
from mindpipe.providers.records import Imported, ImportOptions
from mindpipe.validator.canonical import check_canonical

AT = "2026-11-21T20:00:00Z"


def read_file() -> ReadFile:
    """Return what reads a file and puts its conversations aside."""
    return ReadFile(conversations=Spool(), messages=Spool())


def encoded(document: object) -> bytes:
    return document if isinstance(document, bytes) else json.dumps(document).encode()


def read(
    format: str, document: object, *, repair: bool = False, trust: bool = False, name: str = "talk"
) -> Imported:
    options = ImportOptions(agent="ada", name=name, at=AT, repair=repair, trust=trust)
    return read_document(encoded(document), format=format, options=options)


def in_words(part: Part, calls: dict[str, str]) -> str:
    """Return a part in a few letters; calls are named by their order (#1, #2 …)."""
    match part:
        case TextPart():
            return part.text
        case FilePart():
            return f"<{part.media_type} {part.name}>"
        case CallPart():
            calls[part.id] = f"#{len(calls) + 1}"
            given = part.invalid or json.dumps(part.args)
            return f"{calls[part.id]} {part.tool} {given}"
        case ResultPart():
            ticket = "" if part.ticket is None else f" ({part.ticket})"
            return f"{calls[part.call]} {part.status.value}{ticket}: {part.text}"
        case OpaquePart():
            return f"<{part.kind}>"
        case _:
            return f"<thinking {part.text}>"


def told(imported: Imported) -> list[str]:
    """Return every message as `CYCLE.TURN role: part | part`."""
    calls: dict[str, str] = {}
    return [
        f"{one.cycle}.{one.turn} {one.role.value}: "
        + " | ".join(in_words(part, calls) for part in one.parts)
        for one in imported.messages
    ]


def problems(imported: Imported) -> list[str]:
    return [problem.line_of_text() for problem in imported.problems]


def restored(imported: Imported) -> bytes:
    return restore_document(imported.envelope, imported.messages, imported.sources)


def faults(imported: Imported) -> list[str]:
    """Return what the validator finds in the canonical rows."""
    rows = [load_json(to_json(row), source="row") for row in imported.messages]
    found = check_canonical(rows, raw_bytes=imported.blobs)
    return [f"{one.rule} {one.at}: {one.what}" for one in found]


def raw_of(imported: Imported, message: Message) -> list[object]:
    """Return the kept replies of a message, parsed."""
    spans = () if message.raw is None else message.raw.sha256
    return [load_json(imported.blobs[span], source="raw") for span in spans]
