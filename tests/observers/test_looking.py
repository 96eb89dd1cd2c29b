"""A person who looks at a terminal takes nothing away from whom events are delivered to."""

from support.command import Mind
from support.terminals import on_terminals

CONFIG = """
agent: ava
root: notes
observation_points: {notes: [{path: "*.md", observer: Notes}]}
"""
LOOK = ("observe", "files", "--config", "observe.yaml", "--once")


def test_what_a_terminal_showed_is_delivered_afterwards(mind_with_agent: Mind) -> None:
    mind = mind_with_agent
    (mind.folder / "observe.yaml").write_text(CONFIG)
    (mind.folder / "notes").mkdir()
    mind.run(*LOOK, "--deliver")
    (mind.folder / "notes" / "a.md").write_text("one")
    screen = on_terminals(mind, [str(mind.program), *LOOK])
    assert "a.md was created" in screen.stdout
    assert screen.stderr.count("\n") == 1, screen.stderr
    assert "not remembered as seen" in screen.stderr
    delivered = mind.run(*LOOK, "--deliver")
    assert delivered.status == 0
    assert b"a.md was created" in delivered.stdout


def test_state_in_a_file_is_kept_on_a_terminal_too(mind_with_agent: Mind) -> None:
    mind, look = mind_with_agent, (*LOOK, "--since-state", "seen.json")
    (mind.folder / "observe.yaml").write_text(CONFIG)
    (mind.folder / "notes").mkdir()
    mind.run(*look)
    (mind.folder / "notes" / "a.md").write_text("one")
    assert "a.md was created" in on_terminals(mind, [str(mind.program), *look]).stdout
    assert mind.run(*look).status == 3
