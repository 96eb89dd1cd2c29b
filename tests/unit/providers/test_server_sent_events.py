"""Events out of bytes that may be cut anywhere."""

from mindpipe.providers.stream import EventReader, ServerSentEvent
from support.tables import each_row

STREAM = (
    b'\xef\xbb\xbfevent: a\r\ndata: {"x":\r\ndata: 1}\r\n\r\n'
    b": a comment\n\n"
    b"id: 7\nretry: 5\ndata:no space\n\n"
    b"event: without data\n\n"
    b"data: Gr\xc3\xb6\xc3\x9fe \xe2\x80\xa8 \xf0\x9f\x98\x80\n\n"
    b"data\n\n"
    b"data: never ended\n"
)
EVENTS = [
    ServerSentEvent(name="a", text='{"x":\n1}'),
    ServerSentEvent(),
    ServerSentEvent(text="no space"),
    ServerSentEvent(text="Größe \u2028 😀"),
    ServerSentEvent(),
]


@each_row("size", [1, 2, 3, 7, 1000])
def test_pieces_of_any_size_give_the_same_events(size: int) -> None:
    reader = EventReader()
    pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert [event for piece in pieces for event in reader.feed(piece)] == EVENTS


def test_a_cut_anywhere_gives_whole_events_only() -> None:
    for cut in range(len(STREAM)):
        found = list(EventReader().feed(STREAM[:cut]))
        assert found == EVENTS[: len(found)]


def test_a_long_line_in_many_pieces_takes_linear_time() -> None:
    reader = EventReader()
    assert list(reader.feed(b"data: ")) == []
    for _ in range(20_000):
        assert list(reader.feed(b"x" * 500)) == []
    (event,) = reader.feed(b"\n\n")
    assert len(event.text) == 10_000_000
