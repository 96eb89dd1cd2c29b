"""The store's own commands, and what these must know of other domains' rows, in literal tables."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from mindpipe.agents import verbs as agents
from mindpipe.compaction.verbs import verifying
from mindpipe.core.errors import NothingToDoError, TemporaryError
from mindpipe.core.ports import Clock
from mindpipe.history.records import BrokenRow
from mindpipe.history.verbs.verify import Walk
from mindpipe.recall.tables.feeds import FEEDS
from mindpipe.store import recovery_log
from mindpipe.store.check import check, fault_of
from mindpipe.store.migrate import migrate
from mindpipe.store.records import Change, Finding, Migrated, Question, Restored
from mindpipe.store.reserve import reserve_of
from mindpipe.store.restore import restore
from mindpipe.store.schema import require_store
from mindpipe.store.sqlite import SqliteStore
from mindpipe.wiring.schema import SCHEMA, migrations
from mindpipe.wiring.workers import living_now, lost_lives, reading

_UNREADABLE = ("sqlite", "integrity", "schema")
_SHOWN = 3
_BEHIND = " UNION ALL ".join(
    f"SELECT count(*) || ' of {feed.table}' FROM {feed.table} WHERE number > (SELECT "
    f"coalesce(max(last), 0) FROM recall_mark WHERE source = '{feed.source}') HAVING count(*)"
    for feed in FEEDS
)

QUESTIONS = (
    Question(
        check="stale agent leases",
        table="agent_lease",
        sql="SELECT agent FROM agent_lease WHERE owner IS NOT NULL "
        "AND (boot != :boot OR seconds <= :seconds) ORDER BY 1",
        advice="The next mind think takes the agent over.",
    ),
    Question(
        check="stale event leases",
        table="event",
        sql="SELECT id FROM event WHERE state='leased' "
        "AND (lease_boot != :boot OR lease_seconds <= :seconds) ORDER BY seq",
        advice="The next claim takes them over.",
    ),
    Question(
        check="dead events",
        table="event",
        sql="SELECT id FROM event WHERE state='dead' ORDER BY seq",
        advice="Read why with mind inbox list --state dead, then mind inbox redrive.",
    ),
    Question(
        check="open cycles",
        table="cycle",
        sql="SELECT agent || ' ' || cycle FROM cycle WHERE state='open' ORDER BY 1",
        advice="The next mind think of that agent goes on with it.",
    ),
    Question(
        check="unknown calls",
        table="call",
        sql="SELECT id FROM call WHERE state='unknown' AND id NOT IN "
        "(SELECT call FROM ticket WHERE state IN ('was_done', 'was_not_done', 'dismissed', "
        "'executed', 'failed') AND call IS NOT NULL) ORDER BY 1",
        advice="Find out whether it ran; its ticket names it.",
    ),
    Question(
        check="tickets",
        table="ticket",
        sql="SELECT id FROM ticket WHERE state IN ('pending', 'open', 'unknown') "
        "ORDER BY created, id",
        advice="Somebody has to decide.",
    ),
    Question(
        check="taint of a cycle",
        table="agent",
        sql="SELECT name FROM agent WHERE body ->> '$.taint_scope' = 'cycle' ORDER BY 1",
        advice="Weaker: what older cycles read counts no more. mind agent set NAME --unset "
        "taint-scope counts it.",
    ),
    Question(
        check="tickets near expiry",
        table="ticket",
        sql="SELECT id FROM ticket WHERE state IN ('pending', 'approved') "
        "AND julianday(expires) < julianday(:now, '+1 hour') ORDER BY expires, id",
        advice="Decide within the hour, or the answer is no.",
    ),
    Question(
        check="breakers",
        table="breaker",
        sql="SELECT model || iif(boot = :boot AND body ->> '$.opened' + body ->> '$.pause' > "
        ":seconds, ' left alone', ' tried once more') FROM breaker "
        "WHERE body ->> '$.opened' IS NOT NULL AND model NOT LIKE 'compaction of %' ORDER BY 1",
        advice="Its provider kept failing; see that it works.",
    ),
    Question(
        check="reserved spend",
        table="ledger",
        sql="SELECT id FROM ledger WHERE state='reserved' ORDER BY at, id",
        advice="It counts in full until its cycle goes on.",
    ),
    Question(
        check="stale consolidations",
        table="consolidation_window",
        sql="SELECT agent || ' ' || number FROM consolidation_window WHERE state='claimed' "
        "AND (boot != :boot OR seconds <= :seconds) ORDER BY 1",
        advice="The next mind consolidate of that agent goes on with it.",
    ),
    Question(
        check="queued decisions",
        table="observation_decision",
        sql="SELECT id FROM observation_decision WHERE state='queued' ORDER BY number",
        advice="Somebody has to decide: mind observation approve, or deny.",
    ),
    Question(
        check="recall index",
        table="recall_mark",
        sql=_BEHIND,
        advice="The next mind recall takes it in.",
    ),
    Question(
        check="embedding models",
        table="vector_model",
        sql="SELECT name FROM vector_model WHERE (SELECT count(*) FROM vector_model) > 1 "
        "ORDER BY number",
        advice="Vectors of several; only those of embed.model are searched.",
    ),
)

# A restored store shares its past with the one it was copied from, but none of its promises: every
# lease is over under a higher epoch, and a call that was under way may have been run since.
CHANGES = (
    Change(
        table="agent_lease",
        sql="UPDATE agent_lease SET epoch=epoch+1, owner=NULL, boot='', seconds=0",
    ),
    Change(
        table="event",
        sql="UPDATE event SET epoch=epoch+1, lease_boot='', lease_seconds=0 WHERE state='leased'",
    ),
    Change(
        table="plan_window",
        sql="UPDATE plan_window SET boot='', seconds=0 WHERE state='claimed'",
    ),
    Change(
        table="consolidation_window",
        sql="UPDATE consolidation_window SET boot='', seconds=0 WHERE state='claimed'",
    ),
    Change(
        table="call",
        sql="UPDATE call SET effect='unsafe' WHERE state='started' AND effect='keyed'",
    ),
    Change(
        table="run",
        sql="UPDATE run SET state='clean' WHERE state='running'",
    ),
    Change(
        table="ticket",
        sql="UPDATE ticket SET decided=NULL, state=iif(state='running', 'unknown', 'cancelled') "
        "WHERE state IN ('pending', 'approved', 'running')",
    ),
)


def check_store(store: Path, clock: Clock) -> list[Finding]:
    """Check a store with the questions of all domains; raises UnavailableError if it is missing."""
    findings = check(store, clock, migrations=migrations(), questions=QUESTIONS)
    if any(finding.verdict == "bad" and finding.check in _UNREADABLE for finding in findings):
        _enter_if_damaged(store, clock, findings)
        return [*findings, _mode(store)]
    return [*findings, chains(store), *_runs(store, clock), _mode(store)]


def _enter_if_damaged(store: Path, clock: Clock, findings: Sequence[Finding]) -> None:
    """Put a store that was opened before into RECOVERY where its check failed, twice."""
    bad = [one.found for one in findings if (one.check, one.verdict) == ("integrity", "bad")]
    if bad and reserve_of(store).exists() and recovery_log.read(store).entered is None:
        why = f"it fails its check: {bad[0]}"
        recovery_log.enter(store, at=clock.now(), cause="check", why=why)


def _runs(store: Path, clock: Clock) -> Iterator[Finding]:
    """Say which workers stay, and which crashed without anybody having looked."""
    lives = [f"{run.agent} pid {run.pid}" for run in living_now(store, clock)]
    yield Finding(check="workers", verdict="ok", found=", ".join(lives) or "none")
    lost = [f"{run.agent} pid {run.pid}" for run in lost_lives(store, clock)]
    advice = "The next mind run recovers, or mind store recover."
    yield Finding(
        check="crashed workers",
        verdict="note" if lost else "ok",
        found=", ".join(lost) or "0",
        advice=advice if lost else None,
    )


def _mode(store: Path) -> Finding:
    """Say whether the store is in RECOVERY, and whether its log is whole."""
    log = recovery_log.read(store)
    if log.entered is not None:
        found = f"since {log.entered.at}: {log.entered.why}"
        return Finding(
            check="recovery", verdict="note", found=found, advice="Run mind store recover."
        )
    if log.torn:
        found = f"off; the last line of {recovery_log.log_of(store).name} is torn"
        advice = "It was being written when something ended; it does not count."
        return Finding(check="recovery", verdict="note", found=found, advice=advice)
    return Finding(check="recovery", verdict="ok", found="off")


def chains(store: Path) -> Finding:
    """Follow the hash chain of every agent's history."""
    first = [name for name, _ in SCHEMA].index("0016_compaction")
    with reading(store) as opened:
        windows = require_store(opened.connection, store) > first
        broken = list(_broken(opened, windows=windows))
    if not broken:
        return Finding(check="history chain", verdict="ok", found="0")
    shown = "; ".join(
        f"{row.agent} {row.table} {row.number}: {row.what}" for row in broken[:_SHOWN]
    )
    return Finding(
        check="history chain",
        verdict="bad",
        found=f"{len(broken)} rows, {shown}",
        advice="See mind history verify.",
    )


