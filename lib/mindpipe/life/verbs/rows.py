"""The rows of a life: drawn from a store as they are or were, and put into another one."""

import base64
import contextlib
import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindpipe.agents import tables as agent_tables
from mindpipe.core.errors import MindError, UnfitRowError, UsageError
from mindpipe.core.ports import NOBODY, Cell, Row, Rows
from mindpipe.core.records import MOST_WHOLE, NO_RECORD, to_json
from mindpipe.history import tables as history_tables
from mindpipe.history.records import CarriedRows
from mindpipe.history.rows import digest, message_of, searched_text
from mindpipe.history.verbs.log import extend_index
from mindpipe.life.archive import LifeReader
from mindpipe.life.numbers import Numbering
from mindpipe.life.past import Past
from mindpipe.life.records import LifeManifest, TableHeader
from mindpipe.life.rewinds import tables as rewinds
from mindpipe.life.tables import lives as tables
from mindpipe.life.tape import renumbered
from mindpipe.recall.tables import index, vectors
from mindpipe.store.changes import (
    UNDO,
    Columns,
    RowsUndone,
    Values,
    columns_of,
    left_by_rewind,
    note_made_anew,
)

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore
    from mindpipe.store.sqlite import SqliteStore

Fault = Callable[[str], MindError]
Tables = Iterable[tuple[TableHeader, Iterator[Row]]]


_CYCLES_AT_ONCE = 100


def require_end(rows: Rows, *, agent: str, cycle: int) -> int:
    """Return the number of the change that closed a cycle; of cycle 0, the last before all.

    Raises:
        UsageError: it is not known, because there is no such cycle, or it was lived before changes
            were kept.
    """
    number = (
        tables.end_of_cycle(rows, agent=agent, cycle=cycle)
        if cycle
        else rewinds.before_all(rows, agent=agent)
    )
    if number is not None:
        return number
    first = tables.first_known_cycle(rows, agent=agent)
    if first is None:
        raise UsageError(f"nothing is known of how {agent} was after a cycle: none has ended.")
    last = tables.last_known_cycle(rows, agent=agent)
    later = tables.next_known_cycle(rows, agent=agent, cycle=cycle)
    where = f"it is for cycles {first} to {last}" if later is None else f"it is for cycle {later}"
    raise UsageError(f"how {agent} was after cycle {cycle} is not known; {where}.")


def past_of(rows: Rows, *, agent: str, number: int | None, log: tables.Log = "change") -> Past:
    """Return how the rows of a life were after a change, or are, by a log of changes."""
    if number is None:
        return Past(())
    return Past(tables.undone_since(rows, agent=agent, number=number, log=log))


def carried(
    rows: Rows,
    *,
    agent: str,
    of: Iterable[tables.LifeTable] = tables.TABLES,
    cycle: int | None = None,
    number: int | None = None,
    past: Past | None = None,
    left: Collection[str] | None = None,
) -> Iterator[tuple[TableHeader, Iterator[Row]]]:
    """Yield tables of a life that have rows: as they are, or were after a cycle or a change.

    What was taken out of a space since then is not brought back. `past` is how it was then, and
    `left` are the hashes in what its rewinds left, where somebody has them already.
    """
    hashes = tables.hashes_left(rows, agent=agent) if left is None else set(left)
    if cycle is not None:
        number = require_end(rows, agent=agent, cycle=cycle)
    if past is None:
        past = past_of(rows, agent=agent, number=number)
    for table in of:
        columns = columns_of(rows, table.name)
        now = tables.rows_of(
            rows,
            table,
            columns,
            agent=agent,
            cycle=MOST_WHOLE if cycle is None else cycle,
            change=MOST_WHOLE if number is None else number,
            hashes=hashes,
        )
        if table.name == "change":
            now = hers(rows, agent=agent, upto=MOST_WHOLE if number is None else number)
        then = past.rows(table.name, columns, now, revive=table.name not in tables.SHARED)
        if number is not None and table.name in tables.CHANGES:
            then = tables.upto(then, columns, number=number)
        if number is not None and table.name == "message":
            upto = MOST_WHOLE if cycle is None else cycle
            then = _said_upto(then, columns, cycle=upto, last=past.last_said)
        if number is not None and "agent" in columns.all:
            # What a rewind had left under another name until it was put back was nobody's.
            then = _owned(then, columns.all.index("agent"), agent)
        if table.name in tables.POINTERS:
            then = _noted(then, columns.all.index(tables.POINTERS[table.name]), hashes)
        first = next(then, None)
        if first is not None:
            header = TableHeader(table=table.name, columns=columns.all)
            yield header, itertools.chain([first], then)


