"""Every form that can be imported, and the reading of a file in one of them."""

import importlib
from collections.abc import Callable
from typing import cast

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.messages import Head
from mindpipe.core.problems import Problem
from mindpipe.formats.documents import Document, documents_of, lines_document
from mindpipe.formats.items import Findings, Reading
from mindpipe.formats.records import Imported, ImportOptions
from mindpipe.formats.turns import build

Importer = Callable[[Document, Findings], Reading]

# Where the reader of each form is; only the one that is asked for is loaded.
_IMPORTERS = {
    "ai-sdk": ("mindpipe.formats.from_ai_sdk", "read_ai_sdk"),
    "anthropic": ("mindpipe.formats.from_anthropic", "read_anthropic"),
    "claude-code": ("mindpipe.formats.from_claude_code", "read_claude_code"),
    "mindpipe": ("mindpipe.formats.from_mindpipe", "read_mindpipe"),
    "openai-chat": ("mindpipe.formats.from_openai_chat", "read_openai_chat"),
    "openai-responses": ("mindpipe.formats.from_openai_responses", "read_openai_responses"),
}
FORMATS = tuple(_IMPORTERS)
_LINE_FORMS = {"claude-code"}


def _documents(octets: bytes, *, format: str, source: str) -> tuple[Document, ...]:
    """Take a file apart; session logs are lines, whatever stands on them."""
    if format in _LINE_FORMS:
        return (lines_document(octets, source=source),)
    return documents_of(octets, source=source)


def _read(document: Document, *, format: str, options: ImportOptions) -> Imported:
    """Read one document; lines that are no JSON are faults where the form does not expect them."""
    findings = Findings(document)
    module, function = _IMPORTERS[format]
    importer = cast("Importer", getattr(importlib.import_module(module), function))
    reading = importer(document, findings)
    if format not in _LINE_FORMS:
        for torn in document.torn:
            findings.fault("shape", at=torn.at, line=torn.line, what=torn.fault)
    return build(reading, findings=findings, options=options)


def _unread(problems: list[Problem]) -> Imported:
    """Return the problems of a file that could not be taken apart."""
    return Imported(head=Head(system=""), messages=(), problems=tuple(problems))


def read_documents(octets: bytes, *, format: str, options: ImportOptions) -> tuple[Imported, ...]:
    """Read every conversation of a file: JSON, JSON Lines of messages, or one document per line.

    Problems are in the records; with problems a record has no messages.

    Raises:
        UsageError: there is no such form.
    """
    if format not in _IMPORTERS:
        known = ", ".join(FORMATS)
        raise UsageError(f'"{format}" is no form that can be imported; use one of {known}.')
    try:
        documents = _documents(octets, format=format, source=options.name)
    except BadInputError as fault:
        return (_unread(fault.problems),)
    return tuple(_read(document, format=format, options=options) for document in documents)


def read_document(octets: bytes, *, format: str, options: ImportOptions) -> Imported:
    """Read a file that holds one conversation; several are a problem.

    Raises:
        UsageError: there is no such form.
    """
    found = read_documents(octets, format=format, options=options)
    if len(found) == 1:
        return found[0]
    what = f"the file holds {len(found)} conversations; give one of them, a line each"
    return _unread([Problem(source=options.name, message=what)])
