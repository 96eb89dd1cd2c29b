"""Rules of alerts: how they are written, and when one fires and clears."""

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.text import did_you_mean
from mindpipe.monitoring.records import AlertRule, Severity

if TYPE_CHECKING:
    from mindpipe.settings import Settings

NAMES = (
    "iteration_time",
    "iteration_time_avg",
    "iteration_time_p95",
    "iteration_time_p99",
    "queue_depth",
    "event_rate",
    "working_memory_size",
    "persistent_memory_growth",
    "cache_hit_rate",
    "vector_search_latency",
    "consecutive_errors",
    "crash_count",
    "recent_crashes",
    "recovery_success_rate",
    "consistency_check_failures",
    "missed_windows",
    "decision_confidence_avg",
    "action_success_rate",
)
"""What a rule may be about: the latest value of each of these figures, which metrics show."""
_ALSO = {
    "memory_growth": "persistent_memory_growth",
    "consistency_check_failure": "consistency_check_failures",
}
"""How rules were written until now, and may be."""
_WRITTEN = re.compile(
    r"(?P<severity>critical|warning)\s*:\s*(?P<metric>\w+)"
    r"(\s*>\s*(?P<above>\S+)(\s+until\s+(?P<until>\S+))?)?"
)
_SETTING = "alerts.rules"


def alert_rules(settings: "Settings") -> tuple[AlertRule, ...]:
    """Return the rules of alerts; raises BadInputError, at its place, if one cannot be read."""
    hysteresis = settings.alerts.hysteresis
    try:
        return parse_rules(settings.alerts.rules, hysteresis=hysteresis)
    except BadInputError as error:
        faults = [settings.fault((_SETTING,), one.message) for one in error.problems]
        raise BadInputError(faults) from None


def parse_rules(text: str, *, hysteresis: float) -> tuple[AlertRule, ...]:
    """Read rules as `SEVERITY: METRIC > VALUE [until VALUE]`, with semicolons or lines between.

    A value may have the unit of its metric, and without one the rule fires above 0.
    A rule without `until` clears where its figure has come down by `hysteresis`, a share (0-1) of
    its value.

    Raises:
        BadInputError: a rule cannot be read; all faults are named.
    """
    faults: list[Problem] = []
    found: list[AlertRule] = []
    for number, words in enumerate(_pieces(text), start=1):
        rule = _rule(words, hysteresis)
        if isinstance(rule, str):
            faults.append(Problem(source=_SETTING, message=f"rule {number}, {words!r}: {rule}"))
        elif any(other.name == rule.name for other in found):
            faults.append(
                Problem(source=_SETTING, message=f"rule {number}: {rule.name} has a rule already")
            )
        else:
            found.append(rule)
    if faults:
        raise BadInputError(faults)
    return tuple(found)


def _pieces(text: str) -> Iterator[str]:
    """Yield what stands between semicolons and line ends, without what is empty."""
    for piece in re.split(r"[;\n]", text):
        if words := piece.strip():
            yield words


def _rule(words: str, hysteresis: float) -> AlertRule | str:
    """Return one rule, or why it is none."""
    read = _WRITTEN.fullmatch(words)
    if read is None:
        return "expected SEVERITY: METRIC > VALUE [until VALUE]"
    metric = figure_of(read["metric"])
    if metric not in NAMES:
        near = did_you_mean(metric, NAMES) or f"there are {', '.join(NAMES)}."
        return f"there is no figure {metric}. {near}".rstrip()
    unit = _unit_of(metric)
    above, until = _number(read["above"] or "0", unit), _number(read["until"], unit)
    if above is None or (until is None and read["until"]):
        return f"its values are plain numbers{f', or numbers of {unit}' if unit else ''}"
    if until is None:
        until = above * (1.0 - hysteresis)
    if until > above:
        return f"it would clear at {until:g}, above {above:g} where it fires"
    severity: Severity = "critical" if read["severity"] == "critical" else "warning"
    return AlertRule(severity=severity, metric=metric, above=above, until=until)


def figure_of(name: str) -> str:
    """Return the name of a figure that may be written as it was once called."""
    return _ALSO.get(name, name)


def _unit_of(metric: str) -> str:
    """Return what a figure is counted in, where people write that."""
    if metric.startswith("iteration_time") or metric == "vector_search_latency":
        return "s"
    return "MB/hour" if metric == "persistent_memory_growth" else ""


def _number(text: str | None, unit: str) -> float | None:
    """Return a number of 0 or more, with or without its unit, None for what is none."""
    try:
        value = float((text or "").removesuffix(unit))
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def fires(rule: AlertRule, value: float | None, *, firing: bool) -> bool:
    """Tell whether a rule fires from now on; a figure that is not known changes nothing."""
    if value is None:
        return firing
    return value > rule.until if firing else value > rule.above