def _owned(found: Iterator[Row], place: int, agent: str) -> Iterator[Row]:
    """Yield the rows of an agent."""
    return (row for row in found if row[place] == agent)


def _said_upto(
    found: Iterator[Row], columns: Columns, *, cycle: int, last: int | None
) -> Iterator[Row]:
    """Yield messages up to a cycle, but for those that came later and were taken away again."""
    said_in, number = columns.all.index("cycle"), columns.all.index("number")
    for row in found:
        is_later = last is not None and int(str(row[number])) > last
        if int(str(row[said_in])) <= cycle and not is_later:
            yield row


def hers(rows: Rows, *, agent: str, upto: int) -> Iterator[Row]:
    """Yield changes of a life: its own, and of what nobody owns those of the spaces it is in.

    These are its own too from here on, since what else others did there is not known beside it.
    """
    for number, whose, undo in tables.changes_for(rows, agent=agent, upto=upto):
        own = str(undo) if whose != NOBODY else _own_part(rows, str(undo), agent=agent)
        if own is not None:
            yield number, agent, own


def _own_part(rows: Rows, undo: str, *, agent: str) -> str | None:
    """Return what of a change of what nobody owns is of a life, or None."""
    found = {
        table: of
        for table, rows_undone in UNDO.decode(undo).items()
        if (of := tables.part_of_life(rows, table, rows_undone, agent=agent)) is not None
    }
    return to_json(found).decode() if found else None


def cut_down(
    store: "SqliteStore",
    *,
    agent: str,
    cycle: int | None,
    number: int | None,
    parent: Path | None = None,
) -> None:
    """Leave of a copy of a whole store only one life: as it is, or was after a cycle.

    `number` is the change that ended the cycle.

    With `parent` the store is empty, and what the life needs of that one is copied first. What
    comes of it is what `carried` yields, and of others nothing is to be found in the file.
    Nothing can be taken back: what fails leaves a file that is of no use.
    """
    store.connection.execute("PRAGMA journal_mode=OFF").fetchall()
    if parent is not None:
        store.connection.execute("ATTACH ? AS parent", (str(parent),)).fetchall()
    with store.redacting() as rows:
        upto = MOST_WHOLE if cycle is None else cycle
        change = MOST_WHOLE if number is None else number
        if parent is None:
            past = past_of(rows, agent=agent, number=number)
        else:
            past = _copied(rows, agent=agent, cycle=upto, change=change)
        has_others = tables.has_others(rows, agent=agent)
        if has_others:
            # Zeros over what goes take time and memory, and nobody hides a life from itself.
            rows.run("PRAGMA secure_delete=ON")
        hashes = tables.hashes_left(rows, agent=agent)
        for shared, _, undo in tables.changes_of_nobody(rows):
            own = _own_part(rows, str(undo), agent=agent)
            if own is not None:
                tables.own_change(rows, number=int(str(shared)), agent=agent, undo=own)
        back = past.undo(stays=tables.SHARED)
        # What others said, and what is said again, is no more told from the words in the index; and
        # where less stays than goes, that is put into an empty one.
        stays = tables.share_of_messages(rows, agent=agent, cycle=upto)
        anew = parent is not None or "message" in back or has_others or stays < 1 / 2
        if number is not None:
            if not anew:
                history_tables.delete_text(rows, _words_after(rows, agent=agent, cycle=upto))
            cut = functools.partial(
                tables.cut_off, agent=agent, cycle=upto, change=number, last_said=past.last_said
            )
            # Before, as two cannot have one number; and after, as some of what is back came later.
            cut(rows)
            if "message" in back:
                back["message"] = _said_by_then(back["message"], cycle=upto, last=past.last_said)
            tables.take_back(rows, back)
            cut(rows)
        if not anew:
            left = tables.numbers_left(rows, agent=agent)
            history_tables.delete_text(rows, ((one, "") for one in left))
        tables.keep_alone(
            rows,
            agent=agent,
            cycle=upto,
            change=change,
            hashes=hashes,
            parent=parent is not None,
        )
        index.clear(rows)
        note_made_anew(rows, agent)
        if anew:
            history_tables.clear_index(rows)
            extend_index(rows, after=0)
    if parent is not None:
        store.connection.execute("DETACH parent").fetchall()
    store.connection.execute("PRAGMA secure_delete=OFF; PRAGMA journal_mode=MEMORY").fetchall()


