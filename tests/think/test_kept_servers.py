"""MCP servers that stay: one process or connection each, cancelled calls, and their end."""

import hashlib
import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mcp.server import MCPServer

from mindpipe.core.mcp_servers import McpServer
from mindpipe.core.ports import Limits, ProgramCall, ProgramRun
from mindpipe.core.tools import ToolManifest
from mindpipe.io import mcp_sessions
from mindpipe.io.mcp import listed_tools
from mindpipe.io.mcp_sessions import KeptServers
from mindpipe.io.open_calls import OpenCalls
from mindpipe.io.programs import LocalPrograms
from support.command import ROOT, forked_python
from support.mcp_http import served

pytestmark = pytest.mark.heavy

SERVER = ROOT / "tests" / "support" / "mcp_server.py"
PATIENCE = 60.0
DYING = """
import os, signal, sys
import msgspec
from mindpipe.core.ports import ProgramCall
from mindpipe.io.mcp_sessions import KeptServers
from mindpipe.io.programs import LocalPrograms
call = msgspec.json.decode(sys.stdin.buffer.read(), type=ProgramCall)
print(KeptServers(LocalPrograms()).run(call).status, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""

HALL = """
import os, socket, sys
import uvicorn
from mcp.server import MCPServer

server = MCPServer("hall")

@server.tool(description="Paint a house.")
def paint(deadly: bool) -> str:
    if deadly:
        os.kill(os.getpid(), 9)
    return "Painted."

listening = socket.socket(fileno=int(sys.argv[1]))
uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="error")).run([listening])
"""


class Tools:
    """The tools of a server, and programs that keep it."""

    def __init__(self, server: McpServer) -> None:
        manifest = ToolManifest(name="town", description="", command=server.words())
        given = listed_tools(manifest, environment={}, source="f.json")
        self.by_name = {tool.name.removeprefix("town_"): tool for tool in given}
        self.programs = KeptServers(LocalPrograms())

    def asked(self, tool: str, seconds: float = PATIENCE, **arguments: object) -> ProgramCall:
        return ProgramCall(
            argv=self.by_name[tool].command,
            stdin=msgspec.json.encode(arguments),
            seconds=seconds,
            environment={"IDEMPOTENCY_KEY": os.urandom(4).hex()},
        )

    def call(self, tool: str, seconds: float = PATIENCE, **arguments: object) -> ProgramRun:
        return self.programs.run(self.asked(tool, seconds, **arguments))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "words").write_text("The weather.")
    return tmp_path


def town(folder: Path, mode: str = "more", *, started: bool = False) -> Tools:
    """Return the tools of a server; one is `started` whose own process has to be its child."""
    (folder / "mode").write_text(mode)
    python = sys.executable if started else str(forked_python())
    command = McpServer(command=python, args=(str(SERVER),), env={"SERVER": str(folder)})
    return Tools(command)


def pids(folder: Path) -> list[int]:
    """Return the processes that were started, the one that was only looked at apart."""
    return [int(line.split()[0]) for line in (folder / "started").read_text().splitlines()][1:]


def has_ended(pid: int) -> bool:
    """Wait until a process has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], PATIENCE)[0])
    finally:
        os.close(descriptor)


def test_a_server_is_started_once_and_asked_again_after_a_call_that_took_too_long(
    folder: Path,
) -> None:
    tools = town(folder)
    assert tools.call("count", number=1).stdout == b"2"
    late = tools.call("wait", seconds=1.0)
    assert (late.status, (folder / "waiting").exists()) == (None, True)
    assert tools.call("count", number=2).stdout == b"3"
    # It was told that nobody waits any more.
    assert (folder / "cancelled").exists()
    (pid,) = pids(folder)
    tools.programs.close()
    assert has_ended(pid)


def test_how_far_a_call_is_is_told_but_not_as_often_as_a_server_says_it(folder: Path) -> None:
    told: list[str] = []
    tools = town(folder)
    tools.programs = KeptServers(LocalPrograms(), tell=told.append)
    assert tools.call("steps").stdout == b"There."
    assert told[0] == "steps: 1 of 500: On it."
    assert len(told) <= 100
    tools.programs.close()


def test_a_call_that_is_stopped_is_cancelled_and_its_server_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_sessions, "_GRACE_SECONDS", PATIENCE)
    calls = OpenCalls()
    tools = town(folder)
    # Whoever hears how far it is has enough.
    tools.programs = KeptServers(LocalPrograms(), calls=calls, tell=lambda _: calls.close())
    stopped = tools.call("wait")
    assert (stopped.status, stopped.stderr) == (-signal.SIGINT, b"1 of 3")
    # Nothing is begun while all is stopped.
    assert tools.call("count", number=1).status == -signal.SIGINT
    calls.reopen()
    assert tools.call("count", number=1).stdout == b"2"
    assert (folder / "cancelled").exists()
    assert len(pids(folder)) == 1
    tools.programs.close()


