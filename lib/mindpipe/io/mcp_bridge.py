"""Make one call of one tool of an MCP server, as a program that reads JSON and prints text.

A tool of an agent has this as its command, so that a server runs like any other program: under
limits, in a folder of its own, for one call. `list SERVER…` prints a server's tools and the hash
of what it says of them; `call HASH TOOL SERVER…` reads arguments from stdin and calls the tool,
unless the server says anything else of its tools by now.
"""

import hashlib
import os
import sys
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.errors import ExitStatus
from mindpipe.core.records import Record

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

_PAGES = 100


class ListedTool(Record, omit_defaults=True):
    """One tool of a server, in the server's own words."""

    name: str
    description: str
    input_schema: dict[str, object]
    title: str | None = None
    annotations: dict[str, object] | None = None


class Listing(Record):
    """What a server says of its tools, by name, and the SHA-256 of it."""

    sha256: str
    tools: tuple[ListedTool, ...]


class BridgeOutcome(Record):
    """What the bridge prints and the status with which it ends."""

    status: ExitStatus
    text: str


def bridge(*words: str) -> tuple[str, ...]:
    """Return the command that runs the bridge with these words."""
    return (sys.executable, "-I", "-m", "mindpipe.io.mcp_bridge", *words)


def main() -> None:
    """Do what the words of the command say, print the outcome, and end."""
    try:
        import anyio

        outcome = anyio.run(_list if sys.argv[1] == "list" else _call, sys.argv[2:])
    except ImportError:
        outcome = BridgeOutcome(
            status=ExitStatus.UNAVAILABLE,
            text="MCP servers need the extra mcp: pip install 'mindpipe[mcp]'.",
        )
    except Exception as error:
        outcome = BridgeOutcome(
            status=ExitStatus.FAILED, text=f"the MCP server failed: {_cause(error)}"
        )
    done = outcome.status is ExitStatus.DONE
    with open(1 if done else 2, "wb", closefd=False) as stream:
        stream.write(outcome.text.encode("utf-8", "replace") + b"\n")
    os._exit(outcome.status)


async def _list(words: list[str]) -> BridgeOutcome:
    """Ask a server for its tools."""
    async with _client(words) as client:
        listing = await _listing(client)
    return BridgeOutcome(status=ExitStatus.DONE, text=msgspec.json.encode(listing).decode())


async def _call(words: list[str]) -> BridgeOutcome:
    """Call one tool of a server that says what it said when it was looked at."""
    pinned, tool, *server = words
    arguments = msgspec.json.decode(sys.stdin.buffer.read(), type=dict[str, object])
    async with _client(server) as client:
        if (await _listing(client)).sha256 != pinned:
            return BridgeOutcome(
                status=ExitStatus.REFUSED,
                text="the tools of this MCP server have changed, so nothing was called; somebody "
                "must look at them and give them again (mind agent set NAME --mcp FILE).",
            )
        result = await _answered(client, tool, arguments)
    if result is None:
        os.abort()
    failed = ExitStatus.FAILED if result.is_error else ExitStatus.DONE
    return BridgeOutcome(status=failed, text=_text_of(result))


async def _answered(
    client: "Client", tool: str, arguments: dict[str, object]
) -> "CallToolResult | None":
    """Return the server's answer; None if it was lost, so that nobody knows whether it acted."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED, CallToolResult, TextContent

    try:
        return await client.call_tool(tool, arguments)
    except MCPError as error:
        if error.code == CONNECTION_CLOSED:
            return None
        words = TextContent(type="text", text=_cause(error))
        return CallToolResult(content=[words], is_error=True)
    except OSError:
        return None


def _client(server: list[str]) -> "Client":
    """Return the client of a server, which is started with the environment of this program."""
    from mcp import Client, StdioServerParameters

    command, *words = server
    return Client(StdioServerParameters(command=command, args=words, env=dict(os.environ)))


async def _listing(client: "Client") -> Listing:
    """Return all pages of a server's tools."""
    found: list[ListedTool] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += [
            ListedTool(
                name=tool.name,
                description=tool.description or "",
                input_schema=tool.input_schema,
                title=tool.title,
                annotations=tool.annotations.model_dump(by_alias=True, exclude_none=True)
                if tool.annotations
                else None,
            )
            for tool in page.tools
        ]
        cursor = page.next_cursor
        if cursor is None:
            break
    tools = tuple(sorted(found, key=lambda tool: tool.name))
    exact = msgspec.json.encode(tools, order="deterministic")
    return Listing(sha256=hashlib.sha256(exact).hexdigest(), tools=tools)


def _text_of(result: "CallToolResult") -> str:
    """Return an answer as text; what is no text is named."""
    parts = [
        part.text if part.type == "text" else f"[{part.type}: not shown]" for part in result.content
    ]
    if not parts and result.structured_content is not None:
        return msgspec.json.encode(result.structured_content).decode()
    return "\n".join(parts)


def _cause(error: BaseException) -> str:
    """Return what a failure comes down to: groups say nothing by themselves."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__


if __name__ == "__main__":
    main()
