"""`mind reflection`: summaries of periods, with the items that were read for them."""

import click
import msgspec

from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    agent_option,
    archived_option,
    as_of_option,
    before_option,
    file_argument,
    limit_option,
    on_error_options,
    since_option,
    source_option,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "since", "until", "text", "origin", "sources")


@command("add", example="mind reflection add --agent ava < reflections.jsonl")
@file_argument
@agent_option
@source_option(required=False)
@on_error_options
def add(session: Session, agent: str, **wishes: str | None) -> None:
    """Keep reflections, one JSON object per line of FILE or stdin; print a receipt for each.

    All are kept or none. One whose id or key is there with the same content changes nothing.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.faults import written_faults
    from mindpipe.memory.records import GivenReflection
    from mindpipe.memory.verbs import reflection as reflections
    from mindpipe_cli import additions

    name = agents.show(session.store, name=agent).name
    kind = additions.Kind(
        GivenReflection,
        written_faults,
        lambda bad_lines: reflections.add(
            session.store, session.clock, session.chance, agent=name, bad_lines=bad_lines
        ),
    )
    additions.add_lines(session, msgspec.convert(wishes, additions.AddOptions), kind)


@command("list", example="mind reflection list --agent ava --as-of 2026-03-01")
@agent_option
@as_of_option
@archived_option
def list_(session: Session, agent: str, as_of: str | None, *, archived: bool) -> None:
    """Print an agent's reflections, in the order in which they came."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import reflection as reflections

    name = agents.show(session.store, name=agent).name
    found = reflections.list_(session.store, agent=name, as_of=as_of, archived=archived)
    session.write(found, columns=_COLUMNS)


@command("show", example="mind reflection show rf_0Xq2yV1bT7cR5kE3mN8pLz --agent ava")
@click.argument("reflection", metavar="ID", type=StoredId("reflection"))
@agent_option
@as_of_option
def show(session: Session, reflection: str, agent: str, as_of: str | None) -> None:
    """Print the reflection with the id ID."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import reflection as reflections

    name = agents.show(session.store, name=agent).name
    found = reflections.show(session.store, agent=name, id=reflection, as_of=as_of)
    session.write([found], columns=_COLUMNS)


@command("make", example="mind reflection make --agent ava --since 2026-03-01 --until 2026-04-01")
@agent_option
@since_option
@before_option
@limit_option(50)
def make(session: Session, agent: str, since: str | None, until: str | None, limit: int) -> None:
    """Summarise a period by rules, keep the summary and print it; no item is exit status 3.

    Without --since it begins where the last one ended, without --until it ends now. It counts all
    items of the period and reads at most --limit of them, the most significant ones, whose ids it
    names. What the model itself said is not read. Made again of the same items, it is the same.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.records import Period
    from mindpipe.memory.verbs import reflection as reflections

    name = agents.show(session.store, name=agent).name
    period = Period(since=since, until=until or session.clock.now(), limit=limit)
    made = reflections.make(session.store, session.clock, session.chance, agent=name, period=period)
    session.write([made], columns=_COLUMNS)


COMMAND = group("reflection", add, list_, show, make)
