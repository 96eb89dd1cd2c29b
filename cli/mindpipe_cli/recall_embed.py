"""`mind recall embed`: vectors for what can be found, and what questions mean beside them."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.core.ports import Rows
from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.offering import embedders
from mindpipe_cli.options import agent_option
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.ports import Embedder, Store
    from mindpipe.recall.records import Embedded
    from mindpipe.recall.verbs.meaning import Meant

_COLUMNS = ("agent", "model", "entries", "vectors", "known")


@command("embed", example="mind recall embed --agent ava")
@agent_option
@click.option(
    "--model",
    type=embedders(),
    metavar="MODEL",
    help="openai/NAME, local/NAME or local/FOLDER [embed.model].",
)
def embed(session: Session, agent: str, model: str | None) -> None:
    """Give all that an agent can recall its vectors by an embedding model, and say how many.

    What has vectors of this model already is passed over, so that it can be ended at any time and
    goes on where it was. Those of two models stand side by side and are never compared.
    """
    from mindpipe.agents.verbs import show as known_agent

    known_agent(session.store, name=agent)
    done = _embed(session.store, _required(session, model), agent=agent)
    session.write([done], columns=_COLUMNS)


def embed_files(session: Session, store: "Store", *, agent: str) -> None:
    """Embed what files hold, if a model is configured; where it cannot be, say so on stderr."""
    if not session.settings.text("embed.model"):
        return
    try:
        embedder = embedder_of(session)
        if embedder is not None:
            _embed(store, embedder, agent=agent)
    except UnavailableError as error:
        output.say(f"mind: {error}")


def _embed(store: "Store", embedder: "Embedder", *, agent: str) -> "Embedded":
    """Embed what has no vectors yet under a bar, and return what was done."""
    from mindpipe.recall.verbs import embedding, indexing
    from mindpipe_cli.progress import progress

    for _ in indexing.catch_up(store):
        pass
    total = embedding.count(store, agent=agent)
    with progress(f"embedding what {agent} can recall") as advance:
        steps = embedding.embed(store, embedder, agent=agent)
        done = next(steps)
        for done in steps:
            advance(done.entries + done.known, total)
    return done


def embedder_of(session: Session, model: str | None = None) -> "Embedder | None":
    """Return the embedding model that is asked for, else the configured one, or None."""
    from mindpipe.wiring.models import ModelMaker, models_file_of

    name = model or session.settings.text("embed.model")
    if not name:
        return None
    file = models_file_of(session.settings)
    return ModelMaker(environment=os.environ, clock=session.clock, file=file).embedder(name)


def meant(session: Session, rows: Rows, questions: Sequence[str], *, agent: str) -> "Meant | None":
    """Return what questions mean, and say on stderr what the embedding model took for it.

    It is None where words alone are searched, which is said where another thing was wished. Nothing
    is loaded for it where no embedding model is configured.
    """
    if not session.settings.text("embed.model"):
        return None
    from mindpipe.recall.verbs import meaning

    embedder = embedder_of(session)
    if embedder is None:
        return None
    try:
        found = meaning.meant(rows, embedder, questions, agent=agent, clock=session.clock)
    except UnavailableError as error:
        output.say(f"mind: {error} Searched by words alone.")
        return None
    asked = "1 question" if len(questions) == 1 else f"{len(questions)} questions"
    output.say(f"mind: {embedder.name} took {found.seconds:.3f} s for {asked}.")
    return found


def _required(session: Session, model: str | None) -> "Embedder":
    """Return the embedding model; raises UsageError where none is named or configured."""
    embedder = embedder_of(session, model)
    if embedder is None:
        raise UsageError(
            "no embedding model is configured. Give --model or set MIND_EMBED_MODEL: openai/NAME, "
            "local/NAME or local/FOLDER."
        )
    return embedder
