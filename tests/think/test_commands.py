"""What the operator commands is for a loop: no cycle reads it, whenever it comes."""

from pathlib import Path

import pytest

from mindpipe.core.errors import NothingToDoError, RefusedError
from mindpipe.core.events import OPERATOR, NewEvent
from mindpipe.engine.records.journal import EventChoice
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from support.histories import PROGRAM
from support.life import AGENT, Life
from support.loopback.turns import Turn
from support.scripted_model import Play, Scripted, call, calls

PLAYS: dict[str, Play] = {
    "work": (calls(call("pure")), Turn(text="All done.")),
    "words": (Turn(text="Nothing to do."),),
}


def command(life: Life, what: str) -> str:
    """Push a command; return the id of its event."""
    event = NewEvent(
        agent=AGENT, type="interrupt", priority=0, source=OPERATOR, body={"command": what}
    )
    with life.open() as store:
        (receipt,) = push_events(store, life.clock, life.chance, events=[event], bounds=Bounds())
    return receipt.id


def states(life: Life) -> list[tuple]:
    """Return what became of the events, the most urgent first."""
    return life.rows("SELECT type, state FROM event ORDER BY priority, seq")


def test_a_stop_that_came_behind_the_look_of_its_loop_is_left_to_it(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    seen = EventChoice(only=(command(life, "stop"),))
    with pytest.raises(NothingToDoError):
        life.think(Scripted(PROGRAM, PLAYS), choice=seen)
    assert states(life) == [("interrupt", "ready")]


def test_a_stop_does_not_join_a_cycle(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    life.push("play work")
    model = Scripted(PROGRAM, PLAYS, listen=lambda _: command(life, "stop"))
    report = life.think(model)
    assert (report.outcome, len(report.events), len(model.asked)) == ("done", 1, 2)
    assert states(life) == [("interrupt", "ready"), ("interrupt", "ready"), ("service", "done")]


def test_who_lives_without_a_loop_rests_and_goes_on_as_told(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    command(life, "stop")
    life.push("play words")
    command(life, "pause")
    with pytest.raises(RefusedError, match="paused"):
        life.think(Scripted(PROGRAM, PLAYS))
    command(life, "resume")
    assert len(life.think(Scripted(PROGRAM, PLAYS)).events) == 1
    assert states(life) == [
        ("interrupt", "ready"),
        ("interrupt", "done"),
        ("interrupt", "done"),
        ("service", "done"),
    ]
