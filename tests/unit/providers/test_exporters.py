"""Whole documents for other programs, piece by piece."""

import itertools
from collections.abc import Iterator

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.core.json import load_json
from mindpipe.core.messages import Head, Message, ThinkingPart
from mindpipe.providers.exporter import FORMATS, export_chunks
from mindpipe.providers.records import Loss, RenderOptions
from support.histories import TOOL, call, conversation, note, raw_of, result, said, tool, user
from support.tables import each_row
from support.whole_documents import export_document

RAW = b'{"content":[ {"type":"thinking","thinking":"Hm","signature":"E"} ]}'
TALK = conversation(
    user("Hello"),
    said(call(1, {"a": 1})),
    tool(result(1, "Found.")),
    note("Noon."),
    said(ThinkingPart(text="Hm"), raw=raw_of(RAW)),
    head=Head(system="Be Ada.", tools=(TOOL,)),
    blobs=(RAW,),
)


def document(name: str) -> object:
    written = b"".join(export_document(TALK, format=name, options=RenderOptions()).chunks)
    assert written.endswith(b"\n")
    return load_json(written, source=name)


@each_row(
    ("name", "fields", "length"),
    [
        ("ai-sdk", ["system", "tools", "messages"], 5),
        ("anthropic", ["system", "tools", "messages"], 4),
        ("openai-chat", ["tools", "messages"], 6),
        ("openai-responses", ["instructions", "tools", "input"], 5),
    ],
)
def test_documents(name: str, fields: list[str], length: int) -> None:
    found = document(name)
    assert isinstance(found, dict)
    assert list(found) == fields
    assert len(found[fields[-1]]) == length


@each_row(("name", "length"), [("claude-code", 5), ("mindpipe", 5)])
def test_lines(name: str, length: int) -> None:
    chunks = export_document(TALK, format=name, options=RenderOptions()).chunks
    assert len(chunks) == length
    assert all(chunk.endswith(b"\n") and chunk.count(b"\n") == 1 for chunk in chunks)


@each_row(
    ("name", "lost"),
    [
        ("ai-sdk", {"thinking"}),
        ("anthropic", set()),
        ("claude-code", {"system", "tools"}),
        ("mindpipe", {"system", "tools", "raw"}),
        ("openai-chat", {"thinking"}),
        ("openai-responses", {"thinking"}),
    ],
)
def test_what_a_format_cannot_carry_is_named(name: str, lost: set[str]) -> None:
    losses = export_document(TALK, format=name, options=RenderOptions()).losses
    assert {loss.part for loss in losses} == lost


def test_replies_of_every_family_of_the_api_are_raw() -> None:
    chunks = export_document(TALK, format="anthropic", options=RenderOptions()).chunks
    assert RAW[len(b'{"content":') : -1] in chunks[-2]


def test_an_empty_history_is_an_empty_document() -> None:
    empty = export_document(conversation(), format="anthropic", options=RenderOptions())
    assert load_json(b"".join(empty.chunks), source="x") == {"messages": []}


def test_an_unknown_format_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match='"yaml" is no export format; choose one of ai-sdk'):
        export_chunks(Head(system=""), [], format="yaml", options=RenderOptions(), blobs={})


@each_row("name", FORMATS)
@each_row("strict", [RenderOptions(), RenderOptions(strict_roles=True)])
def test_pieces_come_while_the_messages_are_still_being_read(
    name: str, strict: RenderOptions
) -> None:
    drawn = 0

    def endless() -> Iterator[Message]:
        nonlocal drawn
        for message in itertools.cycle(TALK.messages):
            drawn += 1
            yield message

    losses: list[Loss] = []
    pieces = export_chunks(
        TALK.head, endless(), format=name, options=strict, blobs=TALK.blobs, report=losses.append
    )
    for count, _ in enumerate(itertools.islice(pieces, 1000)):
        # A message of the form takes at most two of ours, and one more is looked ahead.
        assert drawn <= 2 * count + 2
