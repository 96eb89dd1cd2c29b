"""What the store's own commands must know of other domains' rows: one literal table each."""

from collections.abc import Sequence
from pathlib import Path

from mindpipe.core.ports import Clock
from mindpipe.store.check import check, fault_of
from mindpipe.store.records import Change, Finding, Question, Restored
from mindpipe.store.restore import restore
from mindpipe.wiring.schema import migrations

QUESTIONS = (
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

# A restored store shares its past with the one it was copied from, but none of its promises.
CHANGES: tuple[Change, ...] = (
    Change(table="ledger", sql="UPDATE ledger SET state='lost' WHERE state='reserved'"),
)


def check_store(store: Path, clock: Clock) -> list[Finding]:
    """Check a store with the questions of all domains; raises UnavailableError if it is missing."""
    return check(store, clock, migrations=migrations(), questions=QUESTIONS)


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
