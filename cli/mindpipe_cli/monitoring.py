"""Measure an agent, with what only the outside of its store tells."""

from mindpipe.agents import verbs as agents
from mindpipe.monitoring.measures import Measured, latest
from mindpipe.monitoring.records import Alert, Status
from mindpipe.monitoring.verbs import alerting, measuring, standing
from mindpipe.monitoring.verbs.standing import Seen
from mindpipe.wiring import watching
from mindpipe.wiring.checking_settings import alert_rules
from mindpipe_cli.session import Session


def measured(session: Session, agent: str) -> Measured:
    """Return what an agent's figures are made of."""
    return measuring.measure(
        session.store,
        session.clock,
        agent=agent,
        window=session.settings.whole("alerts.window"),
        outside=watching.outside(session.store_path, session.clock, agent=agent),
    )


def check_alerts(session: Session, agent: str) -> list[Alert]:
    """Hold an agent's latest figures against the rules, and return the alerts that fire.

    The store's size is sampled on the way, as how fast it grows is one of them.
    """
    rules = alert_rules(session.settings)
    watching.sample(session.store, session.clock, agent=agent)
    figures = latest(measured(session, agent))
    alerting.check(
        session.store, session.clock, session.chance, agent=agent, rules=rules, values=figures
    )
    return alerting.firing(session.store, agent=agent)


def status(session: Session, agent: str) -> Status:
    """Return how an agent stands; nothing is written."""
    who = agents.show(session.store, name=agent)
    life = watching.life_of(session.store_path, session.clock, agent=who.name)
    cap = watching.day_cap(session.settings, who)
    seen = Seen(life, cap, watching.attending(session.settings))
    return standing.status(session.store, session.clock, agent=who.name, seen=seen)
