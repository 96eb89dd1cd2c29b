"""The model that writes summaries where the strategy `model` is asked for."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from mindpipe.agents.records import Agent
from mindpipe.compaction.task import Write, Written
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.context.verbs.compacting import ports_of
from mindpipe.core.errors import UnavailableError
from mindpipe.core.models import ModelRequest
from mindpipe.core.ports import Model
from mindpipe.think.verbs import compacting
from mindpipe.wiring.models import ModelShop, refuse_above
from mindpipe.wiring.writing import writer
from mindpipe_cli import documents, output
from mindpipe_cli.asked import Asked
from mindpipe_cli.session import Session
from mindpipe_cli.thinking import workshop


def write_of(session: Session, asked: Asked) -> Write:
    """Return what asks the model that is named, else the configured one, within the cap of a call.

    It raises UsageError where no model is named; a model that is missing, may not be asked or fails
    gives no summary, and says why.
    """
    record = _record(asked)
    shop = ModelShop(settings=session.settings, environment=os.environ, clock=session.clock)
    cap = session.settings.number("caps.call_micros")

    def make() -> Model:
        return shop.model(asked.model, record=record)

    def allow(request: ModelRequest) -> None:
        if cap is not None:
            refuse_above(cap, request, shop.prices(), place="the summary")

    return writer(make, session.clock, session.chance, allow=allow, tell=output.say)


@contextlib.contextmanager
def asking(session: Session, asked: Asked, agent: Agent) -> Iterator[Ports]:
    """Give what the window of an agent in the store is planned with, its model included.

    What the model costs is entered in the ledger, so the agent is held meanwhile. A model that is
    missing gives no summary.

    Raises:
        TemporaryError: a worker has the agent.
        UsageError: no model is named.
    """
    shop = workshop(session)
    try:
        models = shop.models(asked.model, agent=agent, record=_record(asked))
    except UnavailableError as error:
        missing = Written(text="", fault=str(error).rstrip("."))
        ports = ports_of(session.store, session.clock, session.tokens)
        yield ports._replace(write=lambda _question: missing)
        return
    means = shop.means(session.store, models, agent, None, tell=output.say)
    with compacting.asking(means, agent=agent.name) as ports:
        yield ports


def _record(asked: Asked) -> Path | None:
    """Return the file that turns are appended to, if there is one."""
    return documents.path_of(asked.record) if asked.record else None
