"""What each success that a command reported means: what must be there whatever happens next."""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from support.powerloss.recording import Ack

STORE, OLDER = "mind.db", "old.db"
LINES = "lines"
"""Stands for SQL where the file is one of JSON lines; a member of it is a count of its lines."""
EVENTS = "SELECT id FROM event"
POSTS = "SELECT id FROM post"
GOALS = "SELECT id FROM goal"
AGENTS = "SELECT name FROM agent"
CYCLES = """
SELECT agent || ' ' || cycle FROM cycle WHERE state = 'closed' AND EXISTS(
    SELECT 1 FROM message WHERE message.agent = cycle.agent AND message.cycle = cycle.cycle
    AND role = 'assistant')
"""
CALLS = "SELECT agent || ' ' || cycle || ' ' || tool FROM call WHERE state = 'done'"
DECIDED = """
SELECT id FROM ticket
WHERE state IN ('approved', 'running', 'executed') AND person IS NOT NULL
"""
STEPS = "SELECT name FROM migration"
WHOLE = "SELECT 'whole' FROM store"


class Fact(NamedTuple):
    """One of the texts that a query of a file gives, or how many lines the file has at least."""

    file: str
    sql: str
    member: str


def _each(sql: str, field: str) -> Callable[[list[str], list[Any]], Iterator[Fact]]:
    """Return what holds of a field of every printed record."""

    def facts(_arguments: list[str], records: list[Any]) -> Iterator[Fact]:
        for record in records:
            yield Fact(STORE, sql, str(record[field]))

    return facts


def _of_push(arguments: list[str], records: list[Any]) -> Iterator[Fact]:
    yield from _each(EVENTS, "id")(arguments, records)
    if "--rejects" in arguments:
        yield Fact(arguments[arguments.index("--rejects") + 1], LINES, "1")


def _of_think(arguments: list[str], records: list[Any]) -> Iterator[Fact]:
    (report,) = records
    place = f"{report['agent']} {report['cycle']}"
    yield Fact(STORE, CYCLES, place)
    for tool in ("keyed", "send_message", "set_goal"):
        yield Fact(STORE, CALLS, f"{place} {tool}")
    if "--record" in arguments:
        file = arguments[arguments.index("--record") + 1]
        # A cycle of the workload has two turns, and more where an event joins it meanwhile.
        yield Fact(file, LINES, str(2 * (report["cycle"] - 1) + report["turns"]))


def _of_migrate(_arguments: list[str], records: list[Any]) -> Iterator[Fact]:
    (done,) = records
    yield from (Fact(OLDER, STEPS, name) for name in done["applied"])
    yield Fact(done["backup"], WHOLE, "whole")


def _of_backup(_arguments: list[str], records: list[Any]) -> Iterator[Fact]:
    (copied,) = records
    yield Fact(copied["file"], WHOLE, "whole")


def _of_init(_arguments: list[str], _records: list[Any]) -> Iterator[Fact]:
    yield Fact(STORE, WHOLE, "whole")


_MEANINGS: dict[tuple[str, ...], Callable[[list[str], list[Any]], Iterator[Fact]]] = {
    ("init",): _of_init,
    ("agent", "new"): _each(AGENTS, "name"),
    ("goal", "add"): _each(GOALS, "id"),
    ("inbox", "push"): _of_push,
    ("space", "post"): _each(POSTS, "id"),
    ("think",): _of_think,
    ("ticket", "approve"): _each(DECIDED, "id"),
    ("store", "migrate"): _of_migrate,
    ("store", "backup"): _of_backup,
}


def facts_of(ack: Ack) -> list[Fact]:
    """Return what a success promises; a command that promises nothing here has no facts."""
    arguments = list(ack.arguments)
    records = [json.loads(line) for line in ack.printed.splitlines()]
    for words, meaning in _MEANINGS.items():
        if tuple(arguments[: len(words)]) == words:
            return list(meaning(arguments, records))
    return []
