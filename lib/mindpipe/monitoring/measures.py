"""The figures of an agent, from what its loop wrote down."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mindpipe.core.instants import seconds_between
from mindpipe.core.records import Natural, Record
from mindpipe.monitoring.records import Metric, MetricSample
from mindpipe.workers.records import Iteration

HOUR_SECONDS = 3600.0
_SHORTEST_SECONDS = 60.0
_SHARES = (("avg", None), ("p95", 0.95), ("p99", 0.99))


class Measurements(Record):
    """What figures are made of: the newest iterations, oldest first, and counts beside them.

    `tokens` are those of the last request, `input` all input tokens of the window, of which
    `cached` came out of a cache. `samples` are those of the last hour, oldest first. Actions are
    the decisions that were carried out. `failures` are the store's failed checks of the last hour
    and `recent` its crashes, `missed` the windows of plans that came to nothing in the last day.
    """

    agent: str
    iterations: tuple[Iteration, ...] = ()
    queue: Natural = 0
    tokens: Natural = 0
    input: Natural = 0
    cached: Natural = 0
    samples: tuple[MetricSample, ...] = ()
    errors: Natural = 0
    crashes: Natural = 0
    recovered: Natural = 0
    recent: Natural = 0
    failures: Natural = 0
    missed: Natural = 0
    actions: Natural = 0
    actions_done: Natural = 0


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest of some values that so large a share (0-1) of them does not pass."""
    ordered = sorted(values)
    rank = max(1, -(-len(ordered) * round(share * 100) // 100))
    return ordered[rank - 1]


def growth(samples: Sequence[MetricSample]) -> float | None:
    """Return how fast a store grew, in MB (a million bytes) an hour; None before a minute passed.

    A store that shrank grew by nothing.
    """
    if len(samples) < 2:
        return None
    first, last = samples[0], samples[-1]
    passed = seconds_between(first.at, last.at)
    if passed < _SHORTEST_SECONDS:
        return None
    return max(0.0, (last.bytes - first.bytes) / 1e6 * HOUR_SECONDS / passed)


def latest(measured: Measurements) -> dict[str, float | None]:
    """Return the value that rules of alerts look at, of each figure; None where none is known."""
    last = measured.iterations[-1] if measured.iterations else None
    timed = [one.vector_seconds for one in measured.samples if one.vector_seconds is not None]
    sure = [one.confidence for one in measured.iterations if one.confidence is not None]
    return {
        "iteration_time": round(last.milliseconds / 1000, 6) if last else None,
        **_times(measured),
        "queue_depth": float(measured.queue),
        "event_rate": last.rate if last else None,
        "working_memory_size": float(measured.tokens),
        "persistent_memory_growth": growth(measured.samples),
        "cache_hit_rate": _share(measured.cached, measured.input),
        "vector_search_latency": timed[-1] if timed else None,
        "consecutive_errors": float(measured.errors),
        "crash_count": float(measured.crashes),
        "recent_crashes": float(measured.recent),
        "recovery_success_rate": _share(measured.recovered, measured.crashes),
        "consistency_check_failures": float(measured.failures),
        "missed_windows": float(measured.missed),
        "decision_confidence_avg": sum(sure) / len(sure) if sure else None,
        "action_success_rate": _share(measured.actions_done, measured.actions),
    }


def _times(measured: Measurements) -> dict[str, float | None]:
    """Return how long the newest iterations took, on average and at most but for a few."""
    taken = [one.milliseconds / 1000 for one in measured.iterations]
    if not taken:
        return {f"iteration_time_{name}": None for name, _ in _SHARES}
    return {
        f"iteration_time_{name}": round(
            sum(taken) / len(taken) if share is None else quantile(taken, share), 6
        )
        for name, share in _SHARES
    }


def _share(part: int, whole: int) -> float | None:
    """Return a part as a share (0-1) of the whole, None of nothing."""
    return part / whole if whole else None


_HELP = {
    "iteration_time": "Seconds that the newest iteration took.",
    **{f"iteration_time_{name}": "Seconds that the newest iterations took." for name, _ in _SHARES},
    "queue_depth": "Events that wait in the inbox.",
    "event_rate": "Events that came in per second, at the last iteration.",
    "working_memory_size": "Tokens of the last request.",
    "persistent_memory_growth": "How fast the store grew in the last hour, in MB an hour.",
    "cache_hit_rate": "Share of the input tokens that came out of the provider's cache (0-1).",
    "vector_search_latency": "Seconds that the last sampled search by meaning took.",
    "consistency_check_failures": "Times that the store failed its check in the last hour.",
    "missed_windows": "Times of plans in the last day that came to nothing.",
    "consecutive_errors": "Iterations that failed in a row.",
    "recent_crashes": "Lives of the agent's loop that crashed in the last hour.",
    "recovery_success_rate": "Share of the crashes that were recovered from (0-1).",
    "decision_confidence_avg": "Mean confidence of what was decided (0-1).",
    "action_success_rate": "Share of the actions that succeeded (0-1).",
}
_COUNTERS = {
    "crash_count": "Lives of the agent's loop that crashed.",
}


def metrics(measured: Measurements) -> Iterator[Metric]:
    """Yield every figure that is known, in an order that does not change."""
    agent = measured.agent
    for name, figure in latest(measured).items():
        if figure is None:
            continue
        if name in _COUNTERS:
            words = _COUNTERS[name]
            yield Metric(agent=agent, name=name, value=figure, kind="counter", help=words)
        else:
            yield Metric(agent=agent, name=name, value=figure, help=_HELP[name])
    yield from _spread(measured)


def _spread(measured: Measurements) -> Iterator[Metric]:
    """Yield in which modes, and on which concerns, the newest iterations were spent."""
    modes = Counter(one.mode.value for one in measured.iterations)
    concerns = Counter(one.concern or "none" for one in measured.iterations)
    for name, label, counted, words in (
        ("mode_distribution", "mode", modes, "Share of the newest iterations in a mode (0-1)."),
        (
            "attention_allocation",
            "concern",
            concerns,
            "Share of the newest iterations that a concern got (0-1).",
        ),
    ):
        for one, times in sorted(counted.items()):
            yield Metric(
                agent=measured.agent,
                name=name,
                labels={label: one},
                value=times / len(measured.iterations),
                help=words,
            )
