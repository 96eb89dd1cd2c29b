"""A build that holds a call against the caps before the transaction that reserves its cost."""

import time
from collections.abc import Callable

import openai

from mindpipe.engine.cycle import model_call
from mindpipe.engine.cycle.request import BuiltRequest
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Turn
from mindpipe.spending import tables as ledger
from mindpipe.spending import verbs as spending

LOADED = openai.OpenAI
_check, _reserve = spending._check, model_call._reserve
# What happens between the check and the reservation; a real machine does not need long for it.
meanwhile: list[Callable[[], None]] = [lambda: time.sleep(0.02)]


def _check_first(deps: Dependencies, work: OpenCycle, turn: Turn, built: BuiltRequest) -> Turn:
    spent = deps.models.prices.at_most(built.request)
    with deps.store.read() as rows:
        total = ledger.spent_on_day(rows, day=deps.clock.now()[:10])
    cap = deps.models.caps.store_day
    if cap is not None and spent is not None and total + spent > cap:
        return _reserve(deps, work, turn, built)
    meanwhile[-1]()
    spending._check = lambda *_: None
    try:
        return _reserve(deps, work, turn, built)
    finally:
        spending._check = _check


PATCHES = ((model_call, "_reserve", _check_first),)
