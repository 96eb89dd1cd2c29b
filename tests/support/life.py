"""A whole agent in process: a real store, workers that may die at any failpoint, fake programs."""

import contextlib
import copy
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, cast

import apsw
import msgspec
from msgspec.structs import replace

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.context.verbs.trust import Revoker
from mindpipe.core import failpoints
from mindpipe.core.errors import TemporaryError, UnavailableError
from mindpipe.core.events import NewEvent
from mindpipe.core.models import ModelRequest, Target, Usage
from mindpipe.core.ports import Model, Preview, ProgramCall, ProgramRun, Rows
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.delivery import delivery
from mindpipe.engine.dependencies import Dependencies, Holder, ModelAccess, Policy, ToolAccess
from mindpipe.engine.records.journal import ANY, CycleLimits, CycleReport, EventChoice
from mindpipe.engine.verbs import think
from mindpipe.inbox.records import Bounds, Receipt
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.life.verbs.recording import Recorder
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewSpaceEntity
from mindpipe.spending.records import Caps
from mindpipe.store.access import make_store, open_store
from mindpipe.store.address import Where, address_of
from mindpipe.store.engine import EngineStore
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.store.sqlite import SqliteStore
from support.command import all_rows, make_private
from support.fakes import FixedClock
from support.server_stores import ON_SERVER, LookedInto, copy_at, make_at, where_at
from support.stores import WordTokens

AGENT = "ava"
LEASE = 60.0
# What a new life's store holds, by the settings of its agent: it is the same for each; or where on
# a server one lies that none has begun yet.
_NEW: dict[bytes, bytes | Path] = {}


class KilledError(BaseException):
    """The worker is dead: nothing it does from here on happens."""


class _Mortal(EngineStore):
    """A store whose worker may die: then what is open is rolled back and nothing more begins."""

    dead = False

    @contextlib.contextmanager
    def write(self, *of: str) -> Iterator[Rows]:
        """Open, or join, a transaction, unless the worker is dead."""
        if self.dead:
            raise TemporaryError("the dead write nothing")
        with super().write(*of) as rows:
            yield rows


class MortalStore(_Mortal, SqliteStore):
    """Such a store in a file."""


class MortalServerStore(_Mortal, PostgresStore):
    """Such a store on a server; `committed` is called after every commit."""

    committed: Callable[[], None] = staticmethod(lambda: None)

    @contextlib.contextmanager
    def write(self, *of: str) -> Iterator[Rows]:
        """Open, or join, a transaction, and say when it was committed."""
        with super().write(*of) as rows:
            yield rows
        if not self._is_under_way():
            self.committed()


@dataclass
class Sink:
    """Programs that do something outside: what ran how often, and under which key.

    `ends` says how a program ends, if not well; one that is `missing` does not start.
    """

    runs: list[tuple[str, str]] = field(default_factory=list)
    ends: dict[str, ProgramRun] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)

    def run(self, call: ProgramCall) -> ProgramRun:
        """Note the effect of one run."""
        tool = call.argv[0]
        if tool in self.missing:
            raise UnavailableError(f"the program {tool} cannot start")
        self.runs.append((tool, call.environment["IDEMPOTENCY_KEY"]))
        return self.ends.get(tool, ProgramRun(status=0, stdout=b"did it", stderr=b""))

    def times(self, tool: str) -> int:
        """Return how often a tool ran."""
        return sum(name == tool for name, _ in self.runs)

    def keys(self, tool: str) -> set[str]:
        """Return the keys under which a tool ran."""
        return {key for name, key in self.runs if name == tool}


class FlatPrices:
    """Every token costs one micro-dollar."""

    def of(self, usage: Usage, _: Target) -> int:
        """Return what a reply cost."""
        return (usage.input_tokens or 0) + (usage.output_tokens or 0)

    def at_most(self, request: ModelRequest) -> int:
        """Return the most that a request can cost."""
        return request.options.max_tokens


TOOLS = tuple(
    ToolManifest(name=effect, description="A tool.", command=(effect,), effect=effect)
    for effect in ("pure", "idempotent", "keyed", "unsafe")
)


def with_holder(deps: Dependencies, **fields: object) -> Dependencies:
    """Return dependencies whose worker differs in these fields."""
    return replace(deps, holder=replace(deps.holder, **fields))


