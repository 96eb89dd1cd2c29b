"""Record what an operation hears from outside, beside what it commits.

Every port of its dependencies says what it gave. What an operation commits is left as it is: a
part of its record is written in the same transaction.
"""

import base64
import contextlib
import hashlib
import threading
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import msgspec

from mindpipe.agents import tables as agent_tables
from mindpipe.agents.mcp_servers import bare_command
from mindpipe.core.errors import MindError
from mindpipe.core.mcp_servers import BRIDGE
from mindpipe.core.models import ModelReply, ModelRequest, Target, Usage
from mindpipe.core.parallel import LANE
from mindpipe.core.ports import (
    BootTime,
    Chance,
    Clock,
    Embedder,
    Given,
    Model,
    Preview,
    ProgramCall,
    ProgramRun,
    Programs,
    Rows,
    Sql,
)
from mindpipe.core.records import Record, to_json
from mindpipe.engine.delivery import delivery
from mindpipe.engine.dependencies import Dependencies, Policy, Prices, RulePorts
from mindpipe.history import tables as history_tables
from mindpipe.inbox.records import Bounds
from mindpipe.life.operations import (
    NOTHING_KNOWN,
    Begun,
    NewPart,
    Operation,
    OperationSetup,
    RuleSetup,
    SeenRows,
    Setup,
)
from mindpipe.life.tables import lives as tables
from mindpipe.life.tables import operations as operation_tables
from mindpipe.life.tape import Kind, Seen, TapeMark, TapeWriter, raised
from mindpipe.life.verbs.versions import versions_here
from mindpipe.recall.records import FilesOf, Recalled, no_files
from mindpipe.store.changes import last_of_all

if TYPE_CHECKING:
    from mindpipe.store.changes import ChangesWritten
    from mindpipe.store.engine import EngineStore
    from mindpipe.store.rows import Found

T = TypeVar("T")


class Hear(Protocol):
    """Take a reading, where one is to be kept."""

    def __call__(self, kind: Kind, reading: object) -> None:
        """Keep a reading of the operation that goes on in this thread."""
        ...


