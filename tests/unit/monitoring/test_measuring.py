"""Figures of an agent from what its store holds."""

from pathlib import Path

import pytest

from mindpipe.monitoring.verbs import metrics
from support.histories import ANTHROPIC
from support.life import AGENT, Life
from support.loopback.turns import Turn
from support.scripted_model import Scripted


def test_the_last_prompt_is_that_of_the_newest_cycle_that_asked(tmp_path: Path) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    life = Life(tmp_path / "life")
    model = Scripted(ANTHROPIC, {}, otherwise=(Turn(text="Good morning."),))
    life.push("One")
    life.think(model)
    (asked,) = life.rows("SELECT input_tokens FROM cycle")
    life.push("Two")
    model.listen = stop
    with pytest.raises(KeyboardInterrupt):
        life.think(model)
    with life.open() as store:
        found = metrics.measure(
            store, life.clock, agent=AGENT, window=10, outside=metrics.OutsideMeasurements()
        )
    assert asked[0] > 0
    assert found.tokens == asked[0]
