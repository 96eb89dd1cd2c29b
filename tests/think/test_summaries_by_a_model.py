"""A model writes what stands for old cycles: what it costs, and what happens where it cannot."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mindpipe.agents.verbs import lease as leases
from mindpipe.compaction import prompts
from mindpipe.core.errors import FencedError, UnavailableError
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest
from mindpipe.core.ports import Preview
from mindpipe.engine.breaker import Breaker
from mindpipe.engine.tables.journal import save_breaker
from mindpipe.spending.records import Caps
from mindpipe.store.verbs.store import INVARIANTS
from support.histories import PROGRAM
from support.life import AGENT, LEASE, KilledError
from support.loopback.turns import Turn
from support.scripted_model import reply_of
from support.validation import faults_of
from support.windows import ROUTINE, FoldingLife, Reporting, folding_life, words_in

pytestmark = pytest.mark.heavy

SUMMARY = Turn(
    text="\n".join(
        f"## {section.heading}\n- [1-3] {section.wanted.split(',')[0]}."
        for section in prompts.SECTIONS
    ),
    input_tokens=900,
    output_tokens=80,
)
# What a reply may cost at most where a token costs one micro-dollar; a summary may cost more.
REPLY_MICROS = 4096


@dataclass
class Summarising(Reporting):
    """A model that is asked for summaries too, and says `summary` then; something is done first."""

    summary: Turn | BaseException = SUMMARY
    wrote: int = 0
    meanwhile: Callable[[], None] = lambda: None
    prompt: int = 0

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return a summary, or what the play says now."""
        if request.conversation.head.system != prompts.SYSTEM:
            return super().reply(request, preview)
        self.wrote += 1
        self.meanwhile()
        self.prompt = words_in(request)
        if isinstance(self.summary, BaseException):
            raise self.summary
        return reply_of(self.summary, self.target)


@pytest.fixture
def life(tmp_path: Path) -> FoldingLife:
    """Return an agent whose window is over its budget after some twenty cycles."""
    return folding_life(tmp_path / "life", max_tokens=1700, min_recent_cycles=2, compaction="model")


@pytest.fixture
def model() -> Summarising:
    """Return a model that writes summaries."""
    return Summarising(PROGRAM, {}, otherwise=ROUTINE)


def until_folded(life: FoldingLife, model: Summarising, caps: Caps | None = None) -> int:
    """Live until the window is folded; return how many cycles that took."""
    for number in range(1, 40):
        life.push(f"Event {number}. " + "word " * 40)
        if life.think(model, caps=caps).compacted is not None:
            return number
    raise AssertionError("nothing was folded")


def spent(life: FoldingLife) -> list[tuple]:
    """Return what summaries cost."""
    return life.rows(
        "SELECT cycle, turn, attempt, state, micros, input_tokens FROM ledger "
        "WHERE purpose = 'compact' ORDER BY cycle, attempt"
    )


def test_its_summary_is_reserved_settled_and_sent(life: FoldingLife, model: Summarising) -> None:
    cycles = until_folded(life, model)
    plan = life.window().plan
    assert (plan.strategy, plan.fallback) == ("model", None)
    assert spent(life) == [(cycles, 0, 1, "settled", 980, 900)]
    assert model.wrote == 1
    life.live(model, 1)
    assert "Goal: what is worked for" in str(model.asked[-1].conversation.head.summary)
    (sums,) = (one.sql for one in INVARIANTS if one.check == "sums of the ledger")
    assert life.rows(sums) == []
    assert faults_of(life.path) == []


def test_its_prompt_fits_a_window_however_much_has_to_leave(
    life: FoldingLife, model: Summarising
) -> None:
    life.settle(max_tokens=100_000)
    for number in range(90):
        life.live(model, 1, words=" ".join(f"word{number}x{place}" for place in range(40)))
    life.settle(max_tokens=1700)
    life.live(model, 1)
    assert model.wrote == 1
    assert 900 < model.prompt <= 1500
    assert len(life.changes()) == 1


