"""MCP servers in files as other programs have them: `{"mcpServers": {NAME: …}}`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

import msgspec

from mindpipe.agents.manifests import fault_of_variable, placed_words
from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.mcp_servers import McpServer, server_of, variables_in, without_withdrawn
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.redaction import redact
from mindpipe.core.tools import ToolManifest

_KEY = "mcpServers"
_TYPES = {"stdio": "command", "http": "url", "streamable-http": "url", "streamableHttp": "url"}
_OWN = frozenset({"HOME", "LANG", "PATH", "TMPDIR"})
"""A server has others than the user: where the file names these, the user's are meant."""
_LIMITS = "mindpipe"
"""The key under which a server may have what a manifest says of effect, labels and limits."""


def servers_in(document: bytes, *, source: str) -> object | None:
    """Return what a file names as servers; None of a manifest of ours, which names none."""
    if source.endswith(".toml"):
        return None
    found = load_json(document, source=source)
    return (found[_KEY] or {}) if isinstance(found, dict) and _KEY in found else None


def read_servers(
    listed: object,
    *,
    source: str,
    folder: PurePath,
    environment: Mapping[str, str],
) -> tuple[ToolManifest, ...]:
    """Return the servers that a file names, each as a manifest whose command means it.

    What other programs keep there (`disabled` apart) is passed over: nothing in it gives trust.
    Relative paths are taken from `folder`.

    Raises:
        BadInputError: every fault, as `FILE: $.field: fault`.
    """
    if not isinstance(listed, dict) or not listed:
        problem = Problem(source=source, field=f"$.{_KEY}", message="expected servers by name")
        raise BadInputError([problem])
    entries = {name: one for name, one in listed.items() if not _is_disabled(one)}
    problems = [
        problem
        for name, entry in entries.items()
        for problem in _problems(entry, source=source, at=f"$.{_KEY}.{name}")
    ]
    names = {name: re.sub(r"[^a-z0-9_]", "_", name.lower()) for name in entries}
    for name, ours in names.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,47}", ours):
            message = "a server's name begins with a letter and has at most 48 characters"
            problems.append(Problem(source=source, field=f"$.{_KEY}.{name}", message=message))
        elif list(names.values()).count(ours) > 1:
            message = f"two servers would be named {ours}; rename one"
            problems.append(Problem(source=source, field=f"$.{_KEY}.{name}", message=message))
    if problems:
        raise BadInputError(problems)
    own = {name: value for name, value in environment.items() if name in _OWN}
    made = []
    for name, entry in entries.items():
        server = _placed(_server(entry).filled_in_part(own), folder)
        at = f"$.{_KEY}.{name}"
        problems += _variable_problems(server, environment, source=source, at=at)
        made.append((names[name], server, entry.get(_LIMITS, {})))
    if problems:
        raise BadInputError(problems)
    return tuple(_manifest(name, server, limits) for name, server, limits in made)


