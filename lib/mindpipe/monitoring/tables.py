"""Rows of alerts and of samples of the store's size."""

import msgspec

from mindpipe.core.ports import Pair, Rows
from mindpipe.core.records import Migration
from mindpipe.monitoring.records import Alert, AlertState, MetricSample

MIGRATIONS = (
    Migration(
        name="0034_alerts",
        sql="""
        CREATE TABLE alert(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL REFERENCES agent(name),
            severity TEXT NOT NULL CHECK(severity IN ('critical', 'warning')),
            metric TEXT NOT NULL, above REAL NOT NULL, until REAL NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('firing', 'cleared')),
            value REAL NOT NULL, worst REAL NOT NULL, since TEXT NOT NULL, ended TEXT,
            CHECK((state = 'cleared') = (ended IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX alert_firing ON alert(agent, severity, metric) WHERE state = 'firing';
        CREATE INDEX alert_since ON alert(agent, since);
        CREATE TABLE size_sample(
            at TEXT PRIMARY KEY, bytes INTEGER NOT NULL CHECK(bytes >= 0), vector_seconds REAL
        ) STRICT, WITHOUT ROWID;
        """,
    ),
)

_ALERT = ", ".join(Alert.__struct_fields__)
_MARKS = ", ".join(f":{name}" for name in Alert.__struct_fields__)
_SIZE = Pair(
    sqlite="SELECT (SELECT page_count FROM pragma_page_count())"
    " * (SELECT page_size FROM pragma_page_size())",
    postgres="SELECT CAST(sum(pg_total_relation_size(oid)) AS BIGINT) FROM pg_class"
    " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'",
)


def insert_alert(rows: Rows, alert: Alert) -> None:
    """Add an alert that begins to fire."""
    rows.run(f"INSERT INTO alert({_ALERT}) VALUES({_MARKS})", msgspec.structs.asdict(alert))


def save_alert(rows: Rows, alert: Alert) -> None:
    """Write how an alert that fired stands now."""
    rows.run(
        "UPDATE alert SET state = :state, value = :value, worst = :worst, ended = :ended "
        "WHERE id = :id AND state = 'firing'",
        {
            "id": alert.id,
            "state": alert.state,
            "value": alert.value,
            "worst": alert.worst,
            "ended": alert.ended,
        },
    )


def firing(rows: Rows, *, agent: str) -> list[Alert]:
    """Return the alerts of an agent that fire, the worst kind first."""
    return rows.all(
        Alert,
        f"SELECT {_ALERT} FROM alert WHERE agent = :agent AND state = 'firing' "
        "ORDER BY severity, since, metric",
        {"agent": agent},
    )


def alerts(rows: Rows, *, agent: str, state: AlertState | None, limit: int) -> list[Alert]:
    """Return the newest alerts of an agent, in one state or all, newest first."""
    return rows.all(
        Alert,
        f"SELECT {_ALERT} FROM alert WHERE agent = :agent "
        "AND (CAST(:state AS TEXT) IS NULL OR state = :state) "
        "ORDER BY since DESC, id DESC LIMIT :limit",
        {"agent": agent, "state": state, "limit": limit},
    )


def count_alerts(rows: Rows, *, agent: str) -> int:
    """Return how many alerts an agent ever had."""
    return rows.value(int, "SELECT count(*) FROM alert WHERE agent = :agent", {"agent": agent}) or 0


def store_bytes(rows: Rows) -> int:
    """Return how large the store is, in bytes, its log apart."""
    return rows.value(int, _SIZE) or 0


def add_sample(rows: Rows, sample: MetricSample, *, forget: str) -> None:
    """Add a sample, in the place of one of the same instant, and forget those before an instant."""
    rows.run(
        "INSERT INTO size_sample(at, bytes, vector_seconds) VALUES(:at, :bytes, :vector_seconds) "
        "ON CONFLICT(at) DO UPDATE SET bytes = excluded.bytes, "
        "vector_seconds = excluded.vector_seconds",
        msgspec.structs.asdict(sample),
    )
    rows.run("DELETE FROM size_sample WHERE at < :forget", {"forget": forget})


def samples(rows: Rows, *, since: str) -> list[MetricSample]:
    """Return the samples from an instant on, oldest first."""
    return rows.all(
        MetricSample,
        "SELECT at, bytes, vector_seconds FROM size_sample WHERE at >= :since ORDER BY at",
        {"since": since},
    )
