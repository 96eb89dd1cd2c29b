"""How current an observation is, by its kind, and when it is to be looked at again.

    clamp01(1 - age / (2 window) - 0.2 if it was contradicted since it was last supported)

A window is how many days a kind of claim usually lasts, and its cadence: at its end freshness is
one half, below which an observation is stale.
"""

from collections.abc import Mapping

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import later, seconds_between
from mindpipe.core.names import did_you_mean
from mindpipe.knowledge.records import Kind

STALE_BELOW = 0.5
CONTRADICTED = 0.2
DAY_SECONDS = 86_400.0
MOST_DAYS = 36_500.0

Windows = Mapping[Kind, float]
"""Days per kind."""

WINDOWS: Windows = {
    "operator_preference": 30.0,
    "project_state": 7.0,
    "world_fact": 90.0,
    "self_model": 14.0,
    "relationship_fact": 60.0,
    "tooling_state": 3.0,
}


def changed_windows(setting: str | None) -> Windows:
    """Return the windows with those of a setting, e.g. `tooling_state=1 world_fact=365`.

    Raises:
        UsageError: an entry is no KIND=DAYS of more than 0 and at most 36,500 days.
    """
    found: dict[Kind, float] = dict(WINDOWS)
    kinds: dict[str, Kind] = {kind: kind for kind in found}
    for entry in (setting or "").replace(",", " ").split():
        name, _, days = entry.partition("=")
        if (kind := kinds.get(name)) is None:
            near = did_you_mean(name, kinds)
            raise UsageError(
                f'knowledge.windows: no kind "{name}"; {near}there are {", ".join(kinds)}.'
            )
        found[kind] = _days(entry, days)
    return found


def _days(entry: str, text: str) -> float:
    """Return a number of days; raises UsageError if it is none."""
    try:
        days = float(text)
    except ValueError:
        days = 0.0
    if not 0.0 < days <= MOST_DAYS:
        raise UsageError(
            f'knowledge.windows: "{entry}" is no KIND=DAYS; write it like self_model=7.'
        )
    return days


def freshness_of(
    last_supported_at: str | None, *, contradicted_at: str | None, now: str, window: float
) -> float:
    """Return the freshness of 0 to 1, rounded to six places; 0 for what was never supported."""
    if last_supported_at is None:
        return 0.0
    age = max(seconds_between(last_supported_at, now), 0.0) / DAY_SECONDS
    contradicted = contradicted_at is not None and contradicted_at > last_supported_at
    fresh = 1.0 - age / (2.0 * window) - (CONTRADICTED if contradicted else 0.0)
    return round(min(max(fresh, 0.0), 1.0), 6)


def due_at(last_supported_at: str, *, window: float) -> str:
    """Return when an observation is to be revalidated: a window after it was last supported."""
    return later(last_supported_at, seconds=window * DAY_SECONDS)
