"""The window of a prompt: a bar where somebody looks on, and nothing but rows for others."""

from pathlib import Path

import pytest

from mindpipe.context.records import LeftOut
from mindpipe_cli.context import names
from support.command import ROOT, Mind, make_private
from support.terminals import on_terminals


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    made = Mind(make_private(tmp_path / "life"))
    answer = (ROOT / "fixtures" / "cases" / "context" / "answer").read_bytes()
    program = made.folder / "answer"
    program.write_bytes(answer)
    program.chmod(0o700)
    made("init", "--agent", "ava")
    made("agent", "set", "ava", "--style", "timeline")
    made("inbox", "push", "--agent", "ava", "--text", "Hello.")
    return made


def test_a_person_sees_a_bar_below_the_table(mind: Mind) -> None:
    command = [str(mind.program), "context", "budget", "--agent", "ava"]
    shown = on_terminals(mind, [*command, "--model", "program:./answer"])
    assert shown.stderr == ""
    table, bar = shown.stdout.split("█", 1)
    assert "observations" in table
    assert bar.count("█") > 50
    assert "█ system" in bar


def test_a_pipe_gets_records_alone(mind: Mind) -> None:
    done = mind("context", "budget", "--agent", "ava", "--model", "program:./answer")
    assert [one["section"] for one in done.records()][:2] == ["system", "observations"]
    assert "█" not in done.stdout.decode()


def test_records_side_by_side_are_named_as_one() -> None:
    def out(block: str, place: int) -> LeftOut:
        return LeftOut(block=block, place=place, of=9, tokens=1, words="")

    left = [out("A", 1), out("A", 2), out("A", 3), out("A", 7), out("B", 1)]
    assert list(names(left)) == ["A 1-3 of 9", "A 7 of 9", "B 1 of 9"]
