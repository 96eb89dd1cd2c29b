"""A long life of kills, rewinds, folded windows and strangers comes out the same, every cycle.

Promises 57 to 59.
"""

import contextlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.core.errors import InputOutputError
from mindpipe.knowledge.keys import SlotRules
from mindpipe.life.given import GIVEN
from mindpipe.life.verbs import life as lives
from mindpipe.store.access import open_store
from red import clock_unheard, fork_as_now, seal_unread
from support.broken_builds import broken
from support.elsewhere import ELSEWHERE
from support.life import AGENT
from support.proofs import proved, turned_red
from support.replays import opened, replayed
from support.rough_lives import RoughLife

pytestmark = [pytest.mark.heavy, pytest.mark.of_a_file]
TALES = ("observed_mark", "task", "run_wait", "ticket", "rewind", "compaction", "observation")
"""Tables in which a rough life leaves something, whatever its chance."""


# All of `TALES` is in so many cycles, often more than once; a cycle more costs more than the last.
SHORT = 300
CYCLES = (SHORT, pytest.param(10_000, marks=pytest.mark.long))
FORKED = 40
"""So many cycles of a life, at least, are lived again in its fork."""
FORKS = 10
A_FORK_EACH = 100
"""So many cycles of a long life are lived for each fork that is made of it, more than the first."""


@pytest.fixture(scope="module", params=CYCLES)
def life(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RoughLife:
    """Return a life of so many cycles, which no test changes."""
    life = RoughLife(tmp_path_factory.mktemp("long") / "life", seed=request.param)
    while life.cycles < request.param:
        life.day()
    return life


def lived_again_elsewhere(path: Path) -> str:
    """Return what a replay comes to where the zone, the locale and the order of sets are others."""
    script = f"""
import sys
from pathlib import Path
sys.path[:0] = {sys.path}
from support.replays import replayed
found, verdict = replayed(Path({str(path)!r}))
print(verdict.equal, found)
"""
    environment = {"HOME": str(path.parent), **ELSEWHERE[-1]}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_it_is_lived_again_and_proved(life: RoughLife) -> None:
    empty = [one for one in TALES if not life.value(f"SELECT count(*) FROM {one}")]
    assert (empty, life.styles) == ([], {"timeline", "continuous"})
    assert life.value("SELECT count(*) FROM task WHERE state IN ('done', 'failed')")
    assert life.value("SELECT count(*) FROM event WHERE priority = 0")
    found, verdict = replayed(life.path)
    assert found == []
    assert verdict.equal
    assert verdict.lived >= life.lived
    named = {table for one in GIVEN for table in one.tables}
    assert (verdict.given_cycles, set(verdict.given_rows) - named) == (0, set())
    # Of the everyday tier another, shorter life is lived again elsewhere.
    if life.cycles > SHORT:
        assert lived_again_elsewhere(life.path) == "True []\n"
    with contextlib.closing(open_store(life.path)) as store:
        check = lives.verify(
            lives.export(store, life.clock, agent=AGENT), name="ava.life", rules=SlotRules()
        )
        assert list(check.wrong()) == []
    proved(58, cycles=verdict.cycles, prompts=verdict.prompts, changes=verdict.changes, different=0)


def parted(life: RoughLife, into: Path, *, cycle: int) -> int:
    """Return in how many things a fork at the end of a cycle is not what its parent was then."""
    with contextlib.closing(open_store(life.path)) as store:
        lives.fork(
            store,
            life.clock,
            life.chance,
            agent=AGENT,
            cycle=cycle,
            into=into,
            change=AgentChange(),
        )
        with (
            lives.picture(store, agent=AGENT, cycle=cycle) as then,
            contextlib.closing(open_store(into)) as other,
            lives.picture(other, agent=AGENT, cycle=cycle) as now,
        ):
            return len(list(lives.diff(then, now)))


def test_its_forks_are_what_it_was(life: RoughLife, tmp_path: Path) -> None:
    known = life.rows(f"SELECT cycle FROM cycle_change WHERE agent = '{AGENT}'")
    forks = max(FORKS, life.cycles // A_FORK_EACH)
    chosen = random.Random(forks).choices(known, k=forks)
    for number, (cycle,) in enumerate(chosen):
        into = tmp_path / f"eva{number}.db"
        assert parted(life, into, cycle=cycle) == 0
        into.unlink()
    proved(59, forks=forks, different=0)


def test_a_fork_that_is_as_now_is_told_from_its_parent(life: RoughLife, tmp_path: Path) -> None:
    (cycle,) = life.rows(f"SELECT cycle FROM cycle_change WHERE agent = '{AGENT}' LIMIT 1")[0]
    with broken(fork_as_now.PATCHES):
        found = parted(life, tmp_path / "eva.db", cycle=cycle)
    assert found > 0
    turned_red(59, "fork_as_now", different=found)


def test_a_fork_is_lived_again_as_its_parent_is(tmp_path: Path) -> None:
    """Also where people approved, in the life that it left, what it answers from its record."""
    # Early in this life, of those with few seeds, a person approves something.
    life = RoughLife(tmp_path / "life", seed=7)
    executed = "SELECT count(*) FROM ticket WHERE state = 'executed'"
    while life.cycles < FORKED or not life.value(executed):
        life.day()
    into = tmp_path / "eva.db"
    life.day()
    known = life.rows(f"SELECT cycle FROM cycle_change WHERE agent = '{AGENT}'")
    assert parted(life, into, cycle=max(known)[0]) == 0
    with contextlib.closing(open_store(into)) as store, store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM recorded_answer")
    found, verdict = replayed(into)
    assert (found, verdict.equal) == ([], True)


def test_a_clock_that_is_not_heard_is_found(tmp_path: Path) -> None:
    life = RoughLife(tmp_path / "life", seed=3)
    with broken(clock_unheard.PATCHES):
        for _ in range(3):
            life.day()
    found, verdict = replayed(life.path)
    assert not verdict.equal
    turned_red(58, "clock_unheard", different=len(found))


def _unseen(octets: bytes, places: range | list[int]) -> list[int]:
    """Return the places at which another octet is not seen."""
    unseen = []
    for place in places:
        changed = bytearray(octets)
        changed[place] ^= 1 + place % 255
        with contextlib.suppress(InputOutputError):
            reader = opened([bytes(changed)])
            reader.skip()
            reader.finish()
            unseen.append(place)
    return unseen


@pytest.fixture(scope="module")
def octets(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a small life file."""
    life = RoughLife(tmp_path_factory.mktemp("small") / "life", seed=3)
    for _ in range(3):
        life.day()
    with contextlib.closing(open_store(life.path)) as store:
        return b"".join(lives.export(store, life.clock, agent=AGENT))


@pytest.mark.parametrize("share", [20, pytest.param(1, marks=pytest.mark.long)])
def test_another_octet_anywhere_in_its_file_is_found(octets: bytes, share: int) -> None:
    places = range(0, len(octets), share)
    assert _unseen(octets, places) == []
    proved(57, octets=len(places), unseen=0)


def test_a_build_that_does_not_read_the_seal_sees_less(octets: bytes) -> None:
    with broken(seal_unread.PATCHES):
        unseen = _unseen(octets, list(range(12)))
    assert unseen
    turned_red(57, "seal_unread", unseen=len(unseen))
