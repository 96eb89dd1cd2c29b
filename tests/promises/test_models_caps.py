"""Promise 29: no commit holds more than the cap, whoever thinks at the same time and is killed."""

import contextlib
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import CapReachedError
from mindpipe.core.events import NewEvent
from mindpipe.core.models import ModelRequest
from mindpipe.engine.records.journal import CycleLimits
from mindpipe.engine.verbs import think
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.io.clock import make_clock
from mindpipe.spending.records import Caps
from red import caps_checked_before
from support.broken_builds import broken
from support.command import Mind, end_leases, looked_into
from support.histories import PROGRAM
from support.life import KilledError, Life
from support.loopback.asking import KEY
from support.loopback.provider import Provider
from support.loopback.turns import Turn
from support.processes import Nursery
from support.proofs import proved, turned_red
from support.scripted_model import Scripted
from support.server_stores import ON_SERVER, make_at

THINKERS = 16
KILLED, DONE, NOTHING_DUE, REFUSED, TEMPORARY = -9, 0, 3, 4, 75
# One micro-dollar a token, so that every sum can be told by hand.
PRICES = """[prices."gpt-4o"]
input = 1000000
output = 1000000
cache_read = 1000000
cache_write = 1000000
"""
ROOM, SPENT = 200, 320
# What one reply may cost in a life in process, and a cap that lets one of two be asked for.
ROOM_FOR_ONE, CAP_FOR_ONE = 4096, 6000
ANSWER = Turn(text="Yes.", input_tokens=SPENT - ROOM, output_tokens=ROOM)
POINTS = (
    *("reserve.after_commit", "ask.before_send", "ask.mid_stream", "ask.after_reply"),
    *("record.before_commit", "record.after_commit", "turn.before_commit"),
)
# The store itself says after each change of the ledger what the whole of it comes to.
WATCH = "CREATE TABLE watched(micros INTEGER NOT NULL);" + "".join(
    f"CREATE TRIGGER watch_{action} AFTER {action} ON ledger BEGIN INSERT INTO watched "
    "SELECT sum(micros) FROM ledger WHERE state != 'void'; END;"
    for action in ("INSERT", "UPDATE")
)
WATCHON_SERVER = """
CREATE TABLE watched(micros BIGINT);
CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO watched SELECT sum(micros) FROM ledger WHERE state != 'void';
    RETURN NULL;
END $$;
CREATE TRIGGER watching AFTER INSERT OR UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION watch();
"""


def name(number: int) -> str:
    return f"a{number:02}"


def prepare(folder: Path, events: int) -> None:
    """Make a store with sixteen agents, events for each and a watched ledger."""
    path, clock, chance = folder / "mind.db", make_clock(None), make_chance(None)
    (folder / "models.toml").write_text(PRICES)
    with contextlib.closing(make_at(path, clock, chance)) as store:
        for number in range(THINKERS):
            change = AgentChange(reply_tokens=ROOM)
            agents.new(store, clock, chance, name=name(number), change=change)
            told = [NewEvent(agent=name(number), type="service", text="Is it so?")] * events
            for one in told:
                push_events(store, clock, chance, events=[one], bounds=Bounds())
    with looked_into(folder) as watched:
        watched.execute(WATCHON_SERVER if ON_SERVER else WATCH)


class Load(NamedTuple):
    """How much each agent has to do, how often it is killed meanwhile, and the cap of the day."""

    events: int
    deaths: int
    cap: int


@dataclass
class Thinker:
    """One agent's processes, one after the other; the first ones are killed."""

    nursery: Nursery
    folder: Path
    agent: str
    environment: dict[str, str]
    events: int
    deaths: Sequence[str]
    ended: Counter[int] = field(default_factory=Counter)

    def live(self) -> None:
        """Think until nothing is due or the cap says no."""
        left = list(self.deaths)
        for number in range(200):
            fails = {"MIND_TESTING": "1", "MIND_FAIL": f"{left.pop()}:kill"} if left else {}
            out = self.folder / f"{self.agent}-{number}"
            wish = ("think", "--agent", self.agent, "--model", "openai/gpt-4o")
            born = self.nursery.start(wish, out, {**self.environment, **fails})
            status = born.status()
            assert status in (KILLED, DONE, NOTHING_DUE, REFUSED, TEMPORARY), born.words()
            self.ended[status] += 1
            over = status in (NOTHING_DUE, REFUSED) or self.ended[DONE] == self.events
            if over and not left:
                return
            if status == KILLED:
                end_leases(self.folder, self.agent)
        raise AssertionError(f"{self.agent} does not come to an end")


