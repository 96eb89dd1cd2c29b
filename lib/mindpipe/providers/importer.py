"""Read documents of any format, whichever it is."""

import importlib
from collections.abc import Callable, Collection, Iterator, Mapping
from types import ModuleType
from typing import cast

from mindpipe.core.errors import BadInputError, UnavailableError, UsageError
from mindpipe.core.messages import Head
from mindpipe.core.plugins import Plugin, PluginKind, also_plugins, plugin_of
from mindpipe.core.ports import Octets
from mindpipe.core.problems import Problem
from mindpipe.providers.documents import (
    Document,
    Element,
    documents_of,
    items_of,
    lines_document,
)
from mindpipe.providers.formats import ALL_FORMATS, ARCHIVES, FORMATS, item_id_of
from mindpipe.providers.items import DocumentReading, Findings, KnownItems
from mindpipe.providers.records import Imported, ImportOptions
from mindpipe.providers.turns import Conversion, gathered

Importer = Callable[[Document, Findings], DocumentReading]


def _documents(
    octets: Octets, module: ModuleType, *, format: str, source: str
) -> Iterator[Document]:
    """Take a file apart; session logs are lines, whatever stands on them."""
    if format in ARCHIVES:
        yield from module.documents(octets, source=source)
    elif FORMATS[format].is_log:
        yield lines_document(octets, source=source)
    else:
        yield from documents_of(octets, source=source)


def conversions(
    octets: Octets, *, format: str, options: ImportOptions, known: Collection[str] = ()
) -> Iterator[Conversion]:
    """Yield every conversation of a file, each to be read to its end before the next.

    A file is JSON, JSON Lines of messages, one document per line, or what an application exports.
    Items whose ids are among the known ones are passed over.

    Raises:
        BadInputError: not of the form, or nothing in it that could be messages.
        UsageError: there is no such form.
    """
    if format not in ALL_FORMATS:
        yield from _of_plugin(octets, plugin=_plugin_named(format), options=options)
        return
    # Only the module that is asked for is loaded.
    module = importlib.import_module((FORMATS.get(format) or ARCHIVES[format]).module)
    importer = cast("Importer", getattr(module, f"read_{format.replace('-', '_')}"))
    seen = KnownItems(member=item_id_of(format), ids=known)
    for document in _documents(octets, module, format=format, source=options.name):
        findings = Findings(document, seen)
        yield Conversion(importer(document, findings), findings=findings, options=options)


def _plugin_named(format: str) -> Plugin:
    """Return the plugin of that name; raises UsageError where there is none."""
    plugin = plugin_of(PluginKind.IMPORTERS, format)
    if plugin is None:
        known = f"{', '.join(ALL_FORMATS)}{also_plugins(PluginKind.IMPORTERS)}"
        raise UsageError(f'"{format}" is no form that can be imported; use one of {known}.')
    return plugin


def _of_plugin(octets: Octets, *, plugin: Plugin, options: ImportOptions) -> Iterator[Conversion]:
    """Yield every conversation as a plugin writes it in a form that is built in."""
    from mindpipe.providers.plugins import plugin_conversations

    for one in plugin_conversations(octets, plugin=plugin, source=options.name):
        if one.form not in FORMATS:
            raise UnavailableError(
                f'{plugin.label()} writes the form "{one.form}"; it must be one of '
                f"{', '.join(FORMATS)}."
            )
        yield from conversions(one.octets, format=one.form, options=options)


def read_plugin_documents(
    octets: bytes, *, plugin: Plugin, options: ImportOptions
) -> tuple[Imported, ...]:
    """Read every conversation of a file as a plugin does; problems are in the records."""
    return tuple(map(gathered, _of_plugin(octets, plugin=plugin, options=options)))


def read_documents(octets: Octets, *, format: str, options: ImportOptions) -> tuple[Imported, ...]:
    """Read every conversation of a file at once.

    Problems are in the records; with problems a record has no messages.

    Raises:
        UsageError: there is no such form.
    """
    try:
        return tuple(map(gathered, conversions(octets, format=format, options=options)))
    except BadInputError as fault:
        return (_unread(fault.problems),)


def _unread(problems: list[Problem]) -> Imported:
    """Return the problems of a file that could not be taken apart."""
    return Imported(head=Head(system=""), messages=(), problems=tuple(problems))


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


PLAIN = "openai-chat"
"""The form of messages that could be of any: a role and text."""

_BLOCKS = {
    "ai-sdk": ("tool-call", "tool-result", "reasoning", "tool-approval-request"),
    "anthropic": ("tool_use", "tool_result", "thinking", "redacted_thinking", "document"),
    "openai-chat": ("image_url", "input_audio", "refusal"),
    "openai-responses": ("input_text", "output_text", "input_image", "input_file"),
}
_FORM_OF_BLOCK = {block: form for form, blocks in _BLOCKS.items() for block in blocks}
_MEMBERS = {
    "seq": "mindpipe",
    "parts": "mindpipe",
    "parentUuid": "claude-code",
    "sessionId": "claude-code",
    "tool_calls": "openai-chat",
    "tool_call_id": "openai-chat",
    "tool_call_ids": "openai-chat",
    "function_call": "openai-chat",
    "call_id": "openai-responses",
    "encrypted_content": "openai-responses",
}
_FIELDS = {"system": "anthropic", "instructions": "ai-sdk", "functions": "openai-chat"}


def recognised(octets: bytes, *, source: str) -> str:
    """Return the form of the first message that stands in one form alone, else `PLAIN`.

    Raises:
        BadInputError: not JSON, or nothing in it that could be messages.
    """
    return next(
        (form for document in documents_of(octets, source=source) for form in _marks(document)),
        PLAIN,
    )


def _marks(document: Document) -> Iterator[str]:
    """Yield the form of every mark of one document: of its messages, then of what is around."""
    if document.name == "input":
        yield "openai-responses"
    for element in items_of(document):
        if isinstance(element, Element) and isinstance(element.value, dict):
            yield from _marks_of(cast("Mapping[str, object]", element.value))
    if isinstance(document.fields.get("tools"), dict):
        yield "ai-sdk"
    yield from (form for name, form in _FIELDS.items() if name in document.fields)


def _marks_of(message: Mapping[str, object]) -> Iterator[str]:
    """Yield the form of every mark of one message."""
    yield from (form for name, form in _MEMBERS.items() if name in message)
    if message.get("role") in ("developer", "function"):
        yield "openai-chat"
    content = message.get("content")
    for block in content if isinstance(content, list) else []:
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind in _FORM_OF_BLOCK:
            yield _FORM_OF_BLOCK[kind]
