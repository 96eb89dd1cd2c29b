"""Octets of a file that is not held are those that bytes would be, wherever they are asked for."""

import hashlib
import io
import random
from pathlib import Path

import pytest

from mindpipe.core.errors import InputOutputError
from mindpipe.core.octets import OctetsPart, end_of_lines
from mindpipe.history.adoption import grown
from mindpipe.history.rows import digest_of_file
from mindpipe.io import octets as module
from mindpipe.io.octets import FileOctets, copied


@pytest.fixture(autouse=True)
def small_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let windows end often."""
    monkeypatch.setattr(module, "_WINDOW", 7)


def test_parts_are_found_as_in_bytes() -> None:
    draw = random.Random(7)
    whole = bytes(draw.choice(b"ab\nc") for _ in range(200))
    with copied(io.BytesIO(whole), name="stdin") as found:
        assert len(found) == len(whole)
        for _ in range(3_000):
            start, end = draw.randrange(220), draw.randrange(220)
            assert found[start:end] == whole[start:end], (start, end)
            wanted = bytes(draw.choice(b"ab\nc") for _ in range(draw.choice([1, 1, 2, 3])))
            assert found.find(wanted, start) == whole.find(wanted, start), (wanted, start)
            first, last = min(start, end, 200), min(max(start, end), 200)
            part, held = OctetsPart(found, first, last), whole[first:last]
            assert (len(part), part[:]) == (len(held), held)
            assert part[2:-1] == held[2:-1]
            assert part.find(wanted, 3) == held.find(wanted, 3), (wanted, first, last)
            assert part.startswith(wanted) == held.startswith(wanted)
            assert end_of_lines(part) == held.rfind(b"\n") + 1
            assert found[start % 200] == whole[start % 200]
        assert found.startswith(whole[:3])
        assert not found.startswith(b"xyz")
        assert found[:] == whole


@pytest.mark.parametrize("whole", [b"", b"\n", b"ab"])
def test_short_files_have_octets_too(whole: bytes) -> None:
    with copied(io.BytesIO(whole), name="stdin") as found:
        assert (len(found), found[:], found.find(b"\n"), end_of_lines(found)) == (
            len(whole),
            whole,
            whole.find(b"\n"),
            whole.rfind(b"\n") + 1,
        )


class Unheld(bytes):
    """The octets of a file that is too large to be held: no more than a window is given."""

    def __getitem__(self, wanted: int | slice, /) -> int | bytes:  # type: ignore[override]  # bytes itself gives more
        found = super().__getitem__(wanted)
        assert isinstance(found, int) or len(found) <= 1 << 20
        return found


def test_what_came_to_a_log_is_not_held_while_its_last_line_is_written() -> None:
    line = b'{"type":"user","text":"' + b"x" * 1000 + b'"}\n'
    old, new, torn = line * 1000, line.replace(b"x", b"y") * 2000, b'{"type":"us'
    grew = grown(Unheld(old + new + torn), {hashlib.sha256(old).hexdigest()})
    assert grew.last_known == hashlib.sha256(old).hexdigest()
    assert digest_of_file(grew.octets) == hashlib.sha256(new).hexdigest()


def test_a_file_that_became_shorter_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * 100)
    with path.open("rb") as file:
        found = FileOctets(file, name="log")
        path.write_bytes(b"x" * 10)
        with pytest.raises(InputOutputError, match="log became shorter while it was read"):
            found[50:60]


class BrokenPipe(io.RawIOBase):
    """A stream that cannot be read."""

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise OSError(5, "Input/output error")


def test_a_stream_that_cannot_be_read_is_named() -> None:
    broken = copied(io.BufferedReader(BrokenPipe()), name="stdin")
    with pytest.raises(InputOutputError, match="stdin cannot be put aside: Input/out"), broken:
        pass
