"""Look at the agents of a store: who waits for a worker, is out of money, or is alarming."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError
from mindpipe.core.ports import Clock
from mindpipe.engine.worker_rules import attention_rules
from mindpipe.monitoring.records import Status
from mindpipe.monitoring.verbs.status import StatusView, status
from mindpipe.monitoring.watch import day_cap
from mindpipe.person.verbs import refusal
from mindpipe.spending import verbs as spending
from mindpipe.store.address import Where
from mindpipe.store.presence import present_at, waiting_for
from mindpipe.store.records import StoreFinding, Verdict
from mindpipe.store.worker_sessions import is_ours, reading, running_sessions

if TYPE_CHECKING:
    from mindpipe.settings import Settings


def look(where: Where, clock: Clock, settings: "Settings") -> Iterator[StoreFinding]:
    """Judge how the agents of a store stand; nothing where that cannot be read here."""
    if not _is_readable(where):
        return
    lives = {life.agent: life for life in running_sessions(where, clock)}
    rules = attention_rules(settings)
    there = present_at(where)
    with reading(where) as store:
        names = agents.list_(store)
        found = [
            status(
                store,
                clock,
                agent=who.name,
                seen=StatusView(
                    lives.get(who.name),
                    day_cap(settings, who),
                    rules,
                    waits=waiting_for(who.name, there),
                ),
            )
            for who in names
        ]
        persons = {who.name for who in names if refusal.is_person(store, who.name)}
        spent = sum(
            cost.settled_micros + cost.reserved_micros
            for cost in spending.cost(store, since=clock.now()[:10])
        )
    yield from judged([one for one in found if one.agent not in persons])
    yield _store_cap(spent, settings.caps.store_day_micros)


def models_named(where: Where) -> list[str]:
    """Return the models and fallbacks that agents of a store have of their own, none twice."""
    if not _is_readable(where):
        return []
    with reading(where) as store:
        found = agents.list_(store)
        return list(
            dict.fromkeys(name for one in found for name in (one.model, one.fallback) if name)
        )


def _is_readable(where: Where) -> bool:
    """Tell whether a store is there and can be read; a look at the store says why it is not."""
    try:
        if isinstance(where, Path):
            return where.exists() and is_ours(where)
        with reading(where):
            return True
    except (MindError, ImportError):  # of a server: the driver is an extra
        return False


def judged(found: Sequence[Status]) -> Iterator[StoreFinding]:
    """Judge agents that workers think for, by how each stands: one finding for each question."""
    yield StoreFinding(check="agents", verdict="ok", found=f"{len(found)}")
    for check, of_one, advice in _QUESTIONS:
        said = [f"{one.agent} ({words})" for one in found if (words := of_one(one))]
        yield StoreFinding.of_each(check, said, advice)
    for severity, verdict in _SEVERITIES:
        said = [
            f"{one.agent} {alert.metric} {alert.worst:g} since {alert.since}"
            for one in found
            for alert in one.alerts
            if alert.severity == severity
        ]
        advice = "See mind status --agent NAME and mind alert list --agent NAME."
        yield StoreFinding.of_each(f"{severity} alerts", said, advice, verdict)


def _idle(one: Status) -> str:
    """Say what waits for an agent that nobody lives and nobody let rest."""
    if one.worker is not None or one.paused is not None or not one.waiting.events:
        return ""
    urgent = f", {one.waiting.urgent} urgent" if one.waiting.urgent else ""
    return f"{one.waiting.events} due{urgent}"


def _paused(one: Status) -> str:
    """Say what waits for an agent that somebody let rest."""
    resting = one.paused is not None and one.waiting.events
    return f"{one.paused}, {one.waiting.events} due" if resting else ""


def _missed(one: Status) -> str:
    """Say how many windows of an agent's plans nobody fired, or came to nothing."""
    return f"{one.plans.missed}" if one.plans.missed else ""


def _out_of_money(one: Status) -> str:
    """Say that an agent's day may cost no more."""
    if one.cap_micros is None or one.spent_micros < one.cap_micros:
        return ""
    return f"{spending.dollars(one.spent_micros)} of {spending.dollars(one.cap_micros)}"


def _store_cap(spent: int, cap: int | None) -> StoreFinding:
    """Hold what all agents cost today against the cap of the store."""
    if cap is None or spent < cap:
        return StoreFinding(
            check="budget of the store", verdict="ok", found=spending.dollars(spent)
        )
    found = f"{spending.dollars(spent)} of {spending.dollars(cap)} spent today"
    advice = "Nobody asks a model until tomorrow (UTC); caps.store_day_micros is the cap."
    return StoreFinding(check="budget of the store", verdict="note", found=found, advice=advice)


_QUESTIONS: tuple[tuple[str, Callable[[Status], str], str], ...] = (
    (
        "events without a worker",
        _idle,
        "mind run --agent NAME starts one, --agents one of all; or mind think once.",
    ),
    ("paused agents", _paused, "mind agent set NAME --unset paused lets one go on."),
    ("missed plans", _missed, "See mind plan windows; mind run --agent NAME fires them."),
    (
        "budgets used up",
        _out_of_money,
        "It goes on tomorrow (UTC), or after mind agent set NAME --day-micros N.",
    ),
)
_SEVERITIES: tuple[tuple[str, Verdict], ...] = (("critical", "bad"), ("warning", "note"))
