"""Histories as documents in the forms of other programs, one turn in memory at a time."""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from mindpipe.core.errors import UsageError
from mindpipe.core.messages import Head, Message
from mindpipe.core.records import to_json
from mindpipe.providers.formats import ALL_FORMATS, ARCHIVES, FORMATS
from mindpipe.providers.records import Loss, RenderOptions
from mindpipe.providers.rendering import Form, RawSource, Rendering, forget

Exporter = Callable[[Head, Iterable[Message], Rendering], Iterator[bytes]]
_NOBODY = RawSource(provider="", api="")
"""No application of another keeps the bytes of a provider."""


def _document(form: Form) -> Exporter:
    """Return an exporter that writes one JSON object with the fields and the list."""

    def chunks(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[bytes]:
        fields = form.fields(head, rendering)
        begin = b"".join(to_json(name) + b":" + value + b"," for name, value in fields.items())
        yield b"{" + begin + to_json(form.list_name) + b":["
        comma = b"\n"
        for message in form.stream(head, messages, rendering):
            yield comma + message
            comma = b",\n"
        yield b"\n]}\n"

    return chunks


def _lines(form: Form) -> Exporter:
    """Return an exporter that writes one line per message."""

    def chunks(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[bytes]:
        form.fields(head, rendering)
        for message in form.stream(head, messages, rendering):
            yield message + b"\n"

    return chunks


def export_chunks(
    head: Head,
    messages: Iterable[Message],
    *,
    format: str,
    options: RenderOptions,
    blobs: Mapping[str, bytes],
    report: Callable[[Loss], None] = forget,
) -> Iterator[bytes]:
    """Yield a document piece by piece, holding one turn of the messages at a time.

    A file of another application holds the one conversation.

    `blobs` is asked only for the hashes that are needed, so it may be a view on a store. Raw
    replies of the format's own API are spliced in, whatever model they came from; `report` hears
    of everything that the format cannot carry, while the pieces are drawn.

    Raises:
        UsageError: no such format.
    """
    if format in ARCHIVES:
        module = importlib.import_module(ARCHIVES[format].module)
        write_archive = cast("Exporter", getattr(module, f"write_{format.replace('-', '_')}"))
        rendering = Rendering(options, reads=_NOBODY, blobs=blobs, report=report)
        return write_archive(head, messages, rendering)
    form = _form(format)
    rendering = Rendering(options, reads=form.native, blobs=blobs, report=report)
    write = _document(form) if form.list_name else _lines(form)
    return write(head, messages, rendering)


def export_messages(
    head: Head,
    messages: Iterable[Message],
    *,
    format: str,
    options: RenderOptions,
    blobs: Mapping[str, bytes],
    report: Callable[[Loss], None] = forget,
) -> Iterator[bytes]:
    """Yield one JSON object per message of the format, without a document around them.

    Of the head only what is a message in that format is written. The rest is as in `export_chunks`.

    Raises:
        UsageError: no such format.
    """
    form = _form(format)
    rendering = Rendering(options, reads=form.native, blobs=blobs, report=report)
    return form.stream(head, messages, rendering)


def _form(format: str) -> Form:
    """Load one form; raises UsageError where there is none of that name."""
    if format not in FORMATS:
        raise UsageError(f'"{format}" is no export format; choose one of {", ".join(ALL_FORMATS)}.')
    return cast("Form", importlib.import_module(FORMATS[format].module).FORM)
