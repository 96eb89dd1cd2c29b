"""What a cycle does next, as a function of its journal alone."""

import itertools
from collections.abc import Iterable

import msgspec

from mindpipe.core.models import Finish
from mindpipe.core.text import counted
from mindpipe.core.tools import Effect
from mindpipe.engine.records.journal import Call, CallState, CycleLimits, Journal, Turn, TurnState

MAX_ABREAST = 4
MAX_BAD_TURNS = 3
MAX_EQUAL_FAILURES = 3
TOLD_EQUAL_ANSWERS, MAX_EQUAL_ANSWERS = 3, 6
"""After so many equal answers to one call a model is told so, and then its cycle is stopped."""
NO_REPLY = "(no reply)"
REFUSED = "(refused)"


class AskModel(msgspec.Struct, frozen=True):
    """Ask the model for this turn."""

    turn: int


class RunCalls(msgspec.Struct, frozen=True):
    """Bring these calls to their answers: one, or several pure ones side by side."""

    calls: tuple[Call, ...]


class SkipTurn(msgspec.Struct, frozen=True):
    """Answer this call without running it, for the cycle has to stop."""

    call: Call
    reason: str


class CommitTurn(msgspec.Struct, frozen=True):
    """Write the turn into history.

    `last` closes the cycle; `closing` is the synthetic last word where the turn has none;
    `stopped` is why the cycle was cut short.
    """

    last: bool
    closing: str | None = None
    stopped: str | None = None


class ForgetTurn(msgspec.Struct, frozen=True):
    """Close the cycle without a trace in history."""


Step = AskModel | RunCalls | SkipTurn | CommitTurn | ForgetTurn


def next_step(journal: Journal, limits: CycleLimits, *, elapsed: float, tokens: int) -> Step:
    """Return the next step of a cycle.

    `elapsed` is seconds since its first request, `tokens` what its replies and requests used.
    """
    turn = journal.turn
    if turn is None:
        return AskModel(1)
    if turn.state in {TurnState.ASKING, TurnState.COMMITTED}:
        return AskModel(turn.turn + (turn.state is TurnState.COMMITTED))
    reason = stop_reason(journal, turn, limits, elapsed=elapsed, tokens=tokens)
    left = [call for call in journal.calls if not call.state.answered]
    late = _too_late(journal, limits, elapsed=elapsed)
    if reason and left and left[0] in late:
        return SkipTurn(left[0], reason)
    if left:
        return RunCalls(_abreast([call for call in left if call not in late]))
    if _is_skip(turn, journal):
        return ForgetTurn()
    return _commit(turn, journal, reason)


def _too_late(journal: Journal, limits: CycleLimits, *, elapsed: float) -> list[Call]:
    """Return the calls that can be left out, for they have not begun and a limit is passed."""
    stuck = journal.equal_answers >= MAX_EQUAL_ANSWERS
    room = 0 if stuck or elapsed >= limits.seconds else limits.calls
    earlier = journal.all_calls - len(journal.calls)
    beyond = journal.calls[max(0, room - earlier) :]
    return [call for call in beyond if call.state is CallState.PLANNED]


def _abreast(calls: list[Call]) -> tuple[Call, ...]:
    """Return the first of some calls, with those that follow it where all are pure."""
    pure = tuple(itertools.takewhile(lambda call: call.effect is Effect.PURE, calls))
    return pure[:MAX_ABREAST] or tuple(calls[:1])


def _is_skip(turn: Turn, journal: Journal) -> bool:
    """Tell whether the first turn was nothing but `skip`."""
    only = journal.calls[0] if len(journal.calls) == 1 else None
    return turn.turn == 1 and only is not None and only.tool == "skip" and _succeeded(only)


def _commit(turn: Turn, journal: Journal, reason: str | None) -> CommitTurn:
    """Return how an answered turn enters history."""
    if not journal.calls:
        return CommitTurn(last=True, closing=_word_for_nothing(turn))
    if (message := awaited(journal.calls)) is not None:
        return CommitTurn(last=True, closing=f"[waiting for a reply to {message}]")
    ended = next((call for call in journal.calls if call.tool == "done" and _succeeded(call)), None)
    if ended is not None:
        summary = (ended.args or {}).get("summary")
        return CommitTurn(last=True, closing=str(summary))
    if any(call.tool == "skip" and _succeeded(call) for call in journal.calls):
        return CommitTurn(last=True, closing="(nothing more to do)")
    if reason:
        return CommitTurn(last=True, closing=f"[stopped: {reason}]", stopped=reason)
    return CommitTurn(last=False)