def _copied(rows: Rows, *, agent: str, cycle: int, change: int) -> Past:
    """Copy what a life needs from the parent; return how what it changed since was by then."""
    past = past_of(rows, agent=agent, number=change, log="parent.change")
    # They were checked where they come from.
    rows.run("PRAGMA ignore_check_constraints=ON")
    tables.copy_from_parent(rows, agent=agent, cycle=cycle, change=change, later=past.first_made())
    rows.run("PRAGMA ignore_check_constraints=OFF")
    return past


def _said_by_then(of: RowsUndone, *, cycle: int, last: int | None) -> RowsUndone:
    """Return what takes messages back, but for those that came later or were left by a rewind.

    These are not there, whatever row has their numbers or their places in the log now.
    """

    def was_there(values: Values) -> bool:
        is_later = last is not None and int(str(values["number"])) > last
        return (
            int(str(values["cycle"])) <= cycle
            and not is_later
            and not left_by_rewind(str(values["agent"]))
        )

    whole = {key: values for key, values in (*of.changed, *of.gone) if "cycle" in values}
    return RowsUndone(
        made=[*of.made, *whole],
        changed=[one for one in of.changed if one[0] not in whole],
        gone=[(key, values) for key, values in whole.items() if was_there(values)],
    )


def _words_after(rows: Rows, *, agent: str, cycle: int) -> Iterator[tuple[int, str]]:
    """Yield the number and the searched words of each message that came after a cycle."""
    last = history_tables.next_cycle(rows, agent=agent) - 1
    for first in range(cycle + 1, last + 1, _CYCLES_AT_ONCE):
        until = first + _CYCLES_AT_ONCE - 1
        for one in history_tables.from_cycle(rows, agent=agent, cycle=first, until=until):
            yield one.number, searched_text(message_of(one))


def _noted(found: Iterator[Row], place: int, into: set[str]) -> Iterator[Row]:
    """Yield rows, and keep what stands in one column of each."""
    for row in found:
        if row[place] is not None:
            into.add(str(row[place]))
        yield row


class Taken(NamedTuple):
    """How many rows of a life were put into a store, and which of its spaces were there already."""

    rows: int
    kept_spaces: tuple[str, ...]


def take(
    rows: Rows,
    manifest: LifeManifest,
    found: Tables,
    fault: Fault,
    *,
    numbering: Numbering | None = None,
) -> Taken:
    """Put the rows of a life into a store, beside those of others, which stay as they are.

    What is `fault` is raised where they are none of one life. By
    `numbering` its numbers move, by default behind all that are there.
    """
    agent = manifest.agent
    there = frozenset(tables.space_names(rows))
    numbering = numbering or _numbering(rows)
    tables.follow_links_at_the_end(rows)
    # The chain has the numbers that messages had, so a replay has to come to those.
    heard_by = {table: by for table, by in numbering.by.items() if table != "message"}
    order = [table.name for table in tables.TABLES]
    total = 0
    for header, lines in found:
        if header.table not in order:
            raise fault(f"{header.table} is no table of a life, or stands there twice")
        del order[: order.index(header.table) + 1]
        names = columns_of(rows, header.table).all
        if header.columns != names:
            raise fault(f"{header.table} has other columns than those of its schema")
        counted = itertools.count()
        drawn_lines: Iterator[Row] = (row for row, _ in zip(lines, counted, strict=False))
        if numbering.moves:
            drawn_lines = map(functools.partial(numbering.moved, header.table, names), drawn_lines)
        own = _beside_others(header.table, drawn_lines, there=there, agent=agent, fault=fault)
        if numbering.moves and header.table == "operation_part":
            own = ((*row[:-1], renumbered(_octets(row[-1]), heard_by)) for row in own)
        tables.insert(rows, header.table, names, own, agent=agent)
        drawn = next(counted)
        total += drawn
        if header.table in tables.SHARED:
            continue
        if tables.count(rows, tables.BY_NAME[header.table], agent=agent) != drawn:
            raise fault(f"{header.table} has rows of another agent")
    by = numbering.by["message"]
    if by and manifest.messages:
        one = CarriedRows(upto=manifest.messages, moved=by)
        history_tables.insert_carried(rows, agent=agent, one=one)
    try:
        extend_index(rows, after=by, agent=agent)
    except NO_RECORD as error:
        raise fault(f"a message of it is none: {error}") from None
    who = agent_tables.find_agent(rows, agent)
    if who is None or (who.name, who.entity) != (agent, manifest.entity):
        raise fault(f"the agent in it is not the {agent} of its manifest")
    kept = tuple(one for one in manifest.shared.spaces if one in there)
    return Taken(total, kept)


