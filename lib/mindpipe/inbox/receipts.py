"""Receipts as JSON Lines, made while events are inserted and kept until the commit."""

from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

from mindpipe.inbox.piece import Piece
from mindpipe.inbox.records import Receipt

_encoder = msgspec.json.Encoder()


def receipts_of(piece: Piece, ids: Sequence[str], known: Mapping[int, str | None]) -> bytes:
    """Return the receipts of a piece; `known` has the ids of duplicates, None for refused ones."""
    if not piece.has("key") and not piece.has("asked"):
        # The id of an event without key serves as its key; no id needs escaping.
        return "".join([f'{{"id":"{one}","key":"{one}"}}\n' for one in ids]).encode()
    return receipt_lines(
        [
            _receipt(piece, place, one, known)
            for place, one in enumerate(ids)
            if known.get(place, "") is not None
        ]
    )


def _receipt(piece: Piece, place: int, new: str, known: Mapping[int, str | None]) -> Receipt:
    """Return one receipt."""
    event_id = known.get(place) or new
    lowered = place not in known and piece.cell("asked", place) is not None
    return Receipt(
        id=event_id,
        key=cast("str | None", piece.cell("key", place)) or event_id,
        duplicate=place in known,
        lowered=cast("int", piece.cell("priority", place)) if lowered else None,
    )


def receipt_lines(receipts: Sequence[Receipt]) -> bytes:
    """Return any receipts as lines."""
    return _encoder.encode_lines(receipts)


def read_receipts(lines: bytes) -> list[Receipt]:
    """Return lines as receipts."""
    return msgspec.json.Decoder(Receipt).decode_lines(lines)
