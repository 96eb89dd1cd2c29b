"""`mind entity`: who and what has a name, and how they stand to each other."""

import click
import msgspec

from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    agent_option,
    archived_option,
    as_of_option,
    file_argument,
    on_error_options,
    source_option,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "name", "type", "aliases", "profile", "version", "sources")


@command("add", example="mind entity add --agent ava < entities.jsonl")
@file_argument
@agent_option
@source_option(required=False)
@on_error_options
def add(session: Session, agent: str, **wishes: str | None) -> None:
    """Keep entities, one JSON object per line of FILE or stdin; print a receipt for each.

    The id of an entity is the slug of its name. What is said of one that is there is merged into
    it: aliases and relations are added, a profile takes the place of the earlier one, and its
    version counts the changes. All are kept or none.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.faults import entity_faults
    from mindpipe.memory.records import GivenEntity
    from mindpipe.memory.verbs import entity as entities
    from mindpipe_cli import additions

    name = agents.show(session.store, name=agent).name
    kind = additions.Kind(
        GivenEntity,
        entity_faults,
        lambda bad_lines: entities.add(
            session.store, session.clock, agent=name, bad_lines=bad_lines
        ),
    )
    additions.add_lines(session, msgspec.convert(wishes, additions.AddOptions), kind)


@command("list", example="mind entity list --agent ava --table")
@agent_option
@as_of_option
@archived_option
def list_(session: Session, agent: str, as_of: str | None, *, archived: bool) -> None:
    """Print an agent's entities with their relations, by id."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import entity as entities

    name = agents.show(session.store, name=agent).name
    found = entities.list_(session.store, agent=name, as_of=as_of, archived=archived)
    session.write(found, columns=_COLUMNS)


@command("show", example='mind entity show "Jo Marsh" --agent ava')
@click.argument("entity", metavar="ENTITY")
@agent_option
@as_of_option
def show(session: Session, entity: str, agent: str, as_of: str | None) -> None:
    """Print the entity with the id, name or alias ENTITY, with its relations."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import entity as entities

    name = agents.show(session.store, name=agent).name
    session.write(
        [entities.show(session.store, agent=name, id=entity, as_of=as_of)], columns=_COLUMNS
    )


@command("relate", example="mind entity relate jo-marsh works_at harbour-lab --agent ava")
@click.argument("entity", metavar="ENTITY")
@click.argument("type", metavar="TYPE")
@click.argument("to", metavar="OTHER")
@agent_option
@click.option("--since", metavar="INSTANT", help="It is so from then on.")
@click.option("--until", metavar="INSTANT", help="It is so no more from then on.")
def relate(
    session: Session, entity: str, type: str, to: str, agent: str, **times: str | None
) -> None:
    """Say that ENTITY stands in a relation of TYPE to OTHER, and print it.

    --since and --until bound when this was so. The end of a relation that is known with the same
    beginning is told by repeating it with --until.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.records import Relation
    from mindpipe.memory.verbs import entity as entities

    name = agents.show(session.store, name=agent).name
    relation = Relation(type=type, to=to, since=times["since"], until=times["until"])
    found = entities.relate(session.store, session.clock, agent=name, id=entity, relation=relation)
    session.write([found], columns=_COLUMNS)


COMMAND = group("entity", add, list_, show, relate)
