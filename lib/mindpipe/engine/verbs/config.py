"""Settings: checked each by itself and those that only make sense together, and as a file."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from mindpipe.context.budget.records import allocations_of
from mindpipe.core.errors import BadInputError, MindError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.inbox.rules import parse_ceilings
from mindpipe.knowledge.keys import rules_of
from mindpipe.monitoring.rules import alert_rules
from mindpipe.settings import SETTINGS, Plain, Setting, Settings


def _knowledge(settings: Settings) -> object:
    """Read what is configured of observations."""
    return rules_of(slots=settings.knowledge.slots, windows=settings.knowledge.windows)


def _ceilings(settings: Settings) -> object:
    """Read the ceilings of sources."""
    return parse_ceilings(settings.inbox.ceilings)


def _pauses(settings: Settings) -> object:
    """Hold the shortest pause against the longest."""
    shortest, longest = settings.loop.min_interval_ms, settings.loop.max_interval_ms
    if shortest > longest:
        raise UsageError(f"{shortest} ms is longer than loop.max_interval_ms, {longest} ms.")
    return shortest


def _overload(settings: Settings) -> object:
    """Hold where overload ends against where it begins."""
    ends, begins = settings.loop.overload_ends, settings.loop.overload_queue
    if ends > begins:
        raise UsageError(f"{ends} is above loop.overload_queue, {begins}: it would never end.")
    return ends


def _idleness(settings: Settings) -> object:
    """Hold when exploration begins against when sleep does."""
    explores, sleeps = settings.loop.exploration_seconds, settings.loop.sleep_seconds
    if explores > sleeps:
        raise UsageError(f"{explores:g} is above loop.sleep_seconds, {sleeps:g}: it never begins.")
    return explores


def _bands(settings: Settings) -> object:
    """Hold the bands of confidence against each other."""
    from mindpipe.decisions.bands import Bands

    bands = settings.decisions
    return Bands(act=bands.act, log=bands.log, suggest=bands.suggest)


def _thresholds(settings: Settings) -> object:
    """Read the bars of kinds."""
    from mindpipe.decisions.bands import thresholds_of

    return thresholds_of(settings.decisions.thresholds or "")


def _workers(settings: Settings) -> object:
    """Read who works on delegated tasks."""
    from mindpipe.engine.worker.task_programs import programs_of

    return programs_of(settings)


def _observed(settings: Settings) -> object:
    """Read what is observed, if a file of it is named."""
    file = settings.observe.config
    if not file:
        return None
    from mindpipe.observers.adapters.threads import config_of

    return config_of(Path(file))


def _index(settings: Settings) -> object:
    """Read the index that questions begin at, if one is named."""
    name = settings.recall.index
    if not name:
        return None
    from mindpipe.recall.routes import Routing

    return Routing(name, tell=lambda _words: None)


CHECKS: tuple[tuple[str, Callable[[Settings], object]], ...] = (
    ("knowledge.slots", _knowledge),
    ("inbox.ceilings", _ceilings),
    ("loop.min_interval_ms", _pauses),
    ("loop.overload_ends", _overload),
    ("loop.exploration_seconds", _idleness),
    ("decisions.act", _bands),
    ("decisions.thresholds", _thresholds),
    ("plans.folders", lambda settings: settings.plans.granted()),
    ("tasks.workers", _workers),
    ("observe.config", _observed),
    ("recall.index", _index),
    ("memory.context_window_tokens", allocations_of),
    ("alerts.rules", alert_rules),
)
"""What only makes sense together or has words of its own to be read, by the setting it is about."""


def check(settings: Settings) -> list[Problem]:
    """Return everything that is wrong with settings, nothing where they may be used."""
    return settings.faults() or list(_together(settings))


def _together(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with settings that are each well written."""
    for name, read in CHECKS:
        try:
            read(settings)
        except BadInputError as fault:
            for problem in fault.problems:
                # What was read out of a setting is told with the setting's own place.
                is_own = problem.source == name
                yield _of_setting(settings, name, problem.message) if is_own else problem
        except MindError as fault:
            yield _of_setting(settings, name, str(fault))


def _of_setting(settings: Settings, name: str, words: str) -> Problem:
    """Return what is wrong with a setting, or with the other one that the words begin with."""
    said, colon, rest = words.partition(": ")
    if colon and said in SETTINGS:
        name, words = said, rest
    others = [one for one in SETTINGS if one != name and one in words]
    return settings.fault((name, *others), words)


_TOP = (
    "# Settings of mindpipe. Stronger than this file: an option, or a variable such as MIND_MODEL.",
    "# Every line shows a default; lines with a # in front have none.",
)


def template() -> str:
    """Return all settings as a file, which says just what holds without it."""
    return "\n".join((*_TOP, *_lines())) + "\n"


def _lines() -> Iterator[str]:
    ordered = sorted(SETTINGS.values(), key=lambda one: bool(_table(one)))
    tables = dict.fromkeys(map(_table, ordered))
    for table in tables:
        yield ""
        if table:
            yield f"[{table}]"
        for setting in (one for one in ordered if _table(one) == table):
            yield f"# {setting.help}{_bounds(setting)}"
            key = setting.name.rpartition(".")[2]
            yield f"# {key} =" if setting.default is None else f"{key} = {_value(setting.default)}"


def _table(setting: Setting[Plain]) -> str:
    return setting.name.rpartition(".")[0]


def _bounds(setting: Setting[Plain]) -> str:
    """Return in words which values there are, where not all are."""
    if not setting.choices and setting.least is None and setting.most is None:
        return ""
    wanted = setting.wanted()
    return f" {wanted[0].upper()}{wanted[1:]}."


def _value(default: str | float) -> str:
    """Return a value as TOML; long texts stand on lines of their own."""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, str):
        return f'"""\n{default}"""' if "\n" in default else json.dumps(default)
    return str(default)
