"""A filter to which nothing comes prints nothing and is done, so that no pipe fails of it.

It says on stderr that nothing came, and where the store is what was meant how to give that.
"""

import re
from pathlib import Path

import click
import pytest

from mindpipe_cli.options import AgentOrInput
from support.command import Mind
from support.every_command import beginning, declared_commands

pytestmark = pytest.mark.heavy

DONE = 0
_TOLD = r"mind [a-z ]+: read 0 lines: stdin is empty\.(?: For [^\n]+\.)?\n"
EMPTY = {"no byte": b"", "blank lines": b"\n\n", "blanks": b" \n\t\n"}
FILES = frozenset({"file", "iterations", "lines", "queries", "readouts"})
"""Parameters that name what is read as records, which may be stdin."""
NO_FILTERS = {
    ("life import", "file"): "a sealed life is never empty",
    ("life verify", "file"): "a sealed life is never empty",
    ("simulate talk", "file"): "a person's lines, to which stdin is what is said",
    ("store backup", "file"): "is written",
    ("store restore", "file"): "a store",
    ("config check", "file"): "settings, which may be empty",
    ("models count", "file"): "counts, also to none",
    **dict.fromkeys(
        (("think", "file"), ("act", "file"), ("reflect", "file")),
        "a phase, whose loop ends by status 3 where nothing came",
    ),
}
LINES = """
space post family --as husam --lines -
inbox push --agent ava
inbox push --agent ava --on-error skip --rejects rejects
inbox ack
inbox ack -
inbox release --reason later
inbox extend
history search --agent ava --queries -
history export --format anthropic
history import --agent ava --format openai-chat
history import --agent ava --format claude-code
history import --format openai-chat
history import --format llm
history import --format letta
history import --agent ava --format chatgpt --grown
history check --for anthropic
history check --for mindpipe
compact
compact --output window
compact --strategy anchored
compact plan
compact diff
compact apply
decide
decide -
reflect --iterations -
memory add --agent ava
memory add --agent ava --format mem0
memory add --output items
memory extract
recall --items items --queries -
recall --agent ava --queries -
recall --items - --queries empty
observation list --known -
observation show --known - ob_0
observation revalidate --known -
knowledge audit --known -
consolidate
consolidate --reader parsed
consolidate --known empty --lessons empty --verdicts empty
reflection add --agent ava
lesson add --agent ava
entity add --agent ava
simulate tick
simulate tick --think
simulate run --until 1h
simulate plot
simulate plot arousal - --output drawn.html
simulate import people
complete --model program:./answer
complete --model program:./answer --file -
feel
salience
feedback
review
view -
"""


def read() -> set[tuple[str, str]]:
    """Return every parameter by which a command is given records."""
    return {
        (name, str(one.name))
        for name, command in declared_commands()
        for one in command.params
        if one.name in FILES or one.default == "-" or isinstance(one, AgentOrInput)
    }


def tried() -> set[tuple[str, str]]:
    """Return every parameter that a line gives nothing to, be it by leaving it out."""
    found: set[tuple[str, str]] = set()
    every = sorted(declared_commands(), key=lambda one: -len(one[0]))
    for line in LINES.split("\n")[1:-1]:
        name, command = next(one for one in every if f"{line} ".startswith(f"{one[0]} "))
        words = line.removeprefix(name).split()
        values, _, _ = command.make_parser(click.Context(command)).parse_args(words)
        for one in command.params:
            given = values.get(str(one.name))
            left_out = isinstance(one, click.Argument | AgentOrInput) and not isinstance(given, str)
            if given == "-" or left_out:
                found.add((name, str(one.name)))
    return found


def test_every_filter_is_tried() -> None:
    assert read() - set(NO_FILTERS) - tried() == set()


@pytest.mark.parametrize("kind", EMPTY)
def test_a_filter_of_nothing_prints_nothing(tmp_path: Path, kind: str) -> None:
    mind = Mind(tmp_path)
    for step in beginning(tmp_path, "lamp"):
        mind(*step.arguments, stdin=step.stdin)
    (tmp_path / "empty").write_bytes(EMPTY[kind])
    (tmp_path / "items").write_text('{"id": "i", "text": "I drink tea.", "speaker": "jo"}\n')
    ran = [mind.run(*line.split(), stdin=EMPTY[kind]) for line in LINES.split("\n")[1:-1]]
    said = [(" ".join(one.arguments), one.status, one.stdout, one.words) for one in ran]
    assert [one for one in said if one[1:3] != (DONE, b"")] == []
    told = [one[3] for one in said if one[3]]
    assert [words for words in told if not re.fullmatch(_TOLD, words)] == []
    assert len(told) > len(said) / 2 or kind != "no byte"