class Recorder:
    """Record the operations of one store's dependencies; see `mindpipe.engine.dependencies`."""

    def __init__(
        self,
        store: "EngineStore",
        *,
        bounds: Bounds,
        slots: str | None,
        windows: str | None,
        max_depth: int = Policy().max_depth,
    ) -> None:
        self.store = store
        self.slots, self.windows = slots, windows
        self._bounds, self._max_depth = bounds, max_depth

    @contextlib.contextmanager
    def __call__(
        self, deps: Dependencies, *, agent: str, kind: str, asked: Record
    ) -> Iterator[Dependencies]:
        """Give dependencies of which each part says what it gave, while the block lasts.

        What goes on already is one operation with what is done inside of it.
        """
        if self.store.listener is not None:
            yield deps
            return
        setup, owner = self._setup(deps), deps.holder.owner
        with self.operation(agent, kind, asked, setup=setup, owner=owner) as record:
            yield self._recorded(deps, record)

    @contextlib.contextmanager
    def by_rules(
        self, ports: RulePorts, *, agent: str, kind: str, asked: Record, rules: Record
    ) -> Iterator[RulePorts]:
        """Give ports of which each says what it gave, for what is done by rules alone."""
        if self.store.listener is not None:
            yield ports
            return
        setup = RuleSetup(
            store=self.store.identity,
            slots=self.slots,
            windows=self.windows,
            bounds=self._bounds,
            max_depth=self._max_depth,
            rules=msgspec.Raw(to_json(rules)),
        )
        with self.operation(agent, kind, asked, setup=setup) as record:
            clock = RecordedClock(ports.clock, record.hear)
            chance = RecordedChance(ports.chance, record.hear)
            deliver = delivery(
                ports.store, clock, chance, bounds=self._bounds, max_depth=self._max_depth
            )
            yield RulePorts(ports.store, clock, chance, deliver)

    @contextlib.contextmanager
    def operation(
        self, agent: str, kind: str, asked: Record, *, setup: OperationSetup, owner: str = ""
    ) -> Iterator["OperationRecord"]:
        """Let the record of an operation hear of the store's transactions in the block."""
        with self.store.read() as rows:
            begun = Begun(
                kind=kind,
                asked=msgspec.Raw(to_json(asked)),
                owner=owner,
                epoch=agent_tables.find_lease(rows, agent).epoch,
            )
        setup = msgspec.structs.replace(
            setup, versions=versions_here(), scores=True, mirrored=self.store.is_mirrored
        )
        operation = Operation(agent=agent, begun=begun, setup=msgspec.Raw(to_json(setup)))
        self.store.listener = record = OperationRecord(operation)
        self.store.search_by(record.search, lambda found: record.hear("scores", found))
        try:
            yield record
        finally:
            self.store.listener = None
            self.store.search_by(None)

    def _setup(self, deps: Dependencies) -> Setup:
        models = deps.models
        return Setup(
            store=deps.store.identity,
            model=models.model.target,
            fallback=None if models.fallback is None else models.fallback.target,
            embedder=None if models.embedder is None else models.embedder.name,
            streams=models.preview is not None,
            tokens=models.tokens.name,
            caps=models.caps,
            slots=self.slots,
            windows=self.windows,
            budget=deps.prompts.budget,
            files=False,
            indexed=deps.prompts.files is not no_files,
            workers=deps.tools.workers,
            folders=deps.tools.folders,
            bounds=self._bounds,
            policy=deps.policy,
            lease=deps.holder.lease,
        )

    def _recorded(self, deps: Dependencies, record: "OperationRecord") -> Dependencies:
        replace = msgspec.structs.replace
        clock = RecordedClock(deps.clock, record.hear)
        chance = RecordedChance(deps.chance, record.hear)
        models, files = deps.models, deps.prompts.files
        fallback, embedder = models.fallback, models.embedder
        written, check = deps.tools.written, deps.holder.check
        return replace(
            deps,
            clock=clock,
            chance=chance,
            models=replace(
                models,
                model=RecordedModel(models.model, record),
                fallback=None if fallback is None else RecordedModel(fallback, record),
                embedder=None if embedder is None else RecordedEmbedder(embedder, record.hear),
                prices=RecordedPrices(models.prices, record.hear),
            ),
            prompts=replace(
                deps.prompts,
                files=no_files if files is no_files else _recorded_files(files, record.hear),
            ),
            tools=replace(
                deps.tools,
                programs=RecordedPrograms(deps.tools.programs, record.hear),
                deliver=delivery(
                    deps.store,
                    clock,
                    chance,
                    bounds=self._bounds,
                    max_depth=deps.policy.max_depth,
                ),
                written=lambda path: heard(record.hear, "written", lambda: written(path)),
            ),
            holder=replace(
                deps.holder,
                check=lambda: record.apart(check, "check"),
                tell=_apart_from(record, deps.holder.tell),
            ),
        )


def _recorded_files(files: FilesOf, hear: Hear) -> FilesOf:
    """Return what answers from files, of which each answer is kept."""

    def answered(question: str, most: int) -> list[Recalled]:
        return heard(hear, "files", lambda: files(question, most), msgspec.to_builtins)

    return answered


def _apart_from(record: "OperationRecord", tell: Callable[[str], None]) -> Callable[[str], None]:
    def told(words: str) -> None:
        record.apart(lambda: tell(words))

    return told


_KEPT = ("_number", "_part", "_begins", "_after", "_known", "_theirs", "_counted", "_told")


class _Before(NamedTuple):
    """What an operation knew before a transaction, or as it ended, which may be lost."""

    tape: TapeMark
    kept: dict[str, object]
    seen: list[Seen]
    is_ending: bool


