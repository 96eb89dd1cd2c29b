"""Who reads statements for a command: the reader that is set or named, which may be a model."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe_cli import output
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.models import Write
    from mindpipe.language.records import StatementReader


class ReaderChoice(NamedTuple):
    """Whose words are read, by the reader and the model of the command line, where any is named."""

    agent: str | None
    reader: str | None
    model: str | None
    record: str | None


class ReaderAndWriter(NamedTuple):
    """Who reads statements, and what asks the model of --model, None without one."""

    reader: "StatementReader"
    write: "Write | None"


def choose_reader(session: Session, name: str | None) -> None:
    """Put the reader of the command line, if one is named, over the setting; before all else."""
    if name is not None:
        session.choose("knowledge.reader", value=name)


@contextlib.contextmanager
def reading(session: Session, choice: ReaderChoice) -> Iterator[ReaderAndWriter]:
    """Give who reads, and what else asks a model; a model may do both.

    What it costs is entered in the ledger of the agent, which is held meanwhile.
    """
    from mindpipe.knowledge.keys import added_to
    from mindpipe.knowledge.verbs.model_reader import ModelReader
    from mindpipe.knowledge.verbs.reader import forget_auto
    from mindpipe.language.readers import model_of

    named = model_of(session.settings.knowledge.reader)
    if named and choice.model not in (None, named):
        raise UsageError(f"the reader asks {named}, and --model {choice.model}; name one of both.")
    if named is None and choice.model is None:
        yield ReaderAndWriter(_plain_reader(session, choice), None)
        return
    with _writing(session, choice, named or choice.model) as (write, label):
        words = None if choice.model is None else write
        if named is None:
            yield ReaderAndWriter(_plain_reader(session, choice), words)
        else:
            if choice.agent is not None and choice.reader is None:
                forget_auto(session.store, agent=choice.agent)
            yield ReaderAndWriter(
                ModelReader(
                    write, model=label, tell=output.say, named=added_to(session.rules.slots)
                ),
                words,
            )


def _plain_reader(session: Session, choice: ReaderChoice) -> "StatementReader":
    """Return a reader that asks no model; what auto comes to is kept with the agent."""
    from mindpipe.io.folders import digest_of
    from mindpipe.knowledge.keys import added_to
    from mindpipe.knowledge.verbs.reader import reader_for
    from mindpipe.language.readers import reader_of

    wanted, named = session.settings.knowledge.reader, added_to(session.rules.slots)
    if choice.agent is None:
        return reader_of(wanted, digest_of, named)
    asked_for = choice.reader is not None
    return reader_for(
        session.store,
        agent=choice.agent,
        wanted=wanted,
        digest=digest_of,
        named=named,
        given=session.settings.is_given("knowledge.reader"),
        asked_for=asked_for,
    )


@contextlib.contextmanager
def _writing(
    session: Session, choice: ReaderChoice, model: str | None
) -> "Iterator[tuple[Write, str]]":
    """Give what asks a model, by default the agent's or the configured one, and its name."""
    from mindpipe.agents.verbs.agent import show
    from mindpipe_cli.writer import asking, write_of

    shop = session.app.models
    if choice.agent is None:
        label = shop.unasked(model).target.label()
        yield write_of(session, model, record=choice.record), label
        return
    agent = show(session.store, name=choice.agent)
    label = shop.unasked(model or agent.model).target.label()
    with asking(session, agent, model=model, record=choice.record) as ports:
        assert ports.write is not None
        yield ports.write, label
