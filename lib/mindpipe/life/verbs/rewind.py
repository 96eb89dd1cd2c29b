"""Let a life go back to an earlier cycle, and take up again what a rewind left."""

import contextlib
import functools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET

from mindpipe.agents import tables as agent_tables
from mindpipe.agents.verbs import lease as leases
from mindpipe.context.verbs import trust
from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Clock, Rows
from mindpipe.engine.tables import journal
from mindpipe.history import tables as history_tables
from mindpipe.history.rows import message_of, searched_text
from mindpipe.life.operations import RETRACT, REVOKE, RetractAsked, RevokeAsked
from mindpipe.life.past import FOREKNOWN, foreknown
from mindpipe.life.records import LifeEffect, LifeRewound, Rewind
from mindpipe.life.rewinds import tables as rewinds
from mindpipe.life.tables import lives as tables
from mindpipe.life.tables import operations as operation_tables
from mindpipe.life.tables.lives import BY_NAME, SHARED, count, take_back
from mindpipe.life.verbs.rows import require_end
from mindpipe.recall.verbs import reindex
from mindpipe.store.changes import MADE_ANEW, UNDO, Plain, RowsUndone, Undo, hold_log

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore


class _Aim(NamedTuple):
    """Where a life goes back to: the change, and the cycle that ended with it where one did."""

    number: int
    cycle: int | None = None
    branch: int | None = None


