"""What the built-in tools do; each runs inside the transaction that journals its answer."""

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Goal, GoalState
from mindpipe.context.verbs import memories, origins
from mindpipe.core.errors import UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.core.records import Record
from mindpipe.core.sources import joined
from mindpipe.history import retelling
from mindpipe.history import tables as history_tables
from mindpipe.history.verbs import search, show
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan
from mindpipe.recall.records import Recalled, RecallQuery
from mindpipe.recall.verbs import answering, indexing, searching
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost
from mindpipe.think import builtin, tables
from mindpipe.think.builtin import BY_NAME
from mindpipe.think.means import Means, Work, holder_of
from mindpipe.think.records import Call
from mindpipe.think.using import Told

MAX_MESSAGE_BYTES = 1 << 16
MAX_RECALLED = 2_000
"""Of each thing that is recalled, so many characters at most are told."""
Found = dict[str, object]


def _to_nobody(_events: list[NewEvent]) -> None:
    """Push nothing."""


class Verified(Record):
    """What a tool's `verify` prints: whether the call was done, and its output if it was."""

    outcome: Literal["done", "not_done", "unknown"]
    output: str = ""


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    """Where a built-in tool works: whose it is, in which cycle, and the id of the call.

    `sources` names whose words the turn has read: what it writes inherits them.
    """

    store: Store
    clock: Clock
    chance: Chance
    agent: str
    deliver: Deliver = _to_nobody
    cycle: int = 0
    call: str = ""
    sources: tuple[str, ...] = ()

    def take_in(self, *groups: Iterable[str]) -> None:
        """Remember whose words an answer brings into the cycle."""
        sources = joined(*groups)
        origins.add(self.store, agent=self.agent, cycle=self.cycle, sources=sources)

    def take_in_cycle(self, cycle: int) -> None:
        """Remember whose words an answer brings in that tells of an earlier cycle."""
        lived = origins.of_cycles(self.store, agent=self.agent, first=cycle, last=cycle)
        self.take_in(*lived.values())

    def place(self) -> str | None:
        """Return the space that the agent is in."""
        with self.store.read() as rows:
            return tables.place_of(rows, agent=self.agent)

    def move(self, space: str | None) -> None:
        """Put the agent into a space, or out of all."""
        with self.store.write() as rows:
            tables.set_place(rows, agent=self.agent, space=space)

    def space(self, asked: str | None) -> str:
        """Return the name of the space that is asked for, else of the one the agent is in."""
        if asked is None:
            here = self.place()
            if here is None:
                raise UsageError("You are in no space. Use enter_space first.")
            return here
        mine = spaces.list_(self.store, member=self.agent)
        found = [space.name for space in mine if asked in (space.name, space.title)]
        if len(found) != 1:
            names = ", ".join(space.name for space in mine) or "none"
            raise UsageError(f"You are in no space {asked!r}. Your spaces: {names}.")
        return found[0]


def run(means: Means, work: Work, call: Call) -> Found:
    """Do what the call asks and return its answer; the turn that made it has been asked.

    Raises:
        MindError: it could not be done; the words are for the model.
    """
    desk = Desk(
        store=means.store,
        clock=means.clock,
        chance=means.chance,
        agent=work.agent.name,
        deliver=means.deliver,
        cycle=work.cycle,
        call=call.id,
        sources=_read_by(means, call),
    )
    return do(desk, call.tool, call.args or {})


def _read_by(means: Means, call: Call) -> tuple[str, ...]:
    """Return whose words the turn of a call has read."""
    with means.store.read() as rows:
        turn = tables.find_turn(rows, agent=call.agent, cycle=call.cycle, turn=call.turn)
    return turn.asked.origins if turn else ()


def do(desk: Desk, tool: str, args: dict[str, object]) -> Found:
    """Do what a built-in tool does and return its answer; raises MindError if it cannot."""
    return _RUN[tool](desk, msgspec.convert(args, BY_NAME[tool].arguments))


def _enter_space(desk: Desk, args: builtin.EnterSpace) -> Found:
    name = desk.space(args.space)
    desk.move(name)
    title = spaces.show(desk.store, name=name).title
    return {"success": True, "spaceName": title}


def _leave_space(desk: Desk, _: builtin.LeaveSpace) -> Found:
    desk.move(None)
    return {"success": True}


def _send_message(desk: Desk, args: builtin.SendMessage) -> Found:
    # What is said must fit into every inbox when it is published: then it is too late to refuse.
    if len(args.text.encode()) > MAX_MESSAGE_BYTES:
        raise UsageError(f"Longer than {MAX_MESSAGE_BYTES} bytes. Split it.")
    name = desk.space(args.space)
    new = NewPost(
        sender=desk.agent,
        text=args.text,
        reply_to=args.reply_to,
        holder=holder_of(desk.agent, desk.cycle),
        id=desk.chance.new_id("o", desk.call),
        sources=desk.sources,
    )
    post = spaces.post(
        desk.store, desk.clock, desk.chance, space=name, post=new, deliver=desk.deliver
    )
    return {"success": True, "messageId": post.id}


def _read_messages(desk: Desk, args: builtin.ReadMessages) -> Found:
    name = desk.space(args.space)
    posts = spaces.read(desk.store, space=name, limit=args.limit, offset=args.offset)
    desk.take_in(*(post.origins(reader=desk.agent) for post in posts))
    return {
        "messages": [
            {"id": post.id, "at": post.at, "from": post.sender, "text": post.text} for post in posts
        ]
    }