def test_sampling_and_roots_are_declined_and_the_call_goes_on(folder: Path) -> None:
    tools = town(folder)
    assert tools.call("asks_more").stdout == b"Refused: [-32600, -32600]."
    assert tools.call("count", number=1).stdout == b"2"
    tools.programs.close()


def test_what_is_no_text_is_told_of(folder: Path) -> None:
    tools = town(folder)
    told = tools.call("picture").stdout.decode().splitlines()
    assert [told[0], *told[2:4]] == ["Here.", "[resource town://map]", "North is up."]
    image = {"type": "image", "file": "image-2.png", "mimeType": "image/png", "bytes": 3}
    assert msgspec.json.decode(told[1]) == {**image, "sha256": hashlib.sha256(b"PNG").hexdigest()}
    assert msgspec.json.decode(told[4])["uri"] == "town://more"
    tools.programs.close()


@pytest.mark.parametrize("alone", [False, True], ids=["kept", "alone"])
def test_a_structured_answer_is_a_value_and_is_said_once(folder: Path, *, alone: bool) -> None:
    tools = town(folder)

    def call(tool: str, **arguments: object) -> tuple[bytes, object]:
        limits = Limits(cpu_seconds=60 if alone else None)
        asked = msgspec.structs.replace(tools.asked(tool, **arguments), limits=limits)
        ran = tools.programs.run(asked)
        return ran.stdout, ran.found

    people = b'{"people":3,"dogs":1}'
    assert call("census") == (people, {"people": 3, "dogs": 1})
    # What a server says beside it is kept, what only repeats it is not.
    assert call("streets") == (
        b'Two of them.\n{"streets":["Ash","Elm"]}',
        {"streets": ["Ash", "Elm"]},
    )
    assert call("quota") == (
        b'Warning: the quota is nearly used up.\n{"count":3}',
        {"count": 3},
    )
    assert call("count", number=1) == (b"2", None)
    # No value is nested so deep that nobody could read it back.
    deep, found = call("deep")
    assert (deep.count(b"["), found) == (100, None)
    assert len(pids(folder)) == (5 if alone else 1)
    tools.programs.close()


def test_a_server_that_dies_in_a_call_is_started_again_for_the_next(folder: Path) -> None:
    tools = town(folder, mode="dies", started=True)
    assert tools.call("count", number=1).status == 0
    assert tools.call("get_weather", town="Rome").status == -signal.SIGABRT
    assert tools.call("count", number=1).status == 0
    # One that died between two calls was asked for nothing, so the call is made anew.
    os.kill(pids(folder)[-1], signal.SIGKILL)
    assert has_ended(pids(folder)[-1])
    assert tools.call("count", number=5).stdout == b"6"
    tools.programs.close()


def test_a_server_ends_with_its_worker_whatever_happens(folder: Path) -> None:
    call = town(folder, started=True).asked("count", number=1)
    ran = subprocess.run(
        [sys.executable, "-c", DYING], input=msgspec.json.encode(call), capture_output=True
    )
    assert (ran.returncode, ran.stdout) == (-signal.SIGKILL, b"0\n"), ran.stderr
    (pid,) = pids(folder)
    assert has_ended(pid)


def test_a_server_over_http_is_asked_with_its_headers() -> None:
    server = MCPServer("town")
    heard: list[bytes] = []

    @server.tool(description="Add.")
    def add(one: int, other: int) -> int:
        return one + other

    app = server.streamable_http_app()

    async def listening(scope: Any, receive: Any, send: Any) -> None:
        heard.extend(it for name, it in scope.get("headers", ()) if name == b"authorization")
        await app(scope, receive, send)

    with served(listening) as address:
        headers = {"Authorization": "Bearer ${TOWN_TOKEN:-open}"}
        tools = Tools(McpServer(url=f"{address}/mcp", headers=headers))
        assert tools.call("add", one=1, other=2).stdout == b"3"
        assert tools.call("add", one=2, other=2).stdout == b"4"
        assert set(heard) == {b"Bearer open"}
        tools.programs.close()
    gone = tools.call("add", one=1, other=2)
    assert gone.status not in (0, None)
    assert b"the MCP server failed" in gone.stderr


def test_a_server_over_http_that_dies_in_a_call_may_have_acted_and_is_asked_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def start() -> subprocess.Popen[bytes]:
            # It takes up the socket that listens, so that nobody is refused while none is there.
            number = listening.fileno()
            words = [sys.executable, "-c", HALL, str(number)]
            return subprocess.Popen(words, pass_fds=[number])

        first = start()
        tools = Tools(McpServer(url=f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"))
        assert tools.call("paint", deadly=False).stdout == b"Painted."
        died = tools.call("paint", deadly=True)
        assert (died.status, died.stdout) == (-signal.SIGABRT, b"")
        assert first.wait() == -signal.SIGKILL
        second = start()
        assert tools.call("paint", deadly=False).stdout == b"Painted."
        second.kill()
        second.wait()
        third = start()
        # What kept it was told of nothing: it was not there before anything was called.
        assert tools.call("paint", deadly=False).stdout == b"Painted."
        tools.programs.close()
        third.kill()
        third.wait()
