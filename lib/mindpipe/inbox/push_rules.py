"""How pushed lines are filed: their ids, content and receipts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, cast

import msgspec

from mindpipe.core.lines import AllOrNothing, BadLines
from mindpipe.inbox.batch import Batch
from mindpipe.inbox.records import Bounds, EventDefaults, Receipt
from mindpipe.inbox.wire import Unknown, nobody

if TYPE_CHECKING:
    from mindpipe.core.attachments import Attachment


class BodyRules(Protocol):
    """What may happen to those for whom not every body means something."""

    def hold_for(self, agent: str) -> bool:
        """Tell whether an agent is one of them."""
        ...

    def faults(self, agent: str, fields: Mapping[str, object]) -> list[tuple[str, str]]:
        """Return path and words of every fault of a sound line that is pushed to it."""
        ...


class LineRules(msgspec.Struct, frozen=True, kw_only=True):
    """What lines are held to; `given` holds for what they do not say, `source` names them.

    `unknown` finds agents that are not there; without `agent_needed` a line may name none.
    `bodies` are the rules of those who cannot take every body.
    `strict` refuses what would have to be cleaned: bytes that are not UTF-8, NUL, lone surrogates.
    """

    source: str
    given: EventDefaults = EventDefaults()
    bounds: Bounds = Bounds()
    agent_needed: bool = True
    strict: bool = False
    unknown: Unknown = nobody
    bodies: BodyRules | None = None


def anybody(_agent: str) -> None:
    """Take every agent as known."""


class PushRules(msgspec.Struct, frozen=True, kw_only=True):
    """How pieces are filed: under which bounds, for whom, and what becomes of refused lines.

    `known` raises UsageError for an agent that is not there; `source` names the input in problems.
    `files` go along with each event.
    """

    bounds: Bounds = Bounds()
    known: Callable[[str], None] = anybody
    bad_lines: BadLines = msgspec.field(default_factory=AllOrNothing)
    source: str = "stdin"
    files: "tuple[Attachment, ...]" = ()


class LinesFile(Protocol):
    """A file of lines that nobody else changes while it is held."""

    def lines(self) -> Iterator[bytes]:
        """Yield every whole line."""
        ...

    def append(self, lines: bytes | bytearray) -> None:
        """Append lines durably."""
        ...


_encoder = msgspec.json.Encoder()


def receipts_of(piece: Batch, ids: Sequence[str], known: Mapping[int, str | None]) -> bytes:
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


def _receipt(piece: Batch, place: int, new: str, known: Mapping[int, str | None]) -> Receipt:
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
