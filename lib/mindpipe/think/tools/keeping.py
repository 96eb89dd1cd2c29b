"""Keep notes and goals, and make plans."""

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Goal, GoalState
from mindpipe.context.verbs import memories
from mindpipe.core.errors import UsageError
from mindpipe.core.sources import joined
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan
from mindpipe.think import builtin
from mindpipe.think.tools.desk import Desk, Found


def set_memory(desk: Desk, args: builtin.SetMemory) -> Found:
    """Keep a note under a key."""
    note = agents.note_set(desk.store, desk.clock, agent=desk.agent, key=args.key, value=args.value)
    memories.inherit(desk.store, note, sources=desk.sources)
    return {"success": True}


def get_memory(desk: Desk, args: builtin.KeyOfMemory) -> Found:
    """Read the note under a key."""
    note = agents.note_get(desk.store, agent=desk.agent, key=args.key)
    desk.take_in(note.sources)
    return {"key": note.key, "value": note.value}


def delete_memory(desk: Desk, args: builtin.KeyOfMemory) -> Found:
    """Forget the note under a key."""
    agents.note_delete(desk.store, agent=desk.agent, key=args.key)
    return {"success": True}


def set_goal(desk: Desk, args: builtin.SetGoal) -> Found:
    """Make a goal, or change one."""
    state = None if args.state is None else GoalState(args.state)
    before: tuple[str, ...] = ()
    if args.id is not None:
        before = next((g.sources for g in _goals(desk) if g.id == args.id), ())
        goal = agents.goal_set(
            desk.store,
            desk.clock,
            agent=desk.agent,
            goal=args.id,
            text=args.text,
            state=state,
        )
    elif args.text is not None:
        goal = agents.goal_add(
            desk.store,
            desk.clock,
            desk.chance,
            agent=desk.agent,
            text=args.text,
            state=state or GoalState.ACTIVE,
        )
    else:
        raise UsageError("Give a text for a new goal, or the id of a goal to change.")
    memories.inherit(desk.store, goal, sources=joined(before, desk.sources))
    return {"success": True, "goalId": goal.id}


def _goals(desk: Desk) -> list[Goal]:
    """Return the agent's goals."""
    return agents.goal_list(desk.store, agent=desk.agent)


def get_goals(desk: Desk, _: builtin.GetGoals) -> Found:
    """List the goals."""
    found = _goals(desk)
    desk.take_in(*(goal.sources for goal in found))
    return {"goals": [{"id": g.id, "text": g.text, "state": g.state.value} for g in found]}


def delete_goal(desk: Desk, args: builtin.IdOfGoal) -> Found:
    """Remove a goal."""
    agents.goal_remove(desk.store, agent=desk.agent, goal=args.id)
    return {"success": True}


def set_plan(desk: Desk, args: builtin.SetPlan) -> Found:
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


def get_plans(desk: Desk, _: builtin.GetPlans) -> Found:
    """List the plans."""
    found = plans.list_(desk.store, agent=desk.agent)
    desk.take_in(*(plan.sources for plan in found))
    return {"plans": [{"id": p.id, "title": p.title, "next": p.next} for p in found]}


def delete_plan(desk: Desk, args: builtin.IdOfPlan) -> Found:
    """Remove a plan."""
    plans.remove(desk.store, agent=desk.agent, plan=args.id)
    return {"success": True}
