"""`mind trace`: what agents lived through, for systems that collect traces."""

import click

from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_option, whole
from mindpipe_cli.session import Session


@command("export", example="mind trace export --agent ava --endpoint http://127.0.0.1:4318")
@agent_option
@click.option(
    "--after", type=whole(0), default=0, metavar="CYCLE", help="Only the cycles after this one."
)
@click.option("--content", is_flag=True, help="Also what was said, and arguments and results.")
@click.option(
    "--endpoint", metavar="URL", help="Send them there (OTLP/HTTP) and print what was taken."
)
def export(
    session: Session, agent: str, after: int, endpoint: str | None, *, content: bool
) -> None:
    """Print the cycles of an agent that ended as OpenTelemetry spans, one OTLP request a line.

    They are named by the GenAI conventions, version 1.41.0; what those have no name for is under
    mindpipe. Ids are hashes of the history: a second export is the same. Headers for an endpoint,
    such as a key, are read from OTEL_EXPORTER_OTLP_HEADERS.
    """
    if endpoint is None:
        session.prints("OTLP requests as JSON Lines", "json")
    from mindpipe.core.records import to_json
    from mindpipe.core.version import VERSION
    from mindpipe.monitoring import collector
    from mindpipe.monitoring.verbs import trace

    traced = trace.export(session.store, agent=agent, after=after, content=content, version=VERSION)
    if endpoint is None:
        for one in traced:
            output.write_bytes((to_json(one.request), b"\n"))
        return
    sent = collector.send(traced, endpoint=endpoint, environment=session.app.environment)
    session.write([sent], columns=("endpoint", "cycles", "spans", "last"))


COMMAND = group("trace", export)
