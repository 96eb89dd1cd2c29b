"""Old cycles leave a window by themselves: when, how many, and what happens where they cannot."""

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from mindpipe.agents.verbs import lease as leases
from mindpipe.compaction.records import Kept, Summary
from mindpipe.core.errors import MindError, UnavailableError
from mindpipe.core.models import FaultClass, ModelFault, ModelRequest
from mindpipe.engine.cycle import window
from mindpipe.engine.verbs.context import show
from mindpipe.spending.records import Caps
from support.histories import ANTHROPIC
from support.life import AGENT, KilledError
from support.loopback.turns import Turn
from support.scripted_model import Scripted, call, calls
from support.validation import faults_of
from support.windows import ByTheWord, FoldingLife, folding_life, reporting, words_in

pytestmark = pytest.mark.heavy

BUDGET = 1500
# More words than a cycle of the routine has.
CYCLE = 60


@pytest.fixture
def life(tmp_path: Path) -> FoldingLife:
    """Return an agent whose window holds about twenty cycles."""
    return folding_life(tmp_path / "life", max_tokens=BUDGET, min_recent_cycles=4)


def until_folded(life: FoldingLife, model: Scripted, most: int = 40) -> tuple[int, int]:
    """Live until a window is folded; return how many cycles that took and what was sent before."""
    for number in range(1, most + 1):
        before = life.size() if number > 1 else 0
        if life.live(model, 1) == [1]:
            return number, before
    raise AssertionError("nothing was folded")


def kept(life: FoldingLife) -> list[tuple[int, int]]:
    """Return the ranges of cycles that the window in force sends whole."""
    window = life.window()
    return [(part.first, part.last) for part in window.parts if isinstance(part, Kept)]


@pytest.mark.parametrize(("budget", "recent"), [(1500, 4), (1500, 1), (2500, 7)])
def test_a_window_over_its_budget_is_folded_once_its_cycle_has_closed(
    tmp_path: Path, budget: int, recent: int
) -> None:
    life = folding_life(tmp_path / "life", max_tokens=budget, min_recent_cycles=recent)
    model = reporting()
    cycles, before = until_folded(life, model)
    assert before <= budget < before + CYCLE
    assert life.size() <= budget * 0.7
    assert kept(life) == [(cycles - recent + 1, cycles)]
    (change,) = life.changes()
    assert (change.action, change.strategy, change.through) == ("apply", "anchored", cycles)
    assert len(model.asked) == cycles
    assert life.value("SELECT max(cycle) FROM message") == cycles
    assert life.told == []


def test_the_prefix_stays_the_same_until_the_next_time(tmp_path: Path) -> None:
    life = folding_life(
        tmp_path / "life", max_tokens=BUDGET, min_recent_cycles=4, memory_threshold=10.0
    )
    model = reporting(target=ANTHROPIC)
    made = [number for number in life.live(model, 60) if number]
    assert 2 <= len(made) <= 6
    assert life.reasons() == ["begin", *["compaction"] * len(made)]
    broken = sum(
        not later.body.startswith(_open(earlier.body))
        for earlier, later in itertools.pairwise(model.asked)
    )
    assert broken == len(made)
    assert all(words_in(request) <= BUDGET + CYCLE for request in model.asked)
    assert faults_of(life.path) == []


def _open(body: bytes) -> bytes:
    """Return a body up to where the next request says more."""
    return body[: body.rindex(b"]}") - 1]


def test_every_cycle_is_in_one_part_after_many_times(life: FoldingLife) -> None:
    life.live(reporting(), 80)
    window = life.window()
    covered = [part for part in window.parts if isinstance(part, Kept | Summary)]
    ranges = [(part.first, part.last) for part in covered]
    assert ranges[0][0] == 1
    assert ranges[-1][1] == window.plan.through
    assert all(one[1] + 1 == other[0] for one, other in itertools.pairwise(ranges))


def test_what_the_provider_counts_decides(tmp_path: Path) -> None:
    lives = {}
    for factor in (1.0, 1.3):
        life = folding_life(tmp_path / str(factor), max_tokens=BUDGET, min_recent_cycles=4)
        lives[factor], sent = until_folded(life, reporting(factor=factor))
        assert BUDGET - CYCLE * factor < sent <= BUDGET
        assert life.window().plan.calibration == pytest.approx(factor, abs=0.01)
    assert lives[1.3] < lives[1.0]


