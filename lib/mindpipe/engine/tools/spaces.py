"""Go into spaces, speak and read there, and see what waits."""

from collections.abc import Sequence

from mindpipe.context.triggers import message_of
from mindpipe.context.verbs import origins, speakers
from mindpipe.core.errors import UsageError
from mindpipe.core.text import counted
from mindpipe.engine.dependencies import holder_of
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Member, NewPost, Post
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import TriggerRun

MAX_MESSAGE_BYTES = 1 << 16
_CLAIMS = (speakers.CLAIMED_SENDER, speakers.CLAIMED_SPACE, speakers.CLAIMED_SOURCES)


def enter_space(scope: ToolScope, args: specs.EnterSpace) -> ToolAnswer:
    """Go into a space."""
    name = scope.space(args.space)
    scope.move(name)
    title = spaces.show(scope.store, name=name).title
    return {"success": True, "spaceName": title}


def leave_space(scope: ToolScope, _: specs.LeaveSpace) -> ToolAnswer:
    """Leave the space."""
    scope.move(None)
    return {"success": True}


def send_message(scope: ToolScope, args: specs.SendMessage) -> ToolAnswer:
    """Say something; it is held back until the turn is in history, and so is the wait for a reply.

    Raises:
        UsageError: too long, no such space or message, or the run cannot wait.
        RefusedError: as many agents as may have answered what woke this one, or what it replies to.
    """
    # What is said must fit into every inbox when it is published: then it is too late to refuse.
    if len(args.text.encode()) > MAX_MESSAGE_BYTES:
        raise UsageError(f"Longer than {MAX_MESSAGE_BYTES} bytes. Split it.")
    name = scope.space(args.space)
    run = scope.run()
    waits = args.wait or args.wait_for is not None or args.wait_minutes is not None
    if waits:
        _check_wait(scope, run)
    elsewhere = _is_elsewhere(scope, name, args.message_id)
    new = NewPost(
        sender=scope.agent,
        text=args.text,
        reply_to=None if elsewhere else args.message_id,
        holder=holder_of(scope.agent, scope.cycle),
        id=scope.chance.new_id("o", scope.call),
        sources=scope.sources,
        depth=run.depth + 1 if run else 1,
        answers=args.message_id if elsewhere else _answered(scope, run, name, args),
        waits=waits,
        waits_for=_awaited(scope, name, args.wait_for) if waits else None,
        waits_seconds=None if args.wait_minutes is None else args.wait_minutes * 60,
    )
    post = spaces.post(
        scope.store, scope.clock, scope.chance, space=name, post=new, deliver=scope.deliver
    )
    found: ToolAnswer = {"success": True, "messageId": post.id}
    return {**found, "waiting": True} if waits else found


