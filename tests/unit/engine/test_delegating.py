"""A model delegates to those who are there, and is told who they are."""

from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import UsageError
from mindpipe.engine.tools import specs, tasks
from mindpipe.engine.tools.scope import ToolScope
from mindpipe.tasks.records import TaskState
from mindpipe.tasks.verbs import task
from support.life import AGENT, Life


def test_nothing_is_delegated_to_nobody(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    with life.open() as store:
        desk = ToolScope(
            store=store, clock=life.clock, chance=life.chance, agent=AGENT, workers=("sum",)
        )
        nobody = specs.Delegate(to="nobody", text="Add up.")
        with pytest.raises(UsageError, match=r"no worker 'nobody'\. There are: sum\."):
            tasks.delegate(desk, nobody)
        assert task.list_(store, agent=AGENT) == []
        known = specs.Delegate(to="sum", text="Add up.")
        assert tasks.delegate(desk, known)["success"] is True


def test_an_agent_named_like_a_worker_has_none_of_its_tasks(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    with life.open() as store:
        desk = ToolScope(
            store=store, clock=life.clock, chance=life.chance, agent=AGENT, workers=("sum",)
        )
        namesake = msgspec.structs.replace(desk, agent="sum")
        made = tasks.delegate(desk, specs.Delegate(to="sum", text="Add up."))
        with store.write() as rows:
            task.send(rows, life.clock, task.find(rows, made["taskId"]), anew=False, retry=None)
        said = specs.ReportTask(task=made["taskId"], result="I say 42.")
        with pytest.raises(UsageError, match="was given to you"):
            tasks.report_task(namesake, said)
        assert tasks.get_tasks(namesake, specs.GetTasks())["given"] == []
        assert task.show(store, task=made["taskId"]).state is TaskState.SENT
