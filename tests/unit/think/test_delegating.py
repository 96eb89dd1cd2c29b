"""A model delegates to those who are there, and is told who they are."""

from pathlib import Path

import pytest

from living import AGENT, Life
from mindpipe.core.errors import UsageError
from mindpipe.tasks.verbs import queue
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
