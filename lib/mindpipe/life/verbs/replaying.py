"""What an operation is done again with: its store, and ports that give what was heard then."""

import base64
import contextlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from mindpipe.agents import tables as agent_tables
from mindpipe.agents.records import Lease
from mindpipe.context.records import Knowledge
from mindpipe.core.models import ModelReply, ModelRequest, Target, Usage
from mindpipe.core.ports import BootTime, Preview, ProgramCall, ProgramRun, Rows, Tokens
from mindpipe.core.redaction import Redactor
from mindpipe.engine.delivery import delivery
from mindpipe.engine.dependencies import (
    Dependencies,
    Holder,
    ModelAccess,
    PromptAccess,
    RulePorts,
    ToolAccess,
)
from mindpipe.engine.recent_past import recent_past_of
from mindpipe.history import tables as history_tables
from mindpipe.knowledge.keys import rules_of
from mindpipe.life.operations import NewPart, Operation, RuleSetup, Setup
from mindpipe.life.tables import lives as tables
from mindpipe.life.tables import operations as operation_tables
from mindpipe.life.tables import steps as step_tables
from mindpipe.life.tape import (
    NAMED,
    Kind,
    OtherReadingError,
    Seen,
    TapeEndError,
    TapeReader,
    raise_again,
)
from mindpipe.life.verbs.recording import call_hash
from mindpipe.life.verbs.steps import RowChanges, Steps
from mindpipe.recall.records import FilesOf, Recalled, no_files

if TYPE_CHECKING:
    from mindpipe.store.rows import Found
    from mindpipe.store.sqlite import SqliteStore


class Differs(msgspec.Struct, frozen=True):
    """What differs now, as in a replay's difference."""

    what: str
    table: str = ""
    key: tuple[object, ...] = ()
    then: object = None
    now: object = None


class _SetupSearch(msgspec.Struct):
    """Of what an operation was set up with, whether it kept scores, and searched in a copy."""

    scores: bool = False
    mirrored: bool = False


