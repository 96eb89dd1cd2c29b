"""Let the rules of alerts fire and clear, and show what they said."""

from collections.abc import Mapping, Sequence

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.monitoring import tables
from mindpipe.monitoring.records import Alert, AlertRule, AlertState, Severity
from mindpipe.monitoring.rules import figure_of, fires


def check(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    rules: Sequence[AlertRule],
    values: Mapping[str, float | None],
) -> list[Alert]:
    """Hold the latest figures against the rules; return the alerts that changed, all at once.

    An alert whose rule is not among these is held against its own bounds, so that whoever looks
    by other rules ends no alert. Nothing is written where nothing changed.
    """
    wanted: dict[tuple[Severity, str], AlertRule] = {
        (rule.severity, rule.metric): rule for rule in rules
    }
    with store.read() as rows:
        standing = {_key(one): one for one in tables.firing(rows, agent=agent)}
    if _is_quiet(standing, wanted, values):
        return []
    changed: list[Alert] = []
    with store.write(agent) as rows:
        standing = {_key(one): one for one in tables.firing(rows, agent=agent)}
        for key, alert in standing.items():
            value = values.get(figure_of(alert.metric))
            if not fires(wanted.get(key, _own_rule(alert)), value, firing=True):
                changed.append(_clear(rows, clock, alert, value))
            elif value is not None and value > alert.worst:
                worse = msgspec.structs.replace(alert, value=value, worst=value)
                tables.save_alert(rows, worse)
        for key, rule in wanted.items():
            value = values.get(rule.metric)
            if key not in standing and value is not None and fires(rule, value, firing=False):
                changed.append(_fire(rows, clock, chance, rule, agent, value))
    return changed


def _is_quiet(
    standing: Mapping[tuple[Severity, str], Alert],
    wanted: Mapping[tuple[Severity, str], AlertRule],
    values: Mapping[str, float | None],
) -> bool:
    """Tell whether no alert begins, ends or gets worse."""
    for key, alert in standing.items():
        value = values.get(figure_of(alert.metric))
        worse = value is not None and value > alert.worst
        if worse or not fires(wanted.get(key, _own_rule(alert)), value, firing=True):
            return False
    return not any(
        key not in standing and fires(rule, values.get(rule.metric), firing=False)
        for key, rule in wanted.items()
    )


def _key(alert: Alert) -> tuple[Severity, str]:
    """Return what tells the rule of an alert from others."""
    return (alert.severity, figure_of(alert.metric))


def _own_rule(alert: Alert) -> AlertRule:
    """Return the rule by which an alert began to fire."""
    return AlertRule(
        severity=alert.severity, metric=alert.metric, above=alert.above, until=alert.until
    )


def _clear(rows: Rows, clock: Clock, alert: Alert, value: float | None) -> Alert:
    """End an alert."""
    ended = msgspec.structs.replace(
        alert,
        state=alert.state.to(AlertState.CLEARED),
        value=alert.value if value is None else value,
        ended=clock.now(),
    )
    tables.save_alert(rows, ended)
    return ended


def _fire(
    rows: Rows, clock: Clock, chance: Chance, rule: AlertRule, agent: str, value: float
) -> Alert:
    """Begin an alert."""
    begun = Alert(
        id=chance.new_id("al", agent, tables.count_alerts(rows, agent=agent)),
        agent=agent,
        severity=rule.severity,
        metric=rule.metric,
        above=rule.above,
        until=rule.until,
        state=AlertState.FIRING,
        value=value,
        worst=value,
        since=clock.now(),
    )
    tables.insert_alert(rows, begun)
    return begun


def firing(store: Store, *, agent: str) -> list[Alert]:
    """Return the alerts of an agent that fire now; raises UsageError if there is no such agent."""
    with store.read() as rows:
        return tables.firing(rows, agent=agents.show(store, name=agent).name)


def list_(
    store: Store, *, agent: str, state: AlertState | None = None, limit: int = 100
) -> list[Alert]:
    """Return the newest alerts of an agent, newest first."""
    with store.read() as rows:
        name = agents.show(store, name=agent).name
        return tables.alerts(rows, agent=name, state=state, limit=limit)
