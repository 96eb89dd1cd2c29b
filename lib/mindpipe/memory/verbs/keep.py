"""Keep reflections and lessons inside a transaction: each once, as they were given."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.lines import BadLines
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.memory.records import (
    Added,
    Lesson,
    NewLesson,
    NewReflection,
    Numbered,
    Reflection,
)
from mindpipe.memory.settle import settle_instant
from mindpipe.memory.tables import written
from mindpipe.memory.tables.written import Body, Once

N = TypeVar("N", bound=NewReflection | NewLesson)
K = TypeVar("K", bound=Reflection | Lesson)


class Substrate(NamedTuple, Generic[N, K]):
    """A kind of record that is kept once: its table, the prefix of its ids, and what it becomes.

    `settle` gets what was given, the id that it would have, and now; `current` shows a record of an
    agent as it is by now.
    """

    table: Once
    prefix: str
    kept: type[K]
    settle: Callable[[N, str, str], K]
    current: Callable[[Rows, str, K], K]


class Addition(Generic[N, K]):
    """One addition inside its transaction; `bad_lines` takes what is refused.

    Both what a record was at first and what it is by now may be given again.
    """

    def __init__(
        self,
        rows: Rows,
        clock: Clock,
        chance: Chance,
        *,
        agent: str,
        substrate: Substrate[N, K],
        bad_lines: BadLines,
    ) -> None:
        self._rows = rows
        self._now = clock.now()
        self._chance = chance
        self._agent = agent
        self._kind: Substrate[N, K] = substrate
        self.bad_lines = bad_lines

    def add(
        self, given: Sequence[N], *, source: str = "record", numbers: Sequence[int] = ()
    ) -> list[Added]:
        """Keep some sound records and return what became of each that was not refused."""
        lines = numbers or range(1, len(given) + 1)
        found = (self._one(one, source, line) for line, one in zip(lines, given, strict=True))
        return [added for added in found if added is not None]

    def _one(self, given: N, source: str, line: int) -> Added | None:
        """Keep one record, or refuse it."""
        made = given.id or given.key or self._made_id(given)
        kept = self._kind.settle(given, made, self._now)
        if written.add_body(self._rows, self._kind.table, self._body(kept), beside=kept.key):
            return Added(id=kept.id, key=kept.key or kept.id)
        there = written.find_body(
            self._rows, self._kind.table, agent=self._agent, id=kept.id, key=kept.key
        )
        assert there is not None
        first = record_of(there, self._kind.kept)
        again = self._again(given, first)
        current = self._kind.current(self._rows, self._agent, first)
        if _content(again) in (_content(first), _content(current)):
            return Added(id=first.id, key=first.key or first.id, duplicate=True)
        name = "key" if given.key else "id"
        words = f"{given.key or given.id} is there with other content, as {first.id}"
        problem = Problem(source=source, line=line, field=f"$.{name}", message=words)
        self.bad_lines.refuse([problem], to_json(given))
        return None

    def _made_id(self, given: N) -> str:
        """Return an id for a record that was given without one."""
        return self._chance.new_id(self._kind.prefix, self._agent, to_json(given).decode())

    def _body(self, kept: K) -> Body:
        """Return a record as its row."""
        bare = msgspec.structs.replace(kept, agent=None, retracted=None)
        return Body(
            number=0,
            agent=self._agent,
            id=kept.id,
            body=to_json(bare).decode(),
            learnt=kept.learnt,
            retracted=kept.retracted,
        )

    def _again(self, given: N, first: K) -> K:
        """Return what is given once more, with what it leaves out as it was the first time."""
        again = self._kind.settle(given, first.id, first.learnt)
        key = first.key if given.key in (None, first.id) else given.key
        return msgspec.structs.replace(again, id=given.id or first.id, key=key)


@contextlib.contextmanager
def keeping(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    substrate: Substrate[N, K],
    bad_lines: BadLines,
) -> Iterator[Addition[N, K]]:
    """Give what adds records of one kind part by part, all in one transaction.

    Raises:
        BadInputError: one is at fault, or its id or key is there with other content, and
            `bad_lines` lets nothing be kept then.
    """
    with store.write(agent) as rows:
        yield Addition(rows, clock, chance, agent=agent, substrate=substrate, bad_lines=bad_lines)
        bad_lines.settle()


def record_of(body: Body, kept: type[K]) -> K:
    """Return the record that a row holds."""
    record = msgspec.json.decode(body.body, type=kept)
    return msgspec.structs.replace(record, agent=body.agent, retracted=body.retracted)


def numbered(bodies: Sequence[Body], kept: type[K]) -> list[Numbered[K]]:
    """Return records with their numbers."""
    return [Numbered(body.number, record_of(body, kept)) for body in bodies]


def one_body(rows: Rows, table: Once, *, agent: str, id: str, as_of: str | None) -> Body:
    """Return one record as of an instant.

    Raises:
        UsageError: the agent has none of this id, or had none of it then.
    """
    found = [*written.bodies(rows, table, agent=agent, ids=[id], as_of=settle_instant(as_of))]
    if not found:
        raise UsageError(f'{agent} has no {table} "{id}"; mind {table} list shows them.')
    return found[0]


def _content(record: Reflection | Lesson) -> dict[str, object]:
    """Return what a record says, without whose it is and whether it was taken back."""
    fields = msgspec.structs.asdict(record)
    return {name: fields[name] for name in fields if name not in ("agent", "retracted")}