class Again:
    """One operation that is done again: its parts, and how far it has come.

    Before each transaction the life is brought to where it was then; what the transaction made is
    held against what it made then.
    """

    def __init__(
        self, steps: Steps, store: "SqliteStore", *, operation: Operation, parts: Sequence[NewPart]
    ) -> None:
        self._steps, self._store = steps, store
        self._operation = operation
        self._parts = parts
        self._tape = TapeReader()
        self.part = 0
        self._begins = 0
        self._calls: dict[str, int] = {}
        self.is_cut = False
        self.differs: list[Differs] = []
        self.prompts = 0
        self.counted: operation_tables.Counted = {}
        self._is_alone = True
        setup = msgspec.json.decode(operation.setup, type=_SetupSearch)
        self._keeps_scores, self.is_mirrored = setup.scores, setup.mirrored
        self._hear(parts[0])

    def _hear(self, part: NewPart) -> None:
        """Hear what was heard before a transaction."""
        try:
            self._tape.add(part.heard)
            counted = msgspec.convert(self._tape.take("counted"), operation_tables.Counted)
            self.counted = {**self.counted, **counted}
        except (OtherReadingError, msgspec.ValidationError) as error:
            self.differs.append(Differs("reading", now=str(error)))

    def take(self, kind: Kind) -> Any:  # noqa: ANN401 - what was written
        """Return what was heard then, or raise what was raised."""
        try:
            found = self._tape.take(kind)
        except OtherReadingError as error:
            if self.part >= len(self._parts):
                self._cut()
            self.end_with(Differs("reading", now=str(error)))
        if isinstance(found, dict) and "error" in found:
            raise_again(found)
        return found

    def search(self, ask: Callable[[], "Found"]) -> "Found":
        """Return what a search found then, if it was among the words of others; else search."""
        if self._is_alone:
            return ask()
        names, rows = self.take("hits")
        return tuple(names), [tuple(row) for row in rows]

    def scored(self, found: Sequence[tuple[str, float]]) -> None:
        """Hold what is recalled, and its scores, against those of then, if they were kept."""
        if not self._keeps_scores:
            return
        then = msgspec.convert(self.take("scores"), list[tuple[str, float]])
        if then != [*found]:
            self.end_with(Differs("scores", then=dict(then), now=dict(found)))

    def passes(self, kind: Kind) -> None:
        """Raise where something was raised then at this call."""
        self._calls[kind] = self._calls.get(kind, 0) + 1
        heard = self._tape.peek(kind)
        if heard is not None and heard[0] == self._calls[kind]:
            raise_again(self._tape.take(kind)[1])

    def octets(self, sha256: str) -> bytes:
        """Return octets that were kept beside the readings, or that the store keeps."""
        found = self._tape.octets.get(sha256)
        if found is None:
            with self._store.read() as rows:
                found = history_tables.blob(rows, sha256=sha256)
        if found is None:
            self.end_with(Differs("reading", now=f"no octets are kept under {sha256}"))
        return found

    def unheard(self) -> list[Differs]:
        """Return, once all is done, what was heard then and nothing asked for now."""
        return [Differs("reading", then=f"{kind} was heard") for kind in self._tape.left()]

    def _cut(self) -> NoReturn:
        """End where it was ended then."""
        self.is_cut = True
        raise TapeEndError

    def end_with(self, *differs: Differs) -> NoReturn:
        """End with what differs, past all that treats errors; what was found first counts."""
        self.differs = self.differs or list(differs)
        raise TapeEndError

    def begins(self, *, writes: bool) -> NewPart | None:
        """Bring the life to where it was as this transaction began; return its part."""
        if self.is_cut or self.differs:
            raise TapeEndError
        self._begins += 1
        if self.part >= len(self._parts):
            return None
        part = self._parts[self.part]
        heard = self._tape.peek("saw")
        if heard is not None and (seen := msgspec.convert(heard, Seen)).begins <= self._begins:
            self._tape.take("saw")
            self._steps.bring_to(part.after - seen.before)
            with self._store.restoring() as rows:
                operation_tables.put_breakers(rows, seen.breakers)
                if seen.others is not None:
                    self._is_alone = not seen.others
                    operation_tables.put_other_agents(
                        rows, seen.others, agent=self._operation.agent
                    )
                if seen.rows is not None:
                    operation_tables.put_seen_beside(rows, seen.rows, agent=self._operation.agent)
        if writes:
            self._steps.bring_to(part.after)
        return part

    def made(self, part: NewPart | None, then: RowChanges, changeset: bytes, rows: Rows) -> None:
        """Hold what a transaction made against what it made then."""
        now = self._steps.changes(changeset)
        if not now:
            return
        if part is None:
            self._cut()
        if differs := list(_differences(then, now)):
            self.end_with(*(_with_head(rows, one) for one in differs))
        self._require_same_words(rows)
        self._steps.pass_over(part.number)
        self.part += 1
        self._begins = 0
        if self.part < len(self._parts):
            self._hear(self._parts[self.part])

    def _require_same_words(self, rows: Rows) -> None:
        agent, seq = self._operation.agent, self._steps.said
        last = history_tables.end_of_log(rows, agent=agent).seq
        said = step_tables.messages_behind(rows, agent=agent, seq=seq, upto=last)
        then = step_tables.messages_behind(
            rows, agent=agent, seq=seq, upto=last, rewind=self._steps.last_rewind
        )
        for one, other in zip(then, said, strict=False):
            if one != other:
                changed = [name for name in one if one[name] != other.get(name)]
                self.end_with(
                    Differs(
                        "messages",
                        table="message",
                        key=(one["seq"],),
                        then={name: one[name] for name in changed},
                        now={name: other[name] for name in changed},
                    )
                )
        if len(then) != len(said):
            self.end_with(Differs("messages", table="message", then=len(then), now=len(said)))
        self._steps.said = last

    def request(self, sha256: str, then: str) -> None:
        """Require that the hash of a request is that of the one that was sent then."""
        if sha256 == then:
            self.prompts += 1
            return
        self.end_with(Differs("prompt", then=then, now=sha256))


def _with_head(rows: Rows, differs: Differs) -> Differs:
    """Return a difference of what stands at the head of prompts with its words."""
    then, now = differs.then, differs.now
    if differs.table != "segment" or not isinstance(then, dict) or not isinstance(now, dict):
        return differs
    before, after = (
        (history_tables.blob(rows, sha256=str(one.get(_HEAD))) or b"") for one in (then, now)
    )
    return msgspec.structs.replace(
        differs, what="prompt", then={"head": before.decode()}, now={"head": after.decode()}
    )


_SAYS = {"cycle", "turn"}
"""Tables of which a row changes where messages are added."""
_ASKED = {"segment", "turn"}
"""Tables whose rows say what a model is asked."""
_HEAD = tables.POINTERS["segment"]


