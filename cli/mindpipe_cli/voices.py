"""The voices that a command's options give persons."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from mindpipe.core.records import Record
from mindpipe_cli import input
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    # A tick without thoughts does without models and all that they need.
    from mindpipe.model_access import VoiceAccess
    from mindpipe.person.voice.models import Voices
    from mindpipe.person.voice.speech import Speakers


class SpeakerOptions(Record):
    """Who is to speak, said so that another process can be told: common options, model, record."""

    options: dict[str, str | int | None]
    model: str | None
    record: str | None
    parallel: int = 1

    def __call__(self) -> "Speakers":
        """Return who finds words."""
        from mindpipe.person.voice.speech import Speakers

        voices = voices_of(Session(self.options, None), record=self.record)
        return Speakers(voices, model=self.model, parallel=self.parallel)


def asked_model(session: Session, option: str | None, changes: Iterable[str] = ()) -> str | None:
    """Return the model that all persons speak with instead of their own: an option, a setting.

    Where an option changes their own model, written among `changes`, no setting stands above it.
    """
    if option or any(one.startswith("model=") for one in changes):
        return option
    name = session.settings.person.model
    if name is None:
        return None
    from mindpipe.io.model_aliases import without_alias

    return without_alias(name, os.environ)


def voices_of(session: Session, *, record: str | None, budget: int | None = None) -> "Voices":
    """Return the voices of this run, which write their turns to `record` where it is given.

    With a `budget` all calls together may cost at most so many micro-dollars.
    """
    from mindpipe.person.voice.models import Voices

    return Voices(access_of(session, record=record, budget=budget))


def access_of(
    session: Session,
    *,
    record: str | None,
    budget: int | None,
    reserve: Callable[[int], None] | None = None,
) -> "VoiceAccess":
    """Return the models of the voices of this run, as `voices_of` has them.

    `reserve` is told of each call, before it is made, how much of the budget that is.
    """
    from mindpipe.model_access import VoiceAccess

    return VoiceAccess(
        lambda: session.app.models,
        record=input.path_of(record) if record else None,
        redactor=session.app.redactor,
        cap=session.settings.caps.call_micros,
        budget=budget,
        reserve=reserve,
    )
