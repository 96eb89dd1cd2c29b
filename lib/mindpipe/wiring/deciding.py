"""Put together what decisions go by, and what acts on them without thinking."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import UnavailableError
from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from mindpipe.decisions.bands import Bands, thresholds_of
from mindpipe.decisions.rules import Rules
from mindpipe.think.approval import HOURS
from mindpipe.think.means import Means
from mindpipe.wiring.settings import Settings
from mindpipe.wiring.worker import Models, Workshop

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore


def rules_of(settings: Settings) -> Rules:
    """Return what the operator set of decisions.

    Raises:
        UsageError: the bands are out of order, or a threshold is none.
    """
    program = settings.text("decisions.escalate")
    return Rules(
        bands=Bands(
            act=settings.real("decisions.act"),
            log=settings.real("decisions.log"),
            suggest=settings.real("decisions.suggest"),
            escalate=settings.real("decisions.escalate_importance"),
            thresholds=thresholds_of(settings.text("decisions.thresholds") or ""),
        ),
        hours=float(settings.text("approvals.hours") or HOURS),
        trust=tuple((settings.text("security.trust") or "").replace(",", " ").split()),
        escalate=(os.path.abspath(program),) if program else (),  # noqa: PTH100 - loads no pathlib
        seconds=settings.real("decisions.escalate_seconds"),
    )


class _Nobody:
    """The model of a worker that only acts."""

    target = Target(provider="program", api="program", model="none", family="none")

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Refuse to think."""
        raise UnavailableError("this worker only acts; mind think thinks.")


def means_to_act(
    shop: Workshop, store: "SqliteStore", *, agent: str, tell: Callable[[str], None]
) -> Means:
    """Return what a worker needs that acts and asks no model."""
    who = agents.show(store, name=agent)
    return shop.means(store, Models(_Nobody(), None), who, None, tell=tell)
