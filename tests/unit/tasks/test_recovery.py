"""What is done with a task by how it is found, row by row."""

import pytest

from mindpipe.core.errors import IllegalStateError
from mindpipe.tasks.records import OPEN, Task, TaskState
from mindpipe.tasks.recovery import FoundTask, RecoveryStep, WorkerSight, found, step
from support.tables import each_row

NOW, THEN, LATER = "2026-11-21T20:10:00Z", "2026-11-21T20:00:00Z", "2026-11-21T21:00:00Z"
HERE, GONE, QUEUED, BACK = (
    WorkerSight(alive=True),
    WorkerSight(alive=False),
    WorkerSight(alive=True, queued=True),
    WorkerSight(alive=True, heard_since="2026-11-21T20:09:59Z"),
)


def task(state: str, **fields: object) -> Task:
    told = {"id": "k_1", "agent": "ava", "kind": "work", "text": "t", "to": "bea", "key": "k"}
    known = {"created": THEN, "due_seconds": 3600.0, "last_seen": NOW, "due_at": LATER}
    return Task(state=TaskState(state), **{**told, **known, **fields})


FAR = {"progress": 0.51, "checkpoint": {"at": 1}}
# State and fields of a task, how its worker is found; how the task is found and what is done.
CASES: list[tuple[str, dict[str, object], WorkerSight, FoundTask, RecoveryStep]] = [
    ("done", {}, GONE, FoundTask.ENDED, RecoveryStep.NOTHING),
    ("failed", {}, GONE, FoundTask.ENDED, RecoveryStep.NOTHING),
    ("escalated", {}, GONE, FoundTask.WITH_A_PERSON, RecoveryStep.NOTHING),
    ("created", {}, GONE, FoundTask.NOT_SENT, RecoveryStep.SEND),
    ("sent", {}, HERE, FoundTask.WORKING, RecoveryStep.NOTHING),
    ("running", {}, HERE, FoundTask.WORKING, RecoveryStep.NOTHING),
    ("running", {"due_at": NOW}, HERE, FoundTask.WORKING, RecoveryStep.ESCALATE),
    (
        "running",
        {"due_at": NOW, "if_late": "wait"},
        HERE,
        FoundTask.WORKING,
        RecoveryStep.MARK_LATE,
    ),
    ("late", {"due_at": NOW, "if_late": "wait"}, HERE, FoundTask.WORKING, RecoveryStep.NOTHING),
    ("late", {"due_at": NOW}, HERE, FoundTask.WORKING, RecoveryStep.ESCALATE),
    ("sent", {"last_seen": THEN}, HERE, FoundTask.STUCK, RecoveryStep.RESUME),
    ("running", {"last_seen": THEN}, HERE, FoundTask.STUCK, RecoveryStep.RESUME),
    (
        "running",
        {"last_seen": THEN, "if_lost": "escalate"},
        HERE,
        FoundTask.STUCK,
        RecoveryStep.RESUME,
    ),
    (
        "running",
        {"last_seen": THEN, "retry_count": 3},
        HERE,
        FoundTask.STUCK,
        RecoveryStep.ESCALATE,
    ),
    ("sent", {"last_seen": THEN}, QUEUED, FoundTask.WORKING, RecoveryStep.NOTHING),
    ("running", {"last_seen": THEN}, BACK, FoundTask.WORKING, RecoveryStep.NOTHING),
    ("running", FAR, GONE, FoundTask.GONE, RecoveryStep.RESUME),
    ("running", {**FAR, "progress": 0.5}, GONE, FoundTask.GONE, RecoveryStep.RESTART),
    ("running", {"progress": 0.9}, GONE, FoundTask.GONE, RecoveryStep.RESTART),
    ("running", {**FAR, "if_lost": "restart"}, GONE, FoundTask.GONE, RecoveryStep.RESTART),
    ("running", {**FAR, "if_lost": "escalate"}, GONE, FoundTask.GONE, RecoveryStep.ESCALATE),
    ("running", {**FAR, "retry_count": 2}, GONE, FoundTask.GONE, RecoveryStep.RESUME),
    ("running", {**FAR, "retry_count": 3}, GONE, FoundTask.GONE, RecoveryStep.ESCALATE),
    ("late", {**FAR, "due_at": NOW}, GONE, FoundTask.GONE, RecoveryStep.RESUME),
    ("lost", FAR, HERE, FoundTask.GONE, RecoveryStep.RESUME),
    ("lost", {"partial": True}, GONE, FoundTask.PARTIAL, RecoveryStep.RESUME),
    (
        "lost",
        {"partial": True, "if_partial": "restart", **FAR},
        GONE,
        FoundTask.PARTIAL,
        RecoveryStep.RESTART,
    ),
    (
        "lost",
        {"partial": True, "if_partial": "escalate"},
        GONE,
        FoundTask.PARTIAL,
        RecoveryStep.ESCALATE,
    ),
    (
        "lost",
        {"partial": True, "if_lost": "escalate"},
        GONE,
        FoundTask.PARTIAL,
        RecoveryStep.RESUME,
    ),
    ("lost", {"partial": True, "retry_count": 3}, GONE, FoundTask.PARTIAL, RecoveryStep.ESCALATE),
]


@each_row("case", CASES)
def test_each_row(
    case: tuple[str, dict[str, object], WorkerSight, FoundTask, RecoveryStep],
) -> None:
    state, fields, sight, is_found, done = case
    made = task(state, **fields)
    assert found(made, sight, now=NOW, heartbeat=300.0) is is_found
    assert step(made, is_found, now=NOW) is done


def test_every_state_and_way_to_be_found_has_a_row() -> None:
    assert {state for state, *_ in CASES} == {state.value for state in TaskState}
    assert {case[3] for case in CASES} == set(FoundTask)
    assert {case[4] for case in CASES} == set(RecoveryStep)


LEGAL = {
    "created": "sent escalated",
    "sent": "running done failed lost late",
    "running": "done failed lost late",
    "late": "running done lost escalated",
    "lost": "sent escalated",
    "escalated": "created sent done failed",
    "done": "",
    "failed": "",
}


@each_row("before", TaskState)
def test_only_legal_steps_are_taken(before: TaskState) -> None:
    legal = set(LEGAL[before.value].split())
    assert (before in OPEN) == bool(legal)
    for after in TaskState:
        if after.value in legal:
            assert task(before.value).to_state(after).state is after
        else:
            with pytest.raises(IllegalStateError):
                task(before.value).to_state(after)
