"""Rows of canonical messages, and what they do not carry."""

from mindpipe.core.messages import FilePart, Head, decode_message
from mindpipe.providers.canonical import render
from mindpipe.providers.records import RenderOptions
from support.histories import (
    PROGRAM,
    TOOL,
    call,
    conversation,
    raw_of,
    result,
    said,
    sha256,
    tool,
    user,
)

RAW = b'{"content":[]}'


def test_rows_are_the_canonical_messages() -> None:
    talk = conversation(
        user("Hello"),
        said(call(1, {"a": 1}), raw=raw_of(RAW, ids={1: "t"})),
        tool(result(1, "")),
        blobs=(RAW,),
    )
    rendered = render(talk, PROGRAM, RenderOptions())
    assert tuple(decode_message(row) for row in rendered.messages) == talk.messages
    assert (rendered.fields, rendered.list_name) == ({}, "")


def test_what_rows_do_not_carry_is_named() -> None:
    file = FilePart(sha256=sha256(b"png"), media_type="image/png", name="a.png")
    talk = conversation(
        user(file),
        said("Hi", raw=raw_of(RAW)),
        head=Head(system="Be Ada.", tools=(TOOL,), summary="[Earlier: x]"),
    )
    losses = [(loss.message, loss.part) for loss in render(talk, PROGRAM, RenderOptions()).losses]
    assert losses == [
        ("head", "system"),
        ("head", "tools"),
        ("head", "summary"),
        (f"m_{1:022}", "file"),
        (f"m_{2:022}", "raw"),
    ]
