"""A person is seen live on a terminal: what it feels, wants, thinks, and what is noted of it."""

import re
from pathlib import Path

import pytest

from support.command import Mind, make_private
from support.terminals import on_terminals

pytestmark = pytest.mark.heavy

RUN = ("simulate", "run", "mara.jsonl", "--until", "09:30", "--every", "5m")
EVENTS = (
    '{"kind":"event","at":"09:05","type":"speech","text":"Hello, Mara!","from":"husam"}\n'
    '{"kind":"event","at":"09:12","type":"injury","nrs":7,"text":"you fell on the stairs"}\n'
)
MAGENTA = "\x1b[35m"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
MOVES = re.compile(r"\x1b\[[?0-9;]*[A-Za-ln-z]|\r")


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"))
    made = mind("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "09:00").text
    (mind.folder / "mara.jsonl").write_text(made + EVENTS)
    return mind


def shown(mind: Mind, *options: str) -> str:
    """Return all that the terminal was sent by a run."""
    screen = on_terminals(mind, [str(mind.program), *RUN, *options])
    assert screen.stderr == ""
    return screen.stdout


def last(sent: str) -> list[str]:
    """Return the lines of the last picture of many, as people read them."""
    lines = COLOURS.sub("", MOVES.sub("", sent)).split("\n")
    (*_, first) = (place for place, line in enumerate(lines) if line.startswith("mara, "))
    return [line.rstrip() for line in lines[first:]]


def test_a_run_is_seen_live(mind: Mind) -> None:
    picture = last(shown(mind))
    assert picture[0] == "mara, 09:30:00, awake"
    assert picture[1].startswith("  wants: ")
    assert "  It is morning." in picture
    for name in ("arousal", "valence", "energy", "cortisol"):
        (curve,) = [line for line in picture if line.strip().startswith(f"{name} ")]
        assert len(set(curve) & set("▁▂▃▄▅▆▇█")) >= 2, curve
    assert [line for line in picture if re.match(r"09:2\d:\d\d spontaneous ", line)]
    assert [
        line for line in picture if re.match(r"09:2\d:\d\d \[REVIEW\]    After “you fell ", line)
    ]
    assert "━" * 40 + " 100% to 09:30:00" in picture


def test_the_picture_moves_while_the_person_lives(mind: Mind) -> None:
    sent = COLOURS.sub("", MOVES.sub("", shown(mind, "--speed", "600")))
    shares = {int(found) for found in re.findall(r"(\d+)% to 09:30:00", sent)}
    # How many pictures there is time for depends on the machine.
    assert min(shares) < max(shares) == 100


def test_notes_are_magenta_and_thoughts_are_not(mind: Mind) -> None:
    sent = shown(mind)
    notes = re.findall(r"(\x1b\[[0-9;]*m)?\d\d:\d\d:\d\d \[REVIEW\]", sent)
    assert notes
    assert set(notes) == {MAGENTA}
    assert not re.search(r"\x1b\[35m\d\d:\d\d:\d\d (?:spontaneous|react|respond)", sent)


def test_nothing_is_coloured_where_colours_are_not_welcome(mind: Mind) -> None:
    mind.environment["NO_COLOR"] = "1"
    sent = shown(mind)
    assert "[REVIEW]" in sent
    assert "\x1b[35m" not in sent
    assert "\x1b[36m" not in sent


def test_without_review_no_note_is_seen(mind: Mind) -> None:
    assert "[REVIEW]" not in shown(mind, "--no-review")


def test_lines_that_are_asked_for_come_on_a_terminal_too(mind: Mind) -> None:
    sent = shown(mind, "--json")
    assert '{"kind":"thought"' in sent
    assert "100% to" not in sent