def _peek_inbox(desk: Desk, args: builtin.PeekInbox) -> Found:
    waiting = inbox.peek(desk.store, desk.clock, agent=desk.agent, limit=args.limit)
    desk.take_in(*(event.origins() for event in waiting))
    return {
        "events": [
            {"type": e.type, "space": e.space, "sender": e.sender, "text": e.text} for e in waiting
        ]
    }


def _search_history(desk: Desk, args: builtin.SearchHistory) -> Found:
    hits = search.search_widely(desk.store, agent=desk.agent, query=args.query, limit=args.limit)
    for cycle in {hit.cycle for hit in hits}:
        desk.take_in_cycle(cycle)
    return {
        "found": [
            {
                "cycle": hit.cycle,
                "seq": hit.seq,
                "at": hit.at,
                "role": hit.role.value,
                "excerpt": hit.excerpt,
            }
            for hit in hits
        ]
    }


def _read_history(desk: Desk, args: builtin.ReadHistory) -> Found:
    lived = retelling.told(show.show(desk.store, agent=desk.agent, cycle=args.cycle))
    wanted = [
        piece
        for piece in lived
        if args.seq in (None, piece.seq) and args.call in (None, piece.call)
    ]
    if not wanted:
        raise UsageError(
            f"Nothing of that is in cycle {args.cycle} of your history. Use search_history first."
        )
    desk.take_in_cycle(args.cycle)
    page = retelling.page_of(wanted, offset=args.offset, limit=args.limit)
    found: Found = {"cycle": args.cycle, "pieces": msgspec.to_builtins(list(page.pieces))}
    return found if page.next is None else {**found, "next_offset": page.next}


def _recall(desk: Desk, args: builtin.Recall) -> Found:
    for _ in indexing.catch_up(desk.store):
        pass
    question = RecallQuery(id=desk.call or "recall", query=args.query)
    asked = searching.Asked(desk.agent, now=desk.clock.now(), limit=args.limit)
    (answer,) = searching.search(desk.store, asked, [question])
    found = answering.recalled(answer)
    cycles = {one.ref: _cycle_of(desk, one.ref) for one in found if one.source == "message"}
    for cycle in set(cycles.values()):
        desk.take_in_cycle(cycle)
    desk.take_in(*(one.sources for one in found if one.source != "message"))
    return {"recalled": [_told(one, cycles.get(one.ref)) for one in found]}


def _cycle_of(desk: Desk, message: str) -> int:
    """Return the cycle of a message; 0 for one that is not there."""
    with desk.store.read() as rows:
        found = history_tables.message_by_id(rows, agent=desk.agent, id=message)
    return found.cycle if found else 0


def _told(one: Recalled, cycle: int | None) -> Found:
    """Return what was found as the model reads it."""
    told = Told(
        id=one.ref,
        source=one.source,
        at=one.at,
        text=one.text if len(one.text) <= MAX_RECALLED else f"{one.text[:MAX_RECALLED]}…",
        status=one.status,
        superseded_by=one.superseded_by,
        contradicted_by=one.contradicts,
        speaker=one.speaker,
        words_of=one.sources,
        cycle=cycle,
    )
    found: Found = msgspec.to_builtins(told)
    return found


def _set_memory(desk: Desk, args: builtin.SetMemory) -> Found:
    note = agents.note_set(desk.store, desk.clock, agent=desk.agent, key=args.key, value=args.value)
    memories.inherit(desk.store, note, sources=desk.sources)
    return {"success": True}


def _get_memory(desk: Desk, args: builtin.KeyOfMemory) -> Found:
    note = agents.note_get(desk.store, agent=desk.agent, key=args.key)
    desk.take_in(note.sources)
    return {"key": note.key, "value": note.value}


def _delete_memory(desk: Desk, args: builtin.KeyOfMemory) -> Found:
    agents.note_delete(desk.store, agent=desk.agent, key=args.key)
    return {"success": True}


def _set_goal(desk: Desk, args: builtin.SetGoal) -> Found:
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


def _get_goals(desk: Desk, _: builtin.GetGoals) -> Found:
    found = _goals(desk)
    desk.take_in(*(goal.sources for goal in found))
    return {"goals": [{"id": g.id, "text": g.text, "state": g.state.value} for g in found]}


def _delete_goal(desk: Desk, args: builtin.IdOfGoal) -> Found:
    agents.goal_remove(desk.store, agent=desk.agent, goal=args.id)
    return {"success": True}


def _set_plan(desk: Desk, args: builtin.SetPlan) -> Found:
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


def _get_plans(desk: Desk, _: builtin.GetPlans) -> Found:
    found = plans.list_(desk.store, agent=desk.agent)
    desk.take_in(*(plan.sources for plan in found))
    return {"plans": [{"id": p.id, "title": p.title, "next": p.next} for p in found]}


def _delete_plan(desk: Desk, args: builtin.IdOfPlan) -> Found:
    plans.remove(desk.store, agent=desk.agent, plan=args.id)
    return {"success": True}


def _skip(_: Desk, __: builtin.Skip) -> Found:
    return {"success": True}


def _done(_: Desk, __: builtin.Done) -> Found:
    return {"success": True}


_RUN: dict[str, Callable[..., Found]] = {
    "enter_space": _enter_space,
    "leave_space": _leave_space,
    "send_message": _send_message,
    "read_messages": _read_messages,
    "peek_inbox": _peek_inbox,
    "search_history": _search_history,
    "read_history": _read_history,
    "recall": _recall,
    "set_memory": _set_memory,
    "get_memory": _get_memory,
    "delete_memory": _delete_memory,
    "set_goal": _set_goal,
    "get_goals": _get_goals,
    "delete_goal": _delete_goal,
    "set_plan": _set_plan,
    "get_plans": _get_plans,
    "delete_plan": _delete_plan,
    "skip": _skip,
    "done": _done,
}
