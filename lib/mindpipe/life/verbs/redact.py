"""Take a secret out of a life that has been lived, for good, and note what proves no more."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from mindpipe.agents import tables as agent_tables
from mindpipe.agents.missing import moved_away
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Cell, Clock, Row, Rows
from mindpipe.history import tables as history_tables
from mindpipe.history.records import Redaction
from mindpipe.history.verbs.log import rebuild_index
from mindpipe.life.masks import SHORTEST, Mask, hashes_in
from mindpipe.life.records import LifeRedacted
from mindpipe.life.rewinds import tables as rewinds
from mindpipe.life.tables import redactions
from mindpipe.life.tape import masked
from mindpipe.life.verbs.rows import carried
from mindpipe.recall.verbs import reindex
from mindpipe.store.changes import Columns, columns_of, note_all_made_anew

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore

_APART = frozenset({"blob", "change"})


def redact(
    store: "EngineStore", clock: Clock, *, agent: str, ask: Callable[[], str]
) -> LifeRedacted:
    """Put a mark for a secret wherever a life has it; all or nothing, and nothing takes it back.

    Where nothing can be changed, that is said before it asks for the secret. The mark is as long as
    the secret. Its spaces are of the life, too; in other agents' lives the secret stays, and they
    are named.

    Raises:
        UsageError: there is no such agent, or the secret is too short.
        NothingToDoError: it is nowhere in this life.
        RefusedError: the life has moved away.
        TemporaryError: a worker holds it.
    """
    with store.write(agent):
        who = agents.show(store, name=agent)
    if who.away is not None:
        raise moved_away(agent, who.away)
    secret = ask()
    if len(secret) < SHORTEST:
        raise UsageError(f"a secret has {SHORTEST} characters or more, not {len(secret)}.")
    with store.redacting() as rows:
        epoch = leases.acquire(store, clock, agent=agent, owner="redact")
        leases.release(store, agent=agent, owner="redact", epoch=epoch)
        redacting = _Redacting(rows, agent=agent, secret=secret)
        kept = redacting.done(at=clock.now())
        others = tuple(redacting.others())
        if kept.rows:
            history_tables.insert_redaction(rows, kept)
            rebuild_index(store)
            reindex.reindex(store, note_all_made_anew)
        reach("redact.before_commit")
    reach("redact.after_commit")
    # Also where nothing was found: an earlier one may have been stopped before this.
    store.write_anew()
    if not kept.rows:
        where = f"; it is in the life of {', '.join(others)}" if others else ""
        raise NothingToDoError(f"{agent} has nothing of this secret{where}.")
    return LifeRedacted(
        agent=agent,
        number=kept.number,
        cycle=kept.cycle,
        rows=kept.rows,
        messages=len(kept.messages),
        others=others,
    )


class _Redacting:
    """One redaction, in the transaction that is open."""

    def __init__(self, rows: Rows, *, agent: str, secret: str) -> None:
        self._rows, self._agent, self._secret = rows, agent, secret
        self._mask = Mask(secret)
        self._count = 0
        self._cycles: set[int] = set()
        self._messages: list[str] = []
        self._segments: list[int] = []

    def done(self, *, at: str) -> Redaction:
        """Change all rows, and say which of them prove no more."""
        rows, agent = self._rows, self._agent
        self._blobs()
        for name in (agent, *rewinds.left_names(rows, agent=agent)):
            for header, found in carried(rows, agent=name):
                if header.table not in _APART:
                    self._table(header.table, found)
        changes = redactions.changes(rows, agent=agent)
        clean = [(number, self._mask.text(undo)) for number, undo in changes]
        changed = [after for before, after in zip(changes, clean, strict=True) if before != after]
        redactions.set_undo(rows, changed)
        return Redaction(
            agent=agent,
            number=len(history_tables.redactions(rows, agent=agent)) + 1,
            at=at,
            cycle=min(self._cycles, default=0),
            rows=self._count + len(changed) + len(self._mask.moved),
            messages=tuple(self._messages),
            segments=tuple(self._segments),
        )

    def _blobs(self) -> None:
        """Find octets that change, and keep them under their new hashes, which others name too."""
        held_by: dict[str, set[str]] = defaultdict(set)
        waiting: list[str] = []
        for header, found in carried(self._rows, agent=self._agent):
            for row in found:
                if header.table == "blob":
                    sha256, octets = str(row[0]), _octets(row[1])
                    for other in hashes_in(octets):
                        held_by[other].add(sha256)
                    if self._mask.octets(octets) is not octets:
                        waiting.append(sha256)
        made: dict[str, tuple[str, bytes]] = {}
        while waiting:
            sha256 = waiting.pop()
            octets = history_tables.blob(self._rows, sha256=sha256) or b""
            before = self._mask.moved.get(sha256)
            made[sha256] = self._mask.named_octets(sha256, octets)
            if made[sha256][0] != before:
                waiting += held_by[sha256] - {sha256}
        history_tables.insert_blobs(self._rows, made.values())

    def _table(self, table: str, found: Iterator[Row]) -> None:
        """Change the rows of a table."""
        columns = columns_of(self._rows, table)
        pairs = ((row, _masked(self._mask, table, columns, row)) for row in found)
        changed = [(row, clean) for row, clean in pairs if clean != row]
        redactions.put_in_place(self._rows, table, columns, changed)
        self._count += len(changed)
        for row, _ in changed:
            cells = dict(zip(columns.all, row, strict=True))
            if cells.get("cycle") is not None:
                self._cycles.add(int(str(cells["cycle"])))
            if table == "message":
                self._messages.append(str(cells["id"]))
            elif table == "segment":
                self._segments.append(int(str(cells["segment"])))

    def others(self) -> list[str]:
        """Return the other agents in whose lives the secret is; octets that they have stay."""
        rows, mask = self._rows, Mask(self._secret)
        old = set(self._mask.moved)
        found: list[str] = []
        for name in agent_tables.agent_names(rows):
            if name == self._agent:
                continue
            has = False
            for header, lines in carried(rows, agent=name):
                columns = columns_of(rows, header.table)
                for row in lines:
                    if header.table == "blob":
                        old.discard(str(row[0]))
                    has = has or _masked(mask, header.table, columns, row) != row
            if has:
                found.append(name)
        redactions.delete_blobs(rows, old)
        return found


def _masked(mask: Mask, table: str, columns: Columns, row: Row) -> Row:
    """Return a row without the secret."""
    if table == "operation_part":
        return (*mask.row(row[:-1]), masked(_octets(row[-1]), mask))
    return mask.row(row, encoded=columns.all.index("original") if table == "event" else None)


def _octets(cell: Cell) -> bytes:
    assert isinstance(cell, bytes)
    return cell
