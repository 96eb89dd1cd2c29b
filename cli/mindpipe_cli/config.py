"""`mind config`: settings and where each came from."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.errors import BadInputError, UnavailableError
from mindpipe.core.records import Record
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.settings import Settings, Value

_MODELS = ("model", "person.model")
"""The settings that may hold an alias of a model."""


class Checked(Record):
    """Settings that may be used: how many there are, and how many somebody gave."""

    source: str
    settings: int
    given: int


@command("show", example="mind config show")
def show(session: Session) -> None:
    """Print every setting, its value and where that came from; of an alias what it means, too."""
    values = session.settings.all()
    means = {value.name: meant for value in values if (meant := _meant(value)) is not None}
    session.write(
        (
            {**msgspec.to_builtins(value), "means": means[value.name]}
            if value.name in means
            else value
            for value in values
        ),
        columns=("name", "value", *(("means",) if means else ()), "source"),
    )


def _meant(value: "Value") -> str | None:
    """Return the model that an alias means; None where a setting holds none."""
    from mindpipe.io.model_aliases import without_alias

    if value.name not in _MODELS or not isinstance(value.value, str):
        return None
    meant = without_alias(value.value, os.environ)
    return None if meant == value.value else meant


@command("check", example="mind config check mind.toml")
@click.argument("file", required=False, type=click.Path(path_type=Path))
def check(session: Session, file: Path | None) -> None:
    """Say whether FILE, or all that is set here, may be used.

    Unknown keys are named first, then wrong values, each with its line, then what does not go
    together.
    """
    from mindpipe.engine.verbs import config

    settings = session.settings if file is None else _of_file(file)
    if problems := config.check(settings):
        raise BadInputError(problems)
    values = settings.all()
    given = sum(value.source != "default" for value in values)
    name = "all settings" if file is None else str(file)
    session.write(
        [Checked(source=name, settings=len(values), given=given)],
        columns=("source", "settings", "given"),
    )


@command("template", example="mind config template > mind.toml")
def template(session: Session) -> None:
    """Print a whole mind.toml: every setting with what it does and its default."""
    session.prints("a mind.toml")
    from mindpipe.engine.verbs import config

    output.write_text(config.template())


def _of_file(file: Path) -> "Settings":
    """Return what a file alone sets."""
    from mindpipe.settings import Settings

    if not file.is_file():
        raise UnavailableError(f"{file} is not there; check the name.")
    return Settings(options={}, environment={}, files=(str(file),))


COMMAND = group("config", show, check, template)
