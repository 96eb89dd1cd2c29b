"""`mind trace`: what agents lived through, for systems that collect traces."""

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from mindpipe.core.errors import UsageError
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_option, timeout_option, whole
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.monitoring.verbs.trace import TracedCycle

    ExportAfter = Callable[[int], Iterator[TracedCycle]]

_LOOK_SECONDS = 1.0


@command("export", example="mind trace export --agent ava --endpoint http://127.0.0.1:4318")
@agent_option
@click.option(
    "--after", type=whole(0), default=0, metavar="CYCLE", help="Only the cycles after this one."
)
@click.option("--content", is_flag=True, help="Also what was said, and arguments and results.")
@click.option(
    "--endpoint", metavar="URL", help="Send them there (OTLP/HTTP) and print what was taken."
)
@click.option(
    "--follow", is_flag=True, help="Go on with each cycle as it ends, until Ctrl-C or --timeout."
)
@timeout_option
def export(
    session: Session,
    agent: str,
    after: int,
    endpoint: str | None,
    timeout: float | None,
    *,
    content: bool,
    follow: bool,
) -> None:
    """Print the cycles of an agent that ended as OpenTelemetry spans, one OTLP request a line.

    A cycle that is open has no end yet, and OpenTelemetry knows no span without one: it comes with
    the next export, or as soon as it ends with --follow.

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

    if timeout is not None and not follow:
        raise UsageError("--timeout is for --follow.")

    def export_after(last: int) -> "Iterator[TracedCycle]":
        return trace.export(
            session.store, agent=agent, after=last, content=content, version=VERSION
        )

    traced = export_after(after)
    if follow:
        traced = _followed(session, export_after, after=after, timeout=timeout)
    if endpoint is None:
        for one in traced:
            output.write_bytes((to_json(one.request), b"\n"))
            if follow:
                output.flush()
        return
    sent = collector.send(traced, endpoint=endpoint, environment=session.app.environment)
    session.write([sent], columns=("endpoint", "cycles", "spans", "last"))


def _followed(
    session: Session, export_after: "ExportAfter", *, after: int, timeout: float | None
) -> "Iterator[TracedCycle]":
    """Yield cycles whenever the store has more that ended, for so many seconds."""
    from mindpipe.store.watch import watching

    until = math.inf if timeout is None else session.clock.boot().seconds + timeout
    with watching(session.where) as changes:
        while True:
            for one in export_after(after):
                after = one.number
                yield one
            left = until - session.clock.boot().seconds
            if left <= 0:
                return
            changes(min(_LOOK_SECONDS, left))


COMMAND = group("trace", export)