class OperationRecord:
    """The record of one operation, of which a part is written with each transaction of its."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self._number: int | None = None
        self._part = 0
        self._tape = TapeWriter()
        self._thread = threading.get_ident()
        self._apart = threading.local()
        self._calls: dict[str, int] = {}
        self._begins = 0
        self._after = -1
        self._known = NOTHING_KNOWN
        # Before the part is written it is not known how many changes it is before its own.
        self._seen: list[Seen] = []
        self._theirs: SeenRows = {}
        self._counted: operation_tables.Counted = {}
        self._told: operation_tables.Counted = {}
        self._before: _Before | None = None

    def hear(self, kind: Kind, reading: object) -> None:
        """Keep a reading of this thread, or of one that works for it side by side with others."""
        if not self._is_apart and (threading.get_ident() == self._thread or LANE.get()):
            self._tape.add(kind, reading)

    def aside(self, octets: bytes) -> str:
        """Keep octets that the store may keep too; return their hash."""
        return self._tape.aside(octets)

    def apart(self, do: Callable[[], None], kind: Kind | None = None) -> None:
        """Do what is no part of the operation; that it raised is heard, and which call it was."""
        if kind is not None:
            self._calls[kind] = self._calls.get(kind, 0) + 1
        try:
            self.outside_of(do)
        except BaseException as error:
            if kind is not None:
                self.hear(kind, [self._calls[kind], raised(error)])
            raise

    def outside_of(self, ask: Callable[[], T]) -> T:
        """Return what is asked of the outside; what is done in the store for it is no part."""
        before, self._apart.now = self._is_apart, True
        try:
            return ask()
        finally:
            self._apart.now = before

    @property
    def _is_apart(self) -> bool:
        """Tell whether this thread does what is no part of the operation; others may not."""
        return bool(getattr(self._apart, "now", False))

    def search(self, ask: Callable[[], "Found"]) -> "Found":
        """Return what a search finds; beside other agents its ranks hang on their words too."""
        found = ask()
        if self._known.agents > 1:
            self.hear("hits", found)
        return found

    def asks(self, *, writes: bool) -> list[str]:
        """Return what is asked as a transaction of its begins."""
        if self._is_apart:
            return []
        self._before = self._standing(is_ending=False)
        # Also one that asks and tells nothing: when it is lived again, that is not known so soon.
        self._begins += 1
        return operation_tables.asked_first(writes=writes)

    def began(self, rows: Rows, *, writes: bool) -> None:
        """Note what others had done when a transaction began, where that is something new.

        Of one that may write also how far the numbers had come that the store counts for all.
        """
        if self._is_apart:
            return
        now, known = operation_tables.outside(rows), self._known
        if now != known:
            others = None
            if now.agents != known.agents:
                others = operation_tables.other_agents(rows, agent=self._operation.agent)
            theirs = operation_tables.seen_beside(rows, agent=self._operation.agent)
            told = None if theirs == self._theirs else theirs
            self._seen.append(Seen(self._begins, now.change, now.failing(), others, told))
            self._theirs = theirs
        self._after, self._known = now.change, now
        if writes:
            self._counted = operation_tables.counted(rows)

    def _standing(self, *, is_ending: bool) -> "_Before":
        """Return how it stands before a transaction begins, or ends."""
        return _Before(
            tape=self._tape.mark(),
            kept={name: getattr(self, name) for name in _KEPT},
            seen=[*self._seen],
            is_ending=is_ending,
        )

    def lost(self, error: MindError) -> None:
        """Note that the transaction which began last was lost: of one that ended all was heard."""
        before, self._before = self._before, None
        if self._is_apart or before is None:
            return
        self._tape.back_to(before.tape)
        for name, value in before.kept.items():
            setattr(self, name, value)
        self._seen = before.seen
        if not before.is_ending:
            self._begins += 1
        self.hear("lost", [self._begins, before.is_ending, raised(error)])

    def asks_last(self) -> list[tuple[Sql, Mapping[str, Given]]]:
        """Return what is asked as a transaction of its ends."""
        agent = self._operation.agent
        return [] if self._is_apart else operation_tables.asked_last(self._counted, agent=agent)

    def mirrored(self, change: int) -> None:
        """Note by how many changes a copy that is searched is ahead of the last transaction."""
        self.hear("mirrored", change - self._after)

    def ends(self, rows: Rows, written: "ChangesWritten") -> None:
        """Write what was heard until now, in the transaction that made something of it.

        Where others write at the same time, its numbers do not follow from those of its begin.
        """
        if self._is_apart:
            return
        self._before = self._standing(is_ending=True)
        last = last_of_all(rows)
        self._after = last - written.changes
        self._counted = operation_tables.counted_beside(
            rows, self._counted, written.first, agent=self._operation.agent
        )
        if self._number is None:
            self._number = tables.last_number(rows, "operation", "number") + 1
            operation_tables.insert_operation(
                rows, self._number, self._operation, after=self._after
            )
        self._part += 1
        for seen in self._seen:
            self._tape.add("saw", seen._replace(before=self._after - seen.before))
        self._tape.add("counted", dict(self._counted.items() - self._told.items()))
        self._told = self._counted
        heard, blobs = self._tape.cut(lambda shas: history_tables.known_blobs(rows, shas=shas))
        part = NewPart(
            operation=self._number,
            part=self._part,
            after=self._after,
            number=last,
            blobs=to_json(blobs).decode(),
            heard=heard,
        )
        operation_tables.insert_part(rows, part)
        self._known = msgspec.structs.replace(self._known, change=last)
        self._begins, self._seen = 0, []


def heard(
    hear: Hear, kind: Kind, ask: Callable[[], T], keep: Callable[[T], object] = lambda it: it
) -> T:
    """Return what something outside gives, and keep it; an error of it is kept too."""
    try:
        found = ask()
    except BaseException as error:
        hear(kind, raised(error))
        raise
    hear(kind, keep(found))
    return found


class RecordedClock:
    """A clock that says what it showed; pauses are kept only where something ended them."""

    def __init__(self, clock: Clock, hear: Hear) -> None:
        self._clock, self._hear = clock, hear
        self._pauses = 0

    def now(self) -> str:
        """Return the wall-clock instant."""
        return heard(self._hear, "now", self._clock.now)

    def boot(self) -> BootTime:
        """Return the boot clock."""
        return heard(self._hear, "boot", self._clock.boot, msgspec.structs.astuple)

    def pause(self, seconds: float) -> None:
        """Wait."""
        self._pauses += 1
        try:
            self._clock.pause(seconds)
        except BaseException as error:
            self._hear("pause", [self._pauses, raised(error)])
            raise


class RecordedChance:
    """Chance that says what it gave."""

    def __init__(self, chance: Chance, hear: Hear) -> None:
        self._chance, self._hear = chance, hear

    def new_id(self, prefix: str, *place: str | int) -> str:
        """Return an id."""
        return heard(self._hear, "id", lambda: self._chance.new_id(prefix, *place))

    def number_named(self, number: int) -> int:
        """Return the number that an id names."""
        return self._chance.number_named(number)

    def uniform(self) -> float:
        """Return a number in [0, 1)."""
        return heard(self._hear, "draw", self._chance.uniform)


class RecordedModel:
    """A model of which each reply is kept, with the hash of the request that it answers."""

    def __init__(self, model: Model, record: OperationRecord) -> None:
        self._model, self._record = model, record

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._model.target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return the reply of the model."""

        def kept(reply: ModelReply) -> object:
            raw = self._record.aside(reply.raw) if reply.raw else ""
            bare = msgspec.structs.replace(reply, raw=b"")
            return {"to": request.sha256, "reply": msgspec.to_builtins(bare), "raw": raw}

        return heard(self._record.hear, "reply", lambda: self._model.reply(request, preview), kept)


