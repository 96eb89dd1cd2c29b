"""Any life gives the same messages over a store and over plain files, cycle by cycle."""

import contextlib
import random
import re
import sys
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange, AgentFile
from mindpipe.context.verbs import prompts
from mindpipe.core.errors import MindError
from mindpipe.core.messages import Message
from mindpipe.core.records import to_json
from mindpipe.engine.records.journal import CycleLimits
from mindpipe.engine.scratch import LifeFiles
from mindpipe.engine.scratch import ScratchLife as FileLife
from mindpipe.engine.verbs import think
from mindpipe.history.verbs.history import show as messages
from support.histories import PROGRAM
from support.life import AGENT, TOOLS, Life
from support.loopback.turns import Turn
from support.scripted_model import PLAYS, Play, call, calls
from support.stores import WordTokens
from support.windows import Reporting

CYCLES = 10
LIMITS = CycleLimits(turns=4)
# Files do not hold what others said in a space, nor that a request failed.
_NOT_IN_FILES = {"works", "too long", "refused request", "lost thinking late"}
SCENES: dict[str, Play] = {
    **{name.replace(" ", "_"): PLAYS[name] for name in PLAYS.keys() - _NOT_IN_FILES},
    "remembers": (
        calls(call("set_memory", key="tea", value="green"), call("set_goal", text="Win")),
        calls(call("get_goals"), call("get_memory", key="tea"), text="More."),
        Turn(text="Done."),
    ),
    "forgets": (calls(call("delete_memory", key="tea")), Turn(text="Gone.")),
    "moves": (
        calls(call("enter_space", space="work"), call("send_message", text="At work")),
        calls(call("leave_space")),
        Turn(text="Left."),
    ),
    "stays": (calls(call("enter_space", space="work")), Turn(text="There.")),
    "plans": (calls(call("set_plan", title="Tea", cron="0 9 * * *")), Turn(text="Planned.")),
    "searches": (calls(call("search_history", query="Win")), Turn(text="Found.")),
    "remembers itself": (calls(call("read_history", cycle=1)), Turn(text="That was it.")),
}
CHANGES = {
    "append": AgentChange(tools=TOOLS),
    "system": AgentChange(tools=TOOLS, refresh="system"),
    "small window": AgentChange(tools=TOOLS, max_tokens=900, min_recent_cycles=2, min_saving=1),
}
# What a run makes up, or a store counts that files cannot: ids, cycles that left no trace, and the
# names of those whose words nobody vouches for, of which files hold only that there are some.
_MADE_UP = re.compile(
    rb'[cegmopt]_[0-9A-Za-z]{22}|\\*"(segment|cycle)\\*":\d+|"raw":\{[^}]*\}\}?|as [^()]* had it'
)
# As long as the name that files give it, so that excerpts are cut at the same place.
SOURCES = ("operator", "operator", "mailbox")


def told(said: list[Message]) -> list[bytes]:
    """Return messages without what is made up."""
    return [_MADE_UP.sub(b"", to_json(message)) for message in said]


def over_files(life: Life, agent: AgentFile, history: Path, events: Path) -> list[Message]:
    """Live one cycle over files and return its messages."""
    files = FileLife(life.clock, life.chance, WordTokens())
    with contextlib.closing(files.store):
        found = files.settle(LifeFiles(agent, "agent", history, events), PROGRAM)
        deps = life.dependencies(files.store, Reporting(PROGRAM, SCENES))
        with contextlib.suppress(MindError):
            think.think(deps, agent=AGENT, limits=LIMITS)
        return list(files.new_messages(found))


def over_store(life: Life, since: int) -> list[Message]:
    """Live one cycle over the store and return its messages, all of them from `since` on."""
    with contextlib.suppress(MindError):
        life.think(Reporting(PROGRAM, SCENES), limits=LIMITS)
    with life.open() as store:
        return list(messages(store, agent=AGENT))[since:]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    "seed",
    [1, 16, *[pytest.param(n, marks=pytest.mark.long) for n in range(2, 32) if n != 16]],
)
def test_a_life_over_files_is_the_life_over_a_store(change: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    life = Life(tmp_path / "life", CHANGES[change])
    with life.open() as store:
        agent = prompts.portray(store, name=AGENT)
    history, events = tmp_path / "history.jsonl", tmp_path / "events.jsonl"
    lived: list[Message] = []
    filed: list[Message] = []
    for number in range(1, CYCLES + 1):
        name, source = chance.choice(sorted(SCENES)), chance.choice(SOURCES)
        sys.stdout.write(f"{name} from {source}\n")
        history.write_bytes(b"".join(to_json(message) + b"\n" for message in filed))
        event = {"id": f"e_{number}", "seq": number, "key": name, "pushed": life.clock.now()}
        known = {"agent": AGENT, "type": "service", "source": source, "text": f"play {name}"}
        events.write_bytes(to_json({**event, **known}) + b"\n")
        found = over_files(life, agent, history, events)
        life.push(f"play {name}", source=source)
        new = over_store(life, len(lived))
        assert told(found) == told(new)
        lived += new
        filed += found
    assert {message.taint for message in lived} == {False, True}
    folded = life.value("SELECT count(*) FROM compaction")
    assert folded > 0 or change != "small window" or seed > 1
