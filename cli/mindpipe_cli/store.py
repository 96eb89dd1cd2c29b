"""`mind store`: the file, or the schema on a server, itself."""

from pathlib import Path

import click

from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import dry_run_option
from mindpipe_cli.session import Session

_FILE = click.Path(path_type=Path, dir_okay=False)
_COPIED = ("file", "bytes", "schema")
_MOVED = ("what", "name", "rows", "source", "target")
_FINDING = ("check", "verdict", "found", "advice")


@command("check", example="mind store check --table")
def check(session: Session) -> None:
    """Say what is sound about the store, its place, its rows and this machine, and what is not.

    Nothing is written to it. Ends with 74 if the file or a chain of history is damaged, and from
    then on the store is only read (RECOVERY, see mind store recover); 69 if this program may not
    use it, 4 if others could read or replace it. A server has no RECOVERY; its settings, schema and
    what always holds of the rows are looked at.
    """
    from mindpipe.store.verbs import store

    findings = store.check(session.where, session.clock)
    session.write(findings, columns=_FINDING)
    store.raise_worst(findings, session.where)


@command("migrate", example="mind store migrate")
def migrate(session: Session) -> None:
    """Bring an older store to this program's schema, after a copy to FILE.before-STEP.

    Each step is one transaction; a run that was killed can simply be started again. On a server no
    copy is made (see mind store backup), and programs of the older schema are refused from then on.
    """
    from mindpipe.store.verbs import store

    migrated = store.migrate(session.where, session.clock)
    session.write([migrated], columns=("applied", "schema", "backup"))


@command("backup", example="mind store backup mind-2026-11-21.db")
@click.argument("file", type=_FILE)
def backup(session: Session, file: Path) -> None:
    """Copy the store into the new FILE while others go on using it, and check the copy.

    Copying mind.db with cp would tear it: what was committed last is in mind.db-wal. On a server
    pg_dump copies the schema of the store, in its custom format; pg_dump here, and pg_restore where
    the copy is restored, must be of the server's version or newer.
    """
    from mindpipe.store.verbs import store

    session.write([store.backup(session.where, file=file)], columns=_COPIED)


@command(
    "restore",
    example="mind store restore monday.db --store new.db --accept-loss-since 2026-11-21T20:00:00Z",
)
@click.argument("file", type=_FILE)
@click.option(
    "--accept-loss-since",
    "loss_since",
    metavar="INSTANT",
    help="When FILE was made: what came later is lost, and must be pushed again.",
)
def restore(session: Session, file: Path, loss_since: str | None) -> None:
    """Make a new store (--store) from the backup FILE; an existing one is never touched.

    The new store has the next generation number and no leases. What was running when the backup was
    made is marked as unknown, and waiting approvals are cancelled. The store starts in RECOVERY:
    mind store recover --resume opens it for writing.
    """
    from mindpipe.store.verbs import store

    restored = store.restore(session.where, file=file, clock=session.clock, loss_since=loss_since)
    session.write([restored], columns=("file", "generation", "schema", "loss_since"))
    output.say(
        f"{session.store_path.name} is in RECOVERY. Run mind store recover --resume, then push "
        f"again, with their keys, the events that came after {restored.loss_since}."
    )


@command("recover", example="mind store recover --resume")
@click.option("--resume", is_flag=True, help="End RECOVERY after a restore or many crashes too.")
@click.option(
    "--salvage", "new", type=_FILE, metavar="NEW", help="Write what can be read into the store NEW."
)
def recover(session: Session, *, resume: bool, new: Path | None) -> None:
    """Check a store without writing to it, then put right what crashes left.

    Prints what each step found. Damage keeps the store in RECOVERY, in which it is only read, and
    ends with 74; nothing is replaced. Nothing to put right is exit status 3.

    With --salvage the store is only read, and the rows saved, refused and lost and the pages known
    to be lost are printed for each table; without a name, what no table is known for. NEW has no
    page checksums.
    """
    if new is not None:
        from mindpipe.store.verbs import store

        saved = store.recover(session.store_path, session.clock, session.chance, new=new)
        session.write(saved, columns=("table", "rows", "refused", "rows_lost", "pages_lost"))
        store.require_agents(saved, session.store_path, new=new)
        output.say(
            f"{new.name} is in RECOVERY and has no page checksums. Run mind store check --store "
            f"{new}, then mind store recover --resume --store {new}."
        )
        return
    from mindpipe.engine.worker.recovery import Recovery

    recovery = Recovery(session.store_path, session.clock, session.chance, session.settings)
    session.write(recovery.steps(resume=resume), columns=_FINDING)