@pytest.mark.parametrize(
    ("fault", "states", "held"),
    [
        (ModelFault("busy", fault=FaultClass.TRANSIENT), ["lost"], 1),
        (ModelFault("no", fault=FaultClass.OUR_REQUEST), ["lost"], 0),
        (ModelFault("no route", fault=FaultClass.LOCAL, sent=False), ["void"], 0),
        (UnavailableError("no such program."), ["void"], 0),
    ],
)
def test_where_it_fails_nothing_waits_for_it(
    life: FoldingLife, model: Summarising, fault: Exception, states: list[str], held: int
) -> None:
    model.summary = fault
    until_folded(life, model)
    plan = life.window().plan
    words = str(fault).removesuffix(".")
    assert plan.fallback == f"the model cannot be asked: {words}"
    assert [row[3] for row in spent(life)] == states
    assert life.value("SELECT count(*) FROM breaker") == held
    assert model.wrote == 1


def test_a_cap_keeps_it_from_being_asked(life: FoldingLife, model: Summarising) -> None:
    until_folded(life, model, Caps(call=REPLY_MICROS))
    assert str(life.window().plan.fallback).startswith(
        "the model cannot be asked: the cap per call"
    )
    assert (spent(life), model.wrote) == ([], 0)


def test_a_model_that_is_left_alone_is_not_asked(life: FoldingLife, model: Summarising) -> None:
    life.settle(max_tokens=100_000)
    life.live(model, 25)
    life.push("One more.")

    def others_fail() -> None:
        life.settle(max_tokens=1700)
        now = life.clock.boot()
        with life.open() as store, store.write() as rows:
            breaker = Breaker(opened=now.seconds)
            save_breaker(rows, model=PROGRAM.label(), boot=now.boot, breaker=breaker)

    report = life.think(model, dies=("turn.after_commit", 1), meanwhile=others_fail)
    assert report.compacted == 1
    assert "left alone for 30 s" in str(life.window().plan.fallback)
    assert (spent(life), model.wrote) == ([], 0)


def test_one_that_broke_off_counts_in_full_and_the_next_is_another_attempt(
    life: FoldingLife, model: Summarising
) -> None:
    model.summary = KilledError("in the middle")
    with pytest.raises(KilledError):
        until_folded(life, model)
    assert [row[3] for row in spent(life)] == ["reserved"]
    assert life.changes() == []
    model.summary = SUMMARY
    life.clock.pass_time(60)
    life.live(model, 1)
    (lost, settled) = spent(life)
    assert (lost[:4], settled[:4]) == (
        (lost[0], 0, 1, "lost"),
        (lost[0], 0, 2, "settled"),
    )
    assert len(life.changes()) == 1


def test_one_who_loses_the_agent_meanwhile_changes_nothing(
    life: FoldingLife, model: Summarising
) -> None:
    life.settle(max_tokens=100_000)
    life.live(model, 25)

    def another() -> None:
        life.clock.pass_time(LEASE)
        with life.open() as store:
            leases.acquire(store, life.clock, agent=AGENT, owner="another")

    model.meanwhile = another
    life.settle(max_tokens=1700)
    life.push("One more.")
    with pytest.raises(FencedError):
        life.think(model)
    assert life.told == ["nothing was folded: another worker thinks for agent ava now. Try again."]
    assert (life.changes(), life.reasons()) == ([], ["begin"])
    assert [row[3] for row in spent(life)] == ["reserved"]


def test_one_that_saves_too_little_is_not_paid_for_at_every_cycle(
    life: FoldingLife, model: Summarising
) -> None:
    life.settle(min_saving=10_000)
    for _ in range(60):
        life.live(model, 1)
        life.clock.pass_time(10)
    assert life.changes() == []
    assert 1 <= model.wrote <= 4
