"""A life of many cycles, made of a few that were lived: their rows again, each in other words."""

import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import apsw

Row = dict[str, object]
WORDS = ("lamp", "tea", "harbour", "report", "cake", "invoice", "Bremen", "train", "garden")


class Shift(NamedTuple):
    """By how much the numbers of a round are later, what its ids end in, and its own words."""

    cycles: int
    seqs: int
    numbers: int
    mark: str
    say: Callable[[], str]


def multiply(path: Path, *, agent: str, times: int, words: int = 40) -> int:
    """Append all cycles of an agent so many times and return how many it has then.

    Each text has so many words of its own. The rows are those of a life but for the chain of
    hashes.
    """
    chance = random.Random(1)

    def say() -> str:
        return " ".join(f"{chance.choice(WORDS)}{chance.randrange(10_000)}" for _ in range(words))

    with apsw.Connection(str(path)) as store:
        sql = "SELECT max(cycle), max(seq) FROM message WHERE agent = ?"
        cycles, seqs = next(store.execute(sql, (agent,)))
        numbers = next(store.execute("SELECT max(number) FROM message"))[0]
        for turn in range(1, times + 1):
            shift = Shift(cycles * turn, seqs * turn, numbers * turn, f"x{cycles * turn}", say)
            for table, change in _CHANGES.items():
                _again(store, table, (agent, cycles), partial(change, shift))
    return int(cycles * (times + 1))


def _again(
    store: apsw.Connection, table: str, until: tuple[str, int], change: Callable[[Row], None]
) -> None:
    """Append the rows of the first cycles of a table, each changed."""
    columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
    found = store.execute(f"SELECT * FROM {table} WHERE agent = ? AND cycle <= ?", until).fetchall()
    marks = ", ".join("?" * len(columns))
    for cells in found:
        row = dict(zip(columns, cells, strict=True))
        change(row)
        store.execute(f"INSERT INTO {table} VALUES({marks})", tuple(row.values()))


def _later(shift: Shift, row: Row) -> None:
    row["cycle"] = int(str(row["cycle"])) + shift.cycles


def _message(shift: Shift, row: Row) -> None:
    _later(shift, row)
    row["number"] = int(str(row["number"])) + shift.numbers
    row["seq"] = int(str(row["seq"])) + shift.seqs
    row["id"] = f"{row['id']}{shift.mark}"
    parts = json.loads(str(row["parts"]))
    for part in parts:
        if part["type"] in ("text", "result"):
            part["text"] = f"{part['text']} {shift.say()}"
        for name in {"id", "call"} & part.keys():
            part[name] = f"{part[name]}{shift.mark}"
    row["parts"] = json.dumps(parts)


def _turn(shift: Shift, row: Row) -> None:
    _later(shift, row)
    asked = json.loads(str(row["asked"]))
    for message in asked["unsent"]:
        message["id"] += shift.mark
        message["seq"] += shift.seqs
        message["cycle"] += shift.cycles
    row["asked"] = json.dumps(asked)


def _call(shift: Shift, row: Row) -> None:
    _later(shift, row)
    row["id"] = f"{row['id']}{shift.mark}"


_CHANGES: dict[str, Callable[[Shift, Row], None]] = {
    "cycle": _later,
    "message": _message,
    "turn": _turn,
    "call": _call,
    "cycle_source": _later,
}
