"""How long and how much an adapter waits for and reads, in seconds and bytes."""

from mindpipe.core.records import Record


class Limits(Record):
    """Time-outs and sizes of one call.

    `first_byte` holds for streamed replies; one that comes whole begins only when it is finished
    and is bounded by the time of the whole call alone. Sizes count after decompression.
    """

    connect: float = 10.0
    first_byte: float = 120.0
    between_events: float = 60.0
    reply_bytes: int = 64 << 20
    error_bytes: int = 1 << 20


LIMITS = Limits()