class Life:
    """One agent in a store of its own, in two spaces with a friend; time stands until it is moved.

    `passed` counts how often each failpoint was reached.
    """

    def __init__(self, folder: Path, change: AgentChange | None = None) -> None:
        self.path = make_private(folder) / "mind.db"
        self.clock = FixedClock()
        self.chance = make_chance(7)
        self.sink = Sink()
        self.passed: dict[str, int] = {}
        self.workers = 0
        self.preview: Preview | None = None
        self.bounds = Bounds()
        self.policy = Policy()
        self.listen: Callable[[MortalStore], None] = lambda _: None
        self._begin(change or AgentChange(tools=TOOLS))

    def _begin(self, change: AgentChange) -> None:
        """Make the store, or copy one that was made alike."""
        settings = msgspec.json.encode(change)
        match _NEW.get(settings):
            case bytes(octets):
                self.path.touch(0o600)
                self.path.write_bytes(octets)
            case Path() as kept:
                copy_at(kept, self.path)
            case None if ON_SERVER:
                kept = Path(tempfile.gettempdir(), f"life-{len(_NEW)}-{os.getpid()}.db")
                self._settle(make_at(kept, self.clock, self.chance), change)
                _NEW[settings] = kept
                copy_at(kept, self.path)
            case None:
                self._settle(make_store(self.path, self.clock, self.chance), change)
                _NEW[settings] = self.path.read_bytes()

    def _settle(self, made: EngineStore, change: AgentChange) -> None:
        """Put the agent into a store, in its two spaces."""
        with contextlib.closing(made) as store:
            agents.new(store, self.clock, self.chance, name=AGENT, change=change)
            for space in ("family", "work"):
                spaces.new(store, self.clock, name=space)
                for who, kind in ((AGENT, "agent"), ("husam", "human")):
                    entity = NewSpaceEntity(name=who, kind=kind)
                    spaces.join(store, self.clock, self.chance, space=space, who=entity)

    @property
    def where(self) -> Where:
        """Return where its store is."""
        return where_at(self.path)

    @property
    def revoker(self) -> Revoker:
        """Return what takes back again what people took back."""
        return Revoker(self.clock, self.chance)

    def copied(self, folder: Path) -> Self:
        """Return this life as it is now, with its store in a folder of its own."""
        other = copy.deepcopy(self)
        other.path = make_private(folder) / self.path.name
        if ON_SERVER:
            copy_at(self.path, other.path)
            return other
        shutil.copyfile(self.path, other.path)
        other.path.chmod(0o600)
        return other

    def push(self, *texts: str, **fields: object) -> list[Receipt]:
        """Put events into the inbox."""
        events = [NewEvent(agent=AGENT, type="service", text=text, **fields) for text in texts]
        with self.open() as store:
            return push_events(store, self.clock, self.chance, events=events, bounds=Bounds())

    @contextlib.contextmanager
    def open(self) -> Iterator[MortalStore]:
        """Open the store for one worker."""
        if ON_SERVER:
            with contextlib.closing(MortalServerStore(address_of(str(self.where)))) as on_server:
                self.listen(cast("MortalStore", on_server))
                yield cast("MortalStore", on_server)
            return
        with contextlib.closing(open_store(self.path)) as store:
            # What a crash of the machine would leave is not asked here, so nothing waits for disks.
            store.connection.execute("PRAGMA synchronous=OFF")
            mortal = MortalStore(store.connection, self.path)
            self.listen(mortal)
            yield mortal

    def dependencies(
        self, store: MortalStore, model: Model, caps: Caps | None = None
    ) -> Dependencies:
        """Return what the next worker thinks with."""
        self.workers += 1
        return Dependencies(
            store=store,
            clock=self.clock,
            chance=self.chance,
            models=ModelAccess(
                model=model,
                prices=FlatPrices(),
                caps=caps or Caps(),
                preview=self.preview,
                tokens=WordTokens(),
            ),
            tools=ToolAccess(
                programs=self.sink,
                deliver=delivery(store, self.clock, self.chance, bounds=self.bounds, max_depth=5),
            ),
            policy=self.policy,
            holder=Holder(
                owner=f"worker-{self.workers}",
                lease=LEASE,
                keep_alive=lambda _renew, _seconds: contextlib.nullcontext(),
            ),
            recording=self.recorder(store),
        )

    def recorder(self, store: SqliteStore) -> Recorder:
        """Return what records operations in the store."""
        return Recorder(store, bounds=self.bounds, slots=None, windows=None)

    def think(
        self,
        model: Model,
        *,
        limits: CycleLimits | None = None,
        caps: Caps | None = None,
        dies: tuple[str, int] | None = None,
        meanwhile: Callable[[], object] | None = None,
        choice: EventChoice = ANY,
    ) -> CycleReport:
        """Live one cycle; `dies` names the failpoint and its passage at which the worker is killed.

        With `meanwhile` it only sleeps there past its lease, and that happens while it does.

        Raises:
            KilledError: it was killed; its lease has run out since.
        """
        with self.open() as store, self._failing(store, dies, meanwhile):
            deps = self.dependencies(store, model, caps)
            try:
                chosen = limits or CycleLimits()
                return think.think(deps, agent=AGENT, limits=chosen, choice=choice)
            except KilledError:
                self.clock.pass_time(LEASE)
                raise

    @contextlib.contextmanager
    def _failing(
        self,
        store: MortalStore,
        dies: tuple[str, int] | None,
        meanwhile: Callable[[], object] | None,
    ) -> Iterator[None]:
        """Count failpoints, and kill the worker at one, or let it sleep there."""
        left = list(dies) if dies else ["", 0]

        def hook(name: str) -> None:
            self.passed[name] = self.passed.get(name, 0) + 1
            if name == left[0]:
                left[1] -= 1
                if left[1] == 0 and meanwhile is not None:
                    self.clock.pass_time(LEASE)
                    meanwhile()
                elif left[1] == 0:
                    store.dead = True
                    raise KilledError(name)

        failpoints.install(hook)
        try:
            yield
        finally:
            failpoints.install(lambda _: None)

    @contextlib.contextmanager
    def _looked_into(self) -> Iterator[apsw.Connection]:
        """Open its store for questions."""
        if ON_SERVER:
            with contextlib.closing(LookedInto(self.path)) as on_server:
                yield cast("apsw.Connection", on_server)
            return
        with contextlib.closing(open_store(self.path, read_only=True)) as store:
            yield store.connection

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query."""
        with self._looked_into() as store:
            return list(store.execute(sql))

    def everything(self) -> dict[str, list[tuple]]:
        """Return all rows of all tables."""
        with self._looked_into() as store:
            return all_rows(store)

    def value(self, sql: str) -> object:
        """Return the only value of a query."""
        ((only,),) = self.rows(sql)
        return only

    def documents(self, sql: str) -> list:
        """Return the JSON values of a query of one column."""
        return [json.loads(one) for (one,) in self.rows(sql)]

    def states(self, table: str) -> Sequence[str]:
        """Return the states in a table."""
        return [state for (state,) in self.rows(f"SELECT state FROM {table} ORDER BY seq")]
