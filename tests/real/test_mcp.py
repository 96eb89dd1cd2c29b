"""MCP with parts of others: servers of Python and Node as an agent's tools, and the inspector."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from real.parts import INSPECTOR, NODE, NODE_BIN, SERVER_ALL, SERVER_FILES, SERVER_TIME, Part
from real.servers import free_port, running
from support.command import BIN, Mind, clean_environment

pytestmark = pytest.mark.real
ANSWER = """#!/usr/bin/env python3
import json, pathlib, sys
if json.load(sys.stdin)["messages"][-1]["role"] == "tool":
    print(json.dumps({"text": "Done."}))
else:
    print(pathlib.Path("wish").read_text())
"""


class Caller:
    """An agent whose model calls what a test wants, and a server that is trusted."""

    def __init__(self, mind: Mind, **servers: dict[str, object]) -> None:
        self.mind = mind
        (mind.folder / "answer").write_text(ANSWER)
        (mind.folder / "answer").chmod(0o700)
        (mind.folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
        mind("init")
        mind("agent", "new", "ava", "--model", "program:./answer")
        mind("agent", "set", "ava", "--mcp", ".mcp.json")
        for server in servers:
            mind("agent", "trust", "add", "ava", "--server", server)
        self.said = ""
        (agent,) = mind("agent", "show", "ava").records()
        self.tools = {tool["name"] for tool in agent["tools"]}

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Let the model call a tool; return its result."""
        wish = {"tool_calls": [{"name": tool, "arguments": arguments}]}
        (self.mind.folder / "wish").write_text(json.dumps(wish))
        self.mind("inbox", "push", "--agent", "ava", "--text", "Go on.")
        self.said = self.mind("think", "--agent", "ava").words
        messages = self.mind("history", "show", "--agent", "ava").records()
        parts = [part for one in messages if one["role"] == "tool" for part in one["parts"]]
        results: list[dict[str, Any]] = [one for one in parts if one["type"] == "result"]
        self.files = [one for one in parts if one["type"] == "file"]
        return results[-1]