class RecordedEmbedder:
    """An embedder of which each answer is kept."""

    def __init__(self, embedder: Embedder, hear: Hear) -> None:
        self._embedder, self._hear = embedder, hear

    @property
    def name(self) -> str:
        """Return the embedding model's name."""
        return self._embedder.name

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text."""
        return heard(self._hear, "vectors", lambda: self._embedder.vectors(texts), _kept_vectors)


def _kept_vectors(vectors: list[list[float]]) -> list[str]:
    return [base64.b64encode(array("d", one).tobytes()).decode() for one in vectors]


class RecordedPrices:
    """Prices that say what they said."""

    def __init__(self, prices: Prices, hear: Hear) -> None:
        self._prices, self._hear = prices, hear

    def of(self, usage: Usage, target: Target) -> int | None:
        """Return what a reply cost."""
        return heard(self._hear, "price", lambda: self._prices.of(usage, target))

    def at_most(self, request: ModelRequest) -> int | None:
        """Return the most that a request can cost."""
        return heard(self._hear, "price", lambda: self._prices.at_most(request))


class RecordedPrograms:
    """Programs of which is kept how each ended, with a hash of what it was asked."""

    def __init__(self, programs: Programs, hear: Hear) -> None:
        self._programs, self._hear = programs, hear

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program to its end or deadline."""
        asked = call_hash(call)
        return heard(
            self._hear,
            "program",
            lambda: self._programs.run(call),
            lambda ended: {"to": asked, "ended": msgspec.to_builtins(ended)},
        )


def call_hash(call: ProgramCall) -> str:
    """Return a hash of what a program is asked: its words and its stdin.

    Values that a server keeps for itself do not count: the file of a life is without them.
    """
    words = bare_command(call.argv) if BRIDGE in call.argv else call.argv
    asked = hashlib.sha256(to_json(words))
    asked.update(call.stdin)
    return asked.hexdigest()[:32]
