"""What an operation heard from outside, in order: written while it goes on, read to do it again.

A tape has one queue for each kind of reading and each of the threads that work side by side. What
was read up to a commit is kept with that commit, so that of an operation that is killed all is
known that led to what it left.
"""

import hashlib
import zlib
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, NamedTuple, NoReturn

import msgspec

from mindpipe.core import errors
from mindpipe.core.errors import MindError
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.parallel import LANE
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.engine.cycle.emergency import EmergencyError
from mindpipe.engine.worker.interrupts import StoppedError
from mindpipe.life.masks import Mask
from mindpipe.life.operations import BreakerRow, OtherAgent, SeenRows

Kind = Literal[
    "now", "boot", "id", "draw", "reply", "price", "statements", "vectors", "program", "written",
    "check", "pause", "saw", "counted", "hits", "files", "scores",
    "mirrored", "lost",
]  # fmt: skip
"""What can be heard: an instant, the boot clock, an id, a number that was drawn, a model's reply,
a price, statements that were read, vectors of texts, how a program ended, when a file was written,
a stop in a check or a pause, what others had done when a transaction began, how far the numbers had
come by then that a store counts for all its agents, what a search found among their words, what
files answered to which an index leads, what was recalled with which scores, by how many changes
a copy that was searched was ahead of its transaction, and a transaction that was lost."""

_LEVEL = 6
_MOST_OCTETS = 1 << 28
# Ctrl-C now is meant for now.
_ENDS: dict[str, type[BaseException]] = {
    EmergencyError.__name__: EmergencyError,
    StoppedError.__name__: StoppedError,
    KeyboardInterrupt.__name__: StoppedError,
}


class OtherReadingError(Exception):
    """Say that something is heard now that was not heard then."""


class TapeEndError(BaseException):
    """Say that the operation was ended here, or did nothing more that was kept."""


def queue_of(kind: Kind) -> str:
    """Return the name of a queue: that of this thread."""
    lane = LANE.get()
    return f"{kind}/{lane}" if lane else kind


def _lane_of(queue: str) -> int:
    return int(queue.partition("/")[2] or 0)


class Seen(NamedTuple):
    """What others had done when the transaction of some number in its part began.

    The last change of all was so many before the one after which the part's own came. `others` are
    the agents beside it, each with when it moved away, and `rows` what it sees of theirs, by table;
    None where they are as before.
    """

    begins: int
    before: int
    breakers: list[BreakerRow]
    others: list[OtherAgent] | None = None
    rows: SeenRows | None = None


Counted = tuple[Any, int]
"""A reading, and how many times it was heard in a row."""


class TapePart(Record):
    """What was heard before one commit: readings by queue, and octets by their hash."""

    heard: dict[str, list[Counted]]
    octets: dict[str, bytes] = {}


class TapeMark(NamedTuple):
    """How far a tape had come: its queues, how long those of a lane were, and what was aside."""

    lane: int
    heard: dict[str, list[Counted]]
    ends: dict[str, tuple[int, Counted]]
    aside: dict[str, bytes]


class TapeWriter:
    """Readings that are not kept yet."""

    def __init__(self) -> None:
        self._heard: dict[str, list[Counted]] = defaultdict(list)
        self._aside: dict[str, bytes] = {}

    def aside(self, octets: bytes) -> str:
        """Keep octets, unless the store keeps them too when the tape is cut; return their hash."""
        sha256 = hashlib.sha256(octets).hexdigest()
        self._aside[sha256] = octets
        return sha256

    def add(self, kind: Kind, reading: object) -> None:
        """Note a reading; the same twice in a row is counted."""
        queue = self._heard[queue_of(kind)]
        if queue and queue[-1][0] == reading:
            reading, times = queue.pop()
            queue.append((reading, times + 1))
        else:
            queue.append((reading, 1))

    def mark(self) -> TapeMark:
        """Return how far it has come."""
        lane = LANE.get()
        own = {queue: of for queue, of in self._heard.items() if of and _lane_of(queue) == lane}
        ends = {queue: (len(of), of[-1]) for queue, of in own.items()}
        return TapeMark(lane, self._heard, ends, dict(self._aside))

    def back_to(self, mark: TapeMark) -> None:
        """Forget what its lane heard since, also where it was cut; the others' stays."""
        since, self._heard = self._heard, mark.heard
        if since is not mark.heard:
            self._aside = {**mark.aside, **self._aside}
            for queue, of in since.items():
                self._heard[queue].extend(of)
        for queue in [one for one in self._heard if _lane_of(one) == mark.lane]:
            length, *last = mark.ends.get(queue, (0,))
            self._heard[queue][max(0, length - 1) :] = last

    def cut(self, known: Callable[[Collection[str]], set[str]]) -> tuple[bytes, list[str]]:
        """Return what was heard since the last time, compressed, and octets that are elsewhere.

        `known` returns those of some hashes under which the store keeps octets.
        """
        kept = sorted(known(self._aside)) if self._aside else []
        octets = {sha256: one for sha256, one in self._aside.items() if sha256 not in kept}
        part = TapePart(heard=self._heard, octets=octets)
        self._heard, self._aside = defaultdict(list), {}
        return zlib.compress(to_json(part), _LEVEL), kept


