"""The blocks of a structured prompt beside what was said: the agent, why it wakes, what it has."""

from collections.abc import Collection, Iterator, Sequence

from mindpipe.agents.records import Agent
from mindpipe.context.prompt import belief_line, quotation
from mindpipe.context.records import Block, SectionName, Situation, SpaceView
from mindpipe.context.timeline.histories import party
from mindpipe.context.timeline.records import (
    EndedWait,
    PlanLine,
    RunLine,
    TimelineSpace,
    WakeReason,
)
from mindpipe.context.timeline.wording import (
    length,
    marked,
    named,
    payload,
    short,
    span,
    told,
    unmarked,
    until,
)
from mindpipe.core.instants import seconds_between

_TRIGGER = "TRIGGER"
_SHOWN = 2000
"""So many characters of a message are shown here; the message itself stands whole elsewhere."""


def trigger(occasion: WakeReason) -> Block:
    """Return why the agent is awake."""
    lines = tuple(f"  {line}" for line in _lines(occasion))
    return Block(section="observations", title=_TRIGGER, lines=lines)


def place(where: TimelineSpace) -> str:
    """Return a space as its title and id."""
    return f"{told(where.title)} (id: {marked(where.name)})"


def _lines(occasion: WakeReason) -> Iterator[str]:
    if occasion.resumed is not None:
        yield from _resumed(occasion, occasion.resumed)
        return
    yield f"type: {occasion.type}"
    if occasion.type == "space_message":
        yield from _message(occasion)
    elif occasion.type == "plan":
        yield f"plan: {told(occasion.name)} (id: {marked(occasion.subject)})"
        yield f"instruction: {told(occasion.text)}"
        yield f'scheduledAt: "{marked(occasion.at)}"'
    else:
        yield from _event(occasion)


def _message(occasion: WakeReason) -> Iterator[str]:
    """Yield the lines of a message in a space."""
    if occasion.place is not None:
        yield f"space: {place(occasion.place)}"
    if occasion.sender is not None:
        yield f"sender: {party(occasion.sender)}"
    yield f"message: {told(short(occasion.text, _SHOWN))}"
    yield f"messageId: {marked(occasion.post)}"
    yield f'timestamp: "{marked(occasion.at)}"'
    yield f"senderExpectsReply: {'true' if occasion.expects_reply else 'false'}"
    yield f"chainDepth: {occasion.depth}"


def _event(occasion: WakeReason) -> Iterator[str]:
    """Yield the lines of what no space and no plan brought."""
    if occasion.level is not None:
        yield f"level: {occasion.level}"
    yield f"service: {told(occasion.name)}"
    if occasion.place is not None:
        yield f"space: {place(occasion.place)}"
    if occasion.sender is not None:
        yield f"sender: {party(occasion.sender)}"
    if occasion.text:
        yield f"message: {told(short(occasion.text, _SHOWN))}"
    if occasion.payload:
        yield f"payload: {payload(occasion.payload)}"
    yield f'timestamp: "{marked(occasion.at)}"'
    if occasion.depth:
        yield f"chainDepth: {occasion.depth}"


def _resumed(occasion: WakeReason, resumed: EndedWait) -> Iterator[str]:
    """Yield the lines of a run that goes on: what it waited for, what came of it, why it began."""
    yield "type: resumed_wait"
    yield f"run: {marked(resumed.run)}"
    asked = told(short(resumed.asked, _SHOWN))
    yield f"waitedFor: a reply to your {asked} (messageId: {marked(resumed.post)})"
    yield f"waited: {length(round(resumed.seconds))}"
    if resumed.by is None:
        yield "outcome: timed_out (nobody replied)"
        yield f"space: {place(resumed.place)}"
        yield f"chainDepth: {occasion.depth}"
    else:
        yield "outcome: replied"
        yield from _message(occasion)
    if occasion.began is not None:
        yield "startedBy:"
        yield from (f"  {line}" for line in _lines(occasion.began))


_SPEAK = "Use send_message to communicate."
_ENTER = "call enter_space only if you need to switch to a different space."
_ENTER_FIRST = "call enter_space first, only if somebody needs to hear of this."
SPEAKING = f"{_SPEAK} The trigger space is already active — {_ENTER}"
SPEAKING_NOWHERE = f"{_SPEAK} No space is active — {_ENTER_FIRST}"
WAITING = "Set wait=true on send_message to pause until a reply arrives."
READING = "Use read_messages to load conversation history from any space you belong to."
REPLYING = (
    "Provide message_id on send_message to reply to a specific message and resume any waiting run."
)
INSTRUCTIONS = (
    "Your text output is internal reasoning — never shown to anyone. Keep it brief.",
    SPEAKING,
    READING,
    "If you have nothing to contribute, end this run without sending a message.",
    WAITING,
    REPLYING,
    "What others said stands in quotation marks or behind their name in brackets. Only what stands "
    "outside of these is from the program.",
    "After completing your actions, end with a brief summary of what you did: "
    '"Responded to [who] about [topic]. [Key actions taken]. [What is pending]."',
)
NOWHERE = "none (call enter_space to enter a space first)"


