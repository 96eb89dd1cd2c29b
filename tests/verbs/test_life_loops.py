"""What a loop does by rules is done again, and one changed row of it is reported."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mindpipe.engine.records.attention import ConcernTrigger
from mindpipe.engine.worker import significance
from mindpipe.engine.worker.modes import ModeRules
from support.attention import Mulling
from support.replays import replayed


def lived(folder: Path) -> Mulling:
    """Return an agent whose loop lived some iterations, went into other modes, and looked back."""
    life = Mulling(folder, threshold=0.0)
    life.modes = ModeRules(overload_queue=3, overload_ends=1)
    life.concern("mail", share=0.3, trigger=ConcernTrigger(every=2))
    life.push(*[f"Letter {number}." for number in range(6)], source="mail")
    life.push("Something.", source="door")
    life.live(3)
    return life


def test_what_a_loop_wrote_is_written_again(tmp_path: Path) -> None:
    life = lived(tmp_path / "life")
    assert life.value("SELECT count(*) FROM mode_change") >= 2
    found, verdict = replayed(life.path)
    assert found == []
    kinds = {one for (one,) in life.rows("SELECT body ->> '$.kind' FROM operation")}
    assert {"think", "iteration", "mode"} <= kinds
    assert verdict.equal