def _broken(store: SqliteStore, *, windows: bool) -> Iterator[BrokenRow]:
    """Yield the broken rows of every agent that has a history, and of `windows` if there are."""
    for agent in agents.list_(store):
        with contextlib.suppress(NothingToDoError):
            yield from Walk(store, agent=agent.name).broken()
        if windows:
            yield from verifying.broken(store, agent=agent.name)


def raise_worst(findings: Sequence[Finding], store: Path) -> None:
    """Raise the error of the worst finding about a store, if one is bad."""
    fault = fault_of(findings, store)
    if fault is not None:
        raise fault


def restore_store(store: Path, *, file: Path, clock: Clock, loss_since: str | None) -> Restored:
    """Make a new store from a backup, freed of everything that only the old one may go on with."""
    return restore(
        store,
        file=file,
        now=clock.now(),
        loss_since=loss_since,
        migrations=migrations(),
        changes=CHANGES,
    )


def migrate_store(store: Path, clock: Clock) -> Migrated:
    """Bring a store to this program's schema, unless a worker of an older program uses it.

    Raises:
        TemporaryError: one does, or the store is in RECOVERY.
    """
    entered = recovery_log.read(store).entered
    if entered is not None:
        raise recovery_log.refusal(store, entered)
    if store.exists() and (lives := living_now(store, clock)):
        raise TemporaryError(
            f"a worker of {lives[0].agent} (pid {lives[0].pid}) uses {store.name}. "
            "Stop it, then migrate."
        )
    return migrate(store, migrations=migrations())
