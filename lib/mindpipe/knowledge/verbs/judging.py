"""Take in verdicts that somebody gives on items: marks that recall goes by, and decisions."""

from collections.abc import Sequence

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import BadInputError
from mindpipe.core.ports import Clock, Store
from mindpipe.knowledge.deciding.given import Given, given
from mindpipe.knowledge.records import Changes, GivenVerdict
from mindpipe.knowledge.tables import decisions
from mindpipe.knowledge.verbs.publishing import publish
from mindpipe.memory.verbs import items


def judge(
    store: Store, clock: Clock, *, agent: str, verdicts: Sequence[GivenVerdict], source: str
) -> Given:
    """Keep verdicts, all or none, and return what they came to; those kept before are passed over.

    `source` is the name by which problems name where they stand.

    Raises:
        BadInputError: a verdict names no item, or one that the agent does not have.
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    ids = {one for verdict in verdicts for one in (*verdict.old, *verdict.new)}
    ids |= {f"{one.conversation}/{id}" for one in verdicts for id in (*one.old, *one.new)}
    with store.write() as rows:
        known = {one.item.id for one in items.of_ids(store, agent=agent, ids=sorted(ids))}
        found = given(verdicts, known, now=clock.now(), source=source)
        if found.problems:
            raise BadInputError(found.problems)
        names = [one.id for one in found.decisions]
        kept = {one.id for one in decisions.find(rows, agent=agent, ids=names)} if names else set()
        new = tuple(one for one in found.decisions if one.id not in kept)
        publish(
            store,
            Changes(
                agent=agent,
                at=clock.now(),
                by="verdict",
                decisions=new,
                marks=tuple(found.marks),
            ),
        )
    return found
