"""What the outside of a store tells of an agent: its worker, crashes, failed checks, its cap."""

from pathlib import Path

from mindpipe.agents.records import Agent
from mindpipe.core.instants import later
from mindpipe.core.ports import Clock, Store
from mindpipe.loop.attention_records import Attending
from mindpipe.loop.records import Life
from mindpipe.monitoring.measures import HOUR_SECONDS
from mindpipe.monitoring.verbs import sampling
from mindpipe.monitoring.verbs.measuring import Outside
from mindpipe.recall.verbs import timing
from mindpipe.store import recovery_log
from mindpipe.wiring.settings import Settings
from mindpipe.wiring.workers import living_now, lost_lives


def outside(store: Path, clock: Clock, *, agent: str) -> Outside:
    """Return the agent's crashes that nobody recovered from, and an hour's failed checks."""
    now = clock.now()
    since = later(now, seconds=-HOUR_SECONDS)
    return Outside(
        lost=sum(life.agent == agent for life in lost_lives(store, clock)),
        failures=sum(
            one.state == "entered" and one.cause == "check" and since < one.at <= now
            for one in recovery_log.passages(store)
        ),
    )


def sample(store: Store, clock: Clock, *, agent: str) -> bool:
    """Take a sample of the store and of one search by meaning where it is due; tell whether."""
    if not sampling.is_due(store, clock):
        return False
    seconds = timing.seconds_of_a_search(store, clock, agent=agent)
    return sampling.sample(store, clock, vector_seconds=seconds) is not None


def life_of(store: Path, clock: Clock, *, agent: str) -> Life | None:
    """Return the life of the worker that lives an agent now, None where there is none."""
    return next((life for life in living_now(store, clock) if life.agent == agent), None)


def attending(settings: Settings) -> Attending:
    """Return what bounds attention where no mode says more."""
    return Attending(
        primary_share=settings.real("attention.primary_share"),
        primary_boost=settings.whole("attention.primary_boost"),
        longest_wait=settings.real("attention.longest_wait_seconds"),
    )


def day_cap(settings: Settings, agent: Agent) -> int | None:
    """Return the most that a day of an agent may cost, in millionths of a US dollar."""
    caps = (settings.number("caps.agent_day_micros"), agent.day_micros)
    return min((cap for cap in caps if cap is not None), default=None)