def take_again(
    store: "EngineStore",
    rows: Rows,
    manifest: LifeManifest,
    found: Tables,
    fault: Fault,
    *,
    numbering: Numbering | None = None,
) -> Taken:
    """Put the rows of a life in the place of those that it left here, as `take` does.

    They get numbers that none had before, so that what an index or a vector was of is never taken
    for something else. A space in which nothing was said here since is as it has become there.
    """
    agent = manifest.agent
    numbering = numbering or _numbering(rows)
    quiet = tables.quiet_spaces(rows, agent=agent) & {*manifest.shared.spaces}
    tables.follow_links_at_the_end(rows)
    names = [agent, *rewinds.left_names(rows, agent=agent)]
    history_tables.forget_texts(rows, agents=names)
    with store.unguarded():
        for left in names[1:]:
            tables.take_out(rows, agent=left, spaces=())
        tables.take_out(rows, agent=agent, spaces=quiet)
    if not store.is_mirrored:
        number = index.agent_number(rows, agent)
        if number is not None:
            vectors.forget(rows, **index.span_of(number)._asdict())
        index.clear(rows)
        extend_index(rows, after=0)
    return take(rows, manifest, found, fault, numbering=numbering)


@contextlib.contextmanager
def from_file(store: "EngineStore", reader: LifeReader) -> Iterator[Rows]:
    """Hold a transaction for the rows of a life file.

    Raises:
        InputOutputError: a row of it is none.
    """
    with distrusting(reader), store.restoring() as rows:
        yield rows


@contextlib.contextmanager
def distrusting(reader: LifeReader) -> Iterator[None]:
    """Let what stumbles over a row of a life file say so; anybody can write its seal anew."""
    try:
        yield
    except (UnfitRowError, UsageError, ValueError, OverflowError, *NO_RECORD) as error:
        raise reader.fault(f"a row of it is none: {error}") from None


def _numbering(rows: Rows) -> Numbering:
    """Return how the numbers of a life move so that it comes behind all that is there."""
    columns = tables.numbered(rows)
    by = {table: tables.last_number(rows, table, column) for table, column in columns.items()}
    return Numbering(columns, by)


def _beside_others(
    table: str, found: Iterator[Row], *, there: frozenset[str], agent: str, fault: Fault
) -> Iterator[Row]:
    """Return rows as they can stand beside those of others.

    In a space that is there already nobody joins but the agent, and nothing is posted.
    """
    match table:
        case "blob":
            return sound_blobs(found, fault)
        case "operation_setup":
            return sound_setups(found, fault)
        case "member":
            return (row for row in found if row[0] not in there or row[1] == agent)
        case "post":
            return (row for row in found if row[1] not in there)
        case "operation_part":
            return ((*row[:-1], _octets(row[-1])) for row in found)
        case _:
            return found


def sound_blobs(found: Iterator[Row], fault: Fault) -> Iterator[Row]:
    """Yield octets under their hash, by which others may find them."""
    for sha256, octets in found:
        whole = _octets(octets)
        if digest(whole) != sha256:
            raise fault(f"the octets of a blob do not have the hash {sha256!r}")
        yield sha256, whole


def sound_setups(found: Iterator[Row], fault: Fault) -> Iterator[Row]:
    """Yield setups of operations under their hash, by which those of others may find them."""
    for sha256, body in found:
        if digest(str(body).encode()) != sha256:
            raise fault(f"the setup of an operation does not have the hash {sha256!r}")
        yield sha256, body


def _octets(cell: Cell) -> bytes:
    """Return the octets of a cell, which a file has as base64."""
    return cell if isinstance(cell, bytes) else base64.b64decode(str(cell))
