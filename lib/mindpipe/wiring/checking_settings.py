"""Check all settings at once: each by itself, and those that only make sense together."""

from collections.abc import Callable, Iterator

from mindpipe.core.errors import BadInputError, MindError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.inbox.ceilings import parse_ceilings
from mindpipe.knowledge.rules import rules_of
from mindpipe.monitoring.records import Rule
from mindpipe.monitoring.rules import parse_rules
from mindpipe.wiring.allocating import allocations_of
from mindpipe.wiring.known_settings import SETTINGS
from mindpipe.wiring.settings import Settings


def alert_rules(settings: Settings) -> tuple[Rule, ...]:
    """Return the rules of alerts; raises BadInputError if one cannot be read."""
    hysteresis = settings.real("alerts.hysteresis")
    return parse_rules(settings.text("alerts.rules") or "", hysteresis=hysteresis)


def _knowledge(settings: Settings) -> object:
    """Read what is configured of observations."""
    return rules_of(
        slots=settings.text("knowledge.slots"), windows=settings.text("knowledge.windows")
    )


def _ceilings(settings: Settings) -> object:
    """Read the ceilings of sources."""
    return parse_ceilings(settings.text("inbox.ceilings") or "")


def _pauses(settings: Settings) -> object:
    """Hold the shortest pause against the longest."""
    shortest, longest = (settings.whole(f"loop.{name}_interval_ms") for name in ("min", "max"))
    if shortest > longest:
        raise UsageError(f"{shortest} ms is longer than loop.max_interval_ms, {longest} ms.")
    return shortest


def _overload(settings: Settings) -> object:
    """Hold where overload ends against where it begins."""
    ends, begins = settings.whole("loop.overload_ends"), settings.whole("loop.overload_queue")
    if ends > begins:
        raise UsageError(f"{ends} is above loop.overload_queue, {begins}: it would never end.")
    return ends


CHECKS: tuple[tuple[str, Callable[[Settings], object]], ...] = (
    ("knowledge.slots", _knowledge),
    ("inbox.ceilings", _ceilings),
    ("loop.min_interval_ms", _pauses),
    ("loop.overload_ends", _overload),
    ("memory.context_window_tokens", allocations_of),
    ("alerts.rules", alert_rules),
)
"""What only makes sense together or has words of its own to be read, by the setting it is about."""


def problems_of(settings: Settings) -> list[Problem]:
    """Return everything that is wrong with settings, nothing where they may be used."""
    found = list(_each(settings))
    if found:
        return found
    return list(_together(settings))


def _each(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with single settings, each fault once."""
    said: set[Problem] = set()
    for setting in SETTINGS:
        try:
            settings.value(setting.name)
        except BadInputError as fault:
            for problem in fault.problems:
                if problem not in said:
                    said.add(problem)
                    yield problem


def _together(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with settings that are each well written."""
    for name, check in CHECKS:
        try:
            check(settings)
        except BadInputError as fault:
            yield from fault.problems
        except MindError as fault:
            yield Problem(source=settings.value(name).source, message=f"{name}: {fault}")
