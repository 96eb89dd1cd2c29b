"""`mind note`: key and value notes that an agent keeps in view."""

import click

from mindpipe.agents.verbs import note as notes
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_option, by_option, decider, words_or_file
from mindpipe_cli.session import Session

_COLUMNS = ("agent", "key", "value", "updated", "sources")


@command("set", example='mind note set --agent ava sarah "prefers charts over tables"')
@agent_option
@click.argument("key")
@click.argument("value", callback=words_or_file)
def set_(session: Session, agent: str, key: str, value: str) -> None:
    """Keep VALUE (or @FILE) under KEY, in the place of what was there."""
    note = notes.set_(session.store, session.clock, agent=agent, key=key, value=value)
    session.write([note], columns=_COLUMNS)


@command("get", example="mind note get --agent ava sarah")
@agent_option
@click.argument("key")
def get(session: Session, agent: str, key: str) -> None:
    """Print the note under KEY."""
    session.write([notes.get(session.store, agent=agent, key=key)], columns=_COLUMNS)


@command("list", example="mind note list --agent ava")
@agent_option
def list_(session: Session, agent: str) -> None:
    """Print an agent's notes by key."""
    session.write(notes.list_(session.store, agent=agent), columns=_COLUMNS)


@command("delete", example="mind note delete --agent ava sarah")
@agent_option
@click.argument("key")
def delete(session: Session, agent: str, key: str) -> None:
    """Forget the note under KEY and print what it was."""
    session.write([notes.delete(session.store, agent=agent, key=key)], columns=_COLUMNS)


@command("trust", example="mind note trust --agent ava sarah")
@agent_option
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@by_option
def trust(session: Session, agent: str, keys: tuple[str, ...], by: str | None) -> None:
    """Vouch for the notes under these KEYs, once you have read them.

    They are shown as the agent's own from then on, and taint no turn. It is recorded.
    """
    from mindpipe.context.verbs import trust as trust_verbs

    reader = trust_verbs.Reader(decider(by), session.clock)
    made = trust_verbs.trust_memories(
        session.store, reader, kind="note", agent=agent, subjects=keys
    )
    session.write(made, columns=output.CLEARANCE)


COMMAND = group("note", set_, get, list_, delete, trust)
