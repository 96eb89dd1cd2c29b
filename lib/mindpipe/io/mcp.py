"""Ask an MCP server for its tools, under the limits that its manifest sets."""

from collections.abc import Container, Mapping

import msgspec

from mindpipe.agents.manifests import OfferedTool, claims_of, tools_of_server
from mindpipe.core.addresses import shown_address
from mindpipe.core.errors import UnavailableError
from mindpipe.core.mcp_servers import SERVER_PATH, server_of
from mindpipe.core.ports import ProgramCall
from mindpipe.core.records import NO_RECORD
from mindpipe.core.text import terminal_text
from mindpipe.core.tools import ToolManifest
from mindpipe.io.mcp_bridge import Listing, bridge
from mindpipe.io.programs import LocalPrograms

_LISTING_BYTES = 4 << 20
_TAIL = 400


def listed_tools(
    server: ToolManifest,
    *,
    environment: Mapping[str, str],
    source: str,
    reserved: Container[str] = (),
) -> tuple[ToolManifest, ...]:
    """Start a server once and return its tools, each bound to what the server says of them now.

    Raises:
        UnavailableError: the server, or the extra that speaks to it, is not there or fails.
        BadInputError: what it lists cannot be an agent's tools.
    """
    listing = _listing(server, environment)
    offered = [
        OfferedTool(
            tool.name,
            tool.description,
            tool.input_schema,
            bridge("call", listing.sha256, tool.name, *server.command),
            claims_of(tool.title, tool.annotations or {}),
        )
        for tool in listing.tools
    ]
    return tools_of_server(server, offered, source=source, reserved=reserved)


def _listing(server: ToolManifest, environment: Mapping[str, str]) -> Listing:
    """Run the bridge for a list of the server's tools."""
    seen = (*server.environment, SERVER_PATH)
    named = {name: environment[name] for name in seen if name in environment}
    run = LocalPrograms().run(
        ProgramCall(
            argv=bridge("list", *server.command),
            seconds=server.timeout,
            output_bytes=_LISTING_BYTES,
            environment=named,
            limits=server.limits(),
        )
    )
    if run.status == 0:
        try:
            return msgspec.json.decode(run.stdout, type=Listing)
        except NO_RECORD:
            pass
    words = " ".join(terminal_text(run.stderr.decode("utf-8", "replace")).split())[-_TAIL:]
    how = f"no list within {server.timeout:g} seconds" if run.status is None else words
    if run.outgrew:
        how = f"it took more memory than its manifest's memory_bytes, {server.memory_bytes}"
    there = server_of(server.command)
    check = (
        f"{shown_address(there.url)} answers" if there.url else f"{there.command} starts by itself"
    )
    raise UnavailableError(
        f"the MCP server {server.name} does not list its tools ({how or 'it says nothing'}); "
        f"check that {check}."
    )