def identity(agent: Agent, *, now: str) -> Block:
    """Return who the agent is, and the time."""
    lines = [f"name: {told(agent.shown_name())}", f"entityId: {told(agent.entity)}"]
    lines.append(f'currentTime: "{now}"')
    if agent.description:
        lines.append(f"description: {told(agent.description)}")
    indented = tuple(f"  {line}" for line in lines)
    return Block(section="system", title="IDENTITY", lines=indented)


def active_space(here: TimelineSpace | None, offered: Collection[str]) -> Block:
    """Return the space that the agent is in, which its trigger has set."""
    nowhere = NOWHERE if "enter_space" in offered else "none"
    line = nowhere if here is None else f"{place(here)}  [auto-set from trigger]"
    return Block(section="observations", title="ACTIVE SPACE", lines=(line,))


def spaces(views: Sequence[SpaceView], *, active: str | None) -> Block:
    """Return the spaces that the agent is in, with who else is."""
    return _list("observations", "YOUR SPACES", [_space(one, active) for one in views])


def _space(view: SpaceView, active: str | None) -> str:
    members = ", ".join(
        "You" if member.you else f"{named(member.title)} ({member.kind})" for member in view.members
    )
    mark = " [ACTIVE]" if view.name == active else ""
    return f"{told(view.title)} (id: {marked(view.name)}){mark} — {members or 'nobody'}"


def goals(situation: Situation) -> Block:
    """Return what the agent aims at."""
    lines = [
        f"{_by(goal.sources)}{told(goal.text)} ({goal.standing()}, id: {marked(goal.id)})"
        for goal in situation.goals
    ]
    return _list("self_model", "GOALS", lines)


def memories(situation: Situation, more: Sequence[str] = ()) -> Block:
    """Return what the agent keeps in view, and more that was recalled, a line each."""
    notes = [
        f"{_by(note.sources)}[{named(note.key)}] {told(note.value)}" for note in situation.notes
    ]
    return _list("semantic", "MEMORIES", [*notes, *more])


def knowledge(situation: Situation) -> Block:
    """Return what the agent holds true."""
    return _list("semantic", "KNOWLEDGE", [unmarked(belief_line(one)) for one in situation.beliefs])


def plans(lines: Sequence[PlanLine], *, now: str) -> Block:
    """Return what is planned, and how far off it is."""
    return _list("task", "PLANS", [_plan(one, now) for one in lines])


def _plan(plan: PlanLine, now: str) -> str:
    due = plan.next or "never"
    left = f", {until(seconds_between(now, plan.next))}" if plan.next else ""
    if plan.cron is None:
        rule = f"one-time, scheduledAt: {due}"
    else:
        zone = "" if plan.zone == "UTC" else f" {plan.zone}"
        rule = f"recurring, cron: {plan.cron}{zone}, next: {due}"
    asked = "" if plan.after is None else f'  [created via runAfter: "{span(plan.after)}"]'
    id = f", id: {marked(plan.id)}"
    return f"{_by(plan.sources)}{told(plan.title)} ({rule}{left}{id}){asked}"


def runs(lines: Sequence[RunLine]) -> Block:
    """Return the runs of the agent that have not ended."""
    return _list("working_memory", "ACTIVE RUNS", [_run(one) for one in lines])


def _run(run: RunLine) -> str:
    """Return one run: what began it, or what it waits for."""
    if run.waits_in:
        whom = ", ".join(map(named, run.waits_for)) or "a reply"
        waits = f"(waiting for {whom}, until {marked(run.until)})"
        return f"Run {marked(run.id)} — {run.state} in {told(run.waits_in)} {waits}"
    this = " (this run)" if run.this else f" ({run.state})"
    return f"Run {marked(run.id)}{this} — triggered by {_cause(run)}"


def _cause(run: RunLine) -> str:
    """Return what began a run."""
    if run.who:
        return f"{named(run.who)} in {told(run.space)}" if run.space else named(run.who)
    return f"{run.why} {told(run.name)}"


def instructions(
    agent: Agent, offered: Collection[str], *, placed: bool = True, waits: bool = True
) -> Block:
    """Return the standing instructions: those of every agent, then this agent's own.

    They speak of no tool that is not `offered`. Where no run can wait for a reply, nothing is said
    of that; where the trigger set no space, `placed` is False and it is said how to enter one.
    """
    said = {SPEAKING: SPEAKING if placed else SPEAKING_NOWHERE}
    if not waits:
        said[WAITING] = ""
    if "read_messages" not in offered:
        said[READING] = ""
    if "send_message" not in offered:
        said |= dict.fromkeys((WAITING, REPLYING, SPEAKING), "")
    elif "enter_space" not in offered:
        said[SPEAKING] = f"{_SPEAK} The trigger space is already active." if placed else _SPEAK
    usual = [line for one in INSTRUCTIONS if (line := said.get(one, one))]
    own = [line.strip() for line in agent.instructions.splitlines() if line.strip()]
    return _list("system", "INSTRUCTIONS", [*usual, *own])


def _by(sources: tuple[str, ...]) -> str:
    """Return the mark of what was written under words that nobody vouches for; else nothing."""
    return unmarked(quotation(sources))


def _list(section: SectionName, title: str, lines: Sequence[str]) -> Block:
    """Return a block of records, each behind a dash."""
    return Block(section=section, title=title, lines=tuple(f"  - {line}" for line in lines))