def spend(
    folder: Path, provider: Provider, nursery: Nursery, load: Load
) -> tuple[Counter[int], list[int]]:
    """Let all agents think at once; return how their processes ended, and every sum there was."""
    chance = random.Random(29)
    prepare(folder, load.events)
    provider.follows(lambda _: ANSWER)
    environment = {
        "OPENAI_BASE_URL": provider.openai_url,
        "OPENAI_API_KEY": KEY,
        "MIND_CAPS_STORE_DAY_MICROS": str(load.cap),
    }
    thinkers = [
        Thinker(
            nursery,
            folder,
            name(number),
            environment,
            load.events,
            chance.choices(POINTS, k=load.deaths),
        )
        for number in range(THINKERS)
    ]
    with ThreadPoolExecutor(THINKERS) as threads:
        list(threads.map(Thinker.live, thinkers))
    with looked_into(folder) as store:
        sums = [int(micros) for (micros,) in store.execute("SELECT micros FROM watched")]
    return sum((one.ended for one in thinkers), Counter()), sums


@pytest.mark.heavy
@pytest.mark.parametrize(
    "load", [Load(1, 1, 14_000), pytest.param(Load(12, 6, 60_000), marks=pytest.mark.long)]
)
def test_sixteen_thinkers_who_are_killed_never_pass_the_cap_of_the_day(
    load: Load, mind: Mind, provider: Provider
) -> None:
    with contextlib.closing(Nursery(mind.folder, "support.loopback.openai_sdk")) as nursery:
        ended, sums = spend(mind.folder, provider, nursery, load)
    sys.stdout.write(f"{dict(ended)} {len(sums)} sums, at most {max(sums)} of {load.cap}\n")
    assert max(sums) <= load.cap
    # How many get so far before the cap is reached is a matter of who comes first.
    assert min(ended[KILLED], ended[DONE]) >= 1
    assert ended[REFUSED] >= 1
    assert max(sums) > load.cap // 2
    proved(29, sums=len(sums), above=0, killed=ended[KILLED], refused=ended[REFUSED])


def two_agents(folder: Path) -> Life:
    """Return a life in which another agent has something to do too."""
    life = Life(folder)
    life.push("Hello!")
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="bob", change=AgentChange())
        event = NewEvent(agent="bob", type="service", text="Hello!")
        push_events(store, life.clock, life.chance, events=[event], bounds=Bounds())
    return life


@contextlib.contextmanager
def between_check_and_reservation(step: Callable[[], None]) -> Iterator[None]:
    """Let a broken build take a step there, once."""

    def once() -> None:
        caps_checked_before.meanwhile.append(lambda: None)
        step()

    caps_checked_before.meanwhile.append(once)
    with broken(caps_checked_before.PATCHES):
        yield
    del caps_checked_before.meanwhile[1:]


def pass_between(life: Life, *, patched: bool) -> tuple[int, bool]:
    """Let an agent reserve and die while another is about to; return all that is reserved then."""
    model = Scripted(PROGRAM, {}, otherwise=(Turn(text="Hi."),))
    caps = Caps(store_day=CAP_FOR_ONE)
    sums: list[object] = []

    def listen(request: ModelRequest) -> None:
        sums.append(life.value("SELECT sum(micros) FROM ledger"))
        if "bob" in request.conversation.messages[-1].agent:
            raise KilledError

    def other() -> None:
        with life.open() as store, pytest.raises(KilledError):
            think.think(life.dependencies(store, model, caps), agent="bob", limits=CycleLimits())

    model.listen = listen
    refused = False
    try:
        if patched:
            with between_check_and_reservation(other):
                life.think(model, caps=caps)
        else:
            life.think(model, caps=caps, dies=("claim.after_commit", 1), meanwhile=other)
    except CapReachedError:
        refused = True
    return max(map(int, sums)), refused


def test_a_reservation_made_meanwhile_counts(tmp_path: Path) -> None:
    assert pass_between(two_agents(tmp_path / "life"), patched=False) == (ROOM_FOR_ONE, True)


def test_a_build_that_checks_before_its_transaction_overspends(tmp_path: Path) -> None:
    most, refused = pass_between(two_agents(tmp_path / "life"), patched=True)
    assert (most, refused) == (2 * ROOM_FOR_ONE, False)
    turned_red(29, "caps_checked_before", above=most - CAP_FOR_ONE)


@pytest.mark.long
def test_processes_of_a_build_that_checks_before_its_transaction_overspend(
    mind: Mind, provider: Provider
) -> None:
    load = Load(events=1, deaths=0, cap=5_000)
    with contextlib.closing(Nursery(mind.folder, "caps_checked_before")) as nursery:
        _, sums = spend(mind.folder, provider, nursery, load)
    assert max(sums) > load.cap
    turned_red(29, "caps_checked_before", above=max(sums) - load.cap, of_processes=THINKERS)
