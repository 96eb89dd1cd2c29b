"""What the store's own commands must know of other domains' rows: one literal table each."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Clock
from mindpipe.history.records import BrokenRow
from mindpipe.history.verbs.verify import Walk
from mindpipe.store.check import check, fault_of
from mindpipe.store.connection import connect
from mindpipe.store.records import Change, Finding, Question, Restored
from mindpipe.store.restore import restore
from mindpipe.store.sqlite import SqliteStore
from mindpipe.wiring.schema import migrations

_UNREADABLE = ("sqlite", "integrity", "schema")
_SHOWN = 3

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
        advice="Read why with mind inbox dead, then mind inbox redrive.",
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
        sql="SELECT id FROM call WHERE state='unknown' ORDER BY 1",
        advice="Find out whether it ran; its ticket names it.",
    ),
    Question(
        check="tickets",
        table="ticket",
        sql="SELECT id FROM ticket WHERE state IN ('pending', 'open') ORDER BY created, id",
        advice="Somebody has to decide.",
    ),
    Question(
        check="reserved spend",
        table="ledger",
        sql="SELECT id FROM ledger WHERE state='reserved' ORDER BY at, id",
        advice="It counts in full until its cycle goes on.",
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
        table="call",
        sql="UPDATE call SET effect='unsafe' WHERE state='started' AND effect='keyed'",
    ),
    Change(
        table="ticket",
        sql="UPDATE ticket SET state='cancelled' WHERE state IN ('pending', 'approved')",
    ),
)


def check_store(store: Path, clock: Clock) -> list[Finding]:
    """Check a store with the questions of all domains; raises UnavailableError if it is missing."""
    findings = check(store, clock, migrations=migrations(), questions=QUESTIONS)
    if any(finding.verdict == "bad" and finding.check in _UNREADABLE for finding in findings):
        return findings
    return [*findings, _chains(store)]


def _chains(store: Path) -> Finding:
    """Follow the hash chain of every agent's history."""
    connection = connect(store, read_only=True)
    try:
        broken = list(_broken(SqliteStore(connection, store)))
    finally:
        connection.close()
    if not broken:
        return Finding(check="history chain", verdict="ok", found="0")
    first = "; ".join(
        f"{row.agent} {row.table} {row.number}: {row.what}" for row in broken[:_SHOWN]
    )
    return Finding(
        check="history chain",
        verdict="bad",
        found=f"{len(broken)} rows, {first}",
        advice="See mind history verify.",
    )


def _broken(store: SqliteStore) -> Iterator[BrokenRow]:
    """Yield the broken rows of every agent that has a history."""
    for agent in agents.list_(store):
        with contextlib.suppress(NothingToDoError):
            yield from Walk(store, agent=agent.name).broken()


def raise_worst(findings: Sequence[Finding]) -> None:
    """Raise the error of the worst finding, if one is bad."""
    fault = fault_of(findings)
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
