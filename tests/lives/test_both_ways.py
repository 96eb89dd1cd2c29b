"""Every stage that reads plain files in the place of a store gives what it gives over a store."""

import contextlib
import random
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange, AgentFile
from mindpipe.context.verbs import prompts
from mindpipe.core.errors import MindError
from mindpipe.core.messages import Message
from mindpipe.core.records import to_json
from mindpipe.engine.agent_files import LifeFiles
from mindpipe.engine.agent_files import ScratchLife as FileLife
from mindpipe.engine.records.journal import CycleLimits
from mindpipe.engine.verbs import think
from mindpipe.history.verbs.history import show as messages
from support.command import Mind, make_private
from support.histories import PROGRAM
from support.life import AGENT, TOOLS, Life
from support.loopback.turns import Turn
from support.scripted_model import PLAYS, Play, call, calls
from support.stores import WordTokens
from support.windows import Reporting

pytestmark = pytest.mark.heavy

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
# names of those whose words nobody vouches for, of which files hold only that there are some; and
# what it remembers, which files do not.
_MADE_UP = re.compile(
    rb'[cegmopt]_[0-9A-Za-z]{22}|\\*"(segment|cycle)\\*":\d+|"raw":\{[^}]*\}\}?|as [^()]* had it|'
    rb'\\n\\nEPISODES \(.*?(?="\},?)'
)
# As long as the name that files give it, so that excerpts are cut at the same place.
SOURCES = ("operator", "operator", "mailbox")


def told(said: list[Message]) -> list[bytes]:
    """Return messages without what is made up."""
    return [_MADE_UP.sub(b"", to_json(message)) for message in said]


def cycle_over_files(life: Life, agent: AgentFile, history: Path, events: Path) -> list[Message]:
    """Live one cycle over files and return its messages."""
    files = FileLife(life.clock, life.chance, WordTokens())
    with contextlib.closing(files.store):
        found = files.settle(LifeFiles(agent, "agent", history, events), PROGRAM)
        deps = life.dependencies(files.store, Reporting(PROGRAM, SCENES))
        with contextlib.suppress(MindError):
            think.think(deps, agent=AGENT, limits=LIMITS)
        return list(files.new_messages(found))


def cycle_over_store(life: Life, since: int) -> list[Message]:
    """Live one cycle over the store and return its messages, all of them from `since` on."""
    with contextlib.suppress(MindError):
        life.think(Reporting(PROGRAM, SCENES), limits=LIMITS)
    with life.open() as store:
        return list(messages(store, agent=AGENT))[since:]


Pairs = Iterator[tuple[object, object]]
"""What a stage gave over files and over a store, which is the same."""


def lives(folder: Path, *, change: str, seeds: tuple[int, ...]) -> Pairs:
    """Live some lives of drawn scenes both ways, and yield the messages of each cycle."""
    folded = 0
    for seed in seeds:
        chance = random.Random(seed)
        place = make_private(folder / str(seed))
        life = Life(place / "life", CHANGES[change])
        with life.open() as store:
            agent = prompts.portray(store, name=AGENT)
        history, events = place / "history.jsonl", place / "events.jsonl"
        lived: list[Message] = []
        filed: list[Message] = []
        for number in range(1, CYCLES + 1):
            name, source = chance.choice(sorted(SCENES)), chance.choice(SOURCES)
            sys.stdout.write(f"seed {seed}: {name} from {source}\n")
            history.write_bytes(b"".join(to_json(message) + b"\n" for message in filed))
            event = {"id": f"e_{number}", "seq": number, "key": name, "pushed": life.clock.now()}
            known = {"agent": AGENT, "type": "service", "source": source, "text": f"play {name}"}
            events.write_bytes(to_json({**event, **known}) + b"\n")
            found = cycle_over_files(life, agent, history, events)
            life.push(f"play {name}", source=source)
            new = cycle_over_store(life, len(lived))
            yield told(found), told(new)
            lived += new
            filed += found
        assert {message.taint for message in lived} == {False, True}
        folded += life.value("SELECT count(*) FROM compaction")
    assert folded > 0 or change != "small window"


