"""What one cycle of thinking takes beside the model, in a short life and in a long one."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from figures import Figure
from measuring import MIND, PYTHON, Command, interleaved, median, mind, peak, progress, spend

PART = "think"
_ANSWER = """#!/bin/sh
printf '{"text":"All is well."}'
"""
_FILE_MESSAGES = 20_000
# A window that both lives fill, so that the model would read the same of each.
_WINDOW = "5000"


def make_life(folder: Path, *, messages: int) -> Figure:
    """Make a store whose agent has lived through so many messages; return how fast that went."""
    begun = time.perf_counter()
    folder.mkdir(mode=0o700)
    mind(folder, "init")
    mind(folder, "agent", "new", "ava", "--max-tokens", _WINDOW)
    answer = folder / "answer"
    answer.write_text(_ANSWER)
    answer.chmod(0o700)
    document = folder / "chat.json"
    for first in range(0, messages, _FILE_MESSAGES):
        progress(f"history: {first:,} of {messages:,} messages imported")
        count = min(_FILE_MESSAGES, messages - first)
        document.write_text(json.dumps({"messages": list(_conversation(first, count))}))
        mind(
            folder, "history", "import", "--agent", "ava", "--format", "openai-chat", document.name
        )
    document.unlink()
    rate = messages / (time.perf_counter() - begun)
    what = f"history import, {messages:,} messages"
    return Figure(part="history", what=what, value=rate, unit="messages/s")


def thinking(short: Path, long: Path, *, messages: int, rounds: int) -> list[Figure]:
    """Measure cycles in both lives, each woken by one new event."""
    replayed = _replayed(short)
    program = [MIND, "think", "--agent", "ava", "--model", "program:./answer"]
    spent = interleaved(
        {
            "pass": Command(argv=[PYTHON, "-c", "pass"], folder=short),
            "model": Command(argv=["./answer"], folder=short),
            "replay": replayed,
            "short": Command(argv=program, folder=short, before=lambda: _wake(short)),
            "long": Command(argv=program, folder=long, before=lambda: _wake(long)),
        },
        rounds=rounds,
        title=PART,
    )
    seconds = {name: median(runs) for name, runs in spent.items()}
    base = seconds["pass"]
    alone = (seconds["short"] - seconds["model"]) / base
    growth = seconds["long"] / seconds["short"]
    return [
        Figure(part=PART, what="a cycle less its program: model", value=alone, most=25),
        Figure(part=PART, what="a cycle, replay: model", value=seconds["replay"] / base, most=25),
        Figure(
            part=PART,
            what=f"a cycle after {messages:,} messages",
            value=growth,
            unit="x one after 100",
            most=1.2,
        ),
    ]


def exporting(life: Path, *, messages: int) -> list[Figure]:
    """Measure how a whole history goes out, from the store and from its rows."""
    rows = life / "rows.jsonl"
    show = [MIND, "history", "show", "--agent", "ava", "--json"]
    store = [MIND, "history", "export", "--agent", "ava", "--format", "anthropic"]
    filtered = [MIND, "history", "export", "--format", "anthropic"]
    commands = {
        "history export": Command(argv=store, folder=life),
        "history show --json": Command(argv=show, folder=life, stdout=rows),
        "history export, of rows": Command(argv=filtered, folder=life, stdin=rows),
    }
    found = []
    for name, command in commands.items():
        progress(f"history: {name} of {messages:,} messages")
        spent = spend(command)
        what = f"{name}, {messages:,} messages"
        found += [
            Figure(part="history", what=what, value=peak([spent]), unit="MB resident", most=150),
            Figure(part="history", what=what, value=messages / spent.seconds, unit="messages/s"),
        ]
    rows.unlink()
    return found


def _conversation(first: int, count: int) -> Iterator[dict[str, str]]:
    """Yield questions and answers, each pair with numbers of its own."""
    for number in range(first, first + count, 2):
        dock = number % 97
        yield {"role": "user", "content": f"[{number}] Has the shipment for dock {dock} left?"}
        yield {
            "role": "assistant",
            "content": f"Yes: shipment {number} left dock {dock} this morning, signed for.",
        }


def _wake(folder: Path) -> None:
    """Push the event that the next cycle answers."""
    mind(folder, "inbox", "push", "--agent", "ava", "--text", "Is anything late?")


def _replayed(short: Path) -> Command:
    """Return a cycle that is asked as it was when its turns were recorded, store and time too."""
    fixed = {"MIND_NOW": "2026-11-21T20:00:00Z", "MIND_SEED": "1"}
    _wake(short)
    before = short / "before.db"
    shutil.copyfile(short / "mind.db", before)
    before.chmod(0o600)
    think = [MIND, "think", "--agent", "ava", "--store", "replay.db", "--model"]

    def restore() -> None:
        shutil.copyfile(before, short / "replay.db")
        (short / "replay.db").chmod(0o600)

    recorded = [*think, "program:./answer", "--record", "turns.jsonl"]
    spend(Command(argv=recorded, folder=short, environment=fixed, before=restore))
    return Command(
        argv=[*think, "replay:turns.jsonl"], folder=short, environment=fixed, before=restore
    )