def test_a_lower_budget_is_kept_by_the_next_request(life: FoldingLife) -> None:
    life.settle(max_tokens=100_000)
    model = reporting()
    life.live(model, 25)
    life.settle(max_tokens=900)
    life.push("One more.")
    with life.open() as store:
        shown = show(life.dependencies(store, model), agent=AGENT)
    assert life.changes() == []
    report = life.think(model)
    assert (report.outcome, report.compacted) == ("done", 1)
    assert words_in(model.asked[-2]) > 900 >= words_in(model.asked[-1])
    assert shown.request.body == model.asked[-1].body


def test_a_window_is_folded_for_the_head_that_is_coming(life: FoldingLife) -> None:
    life.settle(max_tokens=100_000)
    model = reporting()
    life.live(model, 25)
    life.settle(max_tokens=life.size() + 100, instructions="Be brief. " * 150)
    life.push("One more.")
    assert life.think(model).compacted == 1
    assert words_in(model.asked[-1]) <= life.size() <= words_in(model.asked[-2]) + 100


@pytest.mark.parametrize(("spare", "made"), [(0, 0), (-1, 1)])
def test_a_window_of_exactly_its_budget_is_not_folded(
    life: FoldingLife, spare: int, made: int
) -> None:
    life.settle(max_tokens=100_000)
    model = reporting()
    life.live(model, 25)
    life.settle(max_tokens=life.size() + spare)
    with life.open() as store:
        window.after(life.dependencies(store, model), agent=AGENT)
    assert len(life.changes()) == made


def test_it_waits_where_too_little_would_be_saved(life: FoldingLife) -> None:
    life.settle(min_saving=10_000)
    assert life.live(reporting(), 30) == [None] * 30
    words = life.told[0]
    assert words.startswith("nothing was folded: It would save ")
    assert "fewer than min_saving (10000)" in words
    life.settle(min_saving=0)
    life.clock.pass_time(60)
    assert life.live(reporting(), 1) == [1]


def test_what_is_in_vain_is_not_tried_at_every_cycle(life: FoldingLife) -> None:
    life.settle(max_tokens=300)
    model = reporting()
    for _ in range(60):
        assert life.live(model, 1) == [None]
        life.clock.pass_time(40)
    tried = [words for words in life.told if words.startswith("nothing was folded: ")]
    assert 2 <= len(tried) <= 6
    assert all("max_tokens" in words for words in tried)
    assert len(life.told) > 50
    assert set(life.told) - set(tried) == {
        "the window is over its budget; folding it failed before and is tried again within the hour"
    }
    assert life.changes() == []
    assert life.reasons() == ["begin"]
    life.settle(max_tokens=BUDGET)
    life.clock.pass_time(3600)
    assert life.live(model, 1) == [1]


def test_one_who_lost_the_agent_folds_nothing_and_has_lived_its_cycle(life: FoldingLife) -> None:
    model = reporting()
    life.settle(max_tokens=100_000)
    life.live(model, 25)
    life.push("One more.")

    def another() -> None:
        life.settle(max_tokens=900)
        with life.open() as store:
            leases.acquire(store, life.clock, agent=AGENT, owner="another")

    report = life.think(model, dies=("turn.after_commit", 1), meanwhile=another)
    assert (report.outcome, report.compacted) == ("done", None)
    (words,) = life.told
    assert "another worker" in words
    life.clock.pass_time(60)
    assert life.live(model, 1) == [1]


@pytest.mark.parametrize(("place", "made"), [("before", 0), ("after", 1)])
@pytest.mark.parametrize("when", ["first", "last"])
def test_a_worker_that_dies_meanwhile_leaves_the_old_window_or_the_new_one(
    life: FoldingLife, place: str, made: int, when: str
) -> None:
    model = reporting()
    life.settle(max_tokens=100_000)
    life.live(model, 25)
    if when == "first":
        life.settle(max_tokens=900)
    else:
        model.listen = lambda _: life.settle(max_tokens=900)
    life.push("One more.")
    with pytest.raises(KilledError):
        life.think(model, dies=(f"compact.{place}_publish", 1))
    assert len(life.changes()) == made
    assert life.reasons() == ["begin", *["compaction"] * made]
    assert len(model.asked) == 25 + (when == "last")
    if when == "last":
        life.push("And one more.")
    assert life.think(model).outcome == "done"
    assert len(life.changes()) == 1
    assert words_in(model.asked[-1]) <= 900
    assert faults_of(life.path) == []


