"""The seams of mindpipe: what the library needs from the outside, as protocols."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar, overload

from mindpipe.core.events import NewEvent
from mindpipe.core.records import Record
from mindpipe.core.redaction import Redactor

if TYPE_CHECKING:
    from mindpipe.core.models import ModelReply, ModelRequest, Target

Cell = None | int | float | str | bytes
Row = tuple[Cell, ...]
Given = Cell | Sequence[int] | Sequence[str]
"""A parameter of a statement: a cell, or a list of them where the statement says `IN :names`."""
NO_LIMIT = 2**63 - 1
"""What a statement's `LIMIT` is given where all rows are wanted."""
NOBODY = ""
"""Whose rows belong to no agent alone: spaces, who is in them, and what was posted there."""
HeldKind = Literal["agent", "space", "task", "ticket", "breaker", "spending", "inbox", "row"]
"""What a transaction may hold of a store that many write, in the order in which it takes them.

See `Rows.hold`. `row` says of an agent that its events are changed one by one: each statement tells
by the state and epoch of a row whether it still may, and holds the row itself.
"""
T = TypeVar("T")


class Pair(NamedTuple):
    """One statement in the words of each engine, where no text is both's."""

    sqlite: str
    postgres: str


Sql = str | Pair
"""A statement of the tables: one text wherever both engines take it."""


