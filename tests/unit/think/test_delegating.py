"""A model delegates to those who are there, and is told who they are."""

from pathlib import Path

import msgspec
import pytest

from living import AGENT, Life
from mindpipe.core.errors import UsageError
from mindpipe.tasks.records import TaskState
from mindpipe.tasks.verbs import queue, sending
from mindpipe.think import delegating_tools
from mindpipe.think.tools import delegating
from mindpipe.think.tools.desk import Desk


def test_nothing_is_delegated_to_nobody(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    with life.open() as store:
        desk = Desk(
            store=store, clock=life.clock, chance=life.chance, agent=AGENT, workers=("sum",)
        )
        nobody = delegating_tools.Delegate(to="nobody", text="Add up.")
        with pytest.raises(UsageError, match=r"no worker 'nobody'\. There are: sum\."):
            delegating.delegate(desk, nobody)
        assert queue.list_(store, agent=AGENT) == []
        known = delegating_tools.Delegate(to="sum", text="Add up.")
        assert delegating.delegate(desk, known)["success"] is True


def test_an_agent_named_like_a_worker_has_none_of_its_tasks(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    with life.open() as store:
        desk = Desk(
            store=store, clock=life.clock, chance=life.chance, agent=AGENT, workers=("sum",)
        )
        namesake = msgspec.structs.replace(desk, agent="sum")
        made = delegating.delegate(desk, delegating_tools.Delegate(to="sum", text="Add up."))
        with store.write() as rows:
            sending.send(rows, life.clock, queue.find(rows, made["taskId"]), anew=False, retry=None)
        said = delegating_tools.ReportTask(task=made["taskId"], result="I say 42.")
        with pytest.raises(UsageError, match="was given to you"):
            delegating.report_task(namesake, said)
        assert delegating.get_tasks(namesake, delegating_tools.GetTasks())["given"] == []
        assert queue.show(store, task=made["taskId"]).state is TaskState.SENT
