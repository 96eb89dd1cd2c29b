"""A document comes back whatever became of its items."""

import itertools
from collections.abc import Iterator

from mindpipe.core.messages import Message, Role, TextPart
from mindpipe.providers.envelope import restore_document, restored_pieces, rewritten_document
from support.foreign_documents import read, restored
from support.tables import each_row

USER = b'{"role":"user","content":"hi"}'
CALL = b'{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}'
SEEN = b'{"role":"tool","tool_call_id":"a","content":"seen"}'
EMPTY = b'{"role":"assistant","content":""}'
SYSTEM = b'{"role":"system","content":"Be kind."}'


@each_row(
    "items",
    [
        [SYSTEM, USER, SYSTEM],
        [SYSTEM, SYSTEM],
        [EMPTY, USER, EMPTY, EMPTY, CALL, SEEN, SEEN, EMPTY],
        [SEEN, CALL],
        [],
    ],
)
def test_items_come_back_in_their_places(items: list[bytes]) -> None:
    document = b"[" + b",".join(items) + b"]"
    imported = read("openai-chat", document, repair=True)
    if items[:1] == [SEEN]:
        assert imported.problems
    else:
        assert restored(imported) == document


def test_numbers_and_escapes_come_back_as_they_were_written() -> None:
    document = (
        b'{"n":1.0e5,"messages":[{"role":"user","content":"\\u00e9","x":[1e99,-0]}],"m":null}'
    )
    assert restored(read("openai-chat", document)) == document


def test_messages_without_a_source_add_nothing() -> None:
    imported = read("openai-chat", [{"role": "user", "content": "hi"}])
    later = Message(
        id="m_later",
        agent="ada",
        seq=3,
        segment=1,
        cycle=2,
        turn=0,
        role=Role.USER,
        parts=(TextPart(text="and?"),),
    )
    messages = (*imported.messages, later)
    assert restore_document(imported.envelope, messages, imported.sources) == restored(imported)


@each_row(
    ("document", "written"),
    [
        (b"[" + SYSTEM + b"," + USER + b"]", b"[" + SYSTEM + b"," + SEEN + b"]"),
        (b'{"id":7,"messages":[' + USER + b'],"n":1.0}', b'{"id":7,"messages":[%s],"n":1.0}'),
        (USER + b"\n" + USER + b"\n", SEEN + b"\n"),
        (b"[" + b",".join([USER, EMPTY, EMPTY]) + b"]", b"[" + SEEN + b"]"),
    ],
)
def test_other_items_stand_where_the_messages_stood(document: bytes, written: bytes) -> None:
    envelope = read("openai-chat", document, repair=True).envelope
    assert rewritten_document(envelope, [SEEN]) == written.replace(b"%s", SEEN)


def test_a_document_comes_back_item_by_item() -> None:
    drawn = 0

    def sources() -> Iterator[bytes]:
        nonlocal drawn
        while True:
            drawn += 1
            yield b'[{"role":"user"}]'

    envelope = read("openai-chat", b'{"a":1,"messages":[' + USER + b"]}").envelope
    pieces = restored_pieces(envelope, sources())
    begun = b"".join(itertools.islice(pieces, 5))
    assert begun == b'{"a":1,"messages":[{"role":"user"},{"role":"user"}'
    assert drawn == 2
