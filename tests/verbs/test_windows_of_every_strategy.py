"""What any strategy plans over a store can be applied, folded again and undone."""

from pathlib import Path

import pytest

from mindpipe.compaction.plans.check import faults_of as misfits
from mindpipe.compaction.plans.lines import plan_octets
from mindpipe.compaction.records import Masked, Overlay
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.compaction.verbs import compact
from mindpipe.compaction.verbs import material as loading
from mindpipe.compaction.verbs.windows import coverage
from mindpipe.core.ports import ProgramRun
from mindpipe.history.records import Coverage
from mindpipe.history.verbs.history import check_log
from mindpipe.validator.records import Question
from support.life import AGENT
from support.validation import faults_of
from support.windows import Long

pytestmark = pytest.mark.heavy

WORDS = " ".join(f"word{number}" for number in range(120)).encode()


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Long:
    """Return a life of twelve cycles whose tools say much."""
    made = Long(tmp_path_factory.mktemp("lived") / "life", 0)
    made.sink.ends["pure"] = ProgramRun(status=0, stdout=WORDS, stderr=b"")
    made.live(12)
    return made


@pytest.fixture
def life(lived: Long, tmp_path: Path) -> Long:
    """Return that life for one test."""
    return lived.copied(tmp_path / "life")


def cycles_of(parts: Overlay) -> list[int]:
    """Return the numbers of the cycles that parts cover, in their order."""
    found: list[int] = []
    for part in parts:
        if isinstance(part, Masked):
            found.append(part.cycle)
        elif part.__struct_config__.tag in {"kept", "summary"}:
            found += range(part.first, part.last + 1)
    return found


@pytest.mark.parametrize(
    ("strategy", "automatic"),
    [
        *((name, True) for name in STRATEGIES),
        # By hand every day with one of them.
        *(
            pytest.param(name, False, marks=() if name == "anchored" else pytest.mark.long)
            for name in STRATEGIES
        ),
    ],
)
def test_what_a_strategy_plans_fits_the_log_again_and_again(
    life: Long, *, strategy: str, automatic: bool
) -> None:
    log, sent = life.log(), [life.sent()]
    for _ in range(3):
        wish = {"strategy": strategy, "automatic": automatic, "min_saving": 0, "keep_cycles": 2}
        planned = life.plan(**wish, budget=700, explain=True)
        with life.ports() as ports:
            material = loading.material(ports, agent=AGENT)
            assert misfits(planned, material, source="plan") == []
            compact.apply(ports, agent=AGENT, octets=plan_octets(planned))
            assert cycles_of(planned.parts) == list(range(1, planned.plan.through + 1))
            shown = coverage(ports.store, agent=AGENT)
            question = Question(format=None)
            assert check_log(ports.store, agent=AGENT, question=question, coverage=shown) == []
        assert faults_of(life.path) == []
        sent.append(life.sent())
        life.live(3)
    for before in reversed(sent[:-1]):
        life.undo()
        assert life.sent().startswith(before)
    assert life.log().startswith(log)


def test_a_cycle_that_a_window_neither_covers_nor_sends_is_found(life: Long) -> None:
    life.fold(keep_cycles=2)
    with life.open() as store:
        covered, sent = coverage(store, agent=AGENT)
        for wrong in (Coverage(covered, sent[1:]), Coverage([(1, 9)], sent)):
            found = check_log(store, agent=AGENT, question=Question(format=None), coverage=wrong)
            assert {one.rule for one in found} == {"H12"}
