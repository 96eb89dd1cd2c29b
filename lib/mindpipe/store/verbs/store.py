"""What its keeper does with a store: check, migrate, copy, restore, salvage and read it."""

import contextlib
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import msgspec

from mindpipe.agents.verbs import agent as agent_verbs
from mindpipe.compaction.verbs import verify
from mindpipe.core.errors import (
    InputOutputError,
    NothingToDoError,
    RefusedError,
    TemporaryError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.instants import seconds_between
from mindpipe.core.ports import Chance, Clock, Rows
from mindpipe.core.records import to_json
from mindpipe.core.text import counted, without_surrogates
from mindpipe.history.records import BrokenRow
from mindpipe.history.verbs.history import ChainWalk
from mindpipe.history.verbs.log import rebuild_index
from mindpipe.io.files import make_folder, write_whole
from mindpipe.recall.verbs import reindex
from mindpipe.store import place, recovery_log, schema
from mindpipe.store.address import Address, Where, is_there
from mindpipe.store.backup import backup as backup_file
from mindpipe.store.backup import restore as restore_file
from mindpipe.store.changes import note_all_made_anew
from mindpipe.store.check import answers, fault_of, keep_from_writing, sqlite
from mindpipe.store.check import check as check_file
from mindpipe.store.datasette import QUERIES, metadata_of
from mindpipe.store.engine import EngineStore
from mindpipe.store.migrate import migrate as migrate_file
from mindpipe.store.migrations import SCHEMA, migrations
from mindpipe.store.move import Move
from mindpipe.store.move_mark import STAYS, TABLE, called, mark_of
from mindpipe.store.presence import idle, place_of, present_at
from mindpipe.store.questions import INVARIANTS, QUESTIONS
from mindpipe.store.records import (
    Cleaned,
    Copied,
    DatasetteCopy,
    Migrated,
    MigrationStep,
    Moved,
    Restored,
    Salvaged,
    StoreFinding,
    Verdict,
)
from mindpipe.store.salvage.salvage import salvage as salvage_file
from mindpipe.store.schema import require_store
from mindpipe.store.sqlite import SqliteStore
from mindpipe.store.worker_sessions import is_ours, lost_sessions, reading, running_sessions

if TYPE_CHECKING:
    from mindpipe.store.records import QueryRow

_UNREADABLE = ("integrity", "schema")
_DAMAGE = ("integrity", "history chain")
_SHOWN = 3
# By the wall clock of whoever wrote; a simulated person lives by a clock of its own.
_NEWEST = (
    "SELECT max(at) FROM (SELECT max(pushed) AS at FROM event "
    "WHERE agent NOT IN (SELECT id FROM person) UNION ALL SELECT max(opened) FROM cycle "
    "WHERE agent NOT IN (SELECT id FROM person) UNION ALL SELECT max(started) FROM run "
    "UNION ALL SELECT max(ended) FROM run UNION ALL SELECT max(at) FROM size_sample) AS newest"
)
_CLOCK_SECONDS = 60.0

# A restored store shares its past with the one it was copied from, but none of its promises: every
# lease is over under a higher epoch, and a call that was under way may have been run since.
CHANGES = (
    MigrationStep(
        table="agent_lease",
        sql="UPDATE agent_lease SET epoch=epoch+1, owner=NULL, boot='', seconds=0",
    ),
    MigrationStep(
        table="event",
        sql="UPDATE event SET epoch=epoch+1, lease_boot='', lease_seconds=0 WHERE state='leased'",
    ),
    MigrationStep(
        table="plan_window",
        sql="UPDATE plan_window SET boot='', seconds=0 WHERE state='claimed'",
    ),
    MigrationStep(
        table="consolidation_window",
        sql="UPDATE consolidation_window SET boot='', seconds=0 WHERE state='claimed'",
    ),
    MigrationStep(
        table="call",
        sql="UPDATE call SET effect='unsafe' WHERE state='started' AND effect='keyed'",
    ),
    MigrationStep(
        table="run",
        sql="UPDATE run SET state='clean' WHERE state='running'",
    ),
    MigrationStep(
        table="ticket",
        sql="UPDATE ticket SET decided=NULL, state=iif(state='running', 'unknown', 'cancelled') "
        "WHERE state IN ('pending', 'approved', 'running')",
    ),
    # What was copied from a store that moved lives here, whatever becomes of that one.
    MigrationStep(table=TABLE, sql=STAYS),
)


def check(store: Where, clock: Clock) -> list[StoreFinding]:
    """Check a store with the questions of all domains; a damaged file is only read from now on.

    Raises:
        UnavailableError: there is no store.
    """
    findings = list(look(store, clock))
    if not isinstance(store, Path):
        return findings
    for finding in findings:
        if finding.verdict == "bad" and finding.check in _DAMAGE:
            keep_from_writing(store, clock, why=finding.damage)
    # It is asked last whether that put the store into RECOVERY.
    return [sqlite(), *findings, *place.abilities(), recovery_mode(store)]


def look(store: Where, clock: Clock) -> Iterator[StoreFinding]:
    """Look at a store and all its rows, and write nothing, whatever is found.

    Raises:
        UnavailableError: there is no store.
    """
    findings: Iterable[StoreFinding]
    if isinstance(store, Path):
        findings = check_file(store, clock, migrations=migrations(), questions=QUESTIONS)
        is_readable = sqlite().verdict == "ok"
    else:
        findings, is_readable = _server(store, clock), True
    for finding in findings:
        # How a server is deserves to be known also where there is no store in it yet.
        yield finding
        is_readable &= finding.verdict != "bad" or finding.check not in _UNREADABLE
    if is_readable:
        yield chains(store)
        yield from _moves(store)
        yield from _runs(store, clock)
        yield _clock(store, clock)


def _server(store: Address, clock: Clock) -> Iterator[StoreFinding]:
    """Look at a server, at the schema there, and at the rows if it is ours.

    No recovery asks on a server what always holds, so that is asked here.
    """
    from mindpipe.store.postgres.check import look as look_at_server

    is_ours = False
    for finding in look_at_server(store, clock):
        yield finding
        is_ours = is_ours or (finding.check, finding.verdict) == ("schema", "ok")
    if is_ours:
        with reading(store) as opened, opened.read() as rows:
            yield from answers(rows, clock, QUESTIONS)
            for finding in answers(rows, clock, INVARIANTS):
                verdict: Verdict = "ok" if finding.verdict == "ok" else "bad"
                yield msgspec.structs.replace(finding, verdict=verdict)


def _clock(store: Where, clock: Clock) -> StoreFinding:
    """Hold the wall clock against the newest instant that was written down in a store."""
    now = clock.now()
    with reading(store) as opened, opened.read() as rows:
        newest = rows.value(str, _NEWEST)
    if newest is None or seconds_between(now, newest) <= _CLOCK_SECONDS:
        return StoreFinding(check="clock", verdict="ok", found=now)
    return StoreFinding(
        check="clock",
        verdict="bad",
        found=f"{now}, and something was written at {newest}",
        advice="Set the clock (timedatectl); until then plans, days and caps are counted wrong.",
    )


def _runs(store: Where, clock: Clock) -> Iterator[StoreFinding]:
    """Say which workers stay, and which crashed without anybody having looked."""
    there, running = present_at(store), running_sessions(store, clock)
    said = [f"{run.agent} pid {run.pid}{place_of(run, there, clock)}" for run in running]
    said += [
        f"{', '.join(one.names)} pid {one.pid} of {one.host} waits since {one.since}"
        for one in idle(there, running)
    ]
    yield StoreFinding(check="workers", verdict="ok", found=", ".join(said) or "none")
    lost = [f"{run.agent} pid {run.pid}" for run in lost_sessions(store, clock)]
    either = ", or mind store recover" if isinstance(store, Path) else ""
    advice = f"The next mind run recovers{either}."
    yield StoreFinding(
        check="crashed workers",
        verdict="note" if lost else "ok",
        found=", ".join(lost) or "0",
        advice=advice if lost else None,
    )


def _moves(store: Where) -> Iterator[StoreFinding]:
    """Say where a store went that is no more to be written here."""
    if isinstance(store, Path) and not is_ours(store):
        return
    with reading(store) as opened, opened.read() as rows:
        mark = mark_of(rows)
    if mark is not None and mark.state != "arrived":
        way = "from" if mark.state == "arriving" else "to"
        over = mark.state == "left"
        yield StoreFinding(
            check="move",
            verdict="note",
            found=f"{'moved' if over else 'moving'} {way} {mark.other} since {mark.at}",
            advice="It is only read here; use it there." if over else "Go on: mind store move.",
        )


def recovery_mode(store: Path) -> StoreFinding:
    """Say whether the store is in RECOVERY, and whether its log is whole."""
    log = recovery_log.read(store)
    if log.entered is not None:
        found = f"since {log.entered.at}: {log.entered.why}"
        advice = f"It is only read. Run {log.entered.way_out}."
        return StoreFinding(check="recovery", verdict="bad", found=found, advice=advice)
    if log.torn:
        found = f"off; the last line of {recovery_log.log_of(store).name} is torn"
        advice = "It was being written when something ended; it does not count."
        return StoreFinding(check="recovery", verdict="note", found=found, advice=advice)
    return StoreFinding(check="recovery", verdict="ok", found="off")


def chains(store: Where) -> StoreFinding:
    """Follow the hash chain of every agent's history."""
    first = [name for name, _ in SCHEMA].index("0016_compaction")
    with reading(store) as opened:
        windows = not isinstance(opened, SqliteStore) or (
            require_store(opened.connection, opened.path) > first
        )
        broken = list(_broken(opened, windows=windows))
    if not broken:
        return StoreFinding(check="history chain", verdict="ok", found="0")
    shown = "; ".join(
        f"{row.agent} {row.table} {row.number}: {row.what}" for row in broken[:_SHOWN]
    )
    return StoreFinding(
        check="history chain",
        verdict="bad",
        found=f"{counted(len(broken), 'row')}, {shown}",
        advice="See mind history verify.",
    )


def _broken(store: EngineStore, *, windows: bool) -> Iterator[BrokenRow]:
    """Yield the broken rows of every agent that has a history, and of `windows` if there are."""
    for agent in agent_verbs.list_(store):
        with contextlib.suppress(NothingToDoError):
            yield from ChainWalk(store, agent=agent.name).broken()
        if windows:
            yield from verify.broken(store, agent=agent.name)


def raise_worst(findings: Sequence[StoreFinding], store: Where) -> None:
    """Raise the error of the worst finding about a store, if one is bad."""
    fault = fault_of(findings, store)
    if fault is not None:
        raise fault


def backup(store: Where, *, file: Path) -> Copied:
    """Copy a store, while others use it, into a new private file; never overwrites one.

    Raises:
        RefusedError: the file is there already.
        UnavailableError: there is no store; or it is on a server, and there is no pg_dump for that.
    """
    if isinstance(store, Path):
        return backup_file(store, file=file)
    from mindpipe.store.postgres.backup import backup as backup_of_server

    return backup_of_server(store, file=file)


METADATA = "metadata.json"


def datasette(store: Path, *, folder: Path, cleaned: Mapping[str, Cleaned]) -> DatasetteCopy:
    """Copy a store into a folder, with what Datasette shows of it in a file beside it.

    The copy comes last: where it is, all is. Of some tables the copy has a column as it is without
    what nobody may see, and nothing of what was there stays in its file.

    Raises:
        RefusedError: a copy is there already.
        UnavailableError: the folder in which it would be is not there.
    """
    from mindpipe.store.query import columns_of

    copy, metadata = folder / store.name, folder / METADATA
    place.check_file(store)
    if copy.exists():
        raise RefusedError(f"{copy} is there already; name a new folder.")
    place.require_place(folder.absolute())
    make_folder(folder)
    columns = columns_of(store)
    written = msgspec.json.format(to_json(metadata_of(copy.stem, columns)), indent=2)
    write_whole(metadata, [written, b"\n"])
    made = backup_file(store, file=copy, change=partial(_clean, cleaned=cleaned))
    return DatasetteCopy(
        file=str(copy),
        metadata=str(metadata),
        bytes=made.bytes,
        tables=len(columns),
        queries=len(QUERIES),
        command=shlex.join(
            ["datasette", "serve", "--immutable", str(copy), "--metadata", str(metadata)]
        ),
    )


def _clean(copy: apsw.Connection, *, cleaned: Mapping[str, Cleaned]) -> None:
    """Write a copy anew without what nobody may see."""
    for table, (column, clean) in cleaned.items():
        for (text,) in copy.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall():
            if (bare := clean(str(text))) != text:
                copy.execute(f"UPDATE {table} SET {column}=? WHERE {column}=?", (bare, text))
    copy.execute("VACUUM")


def restore(store: Where, *, file: Path, clock: Clock, loss_since: str | None) -> Restored:
    """Make a new store from a backup, freed of everything that only the old one may go on with.

    Raises:
        UnavailableError: it is to be on a server, which PostgreSQL's own program does.
    """
    if not isinstance(store, Path):
        from mindpipe.store.postgres.backup import restoring

        raise restoring(store, file=file)
    return restore_file(
        store,
        file=file,
        now=clock.now(),
        loss_since=loss_since,
        migrations=migrations(),
        changes=CHANGES,
    )


def migrate(store: Where, clock: Clock) -> Migrated:
    """Bring a store to this program's schema, unless a worker of an older program uses it.

    Raises:
        TemporaryError: one does, or the store is in RECOVERY.
    """
    if isinstance(store, Path) and (entered := recovery_log.read(store).entered) is not None:
        raise recovery_log.refusal(store, entered)
    if is_there(store):
        _require_no_worker(store, clock, "migrate")
    if isinstance(store, Path):
        return migrate_file(store, migrations=migrations())
    from mindpipe.store.postgres.migrate import migrate as migrate_on_server

    return migrate_on_server(store, migrations=migrations())


def _require_no_worker(store: Where, clock: Clock, purpose: str) -> None:
    if lives := running_sessions(store, clock):
        raise TemporaryError(
            f"a worker of {lives[0].agent} (pid {lives[0].pid}) uses {called(store)}. "
            f"Stop it, then {purpose}."
        )


def move(
    store: Where,
    clock: Clock,
    chance: Chance,
    *,
    to: Where,
    dry_run: bool = False,
    advance: Callable[[int, int], None],
) -> Moved:
    """Move a store, with all that is in it, to an empty place; one that was killed is gone on with.

    With `dry_run` nothing is written. `advance` is told how many rows are done, and of how many.

    Raises:
        TemporaryError: a worker uses it, or the store is in RECOVERY.
        MindError: it cannot be moved; see `Move.run`.
    """
    if is_there(store):
        _require_no_worker(store, clock, "move it")
    found = Move(store, to, clock, chance, finish=_made_anew)
    rows = found.would_move() if dry_run else found.run(advance)
    return Moved(rows, tuple(found.strangers))


def cancel_move(store: Where, clock: Clock, chance: Chance, *, to: Where) -> bool:
    """Let a store stay that is moving; see `Move.cancel`."""
    return Move(store, to, clock, chance, finish=_made_anew).cancel()


def _made_anew(store: EngineStore, rows: Rows) -> None:
    """Make anew, in the open transaction, what is not moved."""
    if isinstance(store, SqliteStore):
        rebuild_index(store)
    note_all_made_anew(rows)


def query(store: Where, sql: str, *, values: Mapping[str, str]) -> "QueryRow":
    """Run one statement that only reads; `values` fill its named parameters (`:name`).

    Raises:
        UsageError: it is none, would write, or has octets that are no text.
    """
    if any(without_surrogates(text)[1] for text in (sql, *values.values())):
        raise UsageError("SQL: it is not UTF-8, or has a NUL.")
    if isinstance(store, Path):
        from mindpipe.store.query import query as run_query

        return run_query(store, sql, values=values)
    from mindpipe.store.postgres.query import query as query_server

    return query_server(store, sql, values=values)


def export(store: Where, table: str) -> "QueryRow":
    """Return the rows of a table or view; raises UsageError if there is none of the name."""
    if isinstance(store, Path):
        from mindpipe.store.query import export as rows_of

        return rows_of(store, table)
    from mindpipe.store.postgres.query import export as rows_on_server

    return rows_on_server(store, table)


def roles(store: Where) -> str:
    """Return the SQL that makes the roles of a store on a server, for psql.

    Raises:
        UnavailableError: the store is a file.
    """
    if isinstance(store, Path):
        raise UnavailableError("a file has no roles: its mode says who may read and write it.")
    from mindpipe.store.postgres.roles import script

    return script(store)


def recover(store: Path, clock: Clock, chance: Chance, *, new: Path) -> list[Salvaged]:
    """Save what can be read of a store into the store `new`; return what became of each table."""
    identity = chance.new_id("s", new.name)

    def finish(saved: SqliteStore) -> None:
        with saved.write() as rows:
            schema.continue_identity(rows, identity=identity, created=clock.now())
        rebuild_index(saved)
        reindex.reindex(saved, note_all_made_anew)

    return salvage_file(store, new=new, now=clock.now(), migrations=migrations(), finish=finish)


def require_agents(saved: list[Salvaged], store: Path, *, new: Path) -> None:
    """Say that next to nothing was saved if something was lost and no agent is left.

    Raises:
        InputOutputError: so it is.
    """
    agents = sum(one.rows for one in saved if one.table == "agent")
    if not agents and any(one.refused or one.rows_lost or one.pages_lost for one in saved):
        raise InputOutputError(
            f"no agent of {store.name} could be saved, and nothing that belongs to one; remove "
            f"{new.name} and restore a backup with mind store restore."
        )
