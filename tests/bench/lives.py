"""How long it takes to record one life, to live it again, to fork it and to write it as a file.

The life is lived in this process, with a store on disk and a model that answers at once: cycles of
three turns, in which two tools run, with a window that is folded every twenty cycles.
"""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from figures import Figure
from measuring import MEGABYTE, progress
from msgspec.structs import replace

from mindpipe.agents.records import AgentChange
from mindpipe.engine.dependencies import Dependencies, unrecorded
from mindpipe.life.verbs import life as lives
from mindpipe.store.access import open_store
from support.full_lives import FullLife
from support.histories import PROGRAM
from support.life import AGENT
from support.loopback.turns import Turn
from support.replays import opened
from support.scripted_model import Scripted, call, calls
from support.stores import WordTokens

PART = "life"
FOLDED_EVERY = 20
BUDGET = 1200
RELIVED = 500
"""So many cycles are lived again at most, as each takes about as long as the one before it."""


class TurnsLife(FullLife):
    """A life of cycles of three turns."""

    def __init__(self, folder: Path, *, recorded: bool = True) -> None:
        self._recorded = recorded
        super().__init__(folder)

    def dependencies(self, *given: object) -> Dependencies:
        """Return what the next worker thinks with."""
        made = super().dependencies(*given)
        return made if self._recorded else replace(made, recording=unrecorded)

    def cycle(self, number: int) -> None:
        """Live one cycle."""
        (receipt,) = self.push(f"Please pay bill {number} of the harbour office, it is due.")
        self.clock.pass_time(60.0)
        look, pay = (calls(call("look", at=f"{what}{number}"), text="I look.") for what in "ab")
        closing = Turn(text=f"Paid the bill of {receipt.id}. Nothing is left to do.")
        self.think(Scripted(PROGRAM, {}, otherwise=(look, pay, closing)))
        if number % FOLDED_EVERY == 0:
            self.fold(budget=BUDGET)


def figures(folder: Path, *, cycles: int, rounds: int) -> Iterator[Figure]:
    """Measure what a record costs, then one life of so many cycles."""
    yield from _recording(folder, cycles=20 * rounds)
    life = TurnsLife(folder / "life")
    for number in range(1, cycles + 1):
        life.cycle(number)
        if number % 100 == 0:
            progress(f"{PART}: {number:,} of {cycles:,} cycles are lived")
    yield from _relived(life, cycles=cycles)
    yield from _carried(life)
    for share in (0.01, 0.5, 1.0):
        yield _forked(life, folder / f"eva{share}.db", cycle=max(1, round(cycles * share)))


def _recording(folder: Path, *, cycles: int) -> Iterator[Figure]:
    """Measure cycles with and without a record of what they hear, in turns."""
    progress(f"{PART}: recording")
    pair = [TurnsLife(folder / str(recorded), recorded=recorded) for recorded in (True, False)]
    spent: list[list[float]] = [[], []]
    for number in range(1, cycles + 1):
        for life, times in zip(pair, spent, strict=True):
            times.append(_core(partial(life.cycle, number))[0])
    with_it, without = (statistics.median(times) for times in spent)
    sizes = [life.path.stat().st_size for life in pair]
    yield Figure(
        part=PART, what="a recorded cycle", value=with_it / without, unit="x unrecorded", most=1.05
    )
    yield Figure(
        part=PART,
        what="the store of a recorded life",
        value=sizes[0] / sizes[1],
        unit="x unrecorded",
        most=1.25,
    )


def _relived(life: TurnsLife, *, cycles: int) -> Iterator[Figure]:
    progress(f"{PART}: replay")
    upto = min(cycles, RELIVED)
    with contextlib.closing(open_store(life.path)) as store:
        pieces = list(lives.export(store, life.clock, agent=AGENT, cycle=upto))
    again = lives.replay(opened(pieces), make_tokens=lambda _: WordTokens())
    seconds, found = _core(lambda: list(again.differences()))
    assert not found
    what = f"mind life replay of {upto:,} cycles of 3 turns"
    yield Figure(
        part=PART, what=what, value=upto / seconds, unit="cycles per s of a core", least=20
    )


def _carried(life: TurnsLife) -> Iterator[Figure]:
    progress(f"{PART}: export")
    with contextlib.closing(open_store(life.path)) as store:
        seconds, octets = _core(lambda: sum(map(len, lives.export(store, life.clock, agent=AGENT))))
    size = life.path.stat().st_size / MEGABYTE
    yield Figure(
        part=PART,
        what=f"mind life export, a store of {size:,.0f} MB",
        value=size / seconds,
        unit="MB of it per s of a core",
        least=30,
        beside=f"a file of {octets / MEGABYTE:,.0f} MB",
    )


def _forked(life: TurnsLife, into: Path, *, cycle: int) -> Figure:
    progress(f"{PART}: fork at {cycle:,}")
    with contextlib.closing(open_store(life.path)) as store:
        seconds, _ = _core(
            lambda: lives.fork(
                store,
                life.clock,
                life.chance,
                agent=AGENT,
                cycle=cycle,
                into=into,
                change=AgentChange(day_micros=5),
            )
        )
    return Figure(
        part=PART,
        what=f"mind life fork at cycle {cycle:,}",
        value=seconds,
        unit="s of a core",
        most=1,
    )


def _core(does: Callable[[], object]) -> tuple[float, object]:
    """Return how many seconds of a core something took, and what it returned."""
    begun = time.process_time()
    found = does()
    return time.process_time() - begun, found