def _differences(then: RowChanges, now: RowChanges) -> Iterator[Differs]:
    """Yield the rows that became something else than they did then, of prompts before others."""
    for place in sorted(then.keys() | now.keys(), key=lambda one: (one[0] not in _ASKED, str(one))):
        table, key = place
        one, other = then.get(place), now.get(place)
        if one == other:
            continue
        before = {} if one is None else dict(one.values)
        after = {} if other is None else dict(other.values)
        changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        yield Differs(
            "rows",
            table=table,
            key=key,
            then=None if one is None else {name: before.get(name) for name in changed},
            now=None if other is None else {name: after.get(name) for name in changed},
        )


class AgainStore:
    """The store of an operation that is done again."""

    def __init__(self, again: Again, store: "SqliteStore", steps: Steps, *, identity: str) -> None:
        self._again, self._store, self._steps = again, store, steps
        self._identity = identity

    @property
    def identity(self) -> str:
        """Return the id of the store in which it was done."""
        return self._identity

    @property
    def redactor(self) -> Redactor:
        """Return what knows forms of secrets alone; those of then are not there any more."""
        return self._store.redactor

    @property
    def searched(self) -> "AgainStore | SearchedAgain":
        """Return where words are searched, which is here, as it was when a copy was made of it."""
        if not self._again.is_mirrored:
            return self
        if not self._store.connection.in_transaction:
            self._again.begins(writes=False)
        # What was searched ahead of a transaction is not here yet; the scores say if it mattered.
        self._again.take("mirrored")
        return SearchedAgain(self._store, identity=self._identity)

    @contextlib.contextmanager
    def write(self, *_of: str) -> Iterator[Rows]:
        """Open, or join, a transaction that may write; nobody else does."""
        if self._store.connection.in_transaction:
            with self._store.restoring() as rows:
                yield rows
            return
        part = self._again.begins(writes=True)
        then = {} if part is None else self._steps.expected(part.after, part.number)
        # Others' rows stand only where rows come behind them that are held against those of then.
        made = {table for (table, _), change in then.items() if change.op == "INSERT"}
        if any(table in _SAYS and change.op == "UPDATE" for (table, _), change in then.items()):
            made.add("message")
        counted = {name: last for name, last in self._again.counted.items() if name in made}
        with self._steps.among_others(counted) as rows:
            with contextlib.closing(self._steps.listening()) as session:
                yield rows
                self._steps.number_as(rows, then, session)
                changeset = session.changeset()
            self._again.made(part, then, changeset, rows)

    @contextlib.contextmanager
    def read(self) -> Iterator[Rows]:
        """Open, or join, a transaction that sees one consistent state."""
        if not self._store.connection.in_transaction:
            self._again.begins(writes=False)
        with self._store.read() as rows:
            yield rows


class SearchedAgain:
    """The store of an operation that is done again, as it was copied to be searched.

    What was done in the copy was no transaction of the operation.
    """

    def __init__(self, store: "SqliteStore", *, identity: str) -> None:
        self.identity, self.redactor = identity, store.redactor
        self._store = store

    @property
    def searched(self) -> "SearchedAgain":
        """Return itself."""
        return self

    @contextlib.contextmanager
    def write(self, *_of: str) -> Iterator[Rows]:
        """Open, or join, a transaction that may write."""
        with self._store.restoring() as rows:
            yield rows

    @contextlib.contextmanager
    def read(self) -> Iterator[Rows]:
        """Open, or join, a transaction that sees one consistent state."""
        with self._store.read() as rows:
            yield rows


class AgainClock:
    """The clocks as they were."""

    def __init__(self, again: Again) -> None:
        self._again = again

    def now(self) -> str:
        """Return the instant of then."""
        return str(self._again.take("now"))

    def boot(self) -> BootTime:
        """Return the boot clock of then."""
        boot, seconds = self._again.take("boot")
        return BootTime(boot=boot, seconds=seconds)

    def pause(self, seconds: float) -> None:
        """Wait for nothing; be ended where the pause was."""
        del seconds
        self._again.passes("pause")


class _Chance:
    """Chance as it fell."""

    def __init__(self, again: Again) -> None:
        self._again = again

    def new_id(self, prefix: str, *_place: str | int) -> str:
        found = str(self._again.take("id"))
        if found.partition("_")[0] != prefix:
            self._again.end_with(Differs("reading", then=found, now=f"an id of {prefix}"))
        return found

    def number_named(self, number: int) -> int:
        return number - self._again.counted.get(NAMED, 0)

    def uniform(self) -> float:
        return float(self._again.take("draw"))


