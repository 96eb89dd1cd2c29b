"""The model that writes for a command: summaries, or what else is asked in words."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from mindpipe.agents.records import Agent
from mindpipe.compaction.verbs.material import MaterialPorts
from mindpipe.compaction.verbs.writer import writer
from mindpipe.context.verbs.origins import material_ports
from mindpipe.core.errors import UnavailableError
from mindpipe.core.models import ModelRequest, TextReply, Write
from mindpipe.core.ports import Model
from mindpipe.engine.cycle import compaction
from mindpipe.model_access import refuse_above
from mindpipe_cli import input, output
from mindpipe_cli.session import Session


def write_of(session: Session, model: str | None, *, record: str | None = None) -> Write:
    """Return what asks the model that is named, else the configured one, within the cap of a call.

    It raises UsageError where no model is named; a model that is missing, may not be asked or fails
    gives no summary, and says why.
    """
    turns = _path(record)
    shop = session.app.models
    cap = session.settings.caps.call_micros

    def make() -> Model:
        return shop.model(model, record=turns)

    def allow(request: ModelRequest) -> None:
        if cap is not None:
            refuse_above(cap, request, shop.prices(), place="the summary")

    return writer(make, session.clock, session.chance, allow=allow, tell=output.say)


@contextlib.contextmanager
def asking(
    session: Session, agent: Agent, *, model: str | None, record: str | None = None
) -> Iterator[MaterialPorts]:
    """Give what the window of an agent in the store is planned with, its model included.

    What the model costs is entered in the ledger, so the agent is held meanwhile. A model that is
    missing gives no summary.

    Raises:
        TemporaryError: a worker has the agent.
        UsageError: no model is named.
    """
    shop = session.app
    try:
        models = shop.models_of(agent, model, record=_path(record))
    except UnavailableError as error:
        missing = TextReply(text="", fault=str(error).rstrip("."))
        ports = material_ports(session.store, session.clock, session.tokens)
        yield ports._replace(write=lambda _question: missing)
        return
    deps = shop.dependencies(session.store, models, agent, None, tell=output.say)
    with compaction.asking(deps, agent=agent.name) as ports:
        yield ports


def _path(record: str | None) -> Path | None:
    """Return the file that turns are appended to, if there is one."""
    return input.path_of(record) if record else None
