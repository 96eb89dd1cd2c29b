"""Whatever a model says, and whoever dies of it: every event ends, and every history is valid."""

import collections
import random
import sys
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import IllegalStateError, MindError, NothingToDoError, RefusedError
from mindpipe.core.failpoints import FAILPOINTS
from mindpipe.engine.records.journal import CycleLimits
from support.histories import ANTHROPIC, CHAT, PROGRAM, RESPONSES
from support.life import AGENT, TOOLS, KilledError, Life
from support.scripted_model import Odd
from support.validation import faults_of

pytestmark = pytest.mark.heavy

KINDS = (ANTHROPIC, CHAT, RESPONSES, PROGRAM)
EVENTS, MOST_TRIES = 12, 90
LIMITS = CycleLimits(turns=5)
POINTS = [
    name
    for name in FAILPOINTS
    if name.split(".")[0] in {"claim", "reserve", "ask", "record", "store_tool", "act", "fold"}
]
SEEDS = [*range(2), *[pytest.param(n, marks=pytest.mark.long) for n in range(2, 100)]]


def any_agent(chance: random.Random) -> AgentChange:
    """Return settings of chance."""
    return AgentChange(
        tools=TOOLS,
        thinking_tokens=chance.choice((0, 2000)),
        max_tokens=chance.choice((60, 300, 100_000)),
        refresh=chance.choice(("append", "system")),
        batch=chance.choice((1, 3)),
    )


def think(life: Life, model: Odd, dies: tuple[str, int] | None = None) -> str:
    """Live one cycle, if there is one; return what came of it.

    Raises:
        IllegalStateError: a machine was asked for a step that it does not have.
    """
    try:
        return life.think(model, limits=LIMITS, dies=dies).outcome
    except KilledError:
        return "killed"
    except NothingToDoError:
        return "nothing"
    except IllegalStateError:
        raise
    except MindError as error:
        if isinstance(error, RefusedError):
            with life.open() as store:
                agents.set_(store, name=AGENT, change=AgentChange(paused=None))
        return type(error).__name__


def open_events(life: Life) -> object:
    return life.value("SELECT count(*) FROM event WHERE state IN ('ready', 'leased')")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_event_ends_and_every_history_is_valid(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    life, model = Life(tmp_path / "life", any_agent(chance)), Odd(KINDS[seed % 4], seed)
    came: collections.Counter[str] = collections.Counter()
    for _ in range(EVENTS):
        life.push(*["hello", "", "odd \x1b[31m"][: chance.choice((1, 1, 2, 3))])
        dies = (chance.choice(POINTS), chance.choice((1, 1, 2))) if chance.random() < 0.8 else None
        came[think(life, model, dies)] += 1
        life.clock.pass_time(chance.choice((0, 10, 400, 3000)))
    for _ in range(MOST_TRIES):
        came[think(life, model)] += 1
        if not open_events(life):
            break
        life.clock.pass_time(400)
    sys.stdout.write(f"seed {seed}: {dict(came)}\n")
    assert came["killed"] > 0
    assert open_events(life) == 0
    assert life.value("SELECT count(*) FROM cycle WHERE state = 'open'") == 0
    assert life.value("SELECT count(*) FROM post WHERE state = 'held'") == 0
    assert life.value("SELECT count(*) FROM ledger WHERE state = 'reserved'") == 0
    assert life.value("SELECT count(*) FROM call WHERE state IN ('planned', 'started')") == 0
    unsafe = collections.Counter(key for tool, key in life.sink.runs if tool == "unsafe")
    assert set(unsafe.values()) <= {1}
    assert faults_of(life.where) == []
