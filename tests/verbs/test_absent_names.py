"""Whatever a command is told by name, id or number and is not there ends with one status."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mindpipe_cli.options import StoredId
from support.command import Mind
from support.every_command import beginning, declared_commands

pytestmark = pytest.mark.heavy

USAGE = 2
NAMES = frozenset(
    {"agent", "branch", "cycle", "cycles", "entity", "first", "keys", "name", "person", "second"}
    | {"space", "upto"}
)
"""Parameters that name something, besides those that are ids."""
MADE = frozenset(
    {("init", "agent"), ("agent new", "name"), ("space new", "space"), ("concern add", "name")}
    # Where something was said may be a place that no store knows.
    | {("inbox push", "space")}
    # What is fetched, checked, and whose key, is of a list that help shows; how many is no name.
    | {("models fetch", "name"), ("models key", "name"), ("plugin check", "name")}
    | {("run", "cycles")}
    # It asks on a terminal, and says so first.
    | {("ticket review", "agent")}
    # These deliver as observe files does; where nothing is delivered, whose it is is a label.
    | {(f"observe {kind}", "agent") for kind in ("git", "http", "processes", "program")}
)
"""What a command makes, and what is no name in the store."""
NONE = ("nobody", "x_0", "99", "ava@99")
HASH = "0" * 64
LINES = f"""
agent clearances nobody
agent fork nobody eva
agent set nobody --style timeline
agent show nobody
agent trust list nobody
life diff nobody ava
life diff ava nobody
life diff ava@99 ava
life export nobody
life export ava --at 99
life export ava --branch 99
life fork nobody --as eva
life fork ava --at 99 --as eva
life fork ava --without nobody --as eva
life replay nobody
life replay ava --upto 99
life redact nobody
life rewind nobody --to 1
life rewind ava --to 99
life rewind ava --branch 99
space join nobody ava
space join family nobody
space leave nobody ava
space leave family nobody
space members nobody
space set nobody --respond-limit 3
space post nobody --as husam Hello
space post family --as husam Hello --reply-to x_0
space read nobody
space seen nobody ava
space seen family nobody
space seen family ava --post x_0
inbox ack x_0 --epoch 1
inbox claim --agent nobody
inbox dead x_0 --reason so
inbox extend x_0 --epoch 1
inbox list --agent nobody
inbox push --agent nobody --text Hello
inbox redrive x_0
inbox redrive --agent nobody --all
inbox release x_0 --epoch 1 --reason so
inbox trust x_0
inbox watch --agent nobody --timeout 0
plan add --agent nobody Report --after 1h
plan due --agent nobody
plan list --agent nobody
plan remove x_0
plan remove --agent nobody x_0
plan retry x_0
plan retry --agent nobody x_0
plan trust --agent ava x_0
plan trust --agent nobody x_0
plan windows --agent ava x_0
plan windows --agent nobody
goal add --agent nobody Rest
goal list --agent nobody
goal remove --agent ava x_0
goal remove --agent nobody x_0
goal set --agent ava x_0 Rest
goal set --agent nobody x_0 Rest
goal trust --agent ava x_0
goal trust --agent nobody x_0
note delete --agent nobody k
note get --agent nobody k
note get --agent ava nobody
note delete --agent ava nobody
note list --agent nobody
note set --agent nobody k v
note trust --agent nobody k
note trust --agent ava nobody
concern add --agent nobody lamp --about keyword:lamp
concern attend --agent nobody
concern focus --agent nobody lamp
concern focus --agent ava nobody
concern list --agent nobody
concern remove --agent nobody lamp
concern remove --agent ava nobody
concern set --agent nobody lamp --boost 1
concern set --agent ava nobody --boost 1
task add Look --agent nobody --worker ava
task cancel x_0
task list --agent nobody
task recover x_0
task recover --agent nobody
task report x_0 --result so
task show x_0
task show x_0 --agent nobody
task work x_0 --sent 1
think --agent nobody
ask --agent nobody Hello
ask --agent ava --as husam --in-space nobody Hello
chat --agent nobody
chat --agent ava --as husam --in-space nobody
chat --person nobody
mcp serve --agent nobody
run --agent nobody --once
run cancel x_0
run list --agent nobody
run mode --agent nobody
run show x_0
run timing --agent nobody
history check --agent nobody --for anthropic
history cycles --agent nobody
history export --agent nobody --format anthropic
history export --agent ava --format anthropic --cycle 99
history export --agent ava --format anthropic --import x_0
history import --agent nobody --format openai-chat talk.json
history search --agent nobody lamp
history show --agent nobody
history show --agent ava --cycle 99
history show --agent ava --window 99
history show --agent ava --covers 98-99
history trust --agent nobody 1
history trust --agent ava 99
history verify --agent nobody
ticket approve x_0 --hash {HASH}
ticket deny x_0
ticket list --agent nobody
ticket settle x_0 dismissed
ticket show x_0
ticket show x_0 --agent nobody
observe files . --agent nobody --deliver --once
observe plans --agent nobody
compact list --agent nobody
compact plan --agent nobody
compact undo --agent nobody
context budget --agent nobody
context show --agent nobody
context show --agent ava --cycle 99
context show --agent ava --cycle 1 --turn 99
decision approve x_0 --hash {HASH}
decision list --agent nobody
decision reject x_0
decision show x_0
decision undo x_0 --hash {HASH}
decide --agent nobody
act --agent nobody
reflect day --agent nobody
reflect list --agent nobody
reflect patterns --agent nobody
reflect undo x_0
memory add --agent nobody --text Hello
memory archive --agent nobody
memory extract --agent nobody
memory list --agent nobody
memory retract --agent ava x_0
memory retract --agent nobody x_0
memory revoke --agent nobody --source web
memory search --agent nobody lamp
memory show --agent ava x_0
memory show --agent nobody x_0
recall --agent nobody lamp
recall embed --agent nobody
observation approve --agent ava x_0
observation approve --agent nobody x_0
observation confirm --agent ava x_0
observation confirm --agent nobody x_0
observation correct --agent ava x_0 so
observation correct --agent nobody x_0 so
observation decisions --agent nobody
observation deny --agent ava x_0
observation deny --agent nobody x_0
observation history --agent ava x_0
observation history --agent nobody x_0
observation list --agent nobody
observation pin --agent ava x_0
observation pin --agent nobody x_0
observation revalidate --agent nobody
observation show --agent ava x_0
observation show --agent nobody x_0
compact --agent nobody
consolidate --agent nobody
observe --agent nobody
reflect --agent nobody
reflection add --agent nobody
reflection list --agent nobody
reflection make --agent nobody
reflection show --agent ava x_0
reflection show --agent nobody x_0
lesson add --agent nobody --text Look.
lesson list --agent nobody
lesson outcome --agent ava x_0 --went well
lesson outcome --agent nobody x_0 --went well
lesson show --agent ava x_0
lesson show --agent nobody x_0
entity add --agent nobody
entity list --agent nobody
entity relate --agent ava nobody knows jo
entity relate --agent nobody ava knows jo
entity show --agent ava nobody
entity show --agent nobody ava
knowledge audit --agent nobody
knowledge marks --agent nobody
knowledge verify --agent nobody
simulate export people --person nobody
simulate run mara.jsonl --until 1h --person nobody
simulate talk mara.jsonl --person nobody
simulate talk --store mind.db --person mara --in-space nobody
simulate tick mara.jsonl --dt 1h --person nobody
review mara.jsonl --person nobody
status --agent nobody
view --agent nobody
view --person nobody
view mara.jsonl --person nobody
models alias remove nobody
models cost --agent nobody
alert check --agent nobody
alert list --agent nobody
metrics --agent nobody
trace export --agent nobody
"""


def named() -> Iterator[tuple[str, str]]:
    """Yield every parameter by which a command is told of something that is there."""
    for name, command in declared_commands():
        for one in command.params:
            titles = isinstance(one, click.Option) and one.name == "name"
            if isinstance(one.type, StoredId) or (one.name in NAMES and not titles):
                yield name, str(one.name)


def tried() -> Iterator[tuple[str, str]]:
    """Yield every parameter that a line gives something that is not there."""
    every = sorted(declared_commands(), key=lambda one: -len(one[0]))
    for line in LINES.split("\n")[1:-1]:
        name, command = next(one for one in every if f"{line} ".startswith(f"{one[0]} "))
        words = line.removeprefix(name).split()
        values, _, _ = command.make_parser(click.Context(command)).parse_args(words)
        for parameter, value in values.items():
            given = value if isinstance(value, tuple | list) else [value]
            if any(str(one) in NONE for one in given):
                yield name, parameter


def test_every_name_is_tried() -> None:
    assert set(named()) - MADE - set(tried()) == set()


def test_what_is_not_there_is_said_with_one_status(tmp_path: Path) -> None:
    mind = Mind(tmp_path)
    for step in beginning(tmp_path, "lamp"):
        mind(*step.arguments, stdin=step.stdin)
    made = mind("simulate", "new", "--name", "Mara", "--seed", "7", "--format", "jsonl")
    (tmp_path / "mara.jsonl").write_bytes(made.stdout)
    mind("simulate", "new", "--name", "Mara", "--id", "mara", "--seed", "7", "--store", "mind.db")
    mind("simulate", "new", "--count", "2", "--seed", "7", "--format", "arrow", "people")
    ran = [mind.run(*line.split(), stdin="Hello\n") for line in LINES.split("\n")[1:-1]]
    said = [(" ".join(one.arguments), one.status, one.words) for one in ran]
    assert [one for one in said if one[1] != USAGE] == []
    assert [one for one in said if not any(name.split("@")[-1] in one[2] for name in NONE)] == []