class TapeReader:
    """Readings of an operation, part by part."""

    def __init__(self) -> None:
        self._queues: dict[str, deque[Counted]] = defaultdict(deque)
        self.octets: dict[str, bytes] = {}

    def add(self, part: bytes) -> None:
        """Hear the next part too.

        Raises:
            OtherReadingError: it is none.
        """
        try:
            unpacker = zlib.decompressobj()
            heard = unpacker.decompress(part, _MOST_OCTETS)
            if not unpacker.eof:
                raise OtherReadingError("a part of the record is cut off, or too large")
            told = msgspec.json.decode(heard, type=TapePart)
        except (zlib.error, *NO_RECORD) as error:
            raise OtherReadingError(f"a part of the record is none: {error}") from None
        self.octets |= told.octets
        for queue, readings in told.heard.items():
            self._queues[queue].extend(readings)

    def peek(self, kind: Kind) -> Any:  # noqa: ANN401 - what was written
        """Return the next reading of a kind, or None."""
        queue = self._queues[queue_of(kind)]
        return queue[0][0] if queue else None

    def take(self, kind: Kind) -> Any:  # noqa: ANN401 - what was written
        """Return the next reading of a kind.

        Raises:
            OtherReadingError: nothing more of it was heard.
        """
        queue = self._queues[queue_of(kind)]
        if not queue:
            raise OtherReadingError(f"nothing more was heard then: {kind}")
        reading, times = queue.popleft()
        if times > 1:
            queue.appendleft((reading, times - 1))
        return reading

    def left(self) -> list[str]:
        """Return the kinds of readings of which not all were taken."""
        return sorted({queue.partition("/")[0] for queue, of in self._queues.items() if of})


def masked(part: bytes, mask: Mask) -> bytes:
    """Return a part of the record without a secret."""
    told = msgspec.json.decode(zlib.decompress(part), type=TapePart)
    octets = dict(mask.named_octets(sha256, one) for sha256, one in told.octets.items())
    heard = to_json(told.heard).decode()
    clean = mask.text(heard)
    if clean == heard and octets == told.octets:
        return part
    readings = msgspec.json.decode(clean, type=dict[str, list[Counted]])
    return zlib.compress(to_json(TapePart(heard=readings, octets=octets)), _LEVEL)


class _Packed(msgspec.Struct):
    """A part of the record, of which most stays packed."""

    heard: dict[str, msgspec.Raw]
    octets: msgspec.Raw = msgspec.Raw(b"{}")


NAMED = "event named"
"""How much lower the numbers are that ids of events name than those of the events now."""


def _moved(numbers: Mapping[str, int], by: Mapping[str, int]) -> dict[str, int]:
    """Return moved numbers; ids stay as they are."""
    moved = {table: number + by.get(table, 0) for table, number in numbers.items()}
    if by.get("event") and "event" in numbers:
        moved[NAMED] = numbers.get(NAMED, 0) + by["event"]
    return moved


def renumbered(part: bytes, by: Mapping[str, int]) -> bytes:
    """Return a part of the record with numbers moved that a store counts for all its agents.

    `by` says by how much, for each table.
    """
    told = msgspec.json.decode(zlib.decompress(part), type=_Packed)
    heard = msgspec.json.decode(told.heard.get("counted", b"[]"), type=list[Counted])
    if not any(numbers for numbers, _ in heard):
        return part
    moved = [(_moved(numbers, by), times) for numbers, times in heard]
    told.heard["counted"] = msgspec.Raw(to_json(moved))
    return zlib.compress(to_json(told), _LEVEL)


def raised(error: BaseException) -> dict[str, object]:
    """Return what is kept of an error that something outside raised."""
    kept: dict[str, object] = {"error": type(error).__name__, "says": str(error)}
    kept["is_plain"] = isinstance(error, Exception)
    if isinstance(error, ModelFault):
        kept |= {
            "fault": error.fault,
            "http_status": error.http_status,
            "wait": error.wait,
            "sent": error.sent,
        }
    return kept


def raise_again(kept: dict[str, Any]) -> NoReturn:
    """Raise an error as it was raised then; one that ended the process ends the operation."""
    name, says = kept["error"], kept["says"]
    if "fault" in kept:
        raise ModelFault(
            says,
            fault=FaultClass(kept["fault"]),
            http_status=kept["http_status"],
            wait=kept["wait"],
            sent=kept["sent"],
        )
    if name in _ENDS:
        raise _ENDS[name]
    found = getattr(errors, name, None)
    if isinstance(found, type) and issubclass(found, MindError):
        made = found.__new__(found)
        Exception.__init__(made, says)
        raise made
    if kept["is_plain"]:
        raise RuntimeError(says)
    raise TapeEndError
