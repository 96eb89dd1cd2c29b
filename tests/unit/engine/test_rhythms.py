"""When the slow rhythms beat."""

from mindpipe.engine.worker.timing import RhythmRules, consolidation, development, idle_until
from mindpipe.workers.records import Checkpoint
from support.tables import each_row

RULES = RhythmRules()
AT = "2026-11-21T20:00:00Z"


@each_row(
    ("cycles", "idle", "due"),
    [
        (0, 9999.0, False),
        (1, 299.0, False),
        (1, 300.0, True),
        (19, 0.0, False),
        (20, 0.0, True),
        (21, 0.0, True),
    ],
)
def test_memory_is_consolidated_after_cycles_or_when_idle(
    cycles: int, idle: float, *, due: bool
) -> None:
    session = Checkpoint(agent="ava", at=AT, since_consolidation=cycles)
    assert bool(consolidation(session, idle_seconds=idle, rules=RULES)) is due
    assert idle_until(session, RULES) == (300.0 if cycles else None)


@each_row(
    ("began", "developed", "now", "due"),
    [
        ("", None, AT, False),
        (AT, None, AT, False),
        (AT, None, "2026-11-22T19:59:59Z", False),
        (AT, None, "2026-11-22T20:00:00Z", True),
        (AT, "2026-11-22T20:00:00Z", "2026-11-22T21:00:00Z", False),
        (AT, "2026-11-22T20:00:00Z", "2026-11-23T20:00:00Z", True),
        (AT, "2026-11-22T20:00:00Z", "2020-01-01T00:00:00Z", True),
    ],
)
def test_an_agent_develops_once_a_day(
    began: str, developed: str | None, now: str, *, due: bool
) -> None:
    session = Checkpoint(agent="ava", at=AT, began=began, developed=developed)
    assert bool(development(session, now=now, rules=RULES)) is due