FILES = {
    "items": """\
{"id":"a1","text":"I live in Haren.","speaker":"Mia","at":"2024-04-20T09:00:00Z"}
{"id":"a2","text":"I live in Ystad now.","speaker":"Mia","at":"2024-05-20T09:00:00Z"}
{"key":"k","text":"We painted the boat green.","speaker":"Jon","significance":8,"tags":["boat"]}
{"id":"a4","text":"I liked tea.","learnt":"2024-05-01T00:00Z","retracted":"2024-06-01T00:00Z"}
""",
    "reflection": '{"id":"rf_may","text":"May went by with the boat.",'
    '"since":"2024-05-01T00:00:00Z","until":"2024-06-01T00:00:00Z"}',
    "lesson": '{"id":"ls_hull","text":"Sand the hull first.","when":"painting a boat"}',
    "entity": '{"name":"Vagabond","aliases":["the boat"],"profile":"A ketch.",'
    '"relations":[{"type":"owned-by","to":"mia","items":["a1"]}]}',
}
WRITTEN = "--reflections reflection --lessons lesson --entities entity"
NOW = "export MIND_NOW=2024-09-01T09:00:00Z MIND_SEED=1"
# The store is filled by the verbs, and files are made of the same lines by the filters.
FILL = f"""{NOW}
mind init --agent ava
mind memory add --agent ava items
for kind in reflection lesson entity; do mind $kind add --agent ava $kind; done
mind consolidate --agent ava
mind consolidate {WRITTEN} --marks marks < items > known
mind memory add --output settled items
mind agent new copy
mind memory add --agent copy settled
"""
HELD = "$(mind observation list --agent ava --csv | tail -n +2 | cut -d, -f1)"


def asked(folder: Path, *, ask: str, files: str, store: str = "--agent ava") -> Pairs:
    """Ask the same of files and of a store, and yield both answers."""
    mind = Mind(make_private(folder / "life"))
    for name, lines in FILES.items():
        (mind.folder / name).write_text(lines)
    filled = mind.shell(FILL)
    assert filled.status == 0, filled.words
    of_files, of_store = (mind.shell(f"{NOW}; {ask} {place}") for place in (files, store))
    assert (of_files.status, of_store.status) == (0, 0), of_files.words + of_store.words
    assert of_store.stdout
    yield of_files.stdout, of_store.stdout


STAGES: dict[str, Callable[[Path], Pairs]] = {
    **{f"think, {change}": partial(lives, change=change, seeds=(1, 16)) for change in CHANGES},
    "recall, items": partial(
        asked,
        ask='mind recall "Who paints the boat?"',
        files="--items items",
        store="--agent copy",
    ),
    "recall, every kind": partial(
        asked,
        ask='mind recall "Where does Mia live, on the boat in Haren?" --history',
        files=f"--items items {WRITTEN} --known known --marked marks",
    ),
    "memory add": partial(
        asked,
        ask="""kept() { mind memory list --archived "$@" | sed 's/"agent":"[a-z]*"//'; }; kept""",
        files="--agent copy",
    ),
    "observation list": partial(asked, ask="mind observation list --csv", files="--known known"),
    "observation list, then": partial(
        asked, ask="mind observation list --csv --as-of 2025-01-01", files="--known known"
    ),
    "observation show": partial(
        asked, ask=f"mind observation show {HELD} --csv", files="--known known"
    ),
    "knowledge audit": partial(
        # A store lists what is held as it came, a file as it is ranked.
        asked,
        ask="audited() { mind knowledge audit --now 2025-01-01 $@ | sort; }; audited",
        files="--known known",
    ),
}
MANY = {
    f"many, {change}": partial(lives, change=change, seeds=tuple(range(2, 32)))
    for change in CHANGES
}


@pytest.mark.parametrize(
    "stage", [*STAGES, *(pytest.param(n, marks=pytest.mark.long) for n in MANY)]
)
def test_a_stage_over_files_is_the_stage_over_a_store(stage: str, tmp_path: Path) -> None:
    for over_files, over_store in {**STAGES, **MANY}[stage](tmp_path):
        assert over_files == over_store
