"""What planning a compaction takes: of a large window, and of a small one behind a long log."""

import json
from collections.abc import Iterator
from pathlib import Path

from figures import Figure
from measuring import MIND, Command, interleaved, median, mind, peak, progress

PART = "compact"
STRATEGIES = ("self-summary", "layered", "masked", "semantic", "anchored")
# Tokens of one cycle of the invented work, in the mean.
_CYCLE_TOKENS = 250
_FILE_MESSAGES = 20_000
_BUDGET = ("--budget", "20000", "--keep-cycles", "10")
_PLAN = (MIND, "compact", "plan", "--agent", "ava")


def large_window(folder: Path, *, tokens: int, rounds: int) -> list[Figure]:
    """Measure plans over a history of so many tokens, by each strategy that asks no model."""
    _new_life(folder)
    progress(f"{PART}: a history of {tokens:,} tokens")
    _take(folder, list(_work(tokens // _CYCLE_TOKENS)))
    start = Command(argv=[MIND, "history", "show", "--agent", "ava", "--limit", "1"], folder=folder)
    plans = {
        name: Command(argv=[*_PLAN, *_BUDGET, "--strategy", name], folder=folder)
        for name in STRATEGIES
    }
    spent = interleaved({"start": start, **plans}, rounds=rounds, title=PART)
    base = median(spent["start"])
    found = []
    for name in STRATEGIES:
        what = f"plan over {tokens:,} tokens, {name}"
        beyond = median(spent[name]) - base
        found += [
            Figure(part=PART, what=what, value=beyond, unit="s beyond start-up", most=1),
            Figure(part=PART, what=what, value=beyond / base, unit="x start-up"),
            Figure(part=PART, what=what, value=peak(spent[name]), unit="MB resident", most=150),
        ]
    return found


def long_log(folder: Path, *, messages: int, rounds: int) -> list[Figure]:
    """Measure plans over the last hundredth of a log that is covered up to there, and it alone."""
    recent = messages // 100
    covered, alone = folder / "covered", folder / "alone"
    for life in (covered, alone):
        _new_life(life)
    old = messages - recent
    for first in range(0, old, _FILE_MESSAGES):
        progress(f"{PART}: {first:,} of {old:,} messages covered")
        _take(covered, list(_talk(first, min(_FILE_MESSAGES, old - first))))
        mind(covered, "compact", "--agent", "ava", "--budget", "20000", "--keep-cycles", "0")
    for life in (covered, alone):
        _take(life, list(_talk(old, recent)))
    plans = {life.name: Command(argv=[*_PLAN, *_BUDGET], folder=life) for life in (covered, alone)}
    spent = interleaved(plans, rounds=rounds, title=f"{PART}: a log of {messages:,} messages")
    ratio = median(spent["covered"]) / median(spent["alone"])
    what = f"plan over {recent:,} messages behind {old:,} covered"
    return [
        Figure(part=PART, what=what, value=ratio, unit="x without them", most=1.3),
        Figure(part=PART, what=what, value=peak(spent["covered"]), unit="MB resident", most=150),
    ]


def _new_life(folder: Path) -> None:
    """Make a store with an agent."""
    folder.mkdir(mode=0o700, exist_ok=True)
    mind(folder, "init", "--agent", "ava")


def _take(folder: Path, messages: list[dict[str, object]]) -> None:
    """Import some messages behind what the agent has lived through."""
    document = folder / "chat.json"
    document.write_text(json.dumps({"messages": messages}))
    mind(folder, "history", "import", "--agent", "ava", "--format", "openai-chat", document.name)
    document.unlink()


def _talk(first: int, count: int) -> Iterator[dict[str, object]]:
    """Yield questions and answers, each pair with numbers of its own."""
    for number in range(first, first + count, 2):
        dock = number % 97
        yield {"role": "user", "content": f"[{number}] Has the shipment for dock {dock} left?"}
        yield {
            "role": "assistant",
            "content": f"Yes: shipment {number} left dock {dock} this morning, signed for.",
        }


def _work(cycles: int) -> Iterator[dict[str, object]]:
    """Yield cycles of work with a tool, whose answers are most of it."""
    for number in range(cycles):
        yield {"role": "user", "content": f"Please find out where shipment S{number:06} is."}
        call = {
            "id": f"call_{number % 50}",
            "type": "function",
            "function": {"name": "track", "arguments": json.dumps({"shipment": f"S{number:06}"})},
        }
        yield {"role": "assistant", "content": None, "tool_calls": [call]}
        stops = [
            {"stop": f"dock {(number + step) % 97}", "file": f"logs/{number}/{step}.txt"}
            for step in range(8)
        ]
        answer = json.dumps({"shipment": f"S{number:06}", "stops": stops})
        yield {"role": "tool", "tool_call_id": call["id"], "content": answer}
        yield {
            "role": "assistant",
            "content": f"Shipment S{number:06} stands at dock {(number + 7) % 97}, "
            f"weighs {number % 31} tons and leaves on day {number % 28 + 1} at {number % 24}:00.",
        }
