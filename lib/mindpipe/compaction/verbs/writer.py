"""A model that writes summaries: one call within the caps, or in words why there is none."""

from collections.abc import Callable

from mindpipe.compaction.prompts import conversation_of, options_of, written_of
from mindpipe.core.errors import RefusedError, UnavailableError
from mindpipe.core.models import ModelFault, ModelRequest, TextReply, TextRequest, Write
from mindpipe.core.ports import Chance, Clock, Model
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from mindpipe.providers.verbs import reply_of

TRIES = 3
"""Most attempts while a fault is passing: whoever waits has a summary without a model, too."""


def writer(
    make: Callable[[], Model],
    clock: Clock,
    chance: Chance,
    *,
    allow: Callable[[ModelRequest], None],
    tell: Callable[[str], None],
) -> Write:
    """Return what asks the model that `make` gives, when it is first needed.

    `allow` raises RefusedError for a request that may not be sent; `tell` hears why there is a
    wait. A model that is not there, may not be asked or fails is a fault of what it wrote.
    """

    def write(asked: TextRequest) -> TextReply:
        try:
            model = make()
            request = make_request(
                conversation_of(asked), model.target, options_of(asked), RenderOptions()
            )
            allow(request)
            reply = reply_of(model, clock, chance, request=request, tell=tell, tries=TRIES)
        except (ModelFault, RefusedError, UnavailableError) as error:
            return TextReply(text="", fault=str(error).rstrip("."))
        return written_of(reply)

    return write
