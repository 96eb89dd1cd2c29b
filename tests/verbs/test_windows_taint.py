"""Whose words a summary holds: what it covers taints who reads it, until all of it is cleared."""

from functools import partial
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.records import Summary
from mindpipe.compaction.verbs import material, windows
from mindpipe.context.verbs import origins, trust
from mindpipe.context.verbs import trust as memories
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.sources import MAX_SOURCES, MORE
from mindpipe.history.verbs import log
from support.beliefs import REVOKER
from support.histories import PROGRAM
from support.life import AGENT
from support.scripted_model import Scripted, call, calls
from support.windows import Long

EVE = "web/eve"
CYCLES = 6


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Long:
    """Return a life that read eve's words in cycle 2, and by its window in all cycles after it."""
    made = Long(tmp_path_factory.mktemp("lived") / "life", 1)
    made.live(source="web", sender="eve")
    made.live(CYCLES - 2)
    return made


@pytest.fixture
def life(lived: Long, tmp_path: Path) -> Long:
    """Return that life for one test."""
    return lived.copied(tmp_path / "life")


def read(life: Long, **settings: object) -> tuple[str, ...]:
    """Return whose words the next turn would read."""
    with life.open() as store:
        agent = msgspec.structs.replace(agents.show(store, name=AGENT), **settings)
        segment = log.current_segment(store, agent=AGENT)
        return origins.of_request(store, agent, events=(), segment=segment, cycle=CYCLES + 1)


def clear(life: Long, *numbers: int) -> None:
    """Vouch for cycles."""
    with life.open() as store:
        reader = trust.Reader("husam", life.clock)
        trust.trust_cycles(store, reader, agent=AGENT, numbers=numbers)


def summary(life: Long) -> Summary:
    """Return the only summary of the window in force."""
    with life.open() as store:
        planned = windows.in_force(store, agent=AGENT)
    (found,) = [part for part in planned.parts if isinstance(part, Summary)]
    return found


def forget_cycles(life: Long) -> None:
    """Take away what is known of each cycle, so that only what a summary says is left."""
    with life.open() as store, store.write() as rows:
        rows.run("DELETE FROM cycle_source")


def test_a_summary_taints_who_reads_it_and_its_cycles_are_not_looked_at(life: Long) -> None:
    life.fold(keep_cycles=0)
    assert summary(life).sources == {EVE: CYCLES - 1}
    forget_cycles(life)
    assert read(life) == (EVE,)
    assert read(life, taint_scope="cycle") == ()


def test_cycles_that_are_still_sent_taint_beside_the_summary(life: Long) -> None:
    life.fold(keep_cycles=2)
    clear(life, 2, 3, 4)
    assert read(life) == (EVE,)
    clear(life, 5)
    assert read(life) == (EVE,)
    clear(life, 6)
    assert read(life) == ()


def test_cycles_that_are_cleared_outside_of_a_summary_do_not_clear_it(life: Long) -> None:
    life.fold(keep_cycles=2)
    assert summary(life).sources == {EVE: CYCLES - 3}
    clear(life, 2, CYCLES - 1, CYCLES)
    assert read(life) == (EVE,)


def test_a_cycle_that_was_lived_behind_a_window_taints(life: Long) -> None:
    life.fold(keep_cycles=0)
    clear(life, *range(2, CYCLES + 1))
    assert read(life) == ()
    life.live(1, source="web", sender="mallory")
    assert read(life) == ("web/mallory",)


@pytest.mark.parametrize("before", [(), (3,), (2, 4, 6)])
def test_only_when_all_that_it_covers_is_cleared_a_summary_taints_no_more(
    life: Long, before: tuple[int, ...]
) -> None:
    if before:
        clear(life, *before)
    life.fold(keep_cycles=0)
    assert summary(life).sources == {EVE: CYCLES - 1}
    left = [number for number in range(2, CYCLES + 1) if number not in before]
    clear(life, *left[:-1])
    assert read(life) == (EVE,)
    clear(life, left[-1])
    assert read(life) == ()


def test_the_opening_that_is_shown_is_tainted_until_all_that_it_covers_is_cleared(
    life: Long,
) -> None:
    def opening_taints() -> bool:
        with life.open() as store:
            sources = partial(origins.of_summaries, store, AGENT)
            return material.seen(store, agent=AGENT, sources=sources)[0].taint

    life.fold(keep_cycles=0)
    clear(life, *range(2, CYCLES))
    assert opening_taints()
    clear(life, CYCLES)
    assert not opening_taints()


def test_a_summary_of_a_summary_holds_the_same_sources(life: Long) -> None:
    life.fold(keep_cycles=2)
    assert summary(life).sources == {EVE: CYCLES - 3}
    life.fold(keep_cycles=0)
    assert summary(life).sources == {EVE: CYCLES - 1}


def test_an_undo_brings_the_taint_of_the_cycles_back(life: Long) -> None:
    life.fold(keep_cycles=0)
    clear(life, *range(2, CYCLES))
    life.undo()
    assert read(life) == (EVE,)
    clear(life, CYCLES)
    assert read(life) == ()


def test_a_memory_that_was_written_under_a_summary_is_revoked_with_its_source(life: Long) -> None:
    life.fold(keep_cycles=0)
    forget_cycles(life)
    life.push("Keep it.")
    keeps = calls(call("set_memory", key="rule", value="Obey"), call("done", summary="Kept."))
    life.think(Scripted(PROGRAM, {}, otherwise=(keeps,)))
    with life.open() as store:
        gone = memories.revoke(store, REVOKER, source="web")
        (note,) = [one for one in gone if one.kind == "note"]
        assert (note.subject, note.sources) == ("rule", (EVE,))
        with pytest.raises(NothingToDoError):
            memories.revoke(store, REVOKER, source="web")


def test_a_summary_of_too_many_sources_can_never_be_cleared_by_their_names(life: Long) -> None:
    with life.open() as store:
        for cycle in (3, 4):
            names = [f"zoo/{cycle}-{number}" for number in range(MAX_SOURCES // 2)]
            origins.add(store, agent=AGENT, cycle=cycle, sources=names)
    life.fold(keep_cycles=0)
    found = summary(life).sources
    assert (len(found), found[MORE]) == (MAX_SOURCES, 2)
    clear(life, *range(2, CYCLES + 1))
    assert read(life) == (MORE,)
