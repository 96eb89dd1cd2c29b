"""Servers in files as other programs have them: what is read, and what is refused."""

import json
from pathlib import PurePath

import pytest

from mindpipe.agents.mcp_servers import read_servers, servers_in
from mindpipe.core.errors import BadInputError, UnavailableError
from mindpipe.core.mcp_servers import McpServer, server_of

ENVIRONMENT = {"HOME": "/home/bo", "TOKEN": "secret", "ANTHROPIC_API_KEY": "key"}


def read(**servers: object) -> dict[str, McpServer]:
    """Return the servers of a file by name."""
    found = read_servers(
        servers_in(json.dumps({"mcpServers": servers}).encode(), source="f.json"),
        source="f.json",
        folder=PurePath("/work"),
        environment=ENVIRONMENT,
    )
    return {one.name: server_of(one.command) for one in found}


def test_a_server_stands_as_it_is_apart_from_its_paths_and_home() -> None:
    found = read(
        **{
            "My-Files": {"command": "./run", "args": ["${HOME}/x", "../y"], "cwd": "sub"},
            "far": {
                "type": "http",
                "url": "https://far.example/mcp",
                "headers": {"Authorization": "Bearer ${TOKEN}"},
                "autoApprove": ["everything"],
            },
            "off": {"command": "x", "disabled": True},
        }
    )
    files = McpServer(command="/work/run", args=("/home/bo/x", "/work/../y"), cwd="/work/sub")
    # The value of a variable is not kept: only whoever calls the server knows it.
    far = McpServer(url="https://far.example/mcp", headers={"Authorization": "Bearer ${TOKEN}"})
    assert found == {"my_files": files, "far": far}
    assert far.filled(ENVIRONMENT).headers == {"Authorization": "Bearer secret"}


def test_variables_are_filled_in_when_a_server_is_called() -> None:
    server = McpServer(command="${A:-a}${B:-}", env={"X": "${TOKEN}"})
    assert server.filled({"TOKEN": "t"}) == McpServer(command="a", env={"X": "t"})
    assert server.filled({"TOKEN": "t", "A": "b"}).command == "b"
    with pytest.raises(UnavailableError, match="the variable TOKEN is not set"):
        server.filled({})


def test_what_a_server_sees_of_the_environment_is_what_its_words_name() -> None:
    (one,) = read_servers(
        {
            "a": {
                "command": "x",
                "env": {"K": "${TOKEN}"},
                "mindpipe": {"effect": "pure", "timeout": 9},
            }
        },
        source="f.json",
        folder=PurePath("/"),
        environment=ENVIRONMENT,
    )
    assert (one.environment, one.effect, one.timeout) == (("TOKEN",), "pure", 9)
    assert "{TOKEN}" not in one.command[0]


@pytest.mark.parametrize(
    ("servers", "words"),
    [
        ({}, "$.mcpServers: expected servers by name"),
        ({"a": []}, "$.mcpServers.a: expected an object"),
        ({"a": {}}, "$.mcpServers.a: expected either command"),
        ({"a": {"command": "x", "url": "http://x"}}, "expected either command"),
        ({"a": {"type": "http", "command": "x"}}, "expected either command"),
        ({"a": {"type": "sse", "url": "http://x"}}, "$.mcpServers.a.type: expected stdio or http"),
        ({"a": {"url": "ftp://x"}}, "$.mcpServers.a.url: expected an address"),
        ({"a": {"command": "x", "args": [1]}}, "$.mcpServers.a.args[0]"),
        ({"a": {"command": "x", "env": {"K": "${NONE}"}}}, "a.env.K: the variable NONE is not set"),
        ({"a": {"command": "${ANTHROPIC_API_KEY}"}}, "a.command: ANTHROPIC_API_KEY is a model"),
        ({"9": {"command": "x"}}, "$.mcpServers.9: a server's name begins with a letter"),
        ({"a-b": {"command": "x"}, "a_b": {"command": "x"}}, "two servers would be named a_b"),
        ({"a": {"command": "x", "mindpipe": {"effect": "kind"}}}, "$.mcpServers.a.mindpipe.effect"),
        ({"a": {"command": "x", "mindpipe": 1}}, "$.mcpServers.a.mindpipe"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(servers: dict[str, object], words: str) -> None:
    with pytest.raises(BadInputError) as refused:
        read(**servers)
    assert words in str(refused.value)


def test_a_manifest_of_ours_is_told_from_such_a_file() -> None:
    assert servers_in(b'{"mcpServers": null}', source="f.json") == {}
    assert servers_in(b'{"name": "a"}', source="f.json") is None
    assert servers_in(b'name = "a"', source="f.toml") is None
