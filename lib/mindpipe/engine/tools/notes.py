"""Keep notes and goals, and make plans."""

from mindpipe.agents.records import Goal, GoalState
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import note as notes
from mindpipe.context.verbs import origins
from mindpipe.core.errors import UsageError
from mindpipe.core.sources import joined
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan


def set_memory(desk: ToolScope, args: specs.SetMemory) -> ToolAnswer:
    """Keep a note under a key."""
    note = notes.set_(desk.store, desk.clock, agent=desk.agent, key=args.key, value=args.value)
    origins.inherit(desk.store, note, sources=desk.sources)
    return {"success": True}


def get_memory(desk: ToolScope, args: specs.KeyOfMemory) -> ToolAnswer:
    """Read the note under a key."""
    note = notes.get(desk.store, agent=desk.agent, key=args.key)
    desk.take_in(note.sources)
    return {"key": note.key, "value": note.value}


def delete_memory(desk: ToolScope, args: specs.KeyOfMemory) -> ToolAnswer:
    """Forget the note under a key."""
    notes.delete(desk.store, agent=desk.agent, key=args.key)
    return {"success": True}


def set_goal(desk: ToolScope, args: specs.SetGoal) -> ToolAnswer:
    """Make a goal, or change one."""
    state = None if args.state is None else GoalState(args.state)
    before: tuple[str, ...] = ()
    if args.id is not None:
        before = next((g.sources for g in _goals(desk) if g.id == args.id), ())
        goal = goals.set_(
            desk.store,
            desk.clock,
            agent=desk.agent,
            goal=args.id,
            text=args.text,
            state=state,
        )
    elif args.text is not None:
        goal = goals.add(
            desk.store,
            desk.clock,
            desk.chance,
            agent=desk.agent,
            text=args.text,
            state=state or GoalState.ACTIVE,
        )
    else:
        raise UsageError("Give a text for a new goal, or the id of a goal to change.")
    origins.inherit(desk.store, goal, sources=joined(before, desk.sources))
    return {"success": True, "goalId": goal.id}


def _goals(desk: ToolScope) -> list[Goal]:
    """Return the agent's goals."""
    return goals.list_(desk.store, agent=desk.agent)


def get_goals(desk: ToolScope, _: specs.GetGoals) -> ToolAnswer:
    """List the goals."""
    found = _goals(desk)
    desk.take_in(*(goal.sources for goal in found))
    return {"goals": [{"id": g.id, "text": g.text, "state": g.state.value} for g in found]}


def delete_goal(desk: ToolScope, args: specs.IdOfGoal) -> ToolAnswer:
    """Remove a goal."""
    goals.remove(desk.store, agent=desk.agent, goal=args.id)
    return {"success": True}


def set_plan(desk: ToolScope, args: specs.SetPlan) -> ToolAnswer:
    """Make a plan."""
    plan = plans.add(
        desk.store,
        desk.clock,
        desk.chance,
        agent=desk.agent,
        new=NewPlan(
            title=args.title,
            text=args.text,
            cron=args.cron,
            at=args.at,
            after=args.after,
            zone=args.zone,
            sources=desk.sources,
        ),
    )
    return {"success": True, "planId": plan.id, "next": plan.next}


def get_plans(desk: ToolScope, _: specs.GetPlans) -> ToolAnswer:
    """List the plans."""
    found = plans.list_(desk.store, agent=desk.agent)
    desk.take_in(*(plan.sources for plan in found))
    return {"plans": [{"id": p.id, "title": p.title, "next": p.next} for p in found]}


def delete_plan(desk: ToolScope, args: specs.IdOfPlan) -> ToolAnswer:
    """Remove a plan."""
    plans.remove(desk.store, agent=desk.agent, plan=args.id)
    return {"success": True}
