"""`mind init`: make a store."""

import click

from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.options import any_agent_option
from mindpipe_cli.session import Session


@command("init", example="mind init --agent ava")
@any_agent_option
@click.option(
    "--page-checksums", is_flag=True, help="Keep a checksum of every page: no flipped bit unseen."
)
def COMMAND(session: Session, agent: str | None, *, page_checksums: bool) -> None:
    """Make a store, with a first agent if one is named.

    With --page-checksums other programs may read the file, but only mind may write it.
    """
    from mindpipe.agents.records import AgentChange
    from mindpipe.store.verbs.init import init

    init(
        session.where,
        session.clock,
        session.chance,
        agent=agent,
        page_checksums=page_checksums,
        change=session.app.new_agent(AgentChange()) if agent else None,
    )
    output.say(f"made {session.where}")
