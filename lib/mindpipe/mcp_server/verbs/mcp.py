"""Serve an agent to MCP clients, over stdin and stdout or over HTTP."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import UnavailableError
from mindpipe.core.records import Record
from mindpipe.mcp_server.records import ClientName
from mindpipe.mcp_server.tools import ServedTool

if TYPE_CHECKING:
    from mindpipe.app import App


class Service(Record):
    """Who is served, with which tools, to whom; `version` is the program's."""

    agent: str
    tools: Sequence[ServedTool]
    client: ClientName
    version: str


class Listener(Record):
    """On which port of loopback clients are served, and who they are by token."""

    port: int
    clients: Mapping[str, ClientName]


def serve(
    make_app: "Callable[[], App]",
    service: Service,
    *,
    tell: Callable[[str], None],
    listener: Listener | None = None,
) -> None:
    """Serve an agent until its client leaves, or over HTTP until a signal comes.

    `make_app` gives each thread what it runs with. The agent is looked for first.

    Raises:
        UsageError: there is no such agent.
        UnavailableError: the SDK is not installed, or the port is taken.
    """
    from mindpipe.mcp_server.verbs.calls import ServedAgent

    def opened() -> ServedAgent:
        return ServedAgent(make_app(), agent=service.agent, tell=tell)

    app = make_app()
    agents.show(app.store, name=service.agent)
    app.store.close()
    try:
        from mindpipe.mcp_server.protocol import Offer
    except ImportError:
        raise UnavailableError(
            "mind mcp serve needs the extra mcp: pip install '.[mcp]' in mindpipe's folder."
        ) from None
    offer = Offer(
        agent=service.agent,
        version=service.version,
        tools=service.tools,
        open=opened,
        tell=tell,
    )
    if listener is None:
        from mindpipe.mcp_server.stdio import serve_stdio

        serve_stdio(offer, service.client)
    else:
        from mindpipe.mcp_server.http import serve_http

        serve_http(offer, listener.clients, port=listener.port)
