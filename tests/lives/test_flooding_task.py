"""A task's program that prints as fast as it can: what it says is kept, in few writes."""

from pathlib import Path

import pytest

from mindpipe.core import failpoints
from mindpipe.engine.worker.task_programs import TaskProcess
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.tasks.records import TaskState
from support.tasks import Tasking

LINES = 3000
FLOOD = f"""#!/bin/sh
cat > /dev/null
echo '{{"checkpoint": {{"at": 1}}}}'
i=0
while [ $i -lt {LINES} ]; do
  i=$((i + 1))
  echo "{{\\"progress\\": 0.$((i % 9)), \\"beat\\": true}}"
done
echo '{{"progress": 0.75}}'
"""


@pytest.mark.parametrize("seconds", [0.0, 0.001])
def test_a_flood_of_progress_is_written_as_often_as_time_passes(
    tmp_path: Path, seconds: float
) -> None:
    program = tmp_path / "flood"
    program.write_text(FLOOD)
    program.chmod(0o700)
    life = Tasking(tmp_path / "life")
    made = life.add()
    life.act()
    life.staff.waiting.clear()
    passed: list[str] = []
    looks = [0.0]

    def monotonic() -> float:
        looks[0] += seconds
        return looks[0]

    with life.open() as store:
        deliver = deliverer(store, life.clock, life.chance, bounds=Bounds())
        process = TaskProcess(store, life.clock, deliver, task=made, sends=1, monotonic=monotonic)
        failpoints.install(passed.append)
        try:
            process.work((str(program),), seconds=60)
        finally:
            failpoints.install(lambda _name: None)
    ended = life.task(made)
    assert (ended.progress, ended.checkpoint) == (0.75, {"at": 1})
    assert ended.state is not TaskState.RUNNING
    written = passed.count("task.after_report")
    # The first is written at once, the last at the end, and one for each half second between.
    assert 2 <= written <= 2 + looks[0] / 0.5
