"""A machine that is cut off from its server: another goes on, and what comes late is refused."""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from promises.test_fleets import NUMBERS, Team, ends
from support.command import make_private
from support.cut_connections import CuttingDoor
from support.lasting_worker import CALLING_MODEL, DONE, write_program
from support.patience import until
from support.postgres_server import Server, programs, running

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.own_server,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
    pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd"),
]
KEYED = {"tool_calls": [{"name": "keyed", "arguments": {}}]}
# It waits where it runs first.
TOOL = """#!/bin/sh
echo "$IDEMPOTENCY_KEY" >>{folder}/sink
if mkdir {folder}/first 2>/dev/null; then
    echo asked >{folder}/asked
    read -r word <{folder}/go
fi
"""


@pytest.fixture
def server() -> Iterator[Server]:
    with running(VERSIONS[-1]) as started:
        yield started


@pytest.fixture
def team(server: Server, tmp_path: Path) -> Iterator[Team]:
    """Return a team whose model calls a tool that takes a key, and is done when that answered."""
    place = server.url(schema=f"team_{next(NUMBERS)}")
    with contextlib.closing(Team(tmp_path, place, server.url())) as made:
        words = CALLING_MODEL.format(done=json.dumps(DONE), calls=json.dumps(KEYED))
        write_program(tmp_path / "answer", words)
        write_program(tmp_path / "keyed", TOOL.format(folder=tmp_path))
        command = [str(tmp_path / "keyed")]
        tool = {"name": "keyed", "description": "A tool.", "command": command, "effect": "keyed"}
        (tmp_path / "keyed.json").write_text(json.dumps(tool))
        for name in ("team-a", "team-b"):
            made.mind("agent", "set", name, "--tool", str(tmp_path / "keyed.json"))
        yield made


def test_the_agent_of_a_machine_that_is_cut_off_goes_on_elsewhere_under_the_same_keys(
    team: Team, server: Server
) -> None:
    way = make_private(server.folder / "way")
    with CuttingDoor(way, server.folder) as door:
        there = team.place.replace(server.folder.name, f"{server.folder.name}%2Fway")
        late = team.start(nursery=team.elsewhere, place=there)
        team.push("team-a")
        team.asks()
        other = team.start()
        with door.shut():
            team.time_passes("team-a")
            team.wait_until_done(other, "team-a")
            said = "SELECT id, sha256 FROM message WHERE agent = 'team-a' AND cycle = 1"
            before = team.rows(f"{said} ORDER BY seq")
            # What it has to say of its tool is on the way as that opens again.
            team.let_go()
            team.push("team-b")
            team.wait_until_done(other, "team-b")
        until(lambda: "another worker" in late.words(), "the late one hears that it is late")
        assert team.rows(f"{said} ORDER BY seq") == before
        ends(late)
        ends(other)
    assert [one["agent"] for one in late.records()] == []
    keys = (team.folder / "sink").read_text().split()
    assert (keys.count(keys[0]), len(set(keys))) == (2, len(keys) - 1)
