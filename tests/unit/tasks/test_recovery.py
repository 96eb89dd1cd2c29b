"""What is done with a task by how it is found, row by row."""

import pytest

from mindpipe.core.errors import IllegalStateError
from mindpipe.tasks.records import OPEN, Task, TaskState
from mindpipe.tasks.recovery import Found, Sight, Step, found, step

NOW, THEN, LATER = "2026-11-21T20:10:00Z", "2026-11-21T20:00:00Z", "2026-11-21T21:00:00Z"
HERE, GONE, QUEUED = Sight(alive=True), Sight(alive=False), Sight(alive=True, queued=True)


def task(state: str, **fields: object) -> Task:
    told = {"id": "k_1", "agent": "ava", "kind": "work", "text": "t", "to": "bea", "key": "k"}
    known = {"created": THEN, "due_seconds": 3600.0, "last_seen": NOW, "due_at": LATER}
    return Task(state=TaskState(state), **{**told, **known, **fields})


FAR = {"progress": 0.51, "checkpoint": {"at": 1}}
# State and fields of a task, how its worker is found; how the task is found and what is done.
CASES: list[tuple[str, dict[str, object], Sight, Found, Step]] = [
    ("done", {}, GONE, Found.ENDED, Step.NOTHING),
    ("failed", {}, GONE, Found.ENDED, Step.NOTHING),
    ("escalated", {}, GONE, Found.WITH_A_PERSON, Step.NOTHING),
    ("created", {}, GONE, Found.NOT_SENT, Step.SEND),
    ("sent", {}, HERE, Found.WORKING, Step.NOTHING),
    ("running", {}, HERE, Found.WORKING, Step.NOTHING),
    ("running", {"due_at": NOW}, HERE, Found.WORKING, Step.ESCALATE),
    ("running", {"due_at": NOW, "if_late": "wait"}, HERE, Found.WORKING, Step.MARK_LATE),
    ("late", {"due_at": NOW, "if_late": "wait"}, HERE, Found.WORKING, Step.NOTHING),
    ("late", {"due_at": NOW}, HERE, Found.WORKING, Step.ESCALATE),
    ("sent", {"last_seen": THEN}, HERE, Found.STUCK, Step.RESUME),
    ("running", {"last_seen": THEN}, HERE, Found.STUCK, Step.RESUME),
    ("running", {"last_seen": THEN, "if_lost": "escalate"}, HERE, Found.STUCK, Step.RESUME),
    ("running", {"last_seen": THEN, "retry_count": 3}, HERE, Found.STUCK, Step.ESCALATE),
    ("sent", {"last_seen": THEN}, QUEUED, Found.WORKING, Step.NOTHING),
    ("running", FAR, GONE, Found.GONE, Step.RESUME),
    ("running", {**FAR, "progress": 0.5}, GONE, Found.GONE, Step.RESTART),
    ("running", {"progress": 0.9}, GONE, Found.GONE, Step.RESTART),
    ("running", {**FAR, "if_lost": "restart"}, GONE, Found.GONE, Step.RESTART),
    ("running", {**FAR, "if_lost": "escalate"}, GONE, Found.GONE, Step.ESCALATE),
    ("running", {**FAR, "retry_count": 2}, GONE, Found.GONE, Step.RESUME),
    ("running", {**FAR, "retry_count": 3}, GONE, Found.GONE, Step.ESCALATE),
    ("late", {**FAR, "due_at": NOW}, GONE, Found.GONE, Step.RESUME),
    ("lost", FAR, HERE, Found.GONE, Step.RESUME),
    ("lost", {"partial": True}, GONE, Found.PARTIAL, Step.RESUME),
    ("lost", {"partial": True, "if_partial": "restart", **FAR}, GONE, Found.PARTIAL, Step.RESTART),
    ("lost", {"partial": True, "if_partial": "escalate"}, GONE, Found.PARTIAL, Step.ESCALATE),
    ("lost", {"partial": True, "if_lost": "escalate"}, GONE, Found.PARTIAL, Step.RESUME),
    ("lost", {"partial": True, "retry_count": 3}, GONE, Found.PARTIAL, Step.ESCALATE),
]


@pytest.mark.parametrize("case", CASES)
def test_each_row(case: tuple[str, dict[str, object], Sight, Found, Step]) -> None:
    state, fields, sight, is_found, done = case
    made = task(state, **fields)
    assert found(made, sight, now=NOW, heartbeat=300.0) is is_found
    assert step(made, is_found, now=NOW) is done


def test_every_state_and_way_to_be_found_has_a_row() -> None:
    assert {state for state, *_ in CASES} == {state.value for state in TaskState}
    assert {case[3] for case in CASES} == set(Found)
    assert {case[4] for case in CASES} == set(Step)


LEGAL = {
    "created": "sent escalated",
    "sent": "running done failed lost late",
    "running": "done failed lost late",
    "late": "running done lost escalated",
    "lost": "sent escalated",
    "escalated": "sent done failed",
    "done": "",
    "failed": "",
}


@pytest.mark.parametrize("before", TaskState)
def test_only_legal_steps_are_taken(before: TaskState) -> None:
    legal = set(LEGAL[before.value].split())
    assert (before in OPEN) == bool(legal)
    for after in TaskState:
        if after.value in legal:
            assert task(before.value).to_state(after).state is after
        else:
            with pytest.raises(IllegalStateError):
                task(before.value).to_state(after)
