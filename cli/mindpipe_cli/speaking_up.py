"""The voices that a command's options give persons."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from mindpipe_cli import documents
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    # A tick without thoughts does without models and all that they need.
    from mindpipe.wiring.speaking import Speaking
    from mindpipe.wiring.voices import Voices


class Speech(NamedTuple):
    """Who is to speak, said so that another process can be told: common options, model, record."""

    options: dict[str, str | int | None]
    model: str | None
    record: str | None
    parallel: int = 1

    def speaking(self) -> "Speaking":
        """Return who finds words."""
        from mindpipe.wiring.speaking import Speaking

        voices = voices_of(Session(self.options, None), record=self.record)
        return Speaking(voices, model=self.model, parallel=self.parallel)


def asked_model(session: Session, option: str | None, changes: Iterable[str] = ()) -> str | None:
    """Return the model that all persons speak with instead of their own: an option, a setting.

    Where an option changes their own model, written among `changes`, no setting stands above it.
    """
    if option or any(one.startswith("model=") for one in changes):
        return option
    return session.settings.text("person.model")


def voices_of(session: Session, *, record: str | None) -> "Voices":
    """Return the voices of this run, which write their turns to `record` where it is given."""
    from mindpipe.wiring.models import ModelShop
    from mindpipe.wiring.voices import Voices

    def shop() -> ModelShop:
        return ModelShop(settings=session.settings, environment=os.environ, clock=session.clock)

    return Voices(
        shop,
        record=documents.path_of(record) if record else None,
        cap=session.settings.number("caps.call_micros"),
    )
