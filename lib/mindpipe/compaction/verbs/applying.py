"""Put a planned window in force: exactly these bytes, or nothing."""

from mindpipe.agents import verbs as agents
from mindpipe.compaction.plans.checking import faults_of
from mindpipe.compaction.plans.plan_lines import plan_octets, read_plan
from mindpipe.compaction.records import Compaction, WindowPlan
from mindpipe.compaction.verbs import loading, publishing
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.core.errors import BadInputError
from mindpipe.core.failpoints import reach
from mindpipe.core.problems import Problem


def apply(ports: Ports, *, agent: str, octets: bytes, source: str = "plan") -> Compaction:
    """Check the lines of a plan against the log, and put its window in force, under the lease.

    The octets are kept as they are. `source` is what they are called in what is wrong with them.

    Raises:
        BadInputError: they are no plan, one of another agent, or do not fit the log.
        NothingToDoError: there are none, or the agent has no history.
        TemporaryError: the log has moved, another window is in force, or a worker has the agent.
        UsageError: there is no such agent.
    """
    name = agents.show(ports.store, name=agent).name
    planned = read_plan(octets, source=source)
    if planned.plan.agent != name:
        what = f"this is a plan for {planned.plan.agent}, not for {name}"
        raise BadInputError([Problem(source=source, line=1, field="$.agent", message=what)])
    with ports.store.read():
        publishing.check_present(ports.store, planned.plan)
        material = loading.material(ports, agent=name)
    if problems := faults_of(planned, material, source=source):
        raise BadInputError(problems)
    return put_in_force(ports, planned=planned, octets=octets)


def at_once(ports: Ports, *, planned: WindowPlan) -> Compaction:
    """Put a window in force that was planned just now; raises what `apply` raises."""
    return put_in_force(ports, planned=planned, octets=plan_octets(planned))


def put_in_force(ports: Ports, *, planned: WindowPlan, octets: bytes) -> Compaction:
    """Publish a window that was checked, under the lease, if nothing has moved."""
    with publishing.holding(ports, agent=planned.plan.agent):
        made = publishing.publish(ports, planned=planned, octets=octets)
        reach("compact.before_publish")
    reach("compact.after_publish")
    return made
