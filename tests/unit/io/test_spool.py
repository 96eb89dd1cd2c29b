"""What was put into a spool comes out, from memory or from a file."""

from pathlib import Path

import pytest

from mindpipe.core.errors import InputOutputError
from mindpipe.io.spool import Spool
from support.tables import each_row

PIECES = [b"one", b"", b"two" * 50, b"\0\n", b"x"]


@each_row("memory", [0, 3, 4, 1000])
def test_pieces_come_out_as_they_went_in_as_often_as_wanted(memory: int) -> None:
    with Spool(memory) as spool:
        for piece in PIECES:
            spool.add(piece)
        assert list(spool.pieces()) == PIECES
        assert list(spool.pieces()) == PIECES
        assert [spool.piece(place) for place in range(len(PIECES))] == PIECES
        assert len(spool) == sum(map(len, PIECES))


def test_pieces_are_found_at_any_place_and_while_others_come() -> None:
    pieces = [bytes([place]) * (place * 911 % 20_000) for place in range(60)]
    with Spool(0) as spool:
        for place, piece in enumerate(pieces):
            spool.add(piece)
            assert spool.piece(place) == piece
            assert spool.piece(place // 2) == pieces[place // 2]
        assert [spool.piece(place) for place in reversed(range(60))] == pieces[::-1]


def test_an_empty_spool_is_empty() -> None:
    with Spool() as spool:
        assert (len(spool), list(spool.pieces())) == (0, [])


def test_the_file_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Spool(0) as spool:
        spool.add(b"secret")
        assert list(tmp_path.iterdir()) == []
        assert list(spool.pieces()) == [b"secret"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("wb", 0) as full:
        monkeypatch.setattr("tempfile.TemporaryFile", lambda: full)
        with pytest.raises(InputOutputError, match="no room for a temporary file"):
            Spool(0).add(b"x")
