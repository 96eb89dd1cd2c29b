"""Go into spaces, speak and read there, and see what waits."""

from mindpipe.core.errors import UsageError
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost
from mindpipe.think import builtin
from mindpipe.think.means import holder_of
from mindpipe.think.tools.desk import Desk, Found

MAX_MESSAGE_BYTES = 1 << 16


def enter_space(desk: Desk, args: builtin.EnterSpace) -> Found:
    """Go into a space."""
    name = desk.space(args.space)
    desk.move(name)
    title = spaces.show(desk.store, name=name).title
    return {"success": True, "spaceName": title}


def leave_space(desk: Desk, _: builtin.LeaveSpace) -> Found:
    """Leave the space."""
    desk.move(None)
    return {"success": True}


def send_message(desk: Desk, args: builtin.SendMessage) -> Found:
    """Say something; it is held back until the turn is in history."""
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


def read_messages(desk: Desk, args: builtin.ReadMessages) -> Found:
    """Read the newest messages of a space."""
    name = desk.space(args.space)
    posts = spaces.read(desk.store, space=name, limit=args.limit, offset=args.offset)
    desk.take_in(*(post.origins(reader=desk.agent) for post in posts))
    return {
        "messages": [
            {"id": post.id, "at": post.at, "from": post.sender, "text": post.text} for post in posts
        ]
    }


def peek_inbox(desk: Desk, args: builtin.PeekInbox) -> Found:
    """See what waits in the inbox."""
    waiting = inbox.peek(desk.store, desk.clock, agent=desk.agent, limit=args.limit)
    desk.take_in(*(event.origins() for event in waiting))
    return {
        "events": [
            {"type": e.type, "space": e.space, "sender": e.sender, "text": e.text} for e in waiting
        ]
    }
