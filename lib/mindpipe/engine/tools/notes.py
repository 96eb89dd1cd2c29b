"""Keep notes and goals, and make plans."""

from pathlib import PurePosixPath

from mindpipe.agents.records import Goal, GoalState
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import note as notes
from mindpipe.context.verbs import origins
from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.sources import joined
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.plans import verbs as plans
from mindpipe.plans.postconditions import split
from mindpipe.plans.records import NewPlan


def set_memory(scope: ToolScope, args: specs.SetMemory) -> ToolAnswer:
    """Keep a note under a key."""
    note = notes.set_(scope.store, scope.clock, agent=scope.agent, key=args.key, value=args.value)
    origins.inherit(scope.store, note, sources=scope.sources)
    return {"success": True}


def get_memory(scope: ToolScope, args: specs.KeyOfMemory) -> ToolAnswer:
    """Read the note under a key."""
    note = notes.get(scope.store, agent=scope.agent, key=args.key)
    scope.take_in(note.sources)
    return {"key": note.key, "value": note.value}


def delete_memory(scope: ToolScope, args: specs.KeyOfMemory) -> ToolAnswer:
    """Forget the note under a key."""
    notes.delete(scope.store, agent=scope.agent, key=args.key)
    return {"success": True}


def set_goal(scope: ToolScope, args: specs.SetGoal) -> ToolAnswer:
    """Make a goal, or change one."""
    state = None if args.state is None else GoalState(args.state)
    before: tuple[str, ...] = ()
    if args.id is not None:
        before = next((g.sources for g in _goals(scope) if g.id == args.id), ())
        goal = goals.set_(
            scope.store,
            scope.clock,
            agent=scope.agent,
            goal=args.id,
            text=args.text,
            state=state,
        )
    elif args.text is not None:
        goal = goals.add(
            scope.store,
            scope.clock,
            scope.chance,
            agent=scope.agent,
            text=args.text,
            state=state or GoalState.ACTIVE,
        )
    else:
        raise UsageError("Give a text for a new goal, or the id of a goal to change.")
    origins.inherit(scope.store, goal, sources=joined(before, scope.sources))
    return {"success": True, "goalId": goal.id}


def _goals(scope: ToolScope) -> list[Goal]:
    """Return the agent's goals."""
    return goals.list_(scope.store, agent=scope.agent)


def get_goals(scope: ToolScope, _: specs.GetGoals) -> ToolAnswer:
    """List the goals."""
    found = _goals(scope)
    scope.take_in(*(goal.sources for goal in found))
    return {"goals": [{"id": g.id, "text": g.text, "state": g.state.value} for g in found]}


def delete_goal(scope: ToolScope, args: specs.IdOfGoal) -> ToolAnswer:
    """Remove a goal."""
    goals.remove(scope.store, agent=scope.agent, goal=args.id)
    return {"success": True}


def set_plan(scope: ToolScope, args: specs.SetPlan) -> ToolAnswer:
    """Make a plan; only a person has it run a command, or look at any file of the machine."""
    for wanted in map(split, args.expects):
        if wanted.kind == "command":
            raise RefusedError("only a person gives a plan a command; use post, note or file.")
        if wanted.kind == "file" and not _may_expect(wanted.what, scope.folders):
            raise RefusedError(
                f"your plans may expect files only below {', '.join(scope.folders or ()) or 'none'}"
                " (plans.folders); use post or note, or ask a person to make the plan."
            )
    plan = plans.add(
        scope.store,
        scope.clock,
        scope.chance,
        agent=scope.agent,
        new=NewPlan(
            title=args.title,
            text=args.text,
            cron=args.cron,
            at=args.at,
            after=args.after,
            zone=args.zone,
            expects=args.expects,
            sources=scope.sources,
        ),
    )
    return {"success": True, "planId": plan.id, "next": plan.next}


def _may_expect(path: str, folders: tuple[str, ...] | None) -> bool:
    """Tell whether a plan of an agent may expect a file: else it could find out what is there."""
    wanted = PurePosixPath(path)
    if folders is None:
        return True
    return ".." not in wanted.parts and any(map(wanted.is_relative_to, folders))


def get_plans(scope: ToolScope, _: specs.GetPlans) -> ToolAnswer:
    """List the plans."""
    found = plans.list_(scope.store, agent=scope.agent)
    scope.take_in(*(plan.sources for plan in found))
    return {"plans": [{"id": p.id, "title": p.title, "next": p.next} for p in found]}


def delete_plan(scope: ToolScope, args: specs.IdOfPlan) -> ToolAnswer:
    """Remove a plan."""
    plans.remove(scope.store, agent=scope.agent, plan=args.id)
    return {"success": True}
