"""Each kind of what was heard is wanted again: where it is missing, that is told."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import ModelBusyError
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.engine.cycle import compaction
from mindpipe.engine.dependencies import Dependencies, PromptAccess
from mindpipe.engine.records.journal import CycleLimits
from mindpipe.engine.verbs import think
from mindpipe.engine.worker.interrupts import StoppedError
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions
from mindpipe.knowledge.verbs.model_reader import ModelReader
from mindpipe.life.tape import TapePart
from mindpipe.life.verbs.consolidating import consolidate_recorded
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan
from mindpipe.recall.records import Recalled
from support.fakes import WordEmbedder
from support.histories import PROGRAM
from support.life import AGENT, TOOLS, Life
from support.loopback.turns import Turn
from support.replays import change_part, kinds_of, replayed
from support.scripted_model import Play, Scripted, call, calls

DONE = (Turn(text="Done."),)
WINDOW = 3000
RECALLS = (calls(call("recall", query="ferry late")), *DONE)


def live(
    life: Life,
    play: Play = DONE,
    *,
    change: Callable[[Dependencies], Dependencies] = lambda deps: deps,
) -> None:
    """Live a cycle with changed dependencies."""
    life.push("The ferry is late.")
    life.clock.pass_time(60.0)
    with life.open() as store:
        deps = change(life.dependencies(store, Scripted(PROGRAM, {}, otherwise=play)))
        think.think(deps, agent=AGENT, limits=CycleLimits())


def draw(life: Life) -> None:
    """Wait for some time until a failing model is asked again."""
    fault = ModelFault("busy", fault=FaultClass.TRANSIENT)
    with contextlib.suppress(ModelBusyError):
        live(life, (fault, *DONE))
    life.clock.pass_time(3600.0)
    live(life)


def vectors(life: Life) -> None:
    """Keep in a full window what has to do with what waits, by meaning."""
    with life.open() as store:
        change = AgentChange(compaction="semantic", max_tokens=WINDOW, batch=1)
        agents.set_(store, name=AGENT, change=change)
    life.push(*["The ferry waits."] * 8)
    for _ in range(8):
        long = (Turn(text="Done. " + "It goes on. " * (WINDOW // 24)),)
        live(life, long, change=lambda deps: _with_models(deps, embedder=WordEmbedder()))


def _with_models(deps: Dependencies, **changed: object) -> Dependencies:
    return replace(deps, models=replace(deps.models, **changed))


def files(life: Life) -> None:
    """Recall from files to which an index leads."""
    found = Recalled(
        rank=1, ref="f_1", source="file", score=1.0, why="words", text="It sails.", at=""
    )
    prompts = PromptAccess(files=lambda _question, _most: [found])
    live(life, RECALLS, change=lambda deps: replace(deps, prompts=prompts))


def hits(life: Life) -> None:
    """Search beside others."""
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="bea", change=AgentChange())
    live(life)
    live(life, RECALLS)


def written(life: Life) -> None:
    """Look whether a plan has written its file."""
    with life.open() as store:
        new = NewPlan(title="Write", after="1m", expects=("file:/there",))
        plans.add(store, life.clock, life.chance, agent=AGENT, new=new)
        life.clock.pass_time(120.0)
        deliver = life.dependencies(store, Scripted(PROGRAM, {})).tools.deliver
        plans.due_push(store, life.clock, deliver=deliver, agent=AGENT)
    live(life)


def statements(life: Life) -> None:
    """Consolidate what a model read."""
    live(life)
    with life.open() as store:
        said = NewItem(id="it_x", text="I live in Lisbon.", speaker="jo", origin="human")
        memory.add(store, life.clock, life.chance, agent=AGENT, given=[said])
        deps = life.dependencies(store, Scripted(PROGRAM, {}, otherwise=(Turn(text="{}"),)))
        with compaction.asking(deps, agent=AGENT) as asked:
            reader = ModelReader(asked.write, model="m", tell=str)
            options = ConsolidateOptions(rules=SlotRules(), reader=reader)
            list(
                consolidate_recorded(life.recorder(store), life.clock, agent=AGENT, options=options)
            )


def check(life: Life) -> None:
    """Be stopped before the second step, and go on later."""
    steps = iter((lambda: None, _stop))

    def stops() -> None:
        next(steps, lambda: None)()

    with contextlib.suppress(StoppedError):
        live(life, change=lambda deps: replace(deps, holder=replace(deps.holder, check=stops)))
    life.clock.pass_time(3600.0)
    live(life)


def _stop() -> None:
    raise StoppedError


def pause(life: Life) -> None:
    """Be stopped while a failing model is waited for, and go on later."""

    class Stopping:
        now, boot = life.clock.now, life.clock.boot

        def pause(self, _seconds: float) -> None:
            raise StoppedError

    fault = ModelFault("busy", fault=FaultClass.TRANSIENT)
    with contextlib.suppress(StoppedError):
        live(life, (fault, *DONE), change=lambda deps: replace(deps, clock=Stopping()))
    life.clock.pass_time(3600.0)
    live(life)


def saw(life: Life) -> None:
    """Live while others come into the store."""
    live(life)
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="bea", change=AgentChange())
    live(life, RECALLS)


LIVES = (draw, vectors, files, hits, written, statements, check, pause, saw)


@pytest.mark.parametrize("lived", LIVES)
def test_a_kind_of_reading_is_wanted_again(tmp_path: Path, lived: Callable[[Life], None]) -> None:
    kind = lived.__name__
    life = Life(tmp_path / "life", AgentChange(tools=TOOLS, preset="full"))
    lived(life)
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)

    def drop(told: TapePart) -> None:
        for queue in [one for one in told.heard if one.partition("/")[0] == kind]:
            del told.heard[queue]

    with life.open() as store, store.write() as rows:
        operation, part = kinds_of(rows)[kind]
        change_part(rows, operation, part, drop)
    found, verdict = replayed(life.path)
    assert not verdict.equal
    assert found[0].operation == operation


@pytest.mark.parametrize("cut", [1, 2])
def test_a_part_that_is_missing_is_told(tmp_path: Path, cut: int) -> None:
    """The last part of an operation, which the next one tells of, or what came of it."""
    life = Life(tmp_path / "life")
    for _ in range(2):
        live(life)
    with life.open() as store, store.write() as rows:
        rows.run(
            "DELETE FROM operation_part WHERE operation = :cut "
            "AND part = (SELECT max(part) FROM operation_part WHERE operation = :cut)",
            {"cut": cut},
        )
    (difference,), verdict = replayed(life.path)
    assert (difference.what, difference.operation) == ("record", 2)
    assert not verdict.equal


def test_an_operation_that_is_missing_at_the_end_is_told(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    for _ in range(2):
        live(life)
    with life.open() as store, store.write() as rows:
        rows.run("DELETE FROM operation_part WHERE operation = 2")
        rows.run("DELETE FROM operation WHERE number = 2")
    (difference,), verdict = replayed(life.path)
    assert (difference.what, difference.operation) == ("record", 1)
    assert not verdict.equal
