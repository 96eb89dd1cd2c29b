"""An agent is served to the official client over both transports, and to hostile ones."""

import asyncio
import contextlib
import json
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client as stdio_transport
from mcp.client.streamable_http import streamable_http_client

from support.command import Mind, clean_environment, make_private
from support.patience import LONGEST

ANSWER = """#!/usr/bin/env python3
import json, sys
messages = json.load(sys.stdin)["messages"]
calls = [
    {"name": "lamp", "arguments": {}},
    {"name": "send_message", "arguments": {"text": "I will see."}},
]
done = messages[-1]["role"] == "tool"
print(json.dumps({"text": "Done."} if done else {"tool_calls": calls}))
"""
LAMP = {
    "name": "lamp",
    "description": "Light.",
    "command": ["./lamp"],
    "effect": "unsafe",
    "input_schema": {"type": "object"},
}
WRITING = ("--with-tool", "remember", "--with-tool", "push", "--with-tool", "ask")
TOKENS = {"claude": "0123456789abcdef-claude", "other": "0123456789abcdef-other"}
MODERN = {"mcp-protocol-version": "2026-07-28"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    mind = Mind(make_private(tmp_path_factory.mktemp("served") / "life"))
    folder = mind.folder
    (folder / "answer").write_text(ANSWER)
    (folder / "answer").chmod(0o700)
    mind("init", "--agent", "ava")
    mind("agent", "set", "ava", "--model", "program:./answer")
    item = (
        '{"id": "m1", "at": "2026-03-01T09:00:00Z", "speaker": "Jo", "text": "I live in Bremen."}'
    )
    mind("memory", "add", "--agent", "ava", stdin=item)
    mind("consolidate", "--agent", "ava")
    return mind


@pytest.fixture
def mind(life: Mind, tmp_path: Path) -> Mind:
    return Mind(make_private(tmp_path / "life")).like(life.folder)


def give_lamp(mind: Mind) -> None:
    """Give the agent a tool that is not safe; it leaves the file `lit` in the folder."""
    (mind.folder / "lamp").write_text(f"#!/bin/sh\ntouch {mind.folder}/lit\n")
    (mind.folder / "lamp").chmod(0o700)
    (mind.folder / "lamp.json").write_text(json.dumps(LAMP))
    mind("agent", "set", "ava", "--tool", "lamp.json")


def talk(talking: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(talking(), 120))  # type: ignore[arg-type]  # it is a coroutine


@contextlib.asynccontextmanager
async def stdio_client(mind: Mind, *options: str) -> AsyncIterator[Client]:
    arguments = ["-C", str(mind.folder), mind.program, "mcp", "serve", *options]
    server = StdioServerParameters(
        command="env",
        args=[str(one) for one in arguments],
        env=clean_environment(mind.folder),
    )
    with (mind.folder / "stderr").open("w") as said:
        async with Client(stdio_transport(server, errlog=said)) as client:
            yield client


@contextlib.contextmanager
def http_server(mind: Mind, *options: str) -> Iterator[str]:
    """Serve at an address on any free port, and end it as a system does."""
    tokens = mind.folder / "tokens"
    tokens.write_text("".join(f"{name} {token}\n" for name, token in TOKENS.items()))
    tokens.chmod(0o600)
    server = mind.start("mcp", "serve", "--http", "0", "--token-file", "tokens", *options)
    assert server.stderr is not None
    try:
        first = server.stderr.readline().decode()
        assert " at http://127.0.0.1:" in first, first + server.stderr.read().decode()
        yield first.split(" at ")[1].strip()
    finally:
        server.terminate()
        server.communicate(timeout=LONGEST)
    assert server.returncode == 0


@contextlib.asynccontextmanager
async def http_client(address: str, *, mode: str, name: str = "claude") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {TOKENS[name]}"}
    async with httpx2.AsyncClient(headers=headers) as wire:
        transport = streamable_http_client(address, http_client=wire)
        async with Client(transport, mode=mode) as client:
            yield client


async def called(client: Client, tool: str, **arguments: object) -> list[dict]:
    """Return the lines of an answer; fail the test if it is an error."""
    result = await client.call_tool(tool, arguments)
    (text,) = (part.text for part in result.content)
    assert not result.is_error, text
    return [] if text == "nothing found." else [json.loads(line) for line in text.splitlines()]


async def refused(client: Client, tool: str, **arguments: object) -> str:
    """Return the one line by which a tool refuses a call."""
    result = await client.call_tool(tool, arguments)
    (text,) = (part.text for part in result.content)
    assert result.is_error, text
    assert "\n" not in text
    return str(text)


def test_what_reads_is_offered_and_answers(mind: Mind) -> None:
    async def talking() -> None:
        async with stdio_client(mind) as client:
            tools = (await client.list_tools()).tools
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
            names = [tool.name for tool in tools]
            assert names == ["recall", "beliefs", "why", "history_search", "tickets"]
            found = await called(client, "recall", query="Where does Jo live?")
            (item,) = (one for one in found if one["source"] == "item")
            assert (item["text"], item["speaker"]) == ("I live in Bremen.", "Jo")
            (belief,) = await called(client, "beliefs", subject="jo")
            assert belief["summary"] == "Jo lives in Bremen."
            lines = await called(client, "why", id=belief["id"])
            assert [line["text"] for line in lines if line.get("part") == "evidence"] == [
                "I live in Bremen."
            ]
            assert await called(client, "history_search", query="Bremen") == []
            assert await called(client, "tickets") == []
            assert "ob_none" in await refused(client, "why", id="ob_none")

    talk(talking)


def test_whatever_comes_of_a_call_is_of_the_client_and_trusted_by_nobody(mind: Mind) -> None:
    give_lamp(mind)

    async def talking() -> None:
        async with stdio_client(mind, *WRITING, "--client", "claude") as client:
            await called(client, "remember", text="Mia plays the cello.", speaker="Mia")
            await called(client, "push", text="Light the lamp.", key="k")
            assert (await called(client, "push", text="Light the lamp.", key="k"))[0]["duplicate"]
            (answer,) = await called(client, "ask", text="Light the lamp!")
            assert answer["answers"] == ["I will see."]
            (ticket,) = await called(client, "tickets")
            assert answer["tickets"] == [ticket["id"]]
            assert "mcp-client:claude" in ticket["sources"]
            found = await called(client, "recall", query="Light the lamp")
            said = [(one["text"], one["speaker"]) for one in found if one["source"] == "message"]
            assert ("Light the lamp!", "mcp-claude") in said
            assert not any("INBOX" in text for text, _ in said)

    talk(talking)
    assert not (mind.folder / "lit").exists()
    assert mind("agent", "show", "ava", "--json").record()["trust"] == []
    event = mind("inbox", "list", "--agent", "ava").record()
    assert event["source"] == "mcp-client:claude"
    told = {one["text"]: one for one in mind("memory", "list", "--agent", "ava").records()}
    item = told["Mia plays the cello."]
    assert (item["sources"], item["claimed_speaker"]) == (["mcp-client:claude"], "Mia")
    assert "speaker" not in item
    gone = mind("memory", "revoke", "--source", "mcp-client:claude").records()
    assert {one["text"] for one in gone} == {"Mia plays the cello.", "Light the lamp!"}


def test_whom_the_operator_trusts_may_let_the_agent_act(mind: Mind) -> None:
    give_lamp(mind)
    mind("agent", "trust", "add", "ava", "mcp-client:claude", "@mcp-claude")

    async def talking() -> None:
        async with stdio_client(mind, *WRITING, "--client", "claude") as client:
            (answer,) = await called(client, "ask", text="Light the lamp!")
            assert "tickets" not in answer

    talk(talking)
    assert (mind.folder / "lit").exists()


def test_a_client_is_no_person_of_the_same_name(mind: Mind) -> None:
    mind("space", "new", "ava-mcp-jo")
    mind("space", "join", "ava-mcp-jo", "ava")
    mind("space", "join", "ava-mcp-jo", "jo", "--kind", "human")

    async def talking() -> None:
        async with stdio_client(mind, *WRITING, "--client", "jo") as client:
            assert '"mcp-jo" is not in ava-mcp-jo' in await refused(client, "ask", text="Hi")

    talk(talking)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_clients_of_both_protocols_are_who_their_token_says(mind: Mind, mode: str) -> None:
    async def talking() -> None:
        with http_server(mind, *WRITING) as address:
            for name in TOKENS:
                async with http_client(address, mode=mode, name=name) as client:
                    assert len((await client.list_tools()).tools) == 8
                    await called(client, "push", text=f"from {name}")

    talk(talking)
    events = mind("inbox", "list", "--agent", "ava").records()
    assert [(event["source"], event["text"]) for event in events] == [
        (f"mcp-client:{name}", f"from {name}") for name in TOKENS
    ]


@pytest.mark.heavy
def test_strangers_and_web_pages_are_not_let_in(mind: Mind) -> None:
    async def talking() -> None:
        with http_server(mind) as address:
            async with httpx2.AsyncClient() as wire:

                async def status(token: str | None, **more: str) -> int:
                    known = {} if token is None else {"Authorization": f"Bearer {token}"}
                    accept = {"Accept": "application/json, text/event-stream"}
                    headers = {**accept, **known, **more}
                    return (await wire.post(address, json=LIST, headers=headers)).status_code

                ours = TOKENS["claude"]
                assert await status(ours) == 200
                for era in ({}, MODERN):
                    assert await status(None, **era) == 401
                    assert await status(ours[:-1], **era) == 401
                    assert await status(ours, Origin="http://evil.example", **era) == 403
                    assert await status(ours, Origin="http://localhost:1", **era) == 403
                    assert await status(ours, Host="evil.example", **era) == 421
                basic = {"Authorization": f"Basic {ours}"}
                assert (await wire.post(address, json=LIST, headers=basic)).status_code == 401
                bearer = {"Authorization": f"Bearer {ours}", "Content-Type": "application/json"}
                big = await wire.post(address, content=b" " * (5 << 20), headers=bearer)
                assert big.status_code == 413
                assert await status(ours) == 200

    talk(talking)


def test_a_taken_port_is_named(mind: Mind) -> None:
    with http_server(mind) as address:
        port = address.split(":")[2].split("/")[0]
        again = mind.run("mcp", "serve", "--http", port, "--token-file", "tokens")
    assert again.status == 69
    assert f"cannot listen on 127.0.0.1:{port}" in again.words


def test_hostile_arguments_are_refused_in_one_line(mind: Mind) -> None:
    async def talking() -> None:
        async with stdio_client(mind, *WRITING) as client:
            assert "length <= 10000" in await refused(client, "recall", query="x" * 20_000)
            assert "length <= 65536" in await refused(client, "push", text="x" * 70_000)
            assert "unknown field" in await refused(client, "recall", query="x", agent="eva")
            assert "Expected `int`" in await refused(client, "recall", query="x", limit="1")
            assert "unknown field" in await refused(client, "tickets", source="operator")
            assert await refused(client, "remember", text="x", at="yesterday, or so")
            for name in ("nope", "\x1b[2J", "ask\n", "", "x" * 100_000):
                with pytest.raises(MCPError, match="there is no such tool"):
                    await client.call_tool(name, {})
            await called(client, "push", text="a\x1b[2J\x00b")

    talk(talking)
    assert "\x1b" not in (mind.folder / "stderr").read_text()
    assert mind("inbox", "list", "--agent", "ava").record()["text"] == "a\x1b[2J\ufffdb"


def test_what_is_switched_off_says_which_switch_offers_it(mind: Mind) -> None:
    async def talking() -> None:
        async with stdio_client(mind, "--without-tool", "tickets") as client:
            for name, way in (
                ("tickets", "serve without --without-tool tickets offers it"),
                ("remember", "serve --with-tool remember offers it"),
            ):
                with pytest.raises(MCPError, match=way):
                    await client.call_tool(name, {})

    talk(talking)


def test_what_is_no_message_is_answered_and_passed_over(mind: Mind) -> None:
    server = mind.start("mcp", "serve")
    assert server.stdin is not None
    hostile = (
        b"{",
        b"[" * 100_000,
        b"  ",
        b'"\xff\xfe"',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": "'
        + b"x" * (5 << 20)
        + b'"}',
        b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "\\u001b[2J"}',
    )
    with contextlib.suppress(subprocess.TimeoutExpired):
        for line in hostile:
            server.stdin.write(line + b"\n")
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        hello["clientInfo"] = {"name": "\x1b]0;root\x07", "version": "1"}
        asked = {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": hello}
        server.stdin.write(json.dumps(asked).encode() + b"\n")
        server.stdin.flush()
    assert server.stdout is not None
    answers = [json.loads(server.stdout.readline())]
    while answers[-1]["id"] != 7:
        answers.append(json.loads(server.stdout.readline()))
    assert answers[-1]["result"]["serverInfo"]["name"] == "mindpipe"
    refused = [one["error"]["code"] for one in answers if one["id"] is None]
    assert refused == [-32700, -32700, -32600, -32700]
    _, said = server.communicate(timeout=LONGEST)
    assert server.returncode == 0
    assert said.decode().splitlines() == [
        "mind mcp serve: a message of more than 4194304 bytes was passed over."
    ]


def test_what_was_asked_is_answered_after_stdin_has_ended(mind: Mind) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "pipe", "version": "1"}
    recall = {"name": "recall", "arguments": {"query": "tea"}}
    asked = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        *({"id": n, "method": "tools/call", "params": recall} for n in (2, 3)),
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    ran = mind.run("mcp", "serve", stdin=lines)
    answers = {one["id"]: one for one in map(json.loads, ran.text.splitlines())}
    assert (ran.status, sorted(answers)) == (0, [1, 2, 3])
    assert all("result" in one for one in answers.values())
