"""The page that tells what a household lived through, in Markdown: figures, then day by day."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterator

from support.simulation.household import AGENTS, BEGINNING, Household
from support.simulation.household_model import forgets


def page(home: Household) -> str:
    """Return the page."""
    return "\n".join([*_figures(home), *_days(home), *_minds(home)]) + "\n"


def _figures(home: Household) -> Iterator[str]:
    """Yield what was counted over the whole time."""
    yield f"# {home.days:g} days of a household"
    yield ""
    ends = ", ".join(f"{count} with {status}" for status, count in sorted(home.worker.ends.items()))
    yield f"{home.worker.lives} lives of the worker; {ends}."
    yield ""
    yield "| what | how it stands at the end |"
    yield "|---|---|"
    for name, sql in (
        ("events", "SELECT state, count(*) FROM event GROUP BY 1"),
        ("cycles", "SELECT state, count(*) FROM cycle GROUP BY 1"),
        ("times of plans", "SELECT state, count(*) FROM plan_window GROUP BY 1"),
        ("postconditions", "SELECT state, count(*) FROM plan_outcome GROUP BY 1"),
        ("waits", "SELECT state, count(*) FROM run_wait GROUP BY 1"),
        ("tickets", "SELECT kind || ' ' || state, count(*) FROM ticket GROUP BY 1"),
        ("decisions", "SELECT state, count(*) FROM decision GROUP BY 1"),
        ("tasks", "SELECT state, count(*) FROM task GROUP BY 1"),
        ("changes of mode", 'SELECT "after", count(*) FROM mode_change GROUP BY 1'),
        ("alerts", "SELECT severity || ' ' || metric, count(*) FROM alert GROUP BY 1"),
        ("compactions", "SELECT agent, count(*) FROM compaction GROUP BY 1"),
        ("remembered", "SELECT agent, count(*) FROM memory_item GROUP BY 1"),
        ("held true", "SELECT agent, count(*) FROM observation GROUP BY 1"),
    ):
        found = ", ".join(f"{count} {what}" for what, count in home.worker.rows(sql))
        yield f"| {name} | {found or 'none'} |"
    yield f"| reports of Ava | {_reports(home)} |"
    yield f"| what people and strangers did | {_counted(home.told)} |"
    first, last = home.samples[0], home.samples[-1]
    yield f"| memory of the worker | {first.resident_kib} KiB first, {last.resident_kib} KiB last |"


def _reports(home: Household) -> str:
    """Return how many reports were written, left out, and handed over again."""
    sql = "SELECT window, attempt, state FROM plan_outcome"
    tries = [(str(window), attempt, state) for window, attempt, state in home.worker.rows(sql)]
    first = [(forgets(window), state) for window, attempt, state in tries if attempt == 1]
    again = [state for _, attempt, state in tries if attempt > 1]
    return (
        f"{first.count((False, 'met'))} written and found; {first.count((True, 'failed'))} left out"
        f" on purpose and found missing, {again.count('met')} of these there when handed over again"
    )


def _counted(told: Counter[str]) -> str:
    """Return counts as words."""
    return ", ".join(f"{count} {what}" for what, count in sorted(told.items()))


def _days(home: Household) -> Iterator[str]:
    """Yield a line for each day."""
    yield ""
    yield "| day | events | cycles | model calls | what stood out |"
    yield "|---|---|---|---|---|"
    notes: dict[str, list[str]] = defaultdict(list)
    for at, words in home.story:
        notes[_date(at)].append(words)
    counts = {
        table: dict(
            home.worker.rows(f"SELECT substr({column}, 1, 10), count(*) FROM {table} GROUP BY 1")
        )
        for table, column in (("event", "pushed"), ("cycle", "opened"), ("ledger", "at"))
    }
    for day in sorted(set(counts["event"]) | set(notes)):
        figures = " | ".join(str(counts[table].get(day, 0)) for table in counts)
        yield f"| {day} | {figures} | {'; '.join(notes[day])} |"


def _date(at: float) -> str:
    """Return the date so many seconds after the beginning."""
    return f"{datetime.datetime.fromtimestamp(BEGINNING + at, datetime.UTC):%Y-%m-%d}"


def _minds(home: Household) -> Iterator[str]:
    """Yield the last cycles of each agent, and what it holds true."""
    for agent in AGENTS:
        yield ""
        yield f"## The last cycles of {agent}, and what it holds true"
        yield ""
        for one in home.run("history", "cycles", "--agent", agent)[-5:]:
            began = f"began with {one['trigger']}, {len(one['events'])} events"
            yield f"- cycle {one['cycle']} at {one['opened']}: {began}, {one['outcome']}"
        sql = "SELECT summary FROM observation WHERE agent = ? AND status = 'active' LIMIT 10"
        yield from (f"- holds true: {claim}" for (claim,) in home.worker.rows(sql, agent))
