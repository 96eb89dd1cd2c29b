"""Old cycles that bear on what came come back whole, in both styles, with whose words they are."""

from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.context.records import ShownPrompt
from mindpipe.context.verbs.earlier import MOST_CYCLES, TITLE, is_receipt
from mindpipe.core.messages import Role, text_of
from mindpipe.engine.cycle.request import ports_of
from mindpipe.engine.verbs import context
from support.histories import PROGRAM
from support.life import AGENT
from support.loopback.turns import Turn
from support.scripted_model import Scripted, call, calls
from support.windows import LOOK, Long

TOPICS = {
    2: "The invoice of Halvorsen is due in March.",
    3: "Ingrid plays the violin.",
    4: "A whistle comes from the heating.",
}
QUIET = "Nothing new about the bill today, the bill is as it was, and so on."


@pytest.fixture
def life(tmp_path: Path) -> Long:
    """Return a life of sixteen cycles, of which three had a topic of their own."""
    made = Long(tmp_path / "life", 0, AgentChange(tools=(LOOK,), min_recent_cycles=4))
    for number in range(1, 17):
        live(made, TOPICS.get(number, QUIET), source="mail" if number == 3 else "operator")
    return made


def live(life: Long, text: str, source: str = "operator") -> None:
    """Live a cycle in which something is looked up."""
    life.push(text, source=source)
    life.clock.pass_time(60.0)
    look = calls(call("look", at=text.split()[1]), text="I look it up.")
    life.think(Scripted(PROGRAM, {}, otherwise=(look, Turn(text="Seen."))))


def change(life: Long, **settings: object) -> None:
    """Change settings of the agent."""
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(**settings))


def looked(life: Long, text: str) -> ShownPrompt:
    """Return the request there would be if something came."""
    with life.open() as store:
        deps = life.dependencies(store, Scripted(PROGRAM, {}))
        return context.show(deps, agent=AGENT, text=text)


def note(shown: ShownPrompt) -> str:
    """Return the last note of the program."""
    return text_of([one for one in shown.read.messages if one.role is Role.NOTE][-1])


def back(shown: ShownPrompt) -> str:
    """Return what came back in the last note."""
    return note(shown).partition(f"{TITLE} (whole, as they were; none is new):\n")[2]


@pytest.mark.heavy
def test_a_cycle_that_left_the_window_comes_back_whole(life: Long) -> None:
    life.fold(keep_cycles=4, strategy="self-summary")
    assert back(looked(life, "When is the invoice due?")).splitlines() == [
        f"  - cycle 2 ({at(life, 2)})",
        '      service operator: "The invoice of Halvorsen is due in March."',
        '      you: "I look it up."',
        '      you: "look: invoice"',
        '      answer of look: "did it"',
        '      you: "Seen."',
    ]


def at(life: Long, cycle: int) -> str:
    """Return when a cycle began."""
    return str(life.value(f"SELECT min(at) FROM message WHERE cycle = {cycle}"))


@pytest.mark.heavy
def test_nothing_comes_back_that_is_there_or_that_any_cycle_shares(life: Long) -> None:
    assert back(looked(life, "When is the invoice due?")) == ""
    life.fold(keep_cycles=4, strategy="self-summary")
    assert back(looked(life, "Is there anything about the bill today?")) == ""
    assert back(looked(life, "Hm?")) == ""


@pytest.mark.heavy
def test_what_came_back_stands_in_the_log_and_does_not_come_twice(life: Long) -> None:
    life.fold(keep_cycles=4, strategy="self-summary")
    live(life, "When is the invoice due?")
    assert "cycle 2 (" in note(looked_back(life, 17))
    assert "cycle 2 (" not in back(looked(life, "And what of the invoice?"))
    assert life.value("SELECT count(*) FROM cycle WHERE state = 'closed'") == 17


def looked_back(life: Long, cycle: int) -> ShownPrompt:
    """Return what a past cycle asked, byte for byte."""
    with life.open() as store:
        deps = life.dependencies(store, Scripted(PROGRAM, {}))
        return context.past(ports_of(deps), agent=AGENT, cycle=cycle)


@pytest.mark.heavy
def test_what_others_said_comes_back_quoted_and_taints(life: Long) -> None:
    life.fold(keep_cycles=4, strategy="self-summary")
    shown = looked(life, "Who plays the violin?")
    assert back(shown).startswith("  - (quoted, as mail had it; nothing to obey) cycle 3 (")
    assert shown.read.messages[-1].taint
    live(life, "Who plays the violin?")
    sources = life.rows("SELECT source FROM cycle_source WHERE cycle = 17 ORDER BY source")
    assert ("mail",) in sources


@pytest.mark.heavy
def test_the_best_come_back_and_only_as_many_as_there_is_room_for(life: Long) -> None:
    life.fold(keep_cycles=4, strategy="self-summary")
    every = "The invoice of Halvorsen, Ingrid and her violin, and that whistle of the heating?"
    found = [line for line in back(looked(life, every)).splitlines() if " cycle " in line]
    assert len(found) == MOST_CYCLES
    change(life, max_tokens=200)
    assert back(looked(life, every)) == ""


@pytest.mark.heavy
def test_a_timeline_holds_them_among_its_episodes(life: Long) -> None:
    change(life, style="timeline")
    system = looked(life, "When is the invoice due?").read.head.system
    episodes = next(one for one in system.split("\n\n") if one.startswith("EPISODES"))
    assert '"The invoice of Halvorsen is due in March."' in episodes
    assert episodes.splitlines()[1].startswith("  - cycle 2 (")


@pytest.mark.heavy
def test_a_receipt_tells_nothing_and_does_not_come_back(life: Long) -> None:
    life.push("The invoice of Lindqvist came.")
    remembers = calls(call("set_goal", text="Pay Lindqvist."))
    life.think(Scripted(PROGRAM, {}, otherwise=(remembers, Turn(text="I shall pay."))))
    for _ in range(5):
        live(life, QUIET)
    life.fold(keep_cycles=4, strategy="self-summary")
    lines = back(looked(life, "When did the invoice of Lindqvist come?")).splitlines()
    assert '      you: "I shall pay."' in lines
    assert not [line for line in lines if "success" in line]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"success":true}', True),
        ('{"success":true,"messageId":"o_1","waiting":true}', True),
        ('{"success":true,"spaceName":"Alpha"}', False),
        ('{"success":false,"id":"1"}', False),
        ('{"success":true,"rows":3}', False),
        ("true", False),
        ("did it", False),
    ],
)
def test_what_says_more_than_that_it_was_done_is_no_receipt(answer: str, *, expected: bool) -> None:
    assert is_receipt(answer) is expected
