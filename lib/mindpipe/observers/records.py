"""What observers are told to watch, what they have seen, and what they say of a change."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from mindpipe.core.events import NewEvent
from mindpipe.core.records import Record

Kind = Literal["created", "modified", "moved", "deleted"]
Initial = Literal["remember", "report"]
MOST_BOOST = 5
DEBOUNCE_MS = 500
RESCAN_SECONDS = 60.0
MAX_BODY_BYTES = 1 << 20
SKEW_SECONDS = 300
REQUEST_SECONDS = 30.0

Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Argv = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]


class Meaning(Record):
    """When a named event is meant: for these kinds of change, where a field changed.

    `field` names the first line `FIELD: VALUE` of the file; the event is meant only where its value
    is another than before, and with `is_` where it is now this one.
    """

    on: tuple[Kind, ...] = ("modified",)
    field: str | None = None
    is_: str | None = msgspec.field(default=None, name="is")


Named = str | dict[str, Kind | tuple[Kind, ...] | Meaning]
"""A name whose last word says the kind of change, or a name with its meaning."""


class Point(Record):
    """One observation point: the files that a pattern means, and what is told of them.

    `path` is a pattern below the root (`*`, `**`, `?`, `[...]`). Without `events` every change is
    told. `priority_boost` (0-5) makes it more urgent.
    """

    path: Word
    observer: Word
    events: tuple[Named, ...] = ()
    priority_boost: Annotated[int, msgspec.Meta(ge=0, le=MOST_BOOST)] = 0
    agent: str | None = None


class Repository(Record):
    """A git repository whose new commits and moved branches are told.

    `path` is below the folder of the configuration, or absolute; `every_seconds` is the longest
    time between two looks.
    """

    observer: Word
    path: str = "."
    every_seconds: Annotated[float, msgspec.Meta(ge=0.1, le=86400)] = 5.0
    priority_boost: Annotated[int, msgspec.Meta(ge=0, le=MOST_BOOST)] = 0
    agent: str | None = None


class Watched(Record):
    """A process whose start and end are told: one that runs (`pid`), or one to run (`command`)."""

    observer: Word
    pid: Annotated[int, msgspec.Meta(ge=1)] | None = None
    command: Argv | None = None
    priority_boost: Annotated[int, msgspec.Meta(ge=0, le=MOST_BOOST)] = 0
    agent: str | None = None


class Speaking(Record):
    """A program that stays and prints one event as JSON on each line; it is started again."""

    observer: Word
    command: Argv
    agent: str | None = None


class Endpoint(Record):
    """An HTTP endpoint on the loopback for services that sign what they send.

    The secret stands in the environment variable `secret_env` or in the file `secret_file`. Port 0
    takes a free one. `skew_seconds` is how far the time of a request may be off, and
    `request_seconds` how long it may take to come, however steadily it does.
    """

    observer: Word = "http"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8787
    secret_env: str | None = None
    secret_file: str | None = None
    max_bytes: Annotated[int, msgspec.Meta(ge=1, le=16 << 20)] = MAX_BODY_BYTES
    skew_seconds: Annotated[int, msgspec.Meta(ge=1, le=86400)] = SKEW_SECONDS
    request_seconds: Annotated[float, msgspec.Meta(ge=0.1, le=3600)] = REQUEST_SECONDS
    agent: str | None = None


class ObserverConfig(Record):
    """All that a file of observers says.

    `root` is the folder below which `observation_points` are, itself below the folder of the file.
    A change is told once nothing moved for `debounce_ms`; everything is looked at again every
    `rescan_seconds`. `initial` says whether what is there at the first look is told as created.
    `state_persistence`, where other tools are told to keep their state, is ignored: a store does.
    """

    agent: str | None = None
    root: str = "."
    ignore: tuple[Word, ...] = ()
    debounce_ms: Annotated[int, msgspec.Meta(ge=0, le=60000)] = DEBOUNCE_MS
    rescan_seconds: Annotated[float, msgspec.Meta(ge=1, le=86400)] = RESCAN_SECONDS
    initial: Initial = "remember"
    observation_points: dict[str, tuple[Point, ...]] = {}
    git: tuple[Repository, ...] = ()
    processes: tuple[Watched, ...] = ()
    programs: tuple[Speaking, ...] = ()
    http: Endpoint | None = None
    state_persistence: dict[str, object] | None = None

    def points(self) -> tuple[Point, ...]:
        """Return all observation points in their order."""
        return tuple(point for points in self.observation_points.values() for point in points)


class SeenFile(Record):
    """A file as it was last seen; `path` is below the root.

    `sha256` is of its content, None where it was too long to read. `settled` is false where it was
    seen so soon after it was written that a later change might show the same times. `fields` has
    the values of the lines that an observation point asks for.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    sha256: str | None = None
    settled: bool = True
    fields: dict[str, str] = {}


class FileChange(Record):
    """One change of one file; of a moved one both paths are told."""

    kind: Kind
    before: SeenFile | None = None
    after: SeenFile | None = None

    @property
    def path(self) -> str:
        """Return where the file is, or was."""
        side = self.after or self.before
        return "" if side is None else side.path


class Observed(Record, omit_defaults=True):
    """What an observer says, as the body of an event.

    `kind` is created, modified, moved or deleted of a file; commit, ref_created, ref_reset,
    ref_moved or ref_deleted of a repository; started or exited of a process. `path` is the file,
    ref or commit, `was` where it was before. `names` are the events of the observation points.
    """

    kind: str
    path: str
    observers: tuple[str, ...]
    names: tuple[str, ...] = ()
    was: str | None = None
    size: int | None = None
    sha256: str | None = None
    status: int | None = None
    details: dict[str, str] = {}


class ObserverCheck(Record):
    """One thing that a configuration observes: by whom, of which kind, for whom, how urgent.

    `what` is a pattern, a folder, a command or an address. `priority` is what its events get, from
    0 (emergency) to 4 (background), and `priority_boost` what the configuration says of that.
    """

    observer: str
    kind: str
    what: str
    agent: str | None = None
    priority_boost: int | None = None
    priority: int


class ObserverMemory(Record):
    """What an observer has seen: files by their path, and marks of its own."""

    files: dict[str, SeenFile] = {}
    marks: dict[str, str] = {}


class ObserverStep(Record):
    """One step of an observer: what is told, and what is seen from then on.

    `before` has the files as they were seen until now, by which an overtaken step is recognised.
    A mark that is None goes.
    """

    observer: str
    events: tuple[NewEvent, ...] = ()
    before: dict[str, SeenFile | None] = {}
    seen: tuple[SeenFile, ...] = ()
    gone: tuple[str, ...] = ()
    marks: dict[str, str | None] = {}
    marks_before: dict[str, str | None] = {}


Snapshot = Mapping[str, SeenFile]
"""Files by their path."""
