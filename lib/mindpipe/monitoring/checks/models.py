"""Look at the models that are named: is the key, file or program of each there; ask if wished."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from mindpipe.core.errors import MindError
from mindpipe.core.models import ModelFault
from mindpipe.spending.records import ModelKey
from mindpipe.store.records import StoreFinding


class NamedModels(Protocol):
    """What is known of models without asking them, and the list that a provider gives for free."""

    def require(self, name: str) -> None:
        """Raise a MindError where a model cannot be asked for want of its key, file or program."""
        ...

    def servers(self) -> Iterator[str]:
        """Yield the providers and servers for which there is a key, or an address of one's own."""
        ...

    def models_at(self, server: str) -> int:
        """Return how many models a provider or server lists; raises ModelFault or a MindError."""
        ...


def keys(found: Iterable[ModelKey]) -> StoreFinding:
    """Say of which providers there is a key, and where each is; none is ever shown."""
    said = ", ".join(f"{one.name} ({one.source})" for one in found)
    if said:
        return StoreFinding(check="keys", verdict="ok", found=said)
    return StoreFinding(
        check="keys",
        verdict="ok",
        found="none",
        advice="mind models key set NAME keeps one; program: and replay: models need none.",
    )


def required(models: NamedModels, names: Iterable[str]) -> Iterator[StoreFinding]:
    """Say of each model that settings or agents name whether it could be asked from here."""
    for name in names:
        try:
            models.require(name)
        except MindError as error:
            found, _, advice = str(error).partition(". ")
            yield StoreFinding(
                check=f"model {name}", verdict="bad", found=found, advice=advice or None
            )
        else:
            yield is_there(name)


def is_there(name: str) -> StoreFinding:
    """Return the finding for a model that can be asked, as far as this machine knows."""
    found = "its key, file or program is there, or it needs none"
    return StoreFinding(check=f"model {name}", verdict="ok", found=found)


def asked(models: NamedModels) -> Iterator[StoreFinding]:
    """Ask each provider and server that has a key or address here for its list of models."""
    for server in models.servers():
        try:
            count = models.models_at(server)
        except (ModelFault, MindError) as error:
            advice = "Check the key (mind models key), the address and the network."
            yield StoreFinding(
                check=f"asked {server}", verdict="bad", found=str(error), advice=advice
            )
        else:
            yield StoreFinding(
                check=f"asked {server}", verdict="ok", found=f"it lists {count} models"
            )