class _Model:
    """A model that answers what it answered."""

    def __init__(self, again: Again, target: Target) -> None:
        self._again = again
        self.target = target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        del preview
        heard = self._again.take("reply")
        self._again.request(request.sha256, heard["to"])
        reply = msgspec.convert(heard["reply"], ModelReply)
        raw = self._again.octets(heard["raw"]) if heard["raw"] else b""
        return msgspec.structs.replace(reply, raw=raw)


class _Embedder:
    """Vectors as they were."""

    def __init__(self, again: Again, name: str) -> None:
        self._again = again
        self.name = name

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        found = [list(array("d", base64.b64decode(one))) for one in self._again.take("vectors")]
        if len(found) != len(texts):
            self._again.end_with(Differs("reading", then=len(found), now=f"{len(texts)} vectors"))
        return found


class _Prices:
    """Prices as they were said."""

    def __init__(self, again: Again) -> None:
        self._again = again

    def of(self, usage: Usage, target: Target) -> int | None:
        del usage, target
        return msgspec.convert(self._again.take("price"), int | None)

    def at_most(self, request: ModelRequest) -> int | None:
        del request
        return msgspec.convert(self._again.take("price"), int | None)


class _Programs:
    """Programs that end as they ended; none is run."""

    def __init__(self, again: Again) -> None:
        self._again = again

    def run(self, call: ProgramCall) -> ProgramRun:
        heard = self._again.take("program")
        if heard["to"] != call_hash(call):
            self._again.end_with(Differs("program", now=list(call.argv)))
        return msgspec.convert(heard["ended"], ProgramRun)


def _files(again: Again) -> FilesOf:
    """Return files that answer as they answered."""
    return lambda _question, _most: msgspec.convert(again.take("files"), list[Recalled])


class _Deaf:
    """A preview that nobody looks at."""

    def text(self, piece: str) -> None:
        """Hear nothing."""

    def thinking(self, piece: str) -> None:
        """Hear nothing."""

    def call(self, tool: str) -> None:
        """Hear nothing."""

    def argument(self, piece: str) -> None:
        """Hear nothing."""


def _tell_nobody(_words: str) -> None:
    """Tell nobody."""


def dependencies_again(
    again: Again,
    store: "SqliteStore",
    steps: Steps,
    *,
    operation: Operation,
    make_tokens: Callable[[str], Tokens],
) -> Dependencies:
    """Return what a cycle is lived again with."""
    setup, begun = msgspec.json.decode(operation.setup, type=Setup), operation.begun
    clock, chance = AgainClock(again), _Chance(again)
    theirs = AgainStore(again, store, steps, identity=setup.store)
    return Dependencies(
        store=theirs,
        clock=clock,
        chance=chance,
        models=ModelAccess(
            model=_Model(again, setup.model),
            fallback=None if setup.fallback is None else _Model(again, setup.fallback),
            embedder=None if setup.embedder is None else _Embedder(again, setup.embedder),
            prices=_Prices(again),
            caps=setup.caps,
            preview=_Deaf() if setup.streams else None,
            tokens=make_tokens(setup.tokens),
        ),
        prompts=PromptAccess(
            knowledge=Knowledge(rules_of(slots=setup.slots, windows=setup.windows)),
            budget=setup.budget,
            recent=recent_past_of,
            files=_files(again) if setup.indexed else no_files,
        ),
        tools=ToolAccess(
            programs=_Programs(again),
            workers=setup.workers,
            deliver=delivery(
                theirs, clock, chance, bounds=setup.bounds, max_depth=setup.policy.max_depth
            ),
            written=lambda _path: msgspec.convert(again.take("written"), str | None),
            folders=setup.folders,
        ),
        policy=setup.policy,
        holder=Holder(
            owner=begun.owner,
            lease=setup.lease,
            keep_alive=lambda _renew, _seconds: contextlib.nullcontext(),
            tell=_tell_nobody,
            check=lambda: again.passes("check"),
        ),
    )


def ports_again(again: Again, store: "SqliteStore", steps: Steps, *, setup: RuleSetup) -> RulePorts:
    """Return what is done by rules alone is done again with."""
    clock, chance = AgainClock(again), _Chance(again)
    theirs = AgainStore(again, store, steps, identity=setup.store)
    deliver = delivery(theirs, clock, chance, bounds=setup.bounds, max_depth=setup.max_depth)
    return RulePorts(theirs, clock, chance, deliver)


def set_beside(store: "SqliteStore", operation: Operation) -> None:
    """Set what is true of a store and of no life as it was when an operation began."""
    begun = operation.begun
    with store.restoring() as rows:
        agent_tables.put_lease(rows, Lease(agent=operation.agent, epoch=begun.epoch))
