"""`mind lesson`: what to do when, and how it went."""

import click
import msgspec

from mindpipe.core.errors import UsageError
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    agent_option,
    archived_option,
    as_of_option,
    at_option,
    file_argument,
    key_option,
    on_error_options,
    source_option,
    text_option,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "when", "text", "confidence", "subject", "sources")


@command("add", example='mind lesson add --agent ava --when "a test is red" --text "Read it"')
@file_argument
@agent_option
@text_option
@click.option("--when", metavar="TEXT", help="Where the lesson of --text applies.")
@key_option
@source_option(required=False)
@on_error_options
def add(session: Session, agent: str, **wishes: str | None) -> None:
    """Keep lessons, one JSON object per line of FILE or stdin; print a receipt for each.

    All are kept or none. One whose id or key is there with the same content changes nothing.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.faults import written_faults
    from mindpipe.memory.records import GivenLesson
    from mindpipe.memory.verbs import lesson as lessons
    from mindpipe_cli import additions, input

    name = agents.show(session.store, name=agent).name
    kind = additions.Kind(
        GivenLesson,
        written_faults,
        lambda bad_lines: lessons.add(
            session.store, session.clock, session.chance, agent=name, bad_lines=bad_lines
        ),
    )
    text, when, key = wishes.pop("text"), wishes.pop("when"), wishes.pop("key")
    if text is not None:
        lesson = GivenLesson(text=input.words_of(text), when=when, key=key)
        additions.add_one(session, lesson, kind, source=wishes["source"])
        return
    if when or key:
        raise UsageError("--when and --key go with --text; lines say their own.")
    additions.add_lines(session, msgspec.convert(wishes, additions.AddOptions), kind)


@command("list", example="mind lesson list --agent ava --table")
@agent_option
@as_of_option
@archived_option
def list_(session: Session, agent: str, as_of: str | None, *, archived: bool) -> None:
    """Print an agent's lessons with their outcomes, in the order in which they came."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import lesson as lessons

    name = agents.show(session.store, name=agent).name
    found = lessons.list_(session.store, agent=name, as_of=as_of, archived=archived)
    session.write(found, columns=_COLUMNS)


@command("show", example="mind lesson show ls_0Xq2yV1bT7cR5kE3mN8pLz --agent ava")
@click.argument("lesson", metavar="ID", type=StoredId("lesson"))
@agent_option
@as_of_option
def show(session: Session, lesson: str, agent: str, as_of: str | None) -> None:
    """Print the lesson with the id ID."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.verbs import lesson as lessons

    name = agents.show(session.store, name=agent).name
    session.write(
        [lessons.show(session.store, agent=name, id=lesson, as_of=as_of)], columns=_COLUMNS
    )


@command("outcome", example="mind lesson outcome ls_0Xq2yV1bT7cR5kE3mN8pLz --agent ava --went well")
@click.argument("lesson", metavar="ID", type=StoredId("lesson"))
@agent_option
@click.option("--went", type=click.Choice(["well", "badly"]), required=True, help="How it went.")
@click.option("--note", metavar="TEXT", help="What happened.")
@at_option
def outcome(
    session: Session, lesson: str, agent: str, went: str, note: str | None, at: str | None
) -> None:
    """Say how it went when the lesson ID was followed, and print it as it is now.

    Its confidence c becomes (c * (2 + n) + 1) / (3 + n) after the n-th outcome, if that was good,
    and (c * (2 + n)) / (3 + n) if it was not: Laplace's rule of succession.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.memory.records import LessonOutcome
    from mindpipe.memory.verbs import lesson as lessons

    name = agents.show(session.store, name=agent).name
    told = LessonOutcome(at=at or session.clock.now(), good=went == "well", note=note)
    now = lessons.outcome(session.store, session.clock, agent=name, id=lesson, outcome=told)
    session.write([now], columns=_COLUMNS)


COMMAND = group("lesson", add, list_, show, outcome)
