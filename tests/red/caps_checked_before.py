"""A build that holds a call against the caps before the transaction that reserves its cost."""

import time
from collections.abc import Callable

import openai

from mindpipe.spending import tables as ledger
from mindpipe.spending import verbs as spending
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Turn
from mindpipe.think.verbs import asking
from mindpipe.think.verbs.request import Built

LOADED = openai.OpenAI
_check, _reserve = spending._check, asking._reserve
# What happens between the check and the reservation; a real machine does not need long for it.
meanwhile: list[Callable[[], None]] = [lambda: time.sleep(0.02)]


def _check_first(means: Means, work: Work, turn: Turn, built: Built) -> Turn:
    spent = means.prices.at_most(built.request)
    with means.store.read() as rows:
        total = ledger.spent_on_day(rows, day=means.clock.now()[:10])
    cap = means.caps.store_day
    if cap is not None and spent is not None and total + spent > cap:
        return _reserve(means, work, turn, built)
    meanwhile[-1]()
    spending._check = lambda *_: None
    try:
        return _reserve(means, work, turn, built)
    finally:
        spending._check = _check


PATCHES = ((asking, "_reserve", _check_first),)
