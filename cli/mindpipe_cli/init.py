"""`mind init`: make a store."""

from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.options import any_agent_option
from mindpipe_cli.session import Session


@command("init", example="mind init --agent ava")
@any_agent_option
def COMMAND(session: Session, agent: str | None) -> None:
    """Make a store, with a first agent if one is named."""
    from mindpipe.wiring.stores import make_store

    store = make_store(session.store_path, session.clock, session.chance)
    if agent:
        from mindpipe.agents import verbs

        verbs.new(store, session.clock, session.chance, name=agent)
    output.say(f"made {session.store_path}")
