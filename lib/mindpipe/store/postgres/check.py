"""What may be wrong with the server of a store: what it may lose, who holds it up, who listens."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.instants import normal_instant, seconds_between
from mindpipe.core.ports import Clock
from mindpipe.store.address import Address
from mindpipe.store.postgres.clock import ServerClock
from mindpipe.store.postgres.connection import connect, server_errors
from mindpipe.store.postgres.messages import Connection
from mindpipe.store.postgres.soundness import judge
from mindpipe.store.records import StoreFinding, Verdict

_CLOCK_SECONDS = 5.0
_FREE_CONNECTIONS = 10
_LONG_SECONDS = 300
_DEAD_ROWS = 10_000
_KEPT_BYTES = 1 << 30
_AGE = 1_500_000_000
"""Transactions since the oldest frozen row; at 2**31 the server takes nothing any more."""


class _Setting(NamedTuple):
    """A setting of the server that must not be off: how bad that is, what then, what to do."""

    name: str
    verdict: Verdict
    loses: str
    advice: str


_TURN_ON = "Turn it on in postgresql.conf and reload the server."
_SETTINGS = (
    _Setting("fsync", "bad", "a power cut or a crash of the system can destroy all", _TURN_ON),
    _Setting("full_page_writes", "bad", "a power cut can leave pages half written", _TURN_ON),
    _Setting(
        "synchronous_commit", "bad", "a crash of the server loses what it took last", _TURN_ON
    ),
    _Setting(
        "data_checksums",
        "note",
        "damage of the disk is not noticed",
        "Stop the server and run pg_checksums --enable.",
    ),
    _Setting("autovacuum", "bad", "dead rows stay until the disk is full", _TURN_ON),
    _Setting("track_counts", "bad", "autovacuum does not know what to clean up", _TURN_ON),
)
_LONG = (
    "SELECT 'pid ' || pid || ' (' || coalesce(nullif(application_name, ''), usename, '?') || ') '"
    " || extract(epoch FROM clock_timestamp() - xact_start)::bigint || ' s' FROM pg_stat_activity"
    " WHERE extract(epoch FROM clock_timestamp() - xact_start) > %(most)s"
    " AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY xact_start"
)
_DEAD = (
    "SELECT relname || ' ' || n_dead_tup || ' dead of ' || n_live_tup + n_dead_tup"
    " FROM pg_stat_user_tables WHERE schemaname = %(schema)s AND n_dead_tup > %(most)s"
    " AND n_dead_tup > n_live_tup / 5 ORDER BY n_dead_tup DESC"
)
_FREE = (
    "SELECT current_setting('max_connections')::bigint"
    " - current_setting('superuser_reserved_connections')::bigint"
    " - coalesce(current_setting('reserved_connections', true)::bigint, 0)"
    " - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')"
)
_KEPT = (
    "SELECT slot_name || ' ' || pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint"
    " || ' bytes' FROM pg_replication_slots WHERE NOT active"
    " AND pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > %(most)s ORDER BY slot_name"
)
_LAGGING = (
    "SELECT application_name FROM pg_stat_replication WHERE sync_state = 'async'"
    " AND current_setting('synchronous_standby_names') = '' ORDER BY 1"
)
_OLDEST = "SELECT max(age(datfrozenxid)) FROM pg_database"
_THEIR_NOW = (
    "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
)
_SEES_ALL = "SELECT pg_has_role(current_user, 'pg_read_all_stats', 'MEMBER')"


def look(
    address: Address, clock: Clock, *, long_seconds: float = _LONG_SECONDS
) -> Iterator[StoreFinding]:
    """Judge the server that an address names, and the store there; writes nothing.

    A transaction that is open for `long_seconds` deserves a look. No password is ever shown. What
    the user may not see is left out, which is said.

    Raises:
        UnavailableError: the server is too old, or there is no store in it.
        StoreBusyError: it cannot be reached.
    """
    yield from _passfile()
    connection = connect(address)
    with server_errors(address), connection:
        yield _server(connection)
        yield _encryption(connection)
        yield _encoding(connection)
        yield _clock(connection, clock.machine if isinstance(clock, ServerClock) else clock)
        yield from _settings(connection)
        yield from _load(connection, address, long_seconds)
        yield from judge(connection, address)


def _passfile() -> Iterator[StoreFinding]:
    """Judge the file of passwords, which the driver passes over where others can read it."""
    file = Path(os.environ.get("PGPASSFILE") or Path.home() / ".pgpass")
    if not file.is_file():
        return
    mode = stat.S_IMODE(file.stat().st_mode)
    if mode & 0o077:
        found = f"{file} is open to others ({mode:04o}), so that it is not used"
        advice = f"Run chmod 600 {file}, and change the passwords in it."
        yield StoreFinding(check="passfile", verdict="bad", found=found, advice=advice)
    else:
        yield StoreFinding(check="passfile", verdict="ok", found=f"{file} {mode:04o}")


def _server(connection: Connection) -> StoreFinding:
    """Say which server this is, and whether it takes anything."""
    info = connection.info
    version = f"{info.server_version // 10_000}.{info.server_version % 10_000}"
    found = f"PostgreSQL {version}, database {info.dbname} at {info.host} as {info.user}"
    if _one(connection, "SELECT pg_is_in_recovery()"):
        advice = "Name the primary (target_session_attrs=read-write)."
        found = f"{found}; it is a replica and takes nothing"
        return StoreFinding(check="server", verdict="bad", found=found, advice=advice)
    return StoreFinding(check="server", verdict="ok", found=found)


def _encryption(connection: Connection) -> StoreFinding:
    """Judge whether others can listen on the way to the server."""
    info = connection.info
    is_on = bool(_one(connection, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
    mode = info.get_parameters().get("sslmode", "prefer") if is_on else None
    is_near = info.host.startswith("/") or info.hostaddr in ("127.0.0.1", "::1")
    return encryption(mode, host=info.host, is_near=is_near)


def encryption(mode: str | None, *, host: str, is_near: bool) -> StoreFinding:
    """Judge a connection: its sslmode, None where it is not encrypted, and if it stays here."""
    if mode in ("verify-ca", "verify-full"):
        return StoreFinding(check="encryption", verdict="ok", found=f"TLS, {mode}")
    if mode is not None:
        return StoreFinding(
            check="encryption",
            verdict="note",
            found=f"TLS, but with sslmode={mode} nobody checks who the server is",
            advice="Write sslmode=verify-full into the address or the service.",
        )
    if is_near:
        return StoreFinding(check="encryption", verdict="ok", found="none, within this machine")
    return StoreFinding(
        check="encryption",
        verdict="bad",
        found=f"none on the way to {host}: others can read and change everything",
        advice="Turn ssl on at the server, and write sslmode=verify-full into the address.",
    )


def _encoding(connection: Connection) -> StoreFinding:
    """Judge the encoding of the database."""
    found = str(_one(connection, "SHOW server_encoding"))
    if found == "UTF8":
        return StoreFinding(check="encoding", verdict="ok", found=found)
    advice = "Make a database that is in UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
    return StoreFinding(check="encoding", verdict="bad", found=found, advice=f"{advice}.")


def _clock(connection: Connection, clock: Clock) -> StoreFinding:
    """Hold the server's clock, by which the store goes, against this machine's."""
    theirs = normal_instant(str(_one(connection, _THEIR_NOW)))
    apart = seconds_between(clock.now(), theirs)
    if abs(apart) <= _CLOCK_SECONDS:
        return StoreFinding(check="server clock", verdict="ok", found=f"{apart:+.1f} s")
    return StoreFinding(
        check="server clock",
        verdict="note",
        found=f"{theirs}, {apart:+.1f} s from this machine's",
        advice="Let both be set by the same time server; the store goes by its own alone.",
    )


def _settings(connection: Connection) -> Iterator[StoreFinding]:
    """Judge the settings by which the server may lose what it acknowledged."""
    for setting in _SETTINGS:
        value = str(_one(connection, "SELECT current_setting(%(name)s)", name=setting.name))
        off = value == "off"
        yield StoreFinding(
            check=setting.name,
            verdict=setting.verdict if off else "ok",
            found=f"off: {setting.loses}" if off else value,
            advice=setting.advice if off else None,
        )


def _load(connection: Connection, address: Address, long_seconds: float) -> Iterator[StoreFinding]:
    """Judge what the server has to do: connections, long transactions, dead rows, standbys."""
    free = int(str(_one(connection, _FREE)))
    few = free < _FREE_CONNECTIONS
    yield StoreFinding(
        check="free connections",
        verdict="note" if few else "ok",
        found=f"{free}",
        advice="Raise max_connections, or let workers come by PgBouncer." if few else None,
    )
    mine = "" if _one(connection, _SEES_ALL) else " (of this user alone)"
    yield StoreFinding.of_each(
        "long transactions",
        _all(connection, _LONG, most=long_seconds),
        "End what holds them: until then dead rows stay, and claims grow slow.",
        scope=mine,
    )
    yield StoreFinding.of_each(
        "dead rows",
        _all(connection, _DEAD, schema=address.schema, most=_DEAD_ROWS),
        "Run VACUUM ANALYZE, and let autovacuum come more often (autovacuum_vacuum_scale_factor).",
    )
    if not _one(connection, "SELECT pg_is_in_recovery()"):
        advice = (
            "Start who reads it again, or drop it (pg_drop_replication_slot): it fills the disk."
        )
        yield StoreFinding.of_each(
            "kept for nobody", _all(connection, _KEPT, most=_KEPT_BYTES), advice
        )
    yield StoreFinding.of_each(
        "asynchronous standbys",
        _all(connection, _LAGGING),
        "A failover to one may lose what was acknowledged last; see synchronous_standby_names.",
        scope=mine,
    )
    age = int(str(_one(connection, _OLDEST)))
    yield StoreFinding(
        check="transaction ids",
        verdict="bad" if age > _AGE else "ok",
        found=f"{age} of 2147483648 used since the oldest row was frozen",
        advice="Run VACUUM FREEZE at once, and see why autovacuum does not."
        if age > _AGE
        else None,
    )


def _one(connection: Connection, statement: str, **values: object) -> object:
    """Return the only value of a statement's only row, None where there is no row."""
    found = connection.execute(statement.encode(), values).fetchone()
    return found[0] if found else None


def _all(connection: Connection, statement: str, **values: object) -> list[str]:
    """Return the first column of every row as text."""
    return [str(row[0]) for row in connection.execute(statement.encode(), values)]