LOOKS = {"looks": (calls(call("get_goals"), text="Look."), Turn(text="Seen."))}


@pytest.mark.parametrize("turn", [1, 2])
def test_a_request_of_twice_what_a_model_takes_is_folded_and_asked_again(
    life: FoldingLife, turn: int
) -> None:
    life.settle(max_tokens=100_000, min_recent_cycles=40)
    model = reporting(plays=LOOKS)
    life.live(model, 40)
    most = words_in(model.asked[-1]) // 2
    seen: list[int] = []

    def refuse(request: ModelRequest) -> None:
        seen.append(words_in(request))
        if len(seen) >= turn and seen[-1] > most:
            raise ModelFault("prompt is too long", fault=FaultClass.TOO_LONG)

    model.listen = refuse
    life.push("play looks")
    report = life.think(model)
    assert (report.outcome, report.turns, report.compacted) == ("done", 2, 1)
    assert [size > most for size in seen] == [True] * turn + [False] * (3 - turn)
    assert faults_of(life.path) == []


def test_a_request_above_the_cap_of_a_call_is_folded_and_sent(life: FoldingLife) -> None:
    life.settle(max_tokens=100_000)
    model = reporting()
    life.live(model, 40)
    most = words_in(model.asked[-1]) // 2
    life.prices = ByTheWord()
    life.push("One more.")
    report = life.think(model, caps=Caps(call=most))
    assert (report.outcome, report.compacted) == ("done", 1)
    assert words_in(model.asked[-1]) <= most
    assert len(model.asked) == 41


def test_a_first_message_that_no_model_takes_lets_its_event_die(life: FoldingLife) -> None:
    model = reporting()

    def refuse(_: ModelRequest) -> None:
        raise ModelFault("prompt is too long", fault=FaultClass.TOO_LONG)

    model.listen = refuse
    life.push("Hello.")
    with pytest.raises(MindError, match="prompt is too long"):
        life.think(model)
    assert life.rows("SELECT state FROM event") == [("dead",)]
    assert life.changes() == []


class Topics:
    """An embedder that knows one topic; `down` makes it fail."""

    name = "topics"
    down = False

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return who speaks of the sea."""
        if self.down:
            raise UnavailableError("no such server")
        return [[1.0, 0.0] if "sea" in text or "walrus" in text else [0.0, 1.0] for text in texts]


@pytest.mark.parametrize(
    ("embedder", "question", "stays"),
    [
        (None, "Is the walrus well?", {8}),
        (Topics(), "How is the sea?", {8}),
        (None, "How is the sea?", set()),
    ],
)
def test_old_cycles_that_bear_on_what_is_asked_stay_whole(
    life: FoldingLife, embedder: Topics | None, question: str, stays: set[int]
) -> None:
    life.settle(max_tokens=100_000, compaction="semantic")
    life.embedder = embedder
    model = reporting()
    life.live(model, 7)
    life.live(model, 1, words="A walrus lies on the ice. " + "It sleeps. " * 15)
    life.live(model, 16)
    life.settle(max_tokens=1500, min_recent_cycles=2)
    life.push(question)
    assert life.think(model).compacted == 1
    assert stays <= {cycle for first, last in kept(life) for cycle in range(first, last + 1)}
    assert (8 in {first for first, _ in kept(life)}) == bool(stays)


def test_an_embedding_model_that_is_down_holds_nothing_up(life: FoldingLife) -> None:
    life.settle(max_tokens=100_000, compaction="semantic")
    life.embedder = Topics()
    life.embedder.down = True
    model = reporting()
    life.live(model, 25)
    life.settle(max_tokens=BUDGET)
    life.push("How is the sea?")
    assert life.think(model).compacted == 1
    assert "no such server" in str(life.window().plan.fallback)
    assert life.told == [f"old cycles are folded otherwise: {life.window().plan.fallback}"]