def _awaited(scope: ToolScope, space: str, wanted: str | None) -> str | None:
    """Return whose message ends a wait in a space: who is named, else the only other member."""
    others = [one for one in spaces.members(scope.store, space=space) if one.name != scope.agent]
    if wanted is None:
        return others[0].name if len(others) == 1 else None
    found = [one.name for one in others if wanted.casefold() in _names(one)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(one.name for one in others) or "nobody else"
    raise UsageError(f"You cannot wait for {wanted!r} in {space}. There is: {there}.")


def _names(member: Member) -> set[str]:
    """Return what a member may be called by."""
    return {member.name.casefold(), member.title.casefold()}


def _is_elsewhere(scope: ToolScope, space: str, message: str | None) -> bool:
    """Tell whether a message is of another space that the agent is in, and nobody waits with it."""
    found = None if message is None else spaces.find_post(scope.store, post=message)
    if found is None or found.space == space:
        return False
    # Whoever waits hears only what is said where they asked: the model is told that it is not here.
    if runs.is_waiting(scope.store, agent=found.sender, post=found.id):
        return False
    return found.space in {one.name for one in spaces.list_(scope.store, member=scope.agent)}


def _answered(
    scope: ToolScope, run: TriggerRun | None, space: str, args: specs.SendMessage
) -> str | None:
    """Return what is answered: what began the run; where all is in one space, what woke it last.

    What is said in another space than that answers the message it replies to, else what it bears on
    of all that the cycle took up elsewhere.
    """
    if run is None:
        return None
    last = run.resumed_by
    if last is not None and last.by is not None and {last.space, run.trigger.space} == {space}:
        return last.by
    if run.trigger.space == space:
        return run.trigger.post
    return args.message_id or _bears_on(scope, args.text, space, run.trigger.post)


def _bears_on(scope: ToolScope, text: str, space: str, trigger: str | None) -> str | None:
    """Return the message of another space with the most words of a text; of equals the trigger."""
    from mindpipe.recall.indexes import content_stems

    said = content_stems(text)
    shared = {trigger: 0}
    for event in origins.events_of(scope.store, scope.agent, scope.cycle):
        message = message_of(event)
        if message is not None and message.space != space:
            shared[message.id] = len(said & content_stems(event.text or ""))
    return max(shared, key=lambda id: (shared[id], id == trigger))


def _check_wait(scope: ToolScope, run: TriggerRun | None) -> None:
    """Raise UsageError where the run cannot wait for a reply, or for no further one."""
    if not scope.lasting:
        raise UsageError(
            "You live in plain files here, where no answer could wake you: you cannot wait. "
            "Send it without wait."
        )
    if not scope.cycle or run is None:
        raise UsageError("Only a run that is under way can wait. Send it without wait.")
    if run.depth >= scope.max_depth:
        raise UsageError(
            f"This chain of messages is {counted(run.depth, 'hop')} deep, and no agent hears you "
            "any more: you cannot wait. Send it without wait."
        )
    said = spaces.held(scope.store, holder=holder_of(scope.agent, scope.cycle))
    waits = next((post for post in said if post.waits), None)
    if waits is not None:
        raise UsageError(f"You wait for a reply to {waits.id} already. Send it without wait.")


def read_messages(scope: ToolScope, args: specs.ReadMessages) -> ToolAnswer:
    """Read the newest messages of a space."""
    name = scope.space(args.space)
    posts = spaces.read(scope.store, space=name, limit=args.limit, offset=args.offset)
    scope.take_in(*(post.origins(reader=scope.agent) for post in posts))
    _note_shown(scope, posts)
    return {"messages": [_read(scope, post) for post in posts]}


def _read(scope: ToolScope, post: Post) -> ToolAnswer:
    """Return a message as it is read: who says it by name, title, kind and id."""
    sender = spaces.entity(scope.store, name=post.sender)
    who = {"title": sender.title, "kind": sender.kind, "entity": sender.id} if sender else {}
    reply = {"reply_to": post.reply_to} if post.reply_to else {}
    return {"id": post.id, "at": post.at, "from": post.sender, **who, "text": post.text, **reply}


def _note_shown(scope: ToolScope, posts: Sequence[Post]) -> None:
    """Remember that the cycle showed messages, if they leave out none that was not seen."""
    if not posts:
        return
    member = spaces.member(scope.store, space=posts[0].space, name=scope.agent)
    if posts[0].seq <= member.seen + 1:
        runs.note_shown(scope.store, agent=scope.agent, cycle=scope.cycle, posts=[posts[-1].id])


def peek_inbox(scope: ToolScope, args: specs.PeekInbox) -> ToolAnswer:
    """See what waits in the inbox."""
    found = inbox.peek(scope.store, scope.clock, agent=scope.agent, limit=args.limit)
    waiting = [speakers.known(scope.store, event, trust=scope.trust) for event in found]
    scope.take_in(*(event.origins() for event in waiting))
    return {
        "events": [
            {
                "type": e.type,
                "source": e.source,
                "space": e.space,
                "sender": e.sender,
                "text": e.text,
                **{name: e.body[name] for name in _CLAIMS if name in e.body},
            }
            for e in waiting
        ]
    }