def awaited(calls: Iterable[Call]) -> str | None:
    """Return the id of the message that a turn waits with for a reply, or None."""
    for call in calls:
        said = call.tool == "send_message" and _succeeded(call)
        found = call.result.json if said and call.result else None
        if isinstance(found, dict) and found.get("waiting") is True:
            return str(found.get("messageId"))
    return None


def _succeeded(call: Call) -> bool:
    """Tell whether a call did what it should."""
    return call.state is CallState.DONE


def _word_for_nothing(turn: Turn) -> str | None:
    """Return the synthetic word for a reply that has no part to store."""
    answer = turn.answer
    if answer is None or answer.parts:
        return None
    return REFUSED if answer.finish is Finish.REFUSAL else NO_REPLY


def stop_reason(
    journal: Journal, turn: Turn, limits: CycleLimits, *, elapsed: float, tokens: int
) -> str | None:
    """Return why the cycle may not go on after this turn, or None."""
    reasons = (
        (turn.turn >= limits.turns, counted(limits.turns, "turn")),
        (journal.all_calls > limits.calls, counted(limits.calls, "tool call")),
        (elapsed >= limits.seconds, f"{limits.seconds:g} seconds"),
        (limits.tokens is not None and tokens >= limits.tokens, f"{limits.tokens} tokens"),
        (journal.bad_turns >= MAX_BAD_TURNS, f"{MAX_BAD_TURNS} turns in a row of bad calls only"),
        (
            journal.equal_failures >= MAX_EQUAL_FAILURES,
            f"the same call failed {MAX_EQUAL_FAILURES} times in a row",
        ),
        (
            journal.equal_answers >= MAX_EQUAL_ANSWERS,
            f"the same call had the same answer {MAX_EQUAL_ANSWERS} times",
        ),
    )
    return next((words for met, words in reasons if met), None)


def bad_turns(calls: list[Call]) -> int:
    """Return how many of the newest turns in a row had calls and only bad ones."""
    turns: dict[int, bool] = {}
    for call in calls:
        bad = call.state in {CallState.INVALID, CallState.REFUSED}
        turns[call.turn] = turns.get(call.turn, True) and bad
    count = 0
    for turn in sorted(turns, reverse=True):
        if not turns[turn]:
            break
        count += 1
    return count


def equal_failures(calls: list[Call]) -> int:
    """Return how many of the newest calls in a row failed with the same tool and arguments."""
    count = 0
    ended = [call for call in calls if call.state.answered]
    for call in reversed(ended):
        same = (call.tool, call.args_sha256) == (ended[-1].tool, ended[-1].args_sha256)
        if not same or call.state not in {CallState.FAILED, CallState.INVALID}:
            break
        count += 1
    return count


def equal_answers(calls: list[Call]) -> int:
    """Return how often the newest call that was run was made with the same answer, good or bad.

    It counts itself, and ends with another answer to the same call; other calls may lie between,
    and failures of this one between its good answers.
    What a call made anew has an id of its own, by which two answers do not differ.
    """
    done = [call for call in calls if call.state in {CallState.DONE, CallState.FAILED}]
    alike = [call for call in reversed(done) if _called(call) == _called(done[-1])]
    return sum(
        1 for _ in itertools.takewhile(lambda call: _answered(call) == _answered(alike[0]), alike)
    )


def _called(call: Call) -> tuple[str, str, CallState]:
    """Return what was called with what, and how it went."""
    return call.tool, call.args_sha256, call.state


def _answered(call: Call) -> object:
    """Return an answer without ids of what the call made, and without what was added to it."""
    result = call.result
    if result is None:
        return None
    if isinstance(result.json, dict) and call.effect is Effect.STORE:
        return {name: value for name, value in result.json.items() if not name.endswith("Id")}
    return result.text.partition(_REPEATED)[0], result.json


_REPEATED = "\n[The same call, with the same arguments, has had this answer "


def repeated_words(times: int) -> str:
    """Return what is added to the answer of a call that had it so often."""
    return f"{_REPEATED}{times} times in this cycle; after {MAX_EQUAL_ANSWERS} the cycle ends.]"
