"""An emergency joins the open cycle: claimed once, read at the next turn, done with the cycle."""

import contextlib
import functools
import unittest.mock
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.models import ModelRequest
from mindpipe.core.ports import Model, ProgramCall, ProgramRun
from mindpipe.engine.cycle.emergency import PUT_OFF, EmergencyError
from mindpipe.engine.dependencies import Dependencies
from mindpipe.spending.records import Caps
from support.histories import PROGRAM
from support.life import KilledError, Life, MortalStore, with_holder
from support.loopback.turns import Turn
from support.scripted_model import Play, Scripted, call, calls
from support.validation import faults_of

PLAYS: dict[str, Play] = {
    "work": (
        calls(call("keyed"), call("pure"), call("send_message", text="Hi", space="family")),
        calls(call("keyed")),
        Turn(text="All done."),
    ),
    "words": (Turn(text="Nothing to do."),),
}


class Interrupted(Scripted):
    """A model during whose n-th call something happens, which may also end that call."""

    def __init__(self, number: int, happens: Callable[[], None], *, ends: bool = True) -> None:
        super().__init__(PROGRAM, PLAYS, listen=self._hear)
        self._left, self._happens, self._ends = number, happens, ends

    def _hear(self, _: ModelRequest) -> None:
        self._left -= 1
        if self._left == 0:
            self._happens()
            if self._ends:
                raise EmergencyError


def fire(life: Life, **fields: object) -> None:
    """Push an emergency."""
    life.push("Fire!", **{"priority": 0, **fields})


def notes(life: Life) -> list[tuple]:
    """Return where notes of interrupts stand in history: their turn, and what they say."""
    return life.rows(
        "SELECT turn, parts ->> '$[0].text' FROM message WHERE role='note' "
        "AND parts ->> '$[0].text' LIKE 'INTERRUPT%' ORDER BY seq"
    )


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_an_emergency_closes_the_call_and_is_read_when_it_is_asked_again(
    turn: int, tmp_path: Path
) -> None:
    life = Life(tmp_path / "life")
    life.push("play work")
    model = Interrupted(turn, lambda: fire(life))
    report = life.think(model)
    assert (report.outcome, report.turns, len(report.events)) == ("done", 3, 2)
    assert len(model.asked) == 4
    again = model.asked[turn].body
    assert b"Fire!" in again and b"Fire!" not in model.asked[turn - 1].body
    assert notes(life) == [(turn - 1, 'INTERRUPT (1 event):\n[service operator] "Fire!"')]
    assert life.rows("SELECT state, outcome, attempts FROM event") == [("done", "handled", 1)] * 2
    assert life.rows("SELECT json_array_length(events) FROM cycle") == [(2,)]
    assert life.rows("SELECT count(*) FROM ledger WHERE state='lost'") == [(1,)]
    assert faults_of(life.path) == []


def test_an_emergency_before_a_turn_joins_it_without_ending_any_call(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    life.push("play work")
    model = Interrupted(1, lambda: fire(life), ends=False)
    report = life.think(model)
    assert (report.outcome, len(report.events), len(model.asked)) == ("done", 2, 3)
    assert notes(life) == [(1, 'INTERRUPT (1 event):\n[service operator] "Fire!"')]
    assert life.rows("SELECT DISTINCT state FROM call") == [("done",)]
    assert faults_of(life.path) == []


class Called(Life):
    """A life in which an emergency is heard while the first program runs."""

    def dependencies(
        self, store: MortalStore, model: Model, caps: Caps | None = None
    ) -> Dependencies:
        """Return what the next worker thinks with."""
        heard = [False]

        def run(call: ProgramCall) -> ProgramRun:
            if not heard[0] and not self.value("SELECT count(*) FROM event WHERE priority=0"):
                fire(self)
                heard[0] = True
            return self.sink.run(call)

        def check() -> None:
            if heard[0]:
                heard[0] = False
                raise EmergencyError

        made = super().dependencies(store, model, caps)
        programs = unittest.mock.Mock(run=run)
        tools = msgspec.structs.replace(made.tools, programs=programs)
        return with_holder(msgspec.structs.replace(made, tools=tools), check=check)


def test_calls_that_have_not_begun_are_put_off(tmp_path: Path) -> None:
    life = Called(tmp_path / "life")
    life.push("play work")
    report = life.think(Scripted(PROGRAM, PLAYS))
    assert (report.outcome, len(report.events)) == ("done", 2)
    assert life.rows(
        "SELECT tool, state, result ->> '$.text' FROM call ORDER BY turn, position"
    ) == [
        ("keyed", "done", "did it"),
        ("pure", "skipped", PUT_OFF),
        ("send_message", "skipped", PUT_OFF),
        ("keyed", "done", "did it"),
    ]
    assert [turn for turn, _ in notes(life)] == [1]
    assert faults_of(life.path) == []


def tried_twice(life: Life, priority: int) -> None:
    """Let the events of a priority have been tried twice."""
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE event SET attempts=2 WHERE priority=:priority", {"priority": priority})


def test_what_was_tried_twice_takes_no_emergency_along(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    life.push("play words")
    tried_twice(life, 3)
    model = Interrupted(1, lambda: fire(life))
    assert (len(life.think(model).events), len(model.asked), notes(life)) == (1, 2, [])
    assert life.rows("SELECT state FROM event WHERE priority=0") == [("ready",)]


def test_an_emergency_that_was_tried_twice_joins_nothing(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    life.push("play words")

    def come() -> None:
        fire(life)
        tried_twice(life, 0)

    assert (len(life.think(Interrupted(1, come)).events), notes(life)) == (1, [])


def test_strangers_words_taint_the_turn_that_reads_them(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    life.push("play words")
    life.think(Interrupted(1, lambda: fire(life, source="web")))
    assert life.rows("SELECT asked ->> '$.taint', asked ->> '$.sources' FROM turn") == [
        (1, '["web"]')
    ]
    assert life.rows("SELECT taint, origin FROM message WHERE role='note' ORDER BY seq") == [
        (0, "program"),
        (1, "source:web"),
    ]


@pytest.mark.heavy
def test_an_emergency_dies_with_no_worker_and_is_read_once_whenever_one_dies(
    tmp_path: Path,
) -> None:
    calm = Life(tmp_path / "calm")
    calm.push("play work")
    calm.think(Interrupted(2, lambda: fire(calm)))
    assert {"join.before_commit", "join.after_commit"} <= calm.passed.keys()
    for number, (point, times) in enumerate(sorted(calm.passed.items())):
        for passage in range(1, times + 1):
            life = Life(tmp_path / f"life-{number}-{passage}")
            life.push("play work")
            model = Interrupted(2, functools.partial(fire, life, key="fire"))
            with contextlib.suppress(KilledError):
                life.think(model, dies=(point, passage))
            fire(life, key="fire")
            with contextlib.suppress(NothingToDoError):
                while True:
                    life.think(Scripted(PROGRAM, PLAYS, otherwise=PLAYS["words"]))
            at = (point, passage)
            assert (at, life.rows("SELECT DISTINCT state FROM event")) == (at, [("done",)])
            told = life.rows("SELECT count(*) FROM message WHERE parts LIKE '%Fire!%'")
            assert (at, told) == (at, [(1,)])
            assert (at, faults_of(life.path)) == (at, [])
