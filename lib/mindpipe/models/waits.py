"""How long a provider asks to wait, from the headers of its answer."""

import datetime
import email.utils
import math
from collections.abc import Mapping

from mindpipe.core.instants import parse_instant


def asked_wait(headers: Mapping[str, str], *, now: str) -> float | None:
    """Return the seconds that `retry-after-ms` or `retry-after` (seconds or a date) names."""
    thousandths = _number(headers.get("retry-after-ms"))
    if thousandths is not None:
        return thousandths / 1000
    told = headers.get("retry-after")
    seconds = _number(told)
    if seconds is not None or told is None:
        return seconds
    try:
        moment = email.utils.parsedate_to_datetime(told)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return max(0.0, (moment - parse_instant(now)).total_seconds())


def _number(text: str | None) -> float | None:
    """Return a finite number of at least 0, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None
