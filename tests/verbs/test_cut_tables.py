"""Tables on a terminal are as wide as that, a line for each row; --full shows all of it."""

import re

import pytest

from support.command import Mind
from support.terminals import on_terminals

LONG = " ".join(f"word{number:03}" for number in range(90))
MODEL = "program:/lamps/tall/answer"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def noted(mind: Mind) -> Mind:
    """Return an agent with a short note and a long one of two lines."""
    mind("init", "--agent", "ava")
    mind("note", "set", "--agent", "ava", "tea", "green")
    mind("note", "set", "--agent", "ava", "long", f"{LONG}\nEND")
    return mind


def seen(mind: Mind, *arguments: str, columns: int = 80) -> list[str]:
    """Return the lines of a terminal so wide."""
    shown = on_terminals(mind, [str(mind.program), *arguments], columns=columns).stdout
    return _COLOURS.sub("", shown).splitlines()


def test_a_row_is_one_line_of_the_terminal(noted: Mind) -> None:
    for columns in (60, 80, 120):
        lines = seen(noted, "note", "list", "--agent", "ava", columns=columns)
        assert len(lines) == 3, lines
        assert max(map(len, lines)) <= columns
        (long,) = [line for line in lines if "word000" in line]
        assert "…" in long
        assert "END" not in long


def test_full_shows_all(noted: Mind) -> None:
    words = " ".join(seen(noted, "note", "list", "--agent", "ava", "--full")).split()
    assert [word for word in LONG.split() if word not in words] == []
    assert "END" in words
    assert "…" not in " ".join(words)


def test_one_row_is_whole(noted: Mind) -> None:
    noted("note", "delete", "--agent", "ava", "tea")
    words = " ".join(seen(noted, "note", "list", "--agent", "ava")).split()
    assert [word for word in [*LONG.split(), "END"] if word not in words] == []


@pytest.mark.parametrize("agents", [("ava",), ("ava", "eva")])
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_no_heading_and_no_name_is_broken(
    mind: Mind, agents: tuple[str, ...], columns: int
) -> None:
    mind("init")
    for name in agents:
        mind("agent", "new", name, "--name", "Kit", "--model", MODEL)
    lines = seen(mind, "agent", "list", columns=columns)
    assert max(map(len, lines)) <= columns
    words = " ".join(lines).split()
    assert {"title", "model", "Kit", MODEL} <= set(words)


def test_a_narrow_terminal_gets_a_line_for_each_field(noted: Mind) -> None:
    lines = seen(noted, "note", "list", "--agent", "ava", columns=24)
    assert max(map(len, lines)) <= 24
    assert len([line for line in lines if "word" in line]) == 1


def test_a_pipe_has_no_width(noted: Mind) -> None:
    """A table in it is cut after some lines, as ever, or with --full not at all."""
    table = noted("note", "list", "--agent", "ava", "--table").text
    assert "more characters)" in table
    assert "word020" in table
    whole = noted("note", "list", "--agent", "ava", "--table", "--full").text
    assert "word089" in whole
    assert "more characters)" not in whole


def test_lines_are_never_cut(noted: Mind) -> None:
    assert LONG in noted("note", "list", "--agent", "ava", "--json").text
