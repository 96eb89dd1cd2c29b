"""Find what is amiss over many iterations: stuck, oscillating, ineffective, overloaded; pure."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise

from mindpipe.loop.reflection_records import Finding, PatternKind, Reflected, Reflecting

STUCK_AFTER = 3
ALTERNATIONS = 4
_CALM = {"done", "skipped", "idle"}


def find(lived: Sequence[Reflected], rules: Reflecting) -> list[Finding]:
    """Return the patterns in which some iterations end, in their order: those that hold now.

    Each kind is found at most once, but being stuck once for each concern.
    """
    found = [*_stuck(lived), *_oscillating(lived)]
    ineffective = _ineffective(lived, rules.ineffective_after)
    overloaded = _overloaded(lived, rules.overloaded_after)
    return [*found, *(one for one in (ineffective, overloaded) if one is not None)]


def _stuck(lived: Sequence[Reflected]) -> Iterator[Finding]:
    """Yield each concern whose last three iterations did the same with the same outcome."""
    concerns = sorted({one.concern or "" for one in lived})
    for concern in concerns:
        last = [one for one in lived if (one.concern or "") == concern][-STUCK_AFTER:]
        if len(last) < STUCK_AFTER or len({_attempt(one) for one in last}) > 1:
            continue
        if last[0].action or last[0].outcome not in _CALM:
            yield Finding(
                kind=PatternKind.STUCK,
                iterations=_numbers(last),
                words=f"the same {STUCK_AFTER} times: {_done(last[0])}",
                concern=concern or None,
            )


def _oscillating(lived: Sequence[Reflected]) -> Iterator[Finding]:
    """Yield the first of focus, mode and action that goes to and fro at the end."""
    looks: tuple[tuple[str, Callable[[Reflected], str]], ...] = (
        ("focus", lambda one: one.focus or ""),
        ("mode", lambda one: one.mode.value),
        ("action", lambda one: one.action),
    )
    for name, look in looks:
        runs = [list(run) for _, run in groupby(lived, key=look)][-ALTERNATIONS:]
        kinds = [look(run[0]) for run in runs]
        if len(runs) < ALTERNATIONS or not kinds[0] or not kinds[1]:
            continue
        # The last run may go on; the two whole ones in the middle tell how fast it changes.
        short = all(len(run) < STUCK_AFTER for run in runs[1:])
        if short and kinds[0] == kinds[2] and kinds[1] == kinds[3]:
            yield Finding(
                kind=PatternKind.OSCILLATING,
                iterations=tuple(run[-1].iteration for run in runs),
                words=f"{name} goes to and fro: {' - '.join(_short(kind) for kind in kinds)}",
            )
            return


def _ineffective(lived: Sequence[Reflected], after: int) -> Finding | None:
    """Return that of the last iterations that tried something none came to anything, if so."""
    last = [one for one in lived if one.tried][-after:]
    if len(last) < after or any(one.effective for one in last):
        return None
    tried = sum(one.tried for one in last)
    words = f"{tried} actions in {after} iterations, none with an effect or an approval"
    return Finding(kind=PatternKind.INEFFECTIVE, iterations=_numbers(last), words=words)


def _overloaded(lived: Sequence[Reflected], after: int) -> Finding | None:
    """Return that the queue grew in each of the last iterations, if so."""
    last = lived[-(after + 1) :]
    if len(last) <= after or any(two.queue <= one.queue for one, two in pairwise(last)):
        return None
    words = f"the queue grew from {last[0].queue} to {last[-1].queue} in {after} iterations"
    return Finding(kind=PatternKind.OVERLOADED, iterations=_numbers(last), words=words)


def _numbers(lived: Sequence[Reflected]) -> tuple[int, ...]:
    """Return the numbers of iterations."""
    return tuple(one.iteration for one in lived)


def _attempt(one: Reflected) -> tuple[str, tuple[str, ...], str]:
    """Return what an iteration did, what came of each call, and how it ended."""
    return one.action, one.decided, one.outcome


def _done(one: Reflected) -> str:
    """Return what an iteration did and how it ended."""
    return f"{_short(one.action) or 'no call'}, {one.outcome}"


def _short(action: str) -> str:
    """Return an action without the hash of its arguments."""
    return action.split(":")[0]