def list_(store: "EngineStore", *, agent: str) -> list[Rewind]:
    """Return the rewinds of an agent, oldest first.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        agent_tables.require_agent(rows, agent)
        return rewinds.all_of(rows, agent=agent)


def rewind(
    store: "EngineStore",
    revoker: trust.Revoker,
    *,
    agent: str,
    cycle: int | None = None,
    branch: int | None = None,
) -> LifeRewound:
    """Let a life go back to the end of a cycle, by default of the last but one; all or nothing.

    Cycle 0 is how it was before its first event came.

    With `branch` it goes back to how it was before that rewind. What the people who keep the agent
    have set or taken back, what it did where others see it, and what was spent stay as they are;
    `revoker` takes back again.

    Raises:
        UsageError: there is no such agent, cycle or rewind, or how it was then is not known.
        NothingToDoError: nothing has changed since then.
        RefusedError: it has moved away; or what a rewind left can no more be put back here.
        TemporaryError: a worker holds it.
    """
    # What is not in the index yet would come into it under the name of what was left.
    for _ in reindex.catch_up(store):
        pass
    with store.rewinding(agent) as rows:
        _fence(store, revoker.clock, agent=agent)
        tables.hold_life(rows, agent=agent)
        aim = _aim(rows, agent=agent, cycle=cycle, branch=branch)
        going = _Rewinding(store, rows, revoker, agent=agent, aim=aim)
        done = going.done(at=revoker.clock.now())
        reach("rewind.before_commit")
    reach("rewind.after_commit")
    return done


def _fence(store: "EngineStore", clock: Clock, *, agent: str) -> None:
    """Let no worker go on that held the agent before."""
    epoch = leases.acquire(store, clock, agent=agent, owner="rewind")
    leases.release(store, agent=agent, owner="rewind", epoch=epoch)


def _aim(rows: Rows, *, agent: str, cycle: int | None, branch: int | None) -> _Aim:
    if branch is None:
        if cycle is None:
            cycle = rewinds.cycle_before(rows, agent=agent)
        return _Aim(require_end(rows, agent=agent, cycle=cycle), cycle)
    known = rewinds.all_of(rows, agent=agent)
    if not 0 < branch <= len(known):
        raise UsageError(f"{agent} has no rewind {branch}; mind life rewind {agent} --list.")
    return _Aim(known[branch - 1].change - 1, branch=branch)


class _Rewinding:
    """One rewind, in the transaction that is open."""

    def __init__(
        self, store: "EngineStore", rows: Rows, revoker: trust.Revoker, *, agent: str, aim: _Aim
    ) -> None:
        self._store, self._revoker = store, revoker
        self._rows = rows
        self._agent = agent
        self._aim = aim
        self._rewinds = {one.change: one for one in rewinds.all_of(rows, agent=agent)}
        # Under it things are left. Where others write at the same time its change gets a later one.
        self._number = rewinds.next_change(rows)
        self._spent_back: dict[str, rewinds.LeftSpent] = {}

    def done(self, *, at: str) -> LifeRewound:
        """Go back, and say where the life is now."""
        rows, agent, aim = self._rows, self._agent, self._aim
        steps = list(self._steps())
        if not steps:
            raise NothingToDoError(f"nothing of {agent} has changed since then.")
        common = self._common(steps)
        ends = rewinds.ends_of_cycles(rows, agent=agent)
        left = rewinds.last_cycle(rows, agent=agent) - common
        micros = rewinds.spent_after(rows, agent=agent, cycle=common)
        effects = tuple(self._effects([undo for _, undo in steps], cycle=common))
        taken_back = set(_taken_back(undo for rewound, undo in steps if rewound is None))
        last = list(rewinds.last_rows(rows, agent=agent))
        ran = rewinds.tickets_that_ran(rows, agent=agent)
        beliefs = self._beliefs()
        for one, undo in steps:
            if one is not None:
                self._cut(one.parted)
                self._put_back(one, undo)
            else:
                take_back(rows, _without_what_stays(undo, ran=ran))
        if aim.branch is not None and steps[-1][0] is None:
            self._require_ended(aim.branch)
        self._cut(rewinds.last_cycle(rows, agent=agent) if aim.cycle is None else aim.cycle)
        rewinds.mark_posts(rows, agent=agent, number=aim.number, at=at)
        for table, column, row in last:
            name = f"{agent}~{self._number}"
            number = rewinds.keep_number(rows, table, column, row, name=name)
            if table == "message" and number is not None:
                history_tables.insert_text(rows, [(number, "")])
        parted = max(common, rewinds.last_same(rows, ends, agent=agent))
        self._forget_again()
        kept = Rewind(
            agent=agent,
            number=len(self._rewinds) + 1,
            at=at,
            parted=parted,
            change=hold_log(rows) + 1,
            upto=aim.number,
        )
        rewinds.insert(rows, kept)
        end = history_tables.end_of_log(rows, agent=agent)
        return LifeRewound(
            agent=agent,
            number=kept.number,
            parted=kept.parted,
            cycle=rewinds.last_cycle(rows, agent=agent),
            left_cycles=max(0, left),
            messages=end.seq,
            anchor=end.sha256,
            branch=aim.branch,
            micros=micros,
            effects=effects,
            revived=tuple(rewinds.standing_items(rows, taken_back, agent=agent)) or UNSET,
            beliefs=max(0, beliefs - self._beliefs()) or UNSET,
        )

    def _require_ended(self, branch: int) -> None:
        """Require that no cycle was under way, as nothing tells what was said in it since."""
        if history_tables.open_cycle(self._rows, agent=self._agent) is not None:
            raise RefusedError(
                f"a cycle was under way in what rewind {branch} left, and has gone on here since; "
                f"that goes on in another store (mind life export {self._agent} --branch {branch})."
            )

    def _common(self, steps: Sequence[tuple[Rewind | None, Undo]]) -> int:
        """Return the last cycle to which nothing is done on the way back."""
        crossed = [one.parted for one, _ in steps if one is not None]
        if self._aim.cycle is not None:
            return min([self._aim.cycle, *crossed])
        begun = [key for _, undo in steps for key in undo.get("cycle", RowsUndone()).made]
        last = rewinds.last_cycle(self._rows, agent=self._agent)
        return min([last, *crossed, *(int(str(cycle)) - 1 for _, cycle in begun)])

    def _beliefs(self) -> int:
        return count(self._rows, BY_NAME["observation"], agent=self._agent)

    def _forget_again(self) -> None:
        """Take back again what people took back since: a life that goes back cannot unsay it."""
        agent, store, revoker = self._agent, self._store, self._revoker
        since = functools.partial(
            operation_tables.asked_since, self._rows, agent=agent, number=self._aim.number
        )
        for asked in since(kind=REVOKE):
            source = msgspec.json.decode(asked, type=RevokeAsked).source
            with contextlib.suppress(NothingToDoError):
                trust.revoke(store, revoker, source=source, agent=agent)
        for asked in since(kind=RETRACT):
            for id in msgspec.json.decode(asked, type=RetractAsked).ids:
                # What is not there, or not there any more, is forgotten.
                with contextlib.suppress(UsageError):
                    trust.retract(store, revoker, agent=agent, ids=[id])

    def _steps(self) -> Iterator[tuple[Rewind | None, Undo]]:
        """Yield what is to be taken back, the last first, each with the rewind that it was if any.

        What a rewind left is passed over, where that is not where the life goes back to.
        """
        upto = self._number
        while True:
            found = rewinds.newest_change(self._rows, agent=self._agent, upto=upto)
            if found is None or found[0] <= self._aim.number:
                return
            number, undo = found
            one = self._rewinds.get(number)
            if one is not None and one.upto >= self._aim.number:
                upto = one.upto
                continue
            upto = number - 1
            taken_back = UNDO.decode(undo)
            if taken_back.keys() != {MADE_ANEW}:
                yield one, taken_back

    def _cut(self, cycle: int) -> None:
        """Leave behind what was said after a cycle."""
        rows, agent = self._rows, self._agent
        later = history_tables.from_cycle(rows, agent=agent, cycle=cycle + 1)
        texts = [(one.number, searched_text(message_of(one))) for one in later]
        history_tables.delete_text(rows, texts)
        seq = later[0].seq - 1 if later else history_tables.end_of_log(rows, agent=agent).seq
        back = self._spent_back
        rewinds.cut(rows, agent=agent, cycle=cycle, seq=seq, number=self._number, back=back)

    def _put_back(self, one: Rewind, undo: Undo) -> None:
        """Take a rewind back: what was said comes again, and can be found."""
        rows = self._rows
        for table, of in undo.items():
            for key, _ in of.gone:
                if len(key) == 1 and isinstance(key[0], int) and rewinds.is_there(rows, table, key):
                    raise RefusedError(
                        f"what rewind {one.number} left cannot be put back here: others have rows "
                        f"of {table} under its numbers now. It goes on in another store (mind life "
                        f"export {self._agent} --branch {one.number})."
                    )
        said = undo.get("message", RowsUndone())
        numbers = [int(str(key[0])) for key in said.touched()]
        # What keeps a number stands in the index without words, before and afterwards.
        history_tables.delete_text(rows, [(n, "") for n in rewinds.kept_numbers(rows, numbers)])
        spent = rewinds.put_spent_back(rows, undo.get("ledger", RowsUndone()))
        self._spent_back |= {one.id: one for one in spent}
        back = {table: of for table, of in undo.items() if table != "ledger"}
        take_back(rows, {**back, "agent": _goals_alone(undo.get("agent", RowsUndone()))})
        history_tables.insert_text(rows, [(n, "") for n in rewinds.kept_numbers(rows, numbers)])
        again = history_tables.from_cycle(rows, agent=self._agent, cycle=one.parted + 1)
        texts = [(row.number, searched_text(message_of(row))) for row in again]
        history_tables.insert_text(rows, texts)

    def _effects(self, undone: list[Undo], *, cycle: int) -> Iterator[LifeEffect]:
        made: dict[str, list[Plain]] = defaultdict(list)
        for undo in undone:
            for table in ("task", "escalation", "event"):
                made[table] += [key[0] for key in undo.get(table, RowsUndone()).made]
            made["ticket"] += [key[0] for key, _ in undo.get("ticket", RowsUndone()).changed]
        nothing_ran = journal.calls_from_record(self._rows, agent=self._agent)
        found = rewinds.effects(
            self._rows, agent=self._agent, cycle=cycle, number=self._aim.number, made=made
        )
        return (one for one in found if one.kind != "call" or one.id not in nothing_ran)


def _taken_back(undone: Iterable[Undo]) -> Iterator[int]:
    """Yield the numbers of the items of memory that were taken back by some changes."""
    for undo in undone:
        for (number, *_), values in undo.get("memory_item", RowsUndone()).changed:
            if values.get("retracted", "") is None:
                yield int(str(number))


def _without_what_stays(undo: Undo, *, ran: Collection[str]) -> Undo:
    """Return what takes a change back but for what is spent, and for what people have set.

    Nor do tickets go back whose calls `ran`: they are not to run again.
    """
    stays = {"ledger", "agent", *SHARED}
    kept = {table: of for table, of in undo.items() if table not in stays}
    kept["agent"] = _goals_alone(undo.get("agent", RowsUndone()))
    if FOREKNOWN in kept:
        kept[FOREKNOWN] = foreknown(kept[FOREKNOWN])
    if "ticket" in kept:
        of = kept["ticket"]
        changed = [one for one in of.changed if one[0][0] not in ran]
        kept["ticket"] = msgspec.structs.replace(of, changed=changed)
    return kept


def _goals_alone(of: RowsUndone) -> RowsUndone:
    """Return of the row of an agent how many goals it had; all else of it is set by people."""
    counted = [
        (key, {"goals_made": values["goals_made"]})
        for key, values in of.changed
        if "goals_made" in values
    ]
    return RowsUndone(changed=counted)
