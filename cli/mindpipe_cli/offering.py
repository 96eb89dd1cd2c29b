"""Values of options and arguments that completions offer, and that need not be one of these."""

from collections.abc import Callable, Iterable

import click

MODELS = ("anthropic/", "openai/", "openai-responses/", "replay:", "program:")
"""How the names of models begin."""

EMBEDDERS = ("openai/", "local/")
"""How the names of embedding models begin."""


class Offered(click.ParamType[str]):
    """Any text; `offers` are looked up only where a completion script is written."""

    name = "text"

    def __init__(self, offers: Callable[[], Iterable[str]]) -> None:
        self._offers = offers

    @property
    def choices(self) -> tuple[str, ...]:
        """Return what is offered; what ends in =, / or : goes on."""
        return tuple(self._offers())


def models(*others: str) -> Offered:
    """Return the type of a model's name, where there are others than those of providers."""
    return Offered(lambda: (*others, *MODELS))


def embedders() -> Offered:
    """Return the type of an embedding model's name."""
    return Offered(lambda: EMBEDDERS)


def _settings() -> Iterable[str]:
    """Return the beginnings of KEY=VALUE for all settings of a person."""
    from mindpipe.person.records.person import PersonSettings

    return (f"{name}=" for name in PersonSettings.__struct_fields__)


def _constants() -> Iterable[str]:
    """Return the beginnings of NAME=VALUE for all constants of a person."""
    from mindpipe.person.constants import MARKS

    return (f"{name}=" for name in MARKS)


def _readouts() -> Iterable[str]:
    """Return the readouts that can be drawn."""
    from mindpipe.person.plots.lives import COLUMNS

    return COLUMNS


SETTING, CONSTANT, READOUT = Offered(_settings), Offered(_constants), Offered(_readouts)
