"""Receipts as JSON Lines, made while events are inserted and kept until the commit."""

from collections.abc import Sequence

import msgspec

from mindpipe.inbox.records import Receipt

_encoder = msgspec.json.Encoder()


def plain_receipts(event_ids: Sequence[str]) -> bytes:
    """Return the receipts of new events without keys: their ids serve as keys."""
    return "".join([f'{{"id":"{one}","key":"{one}"}}\n' for one in event_ids]).encode()


def receipt_lines(receipts: Sequence[Receipt]) -> bytes:
    """Return any receipts as lines."""
    return _encoder.encode_lines(receipts)


def read_receipts(lines: bytes) -> list[Receipt]:
    """Return lines as receipts."""
    return msgspec.json.Decoder(Receipt).decode_lines(lines)
