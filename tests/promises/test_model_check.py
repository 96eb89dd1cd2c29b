"""Promise 43: in whatever order the verbs are used, a store keeps the rules of a small model."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from support.model_check.machine import FOCI, Machine, make_template
from support.model_check.model import BUGS
from support.proofs import proved, turned_red

pytestmark = pytest.mark.heavy

SEED = int(os.environ.get("MIND_MODEL_SEED", "20261121"))
STEPS = 30
RED_RUNS = 1000
# What takes several claims of one event in a row is found late.
LATE = frozenset({"poison_in_company", "redrive_keeps_attempts", "dead_while_held"})
MEMORY = Path("/dev/shm")


@pytest.fixture(scope="module")
def template() -> Iterator[Path]:
    """Return a store to copy, in memory if there is such a thing."""
    folder = tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None)
    yield make_template(Path(folder))
    shutil.rmtree(folder)


def run(template: Path, runs: int, bug: str = "", foci: tuple[str, ...] = FOCI) -> int:
    """Live that many random lives, with the model as it is or with a bug; return the steps."""
    steps = [0]

    class Counted(Machine):
        def check_invariants(self, *arguments: object, **named: object) -> None:
            steps[0] += 1
            super().check_invariants(*arguments, **named)

    Counted.template, Counted.bug, Counted.foci = template, bug, foci
    how = settings(
        max_examples=runs,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    run_state_machine_as_test(seed(SEED)(Counted), settings=how)
    return steps[0]


@pytest.mark.heavy
@pytest.mark.parametrize("runs", [60, pytest.param(10_000, marks=pytest.mark.long)])
def test_random_orders_of_the_verbs_keep_every_rule(runs: int, template: Path) -> None:
    sys.stdout.write(f"seed {SEED}\n")
    steps = run(template, runs)
    sys.stdout.write(f"{runs} runs, {steps} steps\n")
    assert steps >= runs * STEPS / 3
    proved(43, runs=runs, steps=steps, violations=0)


@pytest.mark.parametrize(
    ("part", "bug"),
    [
        pytest.param(part, bug, marks=[pytest.mark.long] if bug in LATE else [])
        for part in BUGS
        for bug in BUGS[part]
    ],
)
def test_a_model_with_one_bug_is_found(part: str, bug: str, template: Path) -> None:
    with pytest.raises(AssertionError):
        run(template, RED_RUNS, bug, (part,))
    turned_red(43, bug, most_runs=RED_RUNS)
