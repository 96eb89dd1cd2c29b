"""What is left out of `make test` is run by CI all the same: nothing is run by nobody, or twice."""

import itertools
import os
import re
import subprocess
import sys
from collections import Counter

import pytest

from support.command import ROOT
from support.server_stores import SERVER

CHECK = (ROOT / "tests" / "check").read_text()
# Which tests are light and which are heavy, as pytest is told it.
MARKS = dict(re.findall(r"^(\w+)\) tests='([^']+)'", CHECK, re.MULTILINE))
# Of each room at least this share is light.
LEAST_SHARE, LEAST_ON_A_SERVER = 0.3, 0.2


@pytest.mark.parametrize(("heavy", "long"), list(itertools.product([False, True], repeat=2)))
def test_whatever_is_not_long_is_either_light_or_heavy(*, heavy: bool, long: bool) -> None:
    marked = {"heavy": heavy, "long": long}
    taken = [weight for weight, expression in MARKS.items() if eval(expression, {}, marked)]
    assert len(taken) == (not long)


def test_each_step_that_runs_tests_is_told_which() -> None:
    steps = re.findall(r"^step .*(?:/pytest|on_a_server)(?:.*\\\n)*.*", CHECK, re.MULTILINE)
    assert len(steps) == 3
    assert [step for step in steps if '-m "$tests"' not in step] == []


def test_ci_runs_both_whatever_comes_of_the_first() -> None:
    ci = (ROOT / ".ci" / "run").read_text().splitlines()[-1]
    assert ci == "exec make --keep-going test test-heavy"
    makefile = (ROOT / "Makefile").read_text()
    assert "\ntest: $(READY)\n\t@tests/check\n" in makefile
    assert "\ntest-heavy: $(READY)\n\t@tests/check heavy\n" in makefile


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("server", "rooms"), [("", ["tests"]), ("postgresql://", ["tests/verbs", "tests/conformance"])]
)
def test_both_are_all_that_is_not_long_and_each_room_has_its_share_of_what_is_light(
    server: str, rooms: list[str]
) -> None:
    light, heavy = (collected(MARKS[weight], server, rooms) for weight in ("light", "heavy"))
    assert light + heavy == collected("not long", server, rooms)
    every, shares = (
        Counter(test.split("/")[1] for test in tests) for tests in (light + heavy, light)
    )
    least = LEAST_ON_A_SERVER if server else LEAST_SHARE
    assert [room for room, tests in every.items() if shares[room] < least * tests] == []


def collected(expression: str, server: str, rooms: list[str]) -> Counter[str]:
    """Return the tests of some rooms that a run takes which is told of such marks."""
    environment = {name: value for name, value in os.environ.items() if name != SERVER}
    if server:
        environment[SERVER] = server
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", expression, *rooms],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment,
    )
    return Counter(line for line in found.stdout.splitlines() if "::" in line)
