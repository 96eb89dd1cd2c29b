"""Go into spaces, speak and read there, and see what waits."""

from collections.abc import Sequence

from mindpipe.core.errors import UsageError
from mindpipe.engine.dependencies import holder_of
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, Post
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import TriggerRun

MAX_MESSAGE_BYTES = 1 << 16


def enter_space(desk: ToolScope, args: specs.EnterSpace) -> ToolAnswer:
    """Go into a space."""
    name = desk.space(args.space)
    desk.move(name)
    title = spaces.show(desk.store, name=name).title
    return {"success": True, "spaceName": title}


def leave_space(desk: ToolScope, _: specs.LeaveSpace) -> ToolAnswer:
    """Leave the space."""
    desk.move(None)
    return {"success": True}


def send_message(desk: ToolScope, args: specs.SendMessage) -> ToolAnswer:
    """Say something; it is held back until the turn is in history, and so is the wait for a reply.

    Raises:
        UsageError: too long, no such space or message, or the run cannot wait.
        RefusedError: as many agents as may have answered what woke this one, or what it replies to.
    """
    # What is said must fit into every inbox when it is published: then it is too late to refuse.
    if len(args.text.encode()) > MAX_MESSAGE_BYTES:
        raise UsageError(f"Longer than {MAX_MESSAGE_BYTES} bytes. Split it.")
    name = desk.space(args.space)
    run = desk.run()
    if args.wait:
        _check_wait(desk, run)
    new = NewPost(
        sender=desk.agent,
        text=args.text,
        reply_to=args.message_id,
        holder=holder_of(desk.agent, desk.cycle),
        id=desk.chance.new_id("o", desk.call),
        sources=desk.sources,
        depth=run.depth + 1 if run else 1,
        answers=_answered(run, name),
        waits=args.wait,
    )
    post = spaces.post(
        desk.store, desk.clock, desk.chance, space=name, post=new, deliver=desk.deliver
    )
    found: ToolAnswer = {"success": True, "messageId": post.id}
    return {**found, "waiting": True} if args.wait else found


def _answered(run: TriggerRun | None, space: str) -> str | None:
    """Return what a run answers: what began it; where all is in one space, what woke it last."""
    if run is None:
        return None
    last = run.resumed_by
    if last is None or last.by is None or {last.space, run.trigger.space} != {space}:
        return run.trigger.post
    return last.by


def _check_wait(desk: ToolScope, run: TriggerRun | None) -> None:
    """Raise UsageError where the run cannot wait for a reply, or for no further one."""
    if not desk.lasting:
        raise UsageError(
            "You live in plain files here, where no answer could wake you: you cannot wait. "
            "Send it without wait."
        )
    if not desk.cycle or run is None:
        raise UsageError("Only a run that is under way can wait. Send it without wait.")
    if run.depth >= desk.max_depth:
        raise UsageError(
            f"This chain of messages is {run.depth} hops deep, and no agent hears you any more: "
            "you cannot wait. Send it without wait."
        )
    said = spaces.held(desk.store, holder=holder_of(desk.agent, desk.cycle))
    waits = next((post for post in said if post.waits), None)
    if waits is not None:
        raise UsageError(f"You wait for a reply to {waits.id} already. Send it without wait.")


def read_messages(desk: ToolScope, args: specs.ReadMessages) -> ToolAnswer:
    """Read the newest messages of a space."""
    name = desk.space(args.space)
    posts = spaces.read(desk.store, space=name, limit=args.limit, offset=args.offset)
    desk.take_in(*(post.origins(reader=desk.agent) for post in posts))
    _note_shown(desk, posts)
    return {
        "messages": [
            {"id": post.id, "at": post.at, "from": post.sender, "text": post.text} for post in posts
        ]
    }


def _note_shown(desk: ToolScope, posts: Sequence[Post]) -> None:
    """Remember that the cycle showed messages, if they leave out none that was not seen."""
    if not posts:
        return
    member = spaces.member(desk.store, space=posts[0].space, name=desk.agent)
    if posts[0].seq <= member.seen + 1:
        runs.note_shown(desk.store, agent=desk.agent, cycle=desk.cycle, posts=[posts[-1].id])


def peek_inbox(desk: ToolScope, args: specs.PeekInbox) -> ToolAnswer:
    """See what waits in the inbox."""
    waiting = inbox.peek(desk.store, desk.clock, agent=desk.agent, limit=args.limit)
    desk.take_in(*(event.origins() for event in waiting))
    return {
        "events": [
            {"type": e.type, "space": e.space, "sender": e.sender, "text": e.text} for e in waiting
        ]
    }
