"""A window over a list of messages, with no store: what is sent of them within a budget."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from mindpipe.compaction.planner import Material, Wish, plan_window
from mindpipe.compaction.records import WindowPlan
from mindpipe.compaction.sending import sent_messages
from mindpipe.compaction.task import Count, Embed, Lived, Write
from mindpipe.compaction.wording import summary_text
from mindpipe.core.messages import Conversation, Head, Message
from mindpipe.history.words import counted_text


class Windowed(NamedTuple):
    """A plan, and what is sent by it: the head holds the summary, the messages are whole cycles."""

    planned: WindowPlan
    conversation: Conversation


def over_messages(
    conversation: Conversation,
    wish: Wish,
    *,
    count: Count,
    tokenizer: str,
    embed: Embed | None = None,
    write: Write | None = None,
) -> Windowed:
    """Return the window of a conversation whose messages are numbered in cycles.

    Raises:
        NothingToDoError: it fits already, or no cycle may leave.
        RefusedError: system text and tools alone leave no room.
    """
    lived = lives(conversation.messages, count=count)
    material = Material(
        lived=lived,
        head=head_tokens(conversation.head, count=count),
        seq=conversation.messages[-1].seq if conversation.messages else 0,
        sha256="0" * 64,
        through=lived[-1].cycle if lived else 0,
        count=count,
        tokenizer=tokenizer,
        embed=embed,
        write=write,
    )
    planned = plan_window(material, wish)
    head = msgspec.structs.replace(conversation.head, summary=summary_text(planned.parts))
    sent = sent_messages(conversation.messages, planned.parts)
    return Windowed(planned, msgspec.structs.replace(conversation, head=head, messages=sent))


def lives(messages: Sequence[Message], *, count: Count) -> tuple[Lived, ...]:
    """Return messages as cycles, oldest first, each message with its tokens."""
    cycles: dict[int, list[Message]] = {}
    for message in messages:
        cycles.setdefault(message.cycle, []).append(message)
    return tuple(
        Lived(cycle, tuple(own), tuple(count(counted_text(one)) for one in own))
        for cycle, own in cycles.items()
    )


def head_tokens(head: Head, *, count: Count) -> int:
    """Return the tokens of system text and tools."""
    tools = msgspec.json.encode(head.tools).decode() if head.tools else ""
    return count(head.system) + count(tools)
