"""What the manual says of each command on a server is what it does on a real one."""

from collections import defaultdict

import pytest

from mindpipe_cli.manual.server_commands import SERVER_COMMANDS
from support.command import Mind, Ran, make_private
from support.every_command import COMMAND_LINES, beginning, walk
from support.postgres_server import programs, running

REFUSED = {
    "store datasette": "store datasette shown",
    "store recover": "store recover",
    "store restore": "store restore copy.db",
}
UNAVAILABLE = 69
needs_server = pytest.mark.skipif(not programs(), reason="there is no program of PostgreSQL")


def test_every_command_is_in_the_table_once() -> None:
    named = [one.name for one in SERVER_COMMANDS]
    assert sorted(named) == sorted(COMMAND_LINES)
    assert [one.name for one in SERVER_COMMANDS if (one.on_server == "same") != (not one.how)] == []
    assert {one.name for one in SERVER_COMMANDS if one.on_server == "refused"} == set(REFUSED)


@needs_server
def test_what_is_about_files_is_refused_in_one_line(mind: Mind) -> None:
    with running(max(programs())) as server:
        mind.environment["MIND_STORE"] = server.url(schema="fleet")
        mind("init", "--agent", "ava")
        refused = {name: mind.run(*line.split()) for name, line in REFUSED.items()}
    assert {name: one.status for name, one in refused.items()} == dict.fromkeys(
        REFUSED, UNAVAILABLE
    )
    assert [one.words for one in refused.values() if one.words.count("\n") != 1] == []
    assert [one.name for one in mind.folder.iterdir() if one.suffix == ".db"] == []


@needs_server
@pytest.mark.long
def test_every_other_command_is_there_on_a_server_too(mind: Mind) -> None:
    version, folder = max(programs().items())
    mind.environment["PATH"] = f"{folder}:{mind.program.parent}:/usr/bin:/bin"
    on_file = shut(Mind(make_private(mind.folder / "file"), dict(mind.environment)))
    with running(version) as server:
        mind.environment["MIND_STORE"] = server.url(schema="fleet")
        on_server = shut(mind)
    assert on_server - on_file == set()
    assert not (mind.folder / "mind.db").exists()


def shut(mind: Mind) -> set[str]:
    """Walk over every command; return those that said each time that something is not there."""
    ran: dict[str, list[Ran]] = defaultdict(list)
    for step in beginning(mind.folder, "lamp"):
        mind(*step.arguments, stdin=step.stdin)
    for step in walk(mind, "lamp"):
        if step.name not in REFUSED:
            ran[step.name].append(mind.run(*step.arguments, stdin=step.stdin))
    broken = [one for rans in ran.values() for one in rans if "Traceback" in one.words]
    assert broken == []
    return {name for name, rans in ran.items() if all(one.status == UNAVAILABLE for one in rans)}
