"""`mind status`: how an agent stands, on one screen."""

import click

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe_cli import monitoring, screen
from mindpipe_cli.command import command
from mindpipe_cli.options import any_agent_option, timeout_option
from mindpipe_cli.session import Session


@command("status", example="mind status --agent ava --watch")
@any_agent_option
@click.option("--watch", is_flag=True, help="Go on showing it while it changes, until Ctrl-C.")
@timeout_option
def COMMAND(session: Session, agent: str | None, timeout: float | None, *, watch: bool) -> None:
    """Print how an agent, or each one, stands: mode, queue, last cycles, spend, concerns, alerts.

    With --watch a terminal shows it anew whenever something changes; a pipe gets one record of an
    agent for each change.
    """
    names = [agent] if agent else [one.name for one in agents.list_(session.store)]
    if not names:
        raise NothingToDoError("there is no agent yet; mind agent new NAME makes one.")
    if timeout is not None and not watch:
        raise UsageError("--timeout is for --watch.")
    if watch:
        screen.watch(session, names, timeout=timeout)
    else:
        screen.write(session, [monitoring.status(session, name) for name in names])
