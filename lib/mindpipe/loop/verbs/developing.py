"""Look back on a day: one reflection, what it says of the agent itself, and its strategies."""

from mindpipe.agents import verbs as agents
from mindpipe.core.bad_lines import AllOrNothing
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.instants import later
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.loop import looking_back
from mindpipe.loop.reflection_records import Pattern, Reflected
from mindpipe.loop.tables import reflections as tables
from mindpipe.memory.records import NewReflection, Outcome, Reflection
from mindpipe.memory.verbs import lessons, reflections

DAY = 86_400.0
TAG = "day"


def develop(store: Store, clock: Clock, chance: Chance, *, agent: str) -> Reflection:
    """Keep and return the reflection on what an agent lived since the last one, in one transaction.

    Without one it is that of the last 24 hours. It says what the agent is good at and what it
    struggles with, which the next consolidation holds of the mind itself. A tool that mostly went
    wrong becomes a lesson, and how it went later is an outcome of that lesson.

    Raises:
        NothingToDoError: nothing was lived since.
        UsageError: there is no such agent.
    """
    now = clock.now()
    with store.write() as rows:
        agents.show(store, name=agent)
        days = [one for one in reflections.list_(store, agent=agent) if TAG in one.tags]
        since = max((one.until for one in days), default=later(now, seconds=-DAY))
        lived = tables.between(rows, agent=agent, since=since, until=now)
        if not lived:
            raise NothingToDoError(f"{agent} lived nothing since {since} that was reflected on.")
        _learn(store, clock, chance, agent, lived)
        given = NewReflection(
            key=f"{TAG}:{now}",
            text=looking_back.of_day(lived, _patterns(rows, agent, since), since=since),
            since=since,
            until=now,
            items=tuple(one.item for one in lived if one.item is not None),
            tags=(TAG,),
            origin="program",
        )
        kept = AllOrNothing()
        with reflections.adding(store, clock, chance, agent=agent, bad_lines=kept) as keeping:
            added = keeping.add([given])
        return reflections.show(store, agent=agent, id=added[0].id)


def _patterns(rows: Rows, agent: str, since: str) -> list[Pattern]:
    """Return the patterns found since an instant."""
    return [one for one in tables.patterns_of(rows, agent=agent) if one.at >= since]


def _learn(store: Store, clock: Clock, chance: Chance, agent: str, lived: list[Reflected]) -> None:
    """Keep a lesson for each tool that mostly went wrong, and how it went where there is one."""
    known = {one.key: one for one in lessons.list_(store, agent=agent)}
    for tool, good in looking_back.standing(lived).items():
        lesson = looking_back.strategy(tool)
        there = known.get(lesson.key)
        if there is not None and good is not None:
            how = Outcome(at=clock.now(), good=good)
            lessons.outcome(store, clock, agent=agent, id=there.id, outcome=how)
        elif there is None and good is False:
            kept = AllOrNothing()
            with lessons.adding(store, clock, chance, agent=agent, bad_lines=kept) as keeping:
                keeping.add([lesson])
