"""Promise 31: no control sequence that somebody else wrote reaches a terminal, whoever shows it."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from mindpipe.core.text import terminal_text
from support.command import BIN, ROOT, Mind, forked_python, make_private
from support.every_command import COMMAND_LINES, Step, beginning, fill, step, walk
from support.hostile import SEQUENCES, WORDS
from support.proofs import proved, turned_red
from support.terminals import Screen, on_terminals

pytestmark = pytest.mark.of_a_file
MANY = ROOT / "tests" / "support" / "batch.py"
RED = ROOT / "tests" / "red" / "terminal_without_emit.py"
# What Unicode and ECMA-48 call so, written down apart from the product's own table.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# Our own: colours, and on stderr how the bar of progress is drawn.
COLOUR = re.compile(r"\x1b\[(?:0|1|2|3|1;3[0-9]|2;3|3[0-9]|39)m")
BAR = re.compile(r"\x1b\[(?:\?25[lh]|2K|1A|38;5;\d+m|1;3\dm|38;2;[\d;]+m|\d+(?:;\d+)*m)|\r")


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Let an agent live through the words, and put them wherever else they may stand."""
    mind = Mind(make_private(tmp_path_factory.mktemp("past") / "life"))
    for one in shown_by(mind, beginning(mind.folder, WORDS)):
        assert one.status == 0, one
    fill(mind.folder / "mind.db", WORDS)
    found = mind("store", "query", "SELECT count(*) AS n FROM message WHERE cycle > 0").record()
    assert found["n"] >= 5
    return mind.folder


@pytest.fixture
def lived(mind: Mind, past: Path) -> Mind:
    """Return a copy of that life."""
    return mind.like(past)


@dataclass
class Shown:
    """What one command line showed, and its status."""

    step: Step
    screen: Screen
    status: int


def shown_by(mind: Mind, steps: Sequence[Step], program: Path = MANY) -> list[Shown]:
    """Run the steps one after the other and return what each showed."""
    wish = [(one.arguments, one.stdin.decode("utf-8", "surrogateescape")) for one in steps]
    (mind.folder / "many.json").write_text(json.dumps(wish))
    python, many = str(forked_python()), str(mind.folder / "many.json")
    screen = on_terminals(mind, [python, str(program), many])
    out = re.split("\x1e\\d+\x1e", screen.stdout)[1:]
    err = re.split("\x1e\\d+\x1e", screen.stderr)[1:]
    assert len(out) == len(err) == len(steps), screen.stderr[-2000:]
    found = []
    for one, left, right in zip(steps, out, err, strict=True):
        words, _, end = right.rpartition("\x1e=")
        found.append(Shown(one, Screen(left, words), int(end.rstrip("\x1e") or -1)))
    return found


def leaks(found: Shown) -> list[str]:
    """Return what reached a terminal and should not have."""
    out, err = COLOUR.sub("", BAR.sub("", found.screen.stdout)), BAR.sub("", found.screen.stderr)
    return [f"{found.step.name}: {one!a}" for one in FORBIDDEN.findall(out + err)]


@pytest.mark.heavy
def test_no_sequence_reaches_a_terminal_by_any_command(lived: Mind) -> None:
    steps = walk(lived, WORDS)
    missing = COMMAND_LINES - {one.name for one in steps} - {"init"}
    assert not missing, f"no step of tests/support/every_command.py shows {sorted(missing)}"
    found = shown_by(lived, steps)
    assert [leak for one in found for leak in leaks(one)] == []
    for one in found:
        assert "Traceback" not in one.screen.stderr, one.screen.stderr
    # The words were there to be shown: their harmless rests were.
    told = {one.step.name for one in found if re.search(r"\b\d+\(", str(one.screen))}
    assert len(SEQUENCES) >= 40
    assert len(told) >= 30, sorted(told)
    proved(31, sequences=len(SEQUENCES), commands=len({one.step.name for one in found}),
           shown=len(told), leaks=0)  # fmt: skip


@pytest.mark.heavy
def test_a_build_without_the_one_door_leaks(lived: Mind) -> None:
    steps = [step("inbox list --agent ava --table"), step("inbox list --agent ava --json"),
             step("history show --agent ava"), step("goal list --agent ava --csv")]  # fmt: skip
    found = [len(leaks(one)) for one in shown_by(lived, steps, RED)]
    assert min(found) >= 1, found
    turned_red(31, "terminal_without_emit", leaks=sum(found))


def test_a_ticket_shows_what_others_remove(lived: Mind) -> None:
    ticket = lived("store", "query", "SELECT id FROM ticket LIMIT 1").record()["id"]
    shapes = ["ticket list --agent ava --every --table", "ticket list --agent ava --every --json",
              f"ticket show {ticket}", f"ticket show {ticket} --json"]  # fmt: skip
    for one in shown_by(lived, [step(line) for line in shapes]):
        together = re.sub(r"\s+", "", COLOUR.sub("", one.screen.stdout))
        assert leaks(one) == []
        for escape in ("u001b", "u202e", "u200b"):
            assert f"\\{escape}" in together, (one.step.arguments, escape)


@pytest.mark.parametrize("name", SEQUENCES)
def test_each_sequence_is_removed_whole(name: str) -> None:
    text = terminal_text(f"a{SEQUENCES[name]}")
    assert not FORBIDDEN.search(text)
    if SEQUENCES[name].startswith(("\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x9d", "\x90")):
        assert text in {"a", "athere"}


def test_a_query_is_shown_without_its_sequences(mind_with_store: Mind) -> None:
    sql = "select char(27) || '[31mred' || char(7) || char(8238) as \"\x1b]0;title\x07name\""
    shapes = ("--json", "--table", "--csv", "--tsv")
    for one in shown_by(mind_with_store, [step("store query", sql, shape) for shape in shapes]):
        assert leaks(one) == []
        assert "red" in one.screen.stdout
        assert "name" in one.screen.stdout


def test_a_pipe_gets_what_is_there(mind_with_store: Mind) -> None:
    sql = "select char(27) || '[31mred'"
    assert "\x1b[31mred" in mind_with_store("store", "query", sql, "--csv").text


@pytest.mark.long
def test_no_sequence_reaches_a_terminal_by_a_process_of_its_own(lived: Mind) -> None:
    for one in walk(lived, WORDS):
        screen = on_terminals(lived, [str(BIN / "mind"), *one.arguments], one.stdin)
        assert leaks(Shown(one, screen, 0)) == []
