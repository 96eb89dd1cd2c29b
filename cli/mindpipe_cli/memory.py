"""`mind memory`: all that agents remember, whatever form it has."""

import functools

import click

from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    agent_option,
    any_agent_option,
    archived_option,
    as_of_option,
    at_option,
    before_option,
    dry_run_option,
    file_argument,
    key_option,
    kind_option,
    limit_option,
    model_options,
    on_error_options,
    output_option,
    since_option,
    source_option,
    speaker_option,
    subject_option,
    text_option,
    whole,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "kind", "at", "speaker", "subject", "significance", "text", "sources")
_FILTERS = (
    kind_option,
    speaker_option,
    subject_option,
    since_option,
    before_option,
    as_of_option,
    archived_option,
    limit_option(None),
)


def _filtering(function: click.decorators.FC) -> click.decorators.FC:
    """Declare which items are meant."""
    return functools.reduce(lambda made, option: option(made), reversed(_FILTERS), function)


@command("add", example="mind memory add --agent ava < items.jsonl")
@file_argument
@any_agent_option
@text_option
@at_option
@speaker_option
@key_option
@source_option(required=False)
@on_error_options
@output_option
def add(session: Session, **wishes: str | None) -> None:
    """Remember items, one JSON object per line of FILE or stdin; print a receipt for each.

    All are kept or none. An item whose id or key is there with the same content is a duplicate and
    changes nothing; with other content it is refused, and so is one whose span quotes words that
    the log has not. With --output they are written to that file as they would be kept, without any
    store.

    What is added with --source stands under words of that source, as far as it is trusted.
    """
    from mindpipe_cli import remembering_items

    remembering_items.add(session, remembering_items.Given(**wishes))  # type: ignore[arg-type]  # click held each to its type


@command("list", example="mind memory list --agent ava --kind semantic --since 2026-03-01")
@agent_option
@_filtering
def list_(session: Session, agent: str, limit: int | None, **wanted: str | bool | None) -> None:
    """Print an agent's items, in the order in which they came.

    What was archived or taken back is left out unless --archived is given.
    """
    from mindpipe.memory.verbs import items
    from mindpipe_cli import remembering, remembering_items

    name = remembering.agent_of(session, agent)
    wish = remembering_items.filter_of(wanted)
    session.write(
        items.list_(session.store, agent=name, wanted=wish, limit=limit), columns=_COLUMNS
    )


@command("show", example="mind memory show it_0Xq2yV1bT7cR5kE300000001 --agent ava")
@click.argument("item", metavar="ID")
@agent_option
@as_of_option
def show(session: Session, item: str, agent: str, as_of: str | None) -> None:
    """Print the item with the id ID."""
    from mindpipe.memory.verbs import items
    from mindpipe_cli import remembering

    name = remembering.agent_of(session, agent)
    session.write([items.show(session.store, agent=name, id=item, as_of=as_of)], columns=_COLUMNS)


@command("search", example='mind memory search "night train" --agent ava --limit 20')
@click.argument("words")
@agent_option
@_filtering
def search(
    session: Session, words: str, agent: str, limit: int | None, **wanted: str | bool | None
) -> None:
    """Print an agent's items that have all of WORDS in their text, in the order in which they came.

    Capitals do not count, and part of a word does. None is exit status 3.
    """
    from mindpipe.memory.verbs import items
    from mindpipe_cli import remembering, remembering_items

    name = remembering.agent_of(session, agent)
    wish = remembering_items.filter_of(wanted)
    found = items.search(session.store, agent=name, words=words, wanted=wish, limit=limit)
    remembering.refuse_none(session.write(found, columns=_COLUMNS), words)


@command("archive", example="mind memory archive --agent ava --dry-run")
@agent_option
@click.option(
    "--below",
    type=click.FloatRange(0, 1),
    metavar="0..1",
    help="Set aside what is weaker [0.05].",
)
@dry_run_option
def archive(session: Session, agent: str, below: float | None, *, dry_run: bool) -> None:
    """Set aside the items that have faded, and print them; none is exit status 3.

    Their strength is significance/10, halved again and again: every 30 days (episodic), 90 (note)
    or 180 (semantic, procedural), and half as often with each time that they were recalled.
    Nothing is deleted: mind recall --history and --archived find them as before.
    """
    from mindpipe.memory.strength import ARCHIVE_BELOW
    from mindpipe.memory.verbs import items
    from mindpipe_cli import remembering

    name = remembering.agent_of(session, agent)
    least = ARCHIVE_BELOW if below is None else below
    gone = items.archive(session.store, session.clock, agent=name, below=least, dry_run=dry_run)
    session.write(gone, columns=_COLUMNS)


@command("revoke", example="mind memory revoke --source web --dry-run")
@source_option(required=True)
@any_agent_option
@dry_run_option
def revoke(session: Session, source: str, agent: str | None, *, dry_run: bool) -> None:
    """Forget all that was written under words of a source, and print each change that follows.

    Notes, goals and plans are gone; items, reflections, lessons, entities and relations are taken
    back, and what is believed on them is settled anew; whether the source was trusted does not
    matter. The source may end in *, leave its sender out (space:family), or be who speaks in spaces
    (husam). Without --agent all agents forget. The log is not touched. Nothing that depends on it
    is exit status 3.
    """
    from mindpipe.context.verbs import memories
    from mindpipe_cli.believing import rules

    revoker = memories.Revoker(session.clock, session.chance, rules(session))
    gone = memories.revoke(session.store, revoker, source=source, agent=agent, dry_run=dry_run)
    session.write(gone, columns=("kind", "agent", "subject", "text", "sources", "change"))


@command("extract", example="mind memory extract --agent ava")
@file_argument
@any_agent_option
@click.option(
    "--since-cycle", type=whole(1), metavar="N", help="Read from this cycle on [what is new]."
)
@click.option(
    "--least",
    type=click.FloatRange(0, 10),
    default=0.0,
    metavar="0..10",
    help="Only what is of this significance or more [0].",
)
@model_options
@on_error_options
def extract(session: Session, **wishes: str | float | None) -> None:
    """Find what is worth remembering in what was said, by rules; print each item with its quote.

    With --agent its own log is read from where it was read last, and what is found is kept, once.
    Without, the messages (mind history export) or items on FILE or stdin are read, and nothing is
    kept. With --model, which is also asked for what the rules miss, every item must quote the log
    letter by letter: a line of its answer that does not is refused. Words of the mind itself, of
    other agents and of tools give no items, and of one text the first 1000 sentences are read.
    Nothing found is exit status 3.
    """
    from mindpipe_cli import memory_extract

    memory_extract.extract(session, wishes)


COMMAND = group("memory", add, list_, show, search, archive, revoke, extract)
