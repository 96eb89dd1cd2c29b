"""The model that writes summaries where the strategy `model` is asked for, with no store."""

import os

from mindpipe.compaction.task import Write
from mindpipe.core.models import ModelRequest
from mindpipe.core.ports import Model
from mindpipe.wiring.models import ModelShop, refuse_above
from mindpipe.wiring.writing import writer
from mindpipe_cli import documents, output
from mindpipe_cli.asked import Asked
from mindpipe_cli.session import Session


def write_of(session: Session, asked: Asked) -> Write:
    """Return what asks the model that is named, else the configured one, within the cap of a call.

    It raises UsageError where no model is named; a model that is missing, may not be asked or fails
    gives no summary, and says why.
    """
    record = documents.path_of(asked.record) if asked.record else None
    shop = ModelShop(settings=session.settings, environment=os.environ, clock=session.clock)
    cap = session.settings.number("caps.call_micros")

    def make() -> Model:
        return shop.model(asked.model, record=record)

    def allow(request: ModelRequest) -> None:
        if cap is not None:
            refuse_above(cap, request, shop.prices(), place="the summary")

    return writer(make, session.clock, session.chance, allow=allow, tell=output.say)