def test_a_server_of_python_tells_the_time(
    mind: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(SERVER_TIME)
    command = SERVER_TIME.program("mcp-server-time")
    caller = Caller(mind, clock={"command": command, "args": ["--local-timezone", "Etc/UTC"]})
    told = caller.call(
        "clock_convert_time",
        source_timezone="Europe/Berlin",
        time="12:00",
        target_timezone="Asia/Tokyo",
    )
    assert told["status"] == "ok", told
    assert "Asia/Tokyo" in told["text"]
    refused = caller.call("clock_get_current_time", timezone="Nowhere/Atlantis")
    assert refused["status"] == "error"
    shown(SERVER_TIME, f"{len(caller.tools)} tools listed; answers, and an error told as one")


def test_a_server_of_node_reads_files_under_the_limits_of_a_tool(
    mind: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(SERVER_FILES)
    shelf = mind.folder / "shelf"
    shelf.mkdir()
    (shelf / "tea.txt").write_text("Green tea, 80 degrees.")
    server = {"command": str(NODE), "args": [SERVER_FILES.file("dist/index.js"), str(shelf)]}
    caller = Caller(mind, files=server)
    read = caller.call("files_read_text_file", path=str(shelf / "tea.txt"))
    assert (read["status"], read["text"].strip()) == ("ok", "Green tea, 80 degrees.")
    denied = caller.call("files_read_text_file", path=str(mind.folder / "mind.db"))
    assert denied["status"] == "error"
    wrote = caller.call("files_write_file", path=str(shelf / "new.txt"), content="Oolong.")
    assert (wrote["status"], (shelf / "new.txt").read_text()) == ("ok", "Oolong.")
    shown(SERVER_FILES, f"{len(caller.tools)} tools listed; reads and writes, denied outside")


@pytest.mark.parametrize("wire", ["stdio", "http"])
def test_the_server_of_everything_is_used_over_both_transports(
    mind: Mind, wire: str, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(SERVER_ALL)
    program = SERVER_ALL.file("dist/index.js")
    if wire == "stdio":
        uses(Caller(mind, all={"command": str(NODE), "args": [program, "stdio"]}))
    else:
        with running(
            [str(NODE), program, "streamableHttp"],
            ready=r"listening on port (\d+)",
            folder=mind.folder,
            environment={"PORT": str(free_port())},
        ) as served:
            uses(Caller(mind, all={"url": f"http://127.0.0.1:{served.group(1)}/mcp"}))
    words = "structured, image and resource results, progress, a question answered by a ticket"
    shown(SERVER_ALL, words if wire == "stdio" else "all of it over HTTP too")


def uses(caller: Caller) -> None:
    """Call tools whose answers have every form."""
    assert "5" in caller.call("all_get_sum", a=2, b=3)["text"]
    structured = caller.call("all_get_structured_content", location="Chicago")
    assert structured["status"] == "ok", structured
    image = caller.call("all_get_tiny_image")
    assert '"mimeType": "image/png"' in image["text"]
    assert [one["media_type"] for one in caller.files] == ["image/png"]
    link = caller.call("all_get_resource_links", count=2)
    assert link["text"].count('"type": "resource_link"') == 2
    long = caller.call("all_trigger_long_running_operation", duration=0.2, steps=2)
    assert (long["status"], ": 1 of 2" in caller.said) == ("ok", True), caller.said
    asked = caller.call("all_trigger_elicitation_request")
    assert asked["status"] == "ticketed", asked
    mind = caller.mind
    (ticket,) = mind("ticket", "list").records()
    assert "name" in ticket["questions"][0]["schema"]["properties"]
    answer = json.dumps({"name": "Jo", "check": True, "email": "jo@example.org"})
    approve = ("ticket", "approve", ticket["id"], "--hash", ticket["sha256"])
    mind(*approve, "--args", answer)
    mind.run("think", "--agent", "ava")
    ended = mind("ticket", "show", ticket["id"]).record()
    assert ended["state"] == "executed"
    assert "jo@example.org" in ended["result"]


TOKEN = "0123456789abcdef0123456789abcdef"


def inspected(mind: Mind, *words: str) -> dict[str, Any]:
    """Let the inspector ask a server for something; return what it prints."""
    program = INSPECTOR.file("clients/launcher/build/index.js")
    environment = clean_environment(mind.folder)
    done = subprocess.run(
        [str(NODE), program, "--cli", *words, "--connect-timeout", "120000"],
        cwd=mind.folder,
        env={**environment, "PATH": f"{NODE_BIN}:{environment['PATH']}"},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("wire", ["stdio", "http"])
def test_the_inspector_reads_a_memory_over_both_transports(
    mind: Mind, wire: str, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(INSPECTOR)
    mind("init", "--agent", "ava")
    mind("memory", "add", "--agent", "ava", "--text", "I live in Bremen.", "--speaker", "Jo")
    serve = ("mcp", "serve", "--agent", "ava", "--client", "inspector")
    if wire == "stdio":
        looks(mind, (str(BIN / "mind"), *serve))
    else:
        with running(
            [str(BIN / "mind"), *serve, "--http", "0"],
            ready=r"(http://127\.0\.0\.1:\d+/mcp)",
            folder=mind.folder,
            environment={**clean_environment(mind.folder), "MIND_MCP_TOKEN": TOKEN},
        ) as served:
            bearer = f"Authorization: Bearer {TOKEN}"
            looks(mind, (served.group(1), "--transport", "http", "--header", bearer))
    words = "lists the tools of mind mcp serve without a fault, and recalls"
    shown(INSPECTOR, words if wire == "stdio" else "both over HTTP too")


def looks(mind: Mind, server: tuple[str, ...]) -> None:
    """List the tools, whose schemas other clients can use, and call one."""
    listed = inspected(mind, *server, "--method", "tools/list", "--strict")
    names = {tool["name"] for tool in listed["tools"]}
    assert names == {"recall", "beliefs", "why", "history_search", "tickets"}
    call = ("--method", "tools/call", "--tool-name", "recall")
    found = inspected(mind, *server, *call, "--tool-arg", "query=Where does Jo live?")
    assert "I live in Bremen." in found["content"][0]["text"]
