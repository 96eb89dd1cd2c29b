"""`mind config`: settings and where each came from."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.errors import BadInputError, UnavailableError, UsageError
from mindpipe.core.records import Record
from mindpipe.core.text import did_you_mean
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


@command("show", example="mind config show inbox model")
@click.argument("names", nargs=-1, metavar="[NAME]...")
def show(session: Session, names: tuple[str, ...]) -> None:
    """Print every setting, its value and where that came from; of an alias what it means, too.

    NAME is a setting, or a table of them like inbox: only these are printed.
    """
    values = _named(session.settings.all(), names)
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


def _named(values: "Sequence[Value]", names: Sequence[str]) -> "Sequence[Value]":
    """Return the values of the settings and tables that are named, of all where none is."""
    for name in names:
        if not any(_is_of(value.name, name) for value in values):
            hint = did_you_mean(name, [value.name for value in values])
            raise UsageError(
                f'no setting "{name}"; {hint or "mind config show lists them."}'.strip()
            )
    if not names:
        return values
    return [value for value in values if any(_is_of(value.name, name) for name in names)]


def _is_of(setting: str, name: str) -> bool:
    """Tell whether a setting is the one of a name, or in the table of that name."""
    return setting == name or setting.startswith(f"{name}.")


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