def _is_disabled(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("disabled") is True


def _problems(entry: object, *, source: str, at: str) -> Iterator[Problem]:
    """Yield what is wrong with the form of one server."""
    if not isinstance(entry, dict):
        yield Problem(source=source, field=at, message="expected an object")
        return
    kind = entry.get("type")
    way = _TYPES.get(kind) if isinstance(kind, str) else None
    given = [key for key in ("command", "url") if key in entry]
    if kind is not None and way is None:
        message = "expected stdio or http (streamable HTTP); SSE alone is of an older protocol"
        yield Problem(source=source, field=f"{at}.type", message=message)
    elif len(given) != 1 or way not in (None, *given):
        message = "expected either command (stdio) or url (streamable HTTP)"
        yield Problem(source=source, field=at, message=message)
    yield from problems_of(_fields(entry), McpServer, source=source, at=at)
    url = entry.get("url")
    if isinstance(url, str) and not re.match(r"https?://|\$\{", url):
        message = "expected an address that begins with http:// or https://"
        yield Problem(source=source, field=f"{at}.url", message=message)
    limits = entry.get(_LIMITS, {})
    if isinstance(limits, dict):
        limits = {**without_withdrawn(limits), "name": "x", "description": "", "command": ["x"]}
    yield from problems_of(limits, ToolManifest, source=source, at=f"{at}.{_LIMITS}")


def shown_tools(tools: Iterable[ToolManifest]) -> tuple[ToolManifest, ...]:
    """Return tools without what may be secret in the words of their commands."""

    def shown(word: str, tool: ToolManifest) -> tuple[str, ...]:
        of_server = tool.server is not None and _is_server(word)
        return server_of([word]).shown().words() if of_server else (redact(word),)

    return tuple(
        msgspec.structs.replace(
            tool,
            command=tuple(part for word in tool.command for part in shown(word, tool)),
            verify=tuple(map(redact, tool.verify)),
        )
        for tool in tools
    )


def bare_tools(tools: Iterable[ToolManifest]) -> tuple[ToolManifest, ...]:
    """Return tools whose servers have no values that may be secret, as in a life file."""
    return tuple(
        msgspec.structs.replace(tool, command=tuple(bare_command(tool.command)))
        if tool.server is not None
        else tool
        for tool in tools
    )


def servers_of(tools: Iterable[ToolManifest]) -> dict[str, McpServer]:
    """Return the MCP servers of which some tools are, by name."""
    return {
        tool.server: server_of([word])
        for tool in tools
        if tool.server is not None
        for word in tool.command
        if _is_server(word)
    }


def left_out(servers: Mapping[str, McpServer]) -> str:
    """Return which values of which servers are left out, in words; empty where none is."""
    fields = {name: server.left_out() for name, server in servers.items()}
    return "; ".join(f"{name}: {', '.join(there)}" for name, there in fields.items() if there)


def without_secrets(body: str) -> str:
    """Return an agent as it is stored, its MCP servers without values that may be secret.

    Of one that has none it is the same text.
    """
    if '"server":' not in body:
        return body
    agent = msgspec.json.decode(body)
    before = [tool.get("command") for tool in agent.get("tools", ())]
    for tool in agent.get("tools", ()):
        if tool.get("server"):
            tool["command"] = bare_command(tool["command"])
    after = [tool.get("command") for tool in agent.get("tools", ())]
    return body if before == after else msgspec.json.encode(agent).decode()


def bare_command(words: Iterable[str]) -> list[str]:
    """Return the command of a server's tool without values that may be secret."""
    return [_bare(word) if _is_server(word) else word for word in words]


def _bare(word: str) -> str:
    """Return the word that means a server, itself where nothing is left out of it."""
    bare = server_of([word]).bare()
    return bare.words()[0] if bare.left_out() else word


def _is_server(word: str) -> bool:
    """Tell whether a word of a command of a server's tool means the server."""
    return word.startswith("{")


def _fields(entry: dict[str, object]) -> dict[str, object]:
    """Return what of an entry we read."""
    return {key: entry[key] for key in McpServer.__struct_fields__ if key in entry}


def _server(entry: dict[str, object]) -> McpServer:
    """Return an entry without faults as a server."""
    return msgspec.convert(_fields(entry), McpServer)


def _placed(server: McpServer, folder: PurePath) -> McpServer:
    """Return a server with the relative paths of its command made absolute.

    As other programs start it, it is started in the folder of the file, or in `cwd` from there.
    """
    if not server.command:
        return server
    command, *args = placed_words((server.command, *server.args), folder)
    cwd = str(folder / server.cwd)
    return msgspec.structs.replace(server, command=command, args=tuple(args), cwd=cwd)


def _variable_problems(
    server: McpServer,
    environment: Mapping[str, str],
    *,
    source: str,
    at: str,
) -> Iterator[Problem]:
    """Yield the variables that are not set, or that no tool is given."""
    for field, text in server.texts():
        for name, needed in variables_in(text).items():
            fault = fault_of_variable(name)
            if fault is None and needed and not environment.get(name):
                fault = f"the variable {name} is not set; set it, or write ${{{name}:-words}}"
            if fault is not None:
                yield Problem(source=source, field=f"{at}.{field}", message=fault)


def _manifest(name: str, server: McpServer, limits: dict[str, object]) -> ToolManifest:
    """Return the manifest of a server, which sees the variables that its words name."""
    named = {one: None for _, text in server.texts() for one in variables_in(text)}
    fields: dict[str, object] = {
        **without_withdrawn(limits),
        "name": name,
        "description": "",
        "command": list(server.words()),
        "environment": list(named),
    }
    return msgspec.convert(fields, ToolManifest)
