"""The voices that a command's options give persons."""

import os

from mindpipe.wiring.models import ModelShop
from mindpipe.wiring.voices import Voices
from mindpipe_cli import documents
from mindpipe_cli.session import Session


def voices_of(session: Session, *, record: str | None) -> Voices:
    """Return the voices of this run, which write their turns to `record` where it is given."""

    def shop() -> ModelShop:
        return ModelShop(settings=session.settings, environment=os.environ, clock=session.clock)

    return Voices(
        shop,
        record=documents.path_of(record) if record else None,
        cap=session.settings.number("caps.call_micros"),
    )