class Rows(Protocol):
    """Run SQL inside one transaction; parameters are named (`:agent`) and given as a mapping.

    Of a list the statement says `IN :names` or `NOT IN :names`.
    """

    def run(self, sql: Sql, values: Mapping[str, Given] | None = None) -> None:
        """Run one statement, at the latest before the next one of which something is wanted.

        What is wrong with it may be told only then, or as the transaction ends.
        """
        ...

    def ahead(self, sql: Sql, values: Mapping[str, Given] | None = None) -> None:
        """Say what will be asked, so that it can come along with what is asked before it."""
        ...

    def changed(self, sql: Sql, values: Mapping[str, Given] | None = None) -> int:
        """Run one statement and return how many rows it changed."""
        ...

    def run_many(self, sql: Sql, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional (`?`) parameters."""
        ...

    def run_last(self, sql: Sql, values: Iterable[tuple[Cell, ...]]) -> None:
        """Insert rows that others may be inserting, too: a text is the key, and says all of it.

        The key is the first parameter. Where many write, it is done as the transaction ends, or
        before a statement reads the table, in the order of the keys: whoever waits then for another
        that has inserted the same holds nothing for which that one is yet to come.
        """
        ...

    def all(self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None) -> list[T]:
        """Return every row as a record whose fields are the columns' names."""
        ...

    def ranked(self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None) -> list[T]:
        """Return what `all` does, of a statement that ranks rows by the words of all agents."""
        ...

    def scored(self, found: Sequence[tuple[str, float]]) -> None:
        """Tell whoever keeps a record what was found by its ranks, each with its score."""
        ...

    def one(self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None) -> T | None:
        """Return the first row as a record, or None."""
        ...

    def value(self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None) -> T | None:
        """Return the first column of the first row, or None where there is no row or it is NULL."""
        ...

    def each(
        self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None
    ) -> Iterator[T]:
        """Yield rows as records without holding them all; only inside this transaction.

        As a `tuple` each is given as it is.
        """
        ...

    def hold(self, kind: HeldKind, *names: str) -> bool:
        """Keep other writers from these until the transaction ends; return whether it had to wait.

        What was read of them before may be another by then, where it had to. All transactions
        take them in the order of `HeldKind`, and of one kind by their names, so that none waits
        for another that waits for it. Where one writes at a time, and where nothing is written,
        nothing is to be done.

        Raises:
            AssertionError: something is held that comes behind, and this is a test.
        """
        ...


class Store(Protocol):
    """One durable store with transactions.

    `write` begins at once and commits when its block ends; inside an open `write` of the same store
    a further `write` or `read` joins it, so that verbs compose into one transaction. An exception
    rolls everything back.

    `write()` holds the whole store: no other writer can come between. `write("ava")` holds agents
    (or persons) by their names, and writes rows of no others; `write(NOBODY)` none, so that what it
    changes is held by `Rows.hold`. A block that joins and names agents has to name such as the one
    that began did; one that names none takes what there is.
    """

    @property
    def identity(self) -> str:
        """Return the id that was given to this store when it was made."""
        ...

    @property
    def redactor(self) -> Redactor:
        """Return what takes secrets out of the words that come into this store."""
        ...

    @property
    def searched(self) -> "Store":
        """Return where words are searched: the store itself, or a file that mirrors it."""
        ...

    def write(self, *of: str) -> AbstractContextManager[Rows]:
        """Open, or join, a transaction that may write: all, or what is of these."""
        ...

    def read(self) -> AbstractContextManager[Rows]:
        """Open, or join, a transaction that sees one consistent state."""
        ...


class Octets(Protocol):
    """Octets that are read from place to place: bytes, or a file that is not held."""

    def __len__(self) -> int:
        """Return how many there are."""
        ...

    @overload
    def __getitem__(self, wanted: int, /) -> int: ...
    @overload
    def __getitem__(self, wanted: slice, /) -> bytes: ...

    def startswith(self, prefix: bytes, /) -> bool:
        """Tell how they begin."""
        ...

    def find(self, wanted: bytes, start: int = ..., /) -> int:
        """Return where some octets stand first, from a place on; -1 where they do not."""
        ...


class PutAside(Protocol):
    """PutAside of bytes that are kept until they are wanted, in memory or in a private file."""

    def add(self, piece: bytes) -> None:
        """Keep one more piece."""
        ...

    def pieces(self) -> Iterator[bytes]:
        """Yield the pieces from the first on, as they were added."""
        ...

    def piece(self, number: int) -> bytes:
        """Return one piece, by its number from 0."""
        ...


class Preview(Protocol):
    """Hear pieces of a reply while it is being written; nothing of it counts before the end."""

    def text(self, piece: str) -> None:
        """Hear a piece of text."""
        ...

    def thinking(self, piece: str) -> None:
        """Hear a piece of reasoning."""
        ...

    def call(self, tool: str) -> None:
        """Hear that a tool call has begun."""
        ...

    def argument(self, piece: str) -> None:
        """Hear a piece of the JSON of the arguments of the call that began last."""
        ...


class Model(Protocol):
    """One request record in, one reply record out.

    Raises ModelFault for a failed attempt; never retries by itself.
    """

    @property
    def target(self) -> "Target":
        """Return what requests for this model are written for."""
        ...

    def reply(self, request: "ModelRequest", preview: Preview | None = None) -> "ModelReply":
        """Send one request and return its complete reply."""
        ...


class Tokens(Protocol):
    """Count tokens; the name stands beside every count that is stored."""

    @property
    def name(self) -> str:
        """Return the tokenizer's name."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens the text has."""
        ...


class BootTime(Record):
    """A moment on the clock that runs since boot and never jumps: boot id and seconds."""

    boot: str
    seconds: float


class Embedder(Protocol):
    """Turn texts into vectors whose cosine says how near two texts are in meaning."""

    @property
    def name(self) -> str:
        """Return the embedding model's name."""
        ...

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, all of one length.

        Raises UnavailableError where the model is not there.
        """
        ...


class Clock(Protocol):
    """Know the time: wall time for people, boot time for deadlines."""

    def now(self) -> str:
        """Return the wall-clock instant as UTC text, e.g. 2026-11-21T20:00:00Z."""
        ...

    def boot(self) -> BootTime:
        """Return the boot clock, which no change of the wall clock moves."""
        ...

    def pause(self, seconds: float) -> None:
        """Wait."""
        ...


class Chance(Protocol):
    """Make ids and chance; with a seed both are reproducible."""

    def new_id(self, prefix: str, *place: str | int) -> str:
        """Return `prefix_` + 22 base62 characters (128 bits).

        Seeded, it is a hash of seed, prefix and place, so `place` must name the thing uniquely
        (agent and sequence number, say); unseeded, it is random and `place` is not looked at.
        """
        ...

    def number_named(self, number: int) -> int:
        """Return the number that the id of a row names, which is the one under which it is made.

        It is another one where a life is lived again in whose store the numbers moved since.
        """
        ...

    def uniform(self) -> float:
        """Return a number in [0, 1)."""
        ...


class ProgramFile(Record):
    """A file that a program answered with beside its text."""

    name: str
    octets: bytes


class ProgramRun(Record):
    """What became of one run of a program.

    `status` is its exit status, negative for a signal; None when it was ended at its deadline.
    `outgrew` tells that it was ended because a process of it had more memory than its limit.
    `found` is what it printed as a JSON value, where it gave one beside its text, and `files` are
    the pictures and other files that it gave.
    """

    status: int | None
    stdout: bytes
    stderr: bytes
    stdout_cut: bool = False
    stderr_cut: bool = False
    outgrew: bool = False
    found: object = None
    files: tuple[ProgramFile, ...] = ()


class Limits(Record):
    """What bounds each process of a program; without `cpu_seconds`, its time and 5 more.

    `memory_bytes` are those that it has of its own: neither address space that it only reserves
    nor pages of files. They are looked at several times a second (Linux).
    """

    cpu_seconds: int | None = None
    memory_bytes: int = 1 << 30
    file_bytes: int = 64 << 20
    open_files: int = 256


class Sandbox(Record):
    """What a program sees from inside: the network or not, and files besides the system's own."""

    network: bool = False
    visible: tuple[str, ...] = ()


class ProgramCall(Record):
    """One program to run: argument vector, bytes for stdin, limits and environment.

    `private_folder` gives it a working folder and home of its own that go away afterwards. Of each
    output `output_bytes` are kept; with `ends_when_cut` a program that writes more is ended.
    """

    argv: tuple[str, ...]
    stdin: bytes = b""
    seconds: float = 60.0
    output_bytes: int = 65536
    ends_when_cut: bool = False
    environment: dict[str, str] = {}
    private_folder: bool = True
    limits: Limits = Limits()
    sandbox: Sandbox | None = None


class Programs(Protocol):
    """Run other programs as argument vectors, never through a shell, under limits."""

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program to its end or deadline; raises UnavailableError if it cannot start."""
        ...


Deliver = Callable[[list[NewEvent]], None]
"""Push events (each names its agent) into inboxes, inside the caller's open transaction."""
