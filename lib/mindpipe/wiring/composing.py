"""The Model port over words that need no model, and the moment that such words are made from."""

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.faults import problems_of
from mindpipe.core.messages import TextPart
from mindpipe.core.models import Finish, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from mindpipe.core.problems import Problem
from mindpipe.person.voice.phrases import TRIGGERS
from mindpipe.person.voicing import COMPOSED, Moment

NAME = COMPOSED
_TARGET = Target(provider=NAME, api="program", model=NAME, family=NAME)


class ComposedModel:
    """Say words that are known already, whatever the request is."""

    def __init__(self, words: str) -> None:
        self._words = words

    @property
    def target(self) -> Target:
        """Return what requests for this voice are written for: it needs no form of its own."""
        return _TARGET

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return the words."""
        del request
        if preview is not None:
            preview.text(self._words)
        return ModelReply(
            parts=(TextPart(text=self._words),), finish=Finish.END, provider_finish="end"
        )


def moment_of(about: object, *, source: str, line: int) -> Moment:
    """Return the moment that a request is about.

    Raises:
        BadInputError: it is about no moment, or about one that breaks its shape.
    """
    given = about.get("moment") if isinstance(about, dict) else None
    at = "$.about.moment"
    if given is None:
        words = f"missing; {NAME} speaks from a moment, as mind feel --prompt writes it"
        raise BadInputError([Problem(source=source, line=line, field=at, message=words)])
    if faults := problems_of(given, Moment, source=source, line=line, at=at):
        raise BadInputError(faults)
    moment = msgspec.convert(given, Moment)
    if moment.trigger not in TRIGGERS:
        words = f"expected one of {', '.join(TRIGGERS)}"
        raise BadInputError(
            [Problem(source=source, line=line, field=f"{at}.trigger", message=words)]
        )
    return moment
