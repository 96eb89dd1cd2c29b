"""How fast items go into a memory and are found in it, and what consolidating a thousand takes."""

import itertools
import json
import random
import statistics
import subprocess
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

from figures import Figure
from measuring import MIND, PYTHON, Command, interleaved, median, mind, peak, progress, spend

PART = "memory"
NEW = 1_000
QUESTIONS = 15
_WORDS = 20_000
_PEOPLE = 40
# The same rows in nothing but a full-text index.
_BARE = """
    import json
    import sys

    import apsw

    connection = apsw.Connection("bare.db")
    for statement in (
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "CREATE VIRTUAL TABLE item USING fts5(id, text, tokenize='porter unicode61')",
        "BEGIN IMMEDIATE",
    ):
        connection.execute(statement).fetchall()
    items = (json.loads(line) for line in sys.stdin.buffer)
    rows = ((item["id"], item["text"]) for item in items)
    connection.executemany("INSERT INTO item VALUES(?, ?)", rows)
    connection.execute("COMMIT")
    connection.close()
"""


def figures(folder: Path, *, items: int, rounds: int) -> Iterator[Figure]:
    """Measure adding so many items, finding some of them, and consolidating a thousand more."""
    given = folder / "items.jsonl"
    asked = _write(given, items)
    yield from _adding(folder, given, items)
    yield from _finding(folder, asked, items, rounds)
    yield from _serving(folder, asked, items)
    yield from _consolidating(folder, items)


def _adding(folder: Path, given: Path, items: int) -> Iterator[Figure]:
    """Measure an addition from a pipe beside a bare full-text index of the same rows."""
    (folder / "bare.py").write_text(textwrap.dedent(_BARE))
    progress(f"{PART}: {items:,} items")
    mind(folder, "init", "--agent", "ava")
    add = [MIND, "memory", "add", "--agent", "ava"]
    bare = spend(Command(argv=[PYTHON, "bare.py"], folder=folder, stdin=given, pipe=True))
    added = spend(Command(argv=add, folder=folder, stdin=given, pipe=True))
    what = f"adding {items:,} items"
    ratio = bare.seconds / added.seconds
    yield Figure(part=PART, what=what, value=ratio, unit="x rate of bare FTS5", least=0.25)
    yield Figure(part=PART, what=what, value=items / added.seconds, unit="items/s")
    yield Figure(part=PART, what=what, value=peak([added]), unit="MB resident", most=500)


def _finding(folder: Path, asked: list[str], items: int, rounds: int) -> Iterator[Figure]:
    """Measure cold recalls of several questions, each beside the start of a command."""
    start = Command(argv=[MIND, "note", "list", "--agent", "ava"], folder=folder)
    beyond: list[float] = []
    most = 0.0
    for question in asked:
        recall = Command(argv=[MIND, "recall", question, "--agent", "ava"], folder=folder)
        commands = {"start": start, "recall": recall}
        spent = interleaved(commands, rounds=max(rounds // 7, 1), title=f"{PART}: recall")
        beyond.append(median(spent["recall"]) - median(spent["start"]))
        most = max(most, peak(spent["recall"]))
    what = f"cold recall among {items:,}, {len(asked)} questions"
    middle = statistics.median(beyond)
    yield Figure(part=PART, what=what, value=middle, unit="s beyond start-up", most=0.25)
    yield Figure(part=PART, what=what, value=max(beyond), unit="s, the slowest of them")
    yield Figure(part=PART, what=what, value=most, unit="MB resident", most=500)


def _serving(folder: Path, asked: list[str], items: int) -> Iterator[Figure]:
    """Measure recall in a session of an MCP client, whose server keeps the store open."""
    argv = [MIND, "mcp", "serve", "--agent", "ava"]
    with subprocess.Popen(
        argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        hello = {"capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        calls = [("initialize", {"protocolVersion": "2025-06-18", **hello})]
        calls += [("tools/call", {"name": "recall", "arguments": {"query": one}}) for one in asked]
        spent: list[float] = []
        for method, params in calls:
            line = {"jsonrpc": "2.0", "id": len(spent) + 1, "method": method, "params": params}
            began = time.perf_counter()
            server.stdin.write(json.dumps(line).encode() + b"\n")
            server.stdin.flush()
            assert b'"result"' in server.stdout.readline()
            spent.append((time.perf_counter() - began) * 1000)
        server.stdin.close()
    # The first questions open what the others, which are new, find open.
    what = f"recall among {items:,} over MCP, in a session"
    value = statistics.median(spent[1 + len(asked) // 3 :])
    yield Figure(part=PART, what=what, value=value, unit="ms", most=20)


def _consolidating(folder: Path, items: int) -> Iterator[Figure]:
    """Measure the consolidation of a thousand new items in a large store and in an empty one."""
    empty = folder / "empty"
    empty.mkdir(mode=0o700)
    mind(empty, "init", "--agent", "ava")
    progress(f"{PART}: consolidating {items:,} items")
    consolidate = [MIND, "consolidate", "--agent", "ava", "--limit", str(items)]
    first = spend(Command(argv=consolidate, folder=folder, statuses=frozenset({0, 3})))
    what = f"consolidating {items:,} items at once"
    yield Figure(part=PART, what=what, value=items / first.seconds, unit="items/s")
    yield Figure(part=PART, what=what, value=peak([first]), unit="MB resident")
    new = "".join(
        f"{json.dumps({'id': f'n_{n}', 'speaker': f's{n % 50}', 'text': _state(n)})}\n"
        for n in range(NEW)
    )
    for place in (folder, empty):
        mind(place, "memory", "add", "--agent", "ava", stdin=new.encode())
    large, small = (spend(Command(argv=consolidate, folder=place)) for place in (folder, empty))
    yield Figure(
        part=PART,
        what=f"consolidating {NEW:,} new items in a store of {items:,}",
        value=large.seconds / small.seconds,
        unit="x an empty store",
        most=1.5,
    )
    yield Figure(part=PART, what="the same in an empty store", value=small.seconds, unit="s")


def _state(number: int) -> str:
    """Return a statement of which something can be held true."""
    return f"I prefer sort{number} tea." if number % 2 else f"I live in Town{number}."


def _write(file: Path, items: int) -> list[str]:
    """Write items whose words are as common as words are, and return questions about some.

    The nth of the words has a share of 1 / n (Zipf).
    """
    chance = random.Random(7)
    words = [_syllables(number) for number in range(_WORDS)]
    weights = [1 / (place + 10) for place in range(_WORDS)]
    totals = list(itertools.accumulate(weights))
    asked: list[str] = []
    with file.open("w") as lines:
        for number in range(items):
            drawn = chance.choices(words, cum_weights=totals, k=chance.randrange(8, 24))
            day = f"2026-{1 + number * 12 // items:02d}-{1 + number % 28:02d}T09:00:00Z"
            item = {"id": f"it_{number}", "at": day, "speaker": f"s{number % _PEOPLE}"}
            lines.write(f"{json.dumps({**item, 'text': ' '.join(drawn)})}\n")
            if number % (items // QUESTIONS) == 1 and len(asked) < QUESTIONS:
                asked.append(f"What did s{number % _PEOPLE} say of {' '.join(drawn[:4])}?")
    return asked


def _syllables(number: int) -> str:
    """Return a word of its own for a number."""
    made = ""
    while number or not made:
        number, place = divmod(number, 70)
        made += "bdfgklmnprstvz"[place % 14] + "aeiou"[place // 14]
    return made
