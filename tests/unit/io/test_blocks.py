"""Blocks of whole lines, whatever the pieces are in which they come."""

import io

from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.core.problems import Problem
from mindpipe.io.lines import BlockReader, line_blocks
from support.draws import tries
from support.tables import each_row

WORDS = "longer than 8 bytes; split it or raise x.max"


def told(found: list[tuple[int, bytes] | Problem]) -> list[tuple[int, bytes | str]]:
    """Return number and line of everything that was found, blocks split into lines."""
    lines: list[tuple[int, bytes | str]] = []
    for one in found:
        if isinstance(one, Problem):
            assert one.line is not None
            lines.append((one.line, one.message))
        else:
            number, octets = one
            whole = octets.splitlines(keepends=True) if b"\r" not in octets else _split(octets)
            lines += [(number + place, line) for place, line in enumerate(whole)]
    return lines


def _split(octets: bytes) -> list[bytes]:
    ended = [line + b"\n" for line in octets.split(b"\n")]
    ended[-1] = ended[-1].removesuffix(b"\n")
    return [line for line in ended if line]


def read(octets: bytes, sizes: list[int]) -> list[tuple[int, bytes | str]]:
    """Read octets in pieces of these sizes, over and over."""
    reader = BlockReader(limit=8, source="stdin", setting="x.max")
    found: list[tuple[int, bytes] | Problem] = []
    at = turn = 0
    while at < len(octets):
        size = sizes[turn % len(sizes)]
        found += reader.take(octets[at : at + size])
        at, turn = at + size, turn + 1
    found += reader.rest()
    return told(found)


def expected(octets: bytes) -> list[tuple[int, bytes | str]]:
    """Return the same by holding everything in memory."""
    octets = octets.removeprefix(b"\xef\xbb\xbf")
    lines = _split(octets)
    return [
        (number, WORDS if len(line.removesuffix(b"\n").removesuffix(b"\r")) > 8 else line)
        if line.endswith(b"\n")
        else (number, WORDS if len(line) > 8 else line)
        for number, line in enumerate(lines, 1)
    ]


@settings(max_examples=tries(300), deadline=None)
@given(
    st.lists(
        st.sampled_from([b"\n", b"\r\n", b"a", b"abc", b"12345678", b"\r", b"\xef\xbb\xbf"]),
        max_size=20,
    ),
    st.lists(st.integers(1, 8), min_size=1, max_size=4),
)
def test_pieces_make_no_difference(parts: list[bytes], sizes: list[int]) -> None:
    octets = b"".join(parts)
    assert read(octets, sizes) == expected(octets)


@each_row("size", [1, 2, 3, 7, 8])
def test_a_long_line_is_refused_and_the_next_ones_are_read(size: int) -> None:
    octets = b"one\n" + b"x" * 5000 + b"\n\nfour\r\n" + b"y" * 8 + b"\r\n" + b"z" * 9
    assert read(octets, [size]) == [
        (1, b"one\n"),
        (2, WORDS),
        (3, b"\n"),
        (4, b"four\r\n"),
        (5, b"yyyyyyyy\r\n"),
        (6, WORDS),
    ]


class Endless(io.BytesIO):
    """A stream without line ends that remembers the most it was asked for."""

    def __init__(self, octets: int) -> None:
        super().__init__()
        self.left = octets
        self.most = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size
        self.most = max(self.most, size)
        given = min(size, self.left)
        self.left -= given
        return b"x" * given


def test_an_endless_line_is_read_in_small_pieces_and_not_kept() -> None:
    stream = Endless(50_000_000)
    (problem,) = line_blocks(stream, limit=1 << 20, source="stdin", setting="x.max")
    assert isinstance(problem, Problem)
    assert (problem.line, stream.left, stream.most) == (1, 0, 1 << 18)


def test_a_stream_is_read_to_its_end() -> None:
    lines = b"".join(b'{"n":%d}\n' % number for number in range(50_000))
    stream = io.BytesIO(b"\xef\xbb\xbf" + lines)
    found = list(line_blocks(stream, limit=1 << 20, source="stdin", setting="x.max"))
    assert all(isinstance(one, tuple) for one in found)
    assert b"".join(one[1] for one in found if isinstance(one, tuple)) == lines
    assert list(line_blocks(io.BytesIO(b""), limit=9, source="stdin", setting="x.max")) == []
