"""`mind mcp`: an agent's memory, inbox and answers for MCP clients."""

import functools
import os
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import CompletedText, any_agent_option, only_agent, whole
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.mcp_server.records import ClientName
    from mindpipe.mcp_server.verbs.mcp import Listener

TOKEN_VARIABLE = "MIND_MCP_TOKEN"
_LEAST_TOKEN = 16


class _ServeOptions(Record):
    """The options of `mind mcp serve`."""

    agent: str | None
    client: str
    with_tools: tuple[str, ...]
    without_tools: tuple[str, ...]
    port: int | None
    token_file: str | None


def _served(*, reads: bool) -> list[str]:
    """Return the names of the tools that only read, or of the others."""
    from mindpipe.mcp_server.tools import SERVED_TOOLS

    return [tool.name for tool in SERVED_TOOLS if (tool.does == "reads") is reads]


@command("serve", example="mind mcp serve --agent ava --with-tool remember")
@any_agent_option
@click.option(
    "--client",
    default="client",
    show_default=True,
    metavar="NAME",
    help="Who calls: its words are of the source mcp-client:NAME.",
)
@click.option(
    "--with-tool",
    "with_tools",
    multiple=True,
    type=CompletedText(lambda _: _served(reads=False)),
    metavar="NAME",
    help="Offer a tool that does not only read; may be repeated.",
)
@click.option(
    "--without-tool",
    "without_tools",
    multiple=True,
    type=CompletedText(lambda _: _served(reads=True)),
    metavar="NAME",
    help="Do not offer this tool; may be repeated.",
)
@click.option(
    "--http",
    "port",
    type=whole(0, 65_535),
    metavar="PORT",
    help="Serve over HTTP on 127.0.0.1 instead, 0 on any free port.",
)
@click.option(
    "--token-file",
    metavar="FILE",
    help="A file for you alone with the token of a client, or NAME TOKEN, a line each.",
)
def serve(session: Session, **values: object) -> None:
    """Serve an agent's memory to an MCP client, on stdin and stdout or over HTTP.

    The tools recall, beliefs, why, history_search and tickets only read, and are offered.
    --with-tool switches on remember, push and ask (which lets the agent think, and costs what that
    costs). Whatever comes of a call is of the source mcp-client:NAME, and trusted as that is: by
    nobody, unless mind agent trust add AGENT mcp-client:NAME says so (and @mcp-NAME for what it
    asks). What a client calls itself is shown on stderr and counts for nothing.

    Over HTTP each request has to bring a token of --token-file, or that of MIND_MCP_TOKEN. A token
    with a NAME before it stands for that client, one alone for the one of --client. Without --agent
    the agent is the only one of the store.
    """
    from mindpipe.app import App
    from mindpipe.core.version import VERSION
    from mindpipe.mcp_server.records import ClientName
    from mindpipe.mcp_server.tools import offered_tools
    from mindpipe.mcp_server.verbs import mcp

    options = msgspec.convert(values, _ServeOptions)
    client = ClientName(name=options.client)
    tools = offered_tools(options.with_tools, options.without_tools)
    listener = _listener(options, client)
    service = mcp.Service(
        agent=options.agent or only_agent(session), tools=tools, client=client, version=VERSION
    )
    make_app = functools.partial(App, session.options, os.environ)
    mcp.serve(make_app, service, tell=_tell, listener=listener)


def _tell(words: str) -> None:
    """Say one line on stderr; stdout is the client's."""
    output.say(f"mind mcp serve: {' '.join(words.split())}")


def _listener(options: _ServeOptions, client: "ClientName") -> "Listener | None":
    """Return where clients are served over HTTP, and who is who by token; None for stdio."""
    from mindpipe.mcp_server.verbs.mcp import Listener

    # No tool of an agent inherits it.
    variable = os.environ.pop(TOKEN_VARIABLE, None)
    if options.port is None:
        if options.token_file is not None:
            raise UsageError("--token-file goes with --http PORT; stdio needs no token.")
        return None
    lines: list[str] = []
    if options.token_file is not None:
        lines = _private_lines(options.token_file)
    elif variable is not None:
        lines = [variable]
    source = options.token_file or TOKEN_VARIABLE
    clients = _clients(lines, client, source=source)
    if not clients:
        raise UsageError(
            f"--http needs a token: name a file with --token-file, or set {TOKEN_VARIABLE}."
        )
    return Listener(port=options.port, clients=clients)


def _private_lines(name: str) -> list[str]:
    """Return the lines of a file that nobody else can read; raises RefusedError for another."""
    from pathlib import Path

    from mindpipe.io.files import read_whole, require_private

    octets = read_whole(Path(name))
    require_private(name)
    return octets.decode("utf-8", "replace").splitlines()


def _clients(lines: list[str], client: "ClientName", *, source: str) -> "dict[str, ClientName]":
    """Return who is who by token; raises BadInputError for a line that names nobody safely."""
    from mindpipe.core.errors import UnsafeNameError
    from mindpipe.mcp_server.records import ClientName

    clients: dict[str, ClientName] = {}
    for number, line in enumerate(lines, 1):
        *named, token = line.split() or [""]
        if not token:
            continue
        try:
            who = ClientName(name=named[0]) if named else client
            fault = _fault_of(named, token, clients)
        except UnsafeNameError as error:
            who, fault = client, str(error)
        if fault is not None:
            raise BadInputError([Problem(source=source, line=number, message=fault)])
        clients[token] = who
    return clients


def _fault_of(named: Sequence[str], token: str, known: Container[str]) -> str | None:
    """Return why a line with a token cannot be taken, or None."""
    if len(named) > 1:
        return "more than NAME TOKEN"
    if len(token) < _LEAST_TOKEN:
        return f"a token has at least {_LEAST_TOKEN} characters"
    return "the same token as on a line before" if token in known else None


COMMAND = group("mcp", serve)