@command(
    "query",
    example="""mind store query 'select at, role, message_text(parts) as said from message \\
    where agent = :agent order by seq desc limit 5' -p agent ava --table""",
)
@click.argument("sql")
@click.option(
    "-p",
    "--parameter",
    "parameters",
    type=(str, str),
    multiple=True,
    metavar="NAME VALUE",
    help="Fill :NAME in the statement.",
)
def query(session: Session, sql: str, parameters: tuple[tuple[str, str], ...]) -> None:
    """Print the rows of one SQL statement, which can only read.

    Beside SQLite's own functions there are message_text(parts), message_tools(parts),
    instant_add(instant, seconds), instant_seconds(from, to) and terminal_text(text); sqlite-utils
    knows them too. On a server the SQL is PostgreSQL's, on the tables of the store, and runs as its
    reader (see mind store roles) where that role is there.
    """
    from mindpipe.store.verbs import store

    answer = store.query(session.where, sql, values=dict(parameters))
    session.write(answer.rows, columns=answer.columns)


@command("export", example="mind store export cycle --csv")
@click.argument("table")
def export(session: Session, table: str) -> None:
    """Print every row of one table or view."""
    from mindpipe.store.verbs import store

    answer = store.export(session.where, table)
    session.write(answer.rows, columns=answer.columns)


@command("datasette", example="mind store datasette shown")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
def datasette(session: Session, folder: Path) -> None:
    """Copy the store into DIR for Datasette, with a metadata file beside the copy.

    That has titles, what columns hold and in which unit, facets, and queries to begin with. The
    copy holds all that the store does but for values that MCP servers keep for themselves (env,
    headers), and DIR is private; show it with the command that is printed.
    """
    from mindpipe.life.secrets import CLEANED
    from mindpipe.store.verbs import store

    made = store.datasette(session.store_path, folder=folder, cleaned=CLEANED)
    session.write([made], columns=("file", "metadata", "bytes", "tables", "queries"))
    output.say(f"Show it with: {made.command}")


@command("roles", example="mind store roles | psql mind")
def roles(session: Session) -> None:
    """Print the SQL that makes the roles of a store on a server, each with the least rights.

    A superuser of the server pipes it into psql. SCHEMA_owner migrates, SCHEMA_worker runs all
    other commands and can change no table, SCHEMA_reader only reads and makes backups. Each login
    is made a member of one, also that which made the store.
    """
    session.prints("SQL")
    from mindpipe.store.verbs import store

    output.write_text(store.roles(session.where))


@command("move", example="mind store move --from mind.db --to postgresql://db.example/fleet")
@click.option("--from", "source", metavar="STORE", help="What moves.  [default: --store]")
@click.option("--to", "target", required=True, metavar="STORE", help="Where it is from then on.")
@click.option("--cancel", is_flag=True, help="Give up a move that has not ended.")
@dry_run_option
def move(session: Session, source: str | None, target: str, *, cancel: bool, dry_run: bool) -> None:
    """Move a whole store to a new file or an empty schema of a server, with all that is in it.

    No worker may use it. From the first step on the source is read-only and says where the store
    goes; the target opens once all rows are there and both ends agree. For each table, and each
    agent's log of changes, the number of rows and their SHA-256 at either end are printed. A move
    that was killed, or lost its server, is continued by the same command, which ends with 3 once
    the store has moved.

    It stays the same store, with its id, numbers, histories, logs and operations, so that rewinds,
    replays and keys keep working; leases end, and search indexes are rebuilt. Secrets, settings and
    attached programs are not in a store. One agent alone moves by its life file: mind life export
    --move, mind life import.
    """
    from mindpipe.store.address import where_of
    from mindpipe.store.verbs import store

    if source is not None:
        session.choose("store", value=source)
    to = where_of(target)
    if cancel:
        if not store.cancel_move(session.where, session.clock, session.chance, to=to):
            output.say(f"{target} was not reached; run this again to remove what has come there.")
        return
    with output.progress("moving") as advance:
        moved = store.move(
            session.where,
            session.clock,
            session.chance,
            to=to,
            dry_run=dry_run,
            advance=advance,
        )
    session.write(moved.rows, columns=_MOVED)
    if moved.strangers:
        output.say(f"not moved, as mind did not make it: {', '.join(moved.strangers)}.")


COMMAND = group(
    "store", check, migrate, backup, restore, recover, query, export, datasette, roles, move
)
