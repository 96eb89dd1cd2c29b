"""What travels of an inbox: events as they rest, receipts, bounds, ways to give back."""

from mindpipe.core.events import EventType, NewEvent
from mindpipe.core.messages import FilePart
from mindpipe.core.records import Record, State
from mindpipe.core.sources import joined, of_others, source_name

MAX_BYTES = 1 << 20
MAX_OPEN = 10_000
MAX_ATTEMPTS = 5
BATCH = 20
LEASE_SECONDS = 60.0


class EventState(State):
    """Where an event stands; an expired lease is `leased` with a deadline in the past."""

    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"

    def successors(self) -> frozenset["EventState"]:
        """Return the states that may follow."""
        return _SUCCESSORS[self]


_SUCCESSORS = {
    EventState.READY: frozenset({EventState.LEASED, EventState.DEAD}),
    EventState.LEASED: frozenset(
        {EventState.DONE, EventState.READY, EventState.DEAD, EventState.LEASED}
    ),
    EventState.DONE: frozenset[EventState](),
    EventState.DEAD: frozenset({EventState.READY}),
}


class Event(Record, omit_defaults=True):
    """One event in an inbox.

    `seq` is its place in order of arrival. `asked` is the priority that was asked for, where the
    source's ceiling lowered it. `original` holds the bytes as base64 where `text` or `body` had to
    be cleaned (`lossy`). `epoch` grows with every claim; ack, release and extend must name it.
    `outcome` is handled or skipped; `reason` says why it was given back or is dead. `sources` names
    others whose words it holds beside its own source; `cleared` is set once the operator has read
    it and vouched for it. `files` went along with it, or with the message that it tells of.
    """

    id: str
    seq: int
    agent: str
    type: EventType
    source: str
    key: str | None = None
    priority: int
    asked: int | None = None
    due: str | None = None
    space: str | None = None
    sender: str | None = None
    text: str | None = None
    body: dict[str, object] = {}
    lossy: bool = False
    original: str | None = None
    pushed: str
    state: EventState
    attempts: int
    epoch: int
    owner: str | None = None
    outcome: str | None = None
    reason: str | None = None
    sources: tuple[str, ...] = ()
    cleared: bool = False
    files: tuple[FilePart, ...] = ()

    def origins(self) -> tuple[str, ...]:
        """Return whose words it holds, trusted or not; nobody's once it is cleared.

        What its agent said itself, and comes back with an answer to it, is nobody else's.
        """
        own = source_name(self.source, self.sender)
        said = joined(self.sources, () if own is None else (own,))
        return () if self.cleared else of_others(said, self.agent)


class FileEvent(NewEvent, omit_defaults=True):
    """One event on a line of a file: as it was pushed, with its id, place and time."""

    id: str
    seq: int
    pushed: str
    original: str | None = None


class Receipt(Record, omit_defaults=True):
    """What a push answers for one event, after the commit.

    `key` is the caller's, or the id where none was given; pushed again under it, the event is the
    same (`duplicate`). `lowered` is the priority given instead of the one asked for.
    """

    id: str
    key: str
    duplicate: bool = False
    lowered: int | None = None


class Ceiling(Record):
    """The most urgent priority that a source may ask for; a source may end in `*`."""

    source: str
    priority: int


class Bounds(Record):
    """What an inbox admits: bytes per event, open events in all and per source, ceilings."""

    max_bytes: int = MAX_BYTES
    max_open: int = MAX_OPEN
    max_open_per_source: int = MAX_OPEN
    ceilings: tuple[Ceiling, ...] = ()


class EventDefaults(Record):
    """What holds for every pushed event that does not say it itself."""

    agent: str | None = None
    type: EventType = "service"
    source: str = "operator"
    key: str | None = None
    priority: int = 3
    due: str | None = None
    space: str | None = None
    sender: str | None = None


class Release(Record):
    """How an event is given back.

    `clean` gives the attempt back too. `wait` is the delay in seconds; None means none after a
    clean release, else a random one that grows with the attempts.
    """

    reason: str
    clean: bool = False
    wait: float | None = None


class Held(Record, forbid_unknown_fields=False):
    """A claimed event by id and epoch; read from what `claim` printed."""

    id: str
    epoch: int
