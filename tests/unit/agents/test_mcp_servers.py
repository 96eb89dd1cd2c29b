"""Servers in files as other programs have them: what is read, and what is refused."""

import json
from pathlib import PurePath

import msgspec
import pytest

from mindpipe.agents.mcp_servers import read_servers, servers_in, shown_tools
from mindpipe.core.errors import BadInputError, UnavailableError
from mindpipe.core.mcp_servers import McpServer, server_of
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.tools.versions import version_of

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


def test_the_handshake_which_was_a_switch_once_means_nothing_and_is_no_fault() -> None:
    entry = {"command": "/run", "mindpipe": {"handshake": True, "effect": "pure"}}
    assert read(files=entry) == {"files": McpServer(command="/run", cwd="/work")}
    stored = '{"command": "/run", "handshake": true}'
    assert server_of([stored]) == McpServer(command="/run")


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


SECRET = "s3cr3t"


def shown(server: McpServer) -> McpServer:
    """Return a server as the tools of an agent that has it are shown."""
    words = ("python", "-m", "bridge", "call", "0" * 64, "add", *server.words())
    tool = ToolManifest(name="town_add", description="", command=words, server="town")
    (told,) = shown_tools([tool])
    assert told.command[:-1] == words[:-1]
    return server_of(told.command[-1:])


@pytest.mark.parametrize(
    "server",
    [
        McpServer(url=f"https://bo:{SECRET}@far.example:8443/mcp?key={SECRET}"),
        McpServer(url=f"https://far.example/hooks/{SECRET}"),
        McpServer(url="https://far.example", headers={"Authorization": f"Bearer {SECRET}"}),
        McpServer(url="https://far.example", headers={"X-Key": f"${{KEY:-{SECRET}}}"}),
        McpServer(command="run", args=("--header", f"Authorization: Bearer {SECRET}123456")),
        McpServer(command="run", env={"KEY": SECRET}),
    ],
)
def test_what_may_be_secret_in_a_server_is_not_shown(server: McpServer) -> None:
    told = shown(server)
    assert not any(SECRET in word for _, word in told.texts())
    assert told.url.startswith("https://far.example") or told.command == "run"
    assert (list(told.headers), list(told.env)) == (list(server.headers), list(server.env))


def test_what_only_names_a_variable_is_shown() -> None:
    headers = {"Authorization": "Bearer ${TOKEN}", "X-Key": "${KEY}"}
    for server in (
        McpServer(url="https://far.example", headers=headers),
        McpServer(url="${PLACE}"),
        McpServer(command="./run", args=("--root", "${HOME}/x"), env={"KEY": "${KEY}"}, cwd="/w"),
    ):
        assert shown(server) == server


def test_a_key_in_the_command_of_an_own_tool_is_not_shown() -> None:
    words = ("curl", "-H", f"Authorization: Bearer {SECRET}123456", "{url}")
    (told,) = shown_tools([ToolManifest(name="get", description="", command=words)])
    assert told.command == ("curl", "-H", "Authorization: [redacted]", "{url}")


@pytest.mark.parametrize(
    ("server", "fields"),
    [
        (McpServer(command="/bin/x", env={"MODE": "fast", "KEY": "${KEY}"}), ("env.MODE",)),
        (McpServer(url="https://far.example/mcp"), ()),
        (McpServer(url="https://far.example/s/0123456789abcdef0123/mcp"), ("url",)),
        (McpServer(url="https://far.example/mcp?key=1"), ("url",)),
        (McpServer(url="https://bo:pw@far.example/mcp"), ("url",)),
        (
            McpServer(url="https://far.example/mcp", headers={"Authorization": "Bearer abc"}),
            ("headers.Authorization",),
        ),
    ],
)
def test_what_a_server_keeps_for_itself_can_be_left_out(
    server: McpServer, fields: tuple[str, ...]
) -> None:
    bare = server.bare()
    assert bare.left_out() == fields
    assert bare == (server if not fields else bare.bare())
    if fields:
        with pytest.raises(UnavailableError, match="left out when the life was exported"):
            bare.filled({"KEY": "1"})


def test_a_tool_stays_the_same_when_a_key_of_its_server_is_renewed() -> None:
    def version(server: McpServer) -> str:
        words = ("python", *server.words())
        return version_of(ToolManifest(name="get", description="", command=words, server="far"))

    first = McpServer(url="https://far.example/mcp", headers={"X-Key": "abc"})
    assert version(first) == version(msgspec.structs.replace(first, headers={"X-Key": "def"}))
    assert version(first) != version(msgspec.structs.replace(first, url="https://near.example/m"))
    assert version(first) != version(msgspec.structs.replace(first, headers={"Y-Key": "abc"}))
