"""What the operator set of decisions; the filter mind decide loads this and no worker."""

import os
from typing import TYPE_CHECKING

from mindpipe.core.tools import APPROVAL_HOURS
from mindpipe.decisions.bands import Bands, DecisionRules, thresholds_of

if TYPE_CHECKING:
    from mindpipe.settings import Settings


def decision_rules(settings: "Settings") -> DecisionRules:
    """Return what the operator set of decisions.

    Raises:
        UsageError: the bands are out of order, or a threshold is none.
    """
    program = settings.decisions.escalate
    return DecisionRules(
        bands=Bands(
            act=settings.decisions.act,
            log=settings.decisions.log,
            suggest=settings.decisions.suggest,
            escalate=settings.decisions.escalate_importance,
            thresholds=thresholds_of(settings.decisions.thresholds or ""),
        ),
        hours=float(settings.approvals.hours or APPROVAL_HOURS),
        trust=tuple(settings.security.sources()),
        escalate=(os.path.abspath(program),) if program else (),  # noqa: PTH100 - loads no pathlib
        seconds=settings.decisions.escalate_seconds,
    )
