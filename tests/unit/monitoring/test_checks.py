"""What mind doctor makes of agents, of this machine, and of looks that end with an error."""

import tomllib
from collections.abc import Iterator

import msgspec
import pytest

from mindpipe.core.errors import BadInputError, MindError, UnavailableError
from mindpipe.core.problems import Problem
from mindpipe.monitoring.checks import agents, machine
from mindpipe.monitoring.records import (
    Alert,
    AlertState,
    PlanFigures,
    Status,
    WaitingFigures,
    WindowFigures,
)
from mindpipe.monitoring.verbs import doctor
from mindpipe.monitoring.verbs.doctor import Look
from mindpipe.store.records import StoreFinding
from mindpipe.workers.records import LoopMode
from support.command import NOW, ROOT
from support.fakes import FixedClock

WELL = Status(
    agent="ava",
    at=NOW,
    worker="pid 7",
    mode=LoopMode.NORMAL,
    focus=None,
    paused=None,
    waiting=WaitingFigures(events=3),
    window=WindowFigures(),
    plans=PlanFigures(),
    spent_micros=10,
    cap_micros=None,
)
ALERT = Alert(
    id="a_1",
    agent="ava",
    severity="critical",
    metric="queue_depth",
    above=1.0,
    until=1.0,
    state=AlertState.FIRING,
    value=9.0,
    worst=9.0,
    since=NOW,
)


@pytest.mark.parametrize(
    ("check", "change", "verdict", "found"),
    [
        ("events without a worker", {"worker": None}, "note", "1: ava (3 due)"),
        ("events without a worker", {"worker": None, "paused": "rest"}, "ok", "0"),
        ("events without a worker", {"worker": None, "waiting": WaitingFigures()}, "ok", "0"),
        ("events without a worker", {}, "ok", "0"),
        ("paused agents", {"paused": "rest"}, "note", "1: ava (rest, 3 due)"),
        ("paused agents", {"paused": "rest", "waiting": WaitingFigures()}, "ok", "0"),
        ("missed plans", {"plans": PlanFigures(missed=2)}, "note", "1: ava (2)"),
        ("budgets used up", {"cap_micros": 10}, "note", "1: ava ($0.000010 of $0.000010)"),
        ("budgets used up", {"cap_micros": 11}, "ok", "0"),
        ("critical alerts", {"alerts": (ALERT,)}, "bad", f"1: ava queue_depth 9 since {NOW}"),
        ("warning alerts", {"alerts": (ALERT,)}, "ok", "0"),
    ],
)
def test_an_agent_is_judged_by_how_it_stands(
    check: str, change: dict[str, object], verdict: str, found: str
) -> None:
    one = msgspec.structs.replace(WELL, **change)
    (said,) = [finding for finding in agents.judged([one]) if finding.check == check]
    assert (said.verdict, said.found) == (verdict, found)
    assert bool(said.advice) == (verdict != "ok")


def test_of_many_agents_the_first_are_named_and_all_are_counted() -> None:
    many = [msgspec.structs.replace(WELL, agent=f"a{n}", worker=None) for n in range(7)]
    (said,) = [one for one in agents.judged(many) if one.check == "events without a worker"]
    assert said.found.startswith("7: a0 (3 due), a1 (3 due), ")
    assert said.found.endswith("a4 (3 due), …")


def test_every_extra_of_the_package_is_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert set(machine.EXTRAS) == set(extras) - {"dev"}


def test_a_clock_before_the_release_is_wrong_and_a_missing_boot_id_deserves_a_look() -> None:
    def of(now: str, boot: str) -> dict[str, str]:
        clock = FixedClock()
        clock.instant, clock.boot_id = now, boot
        return {one.check: one.verdict for one in machine.look(clock)}

    assert of(NOW, "b")["wall clock"] == of(NOW, "b")["boot clock"] == "ok"
    assert of("2020-01-01T00:00:00Z", "b")["wall clock"] == "bad"
    assert of(NOW, "unknown")["boot clock"] == "note"


def test_a_look_that_ends_with_an_error_is_a_finding_and_ends_no_other() -> None:
    def halfway() -> Iterator[StoreFinding]:
        yield StoreFinding(check="first", verdict="ok", found="1")
        raise UnavailableError("no store at mind.db. Run mind init.")

    def unreadable() -> Iterator[StoreFinding]:
        yield from ()
        raise BadInputError([Problem(source="mind.toml", line=1, message="agent: unknown key")])

    looks = [Look("store", halfway), Look("agents", unreadable), Look("models", unreadable)]
    found = list(doctor.doctor(looks))
    assert [(one.about, one.verdict, one.found, one.advice) for one in found] == [
        ("store", "ok", "1", None),
        ("store", "bad", "no store at mind.db", "Run mind init."),
        ("agents", "bad", "mind.toml:1: agent: unknown key", None),  # and not again of models
    ]
    doctor.raise_wrong(found[:1])
    with pytest.raises(MindError, match=r"^3 findings, 2 bad"):
        doctor.raise_wrong(found)
