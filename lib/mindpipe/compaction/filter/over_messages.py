"""A window over a list of messages, with no store: what is sent of them within a budget."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from mindpipe.compaction.filter.reading import read_summary
from mindpipe.compaction.parts.sending import is_covered, sent_messages
from mindpipe.compaction.plans.material import Material, Wish
from mindpipe.compaction.plans.planner import least_budget, plan_window
from mindpipe.compaction.records import Overlay, Summary, WindowPlan
from mindpipe.compaction.task import Count, Embed, Lived, Write
from mindpipe.compaction.wording import OPENING, summary_text
from mindpipe.core.messages import Conversation, Head, Message, Role, TextPart, calls_of
from mindpipe.history.records import GENESIS
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

    A summary of an earlier run is folded again, with all that it covers. A last cycle that is not
    closed stays. Where system text and tools leave no room in the budget, the smallest that has
    some is taken, and named by the plan.

    Raises:
        NothingToDoError: it fits already, or no cycle may leave.
    """
    base, messages = reopened(conversation.messages, wish=wish, count=count)
    lived = lives(messages, count=count)
    material = Material(
        lived=lived,
        head=head_tokens(conversation.head, count=count),
        seq=messages[-1].seq if messages else 0,
        sha256=GENESIS,
        through=max(
            [one.cycle for one in lived] + [last for _, last in covered_ranges(base)] + [0]
        ),
        count=count,
        tokenizer=tokenizer,
        base=base,
        stored=False,
        embed=embed,
        write=write,
    )
    if messages and not is_closed(messages[-1]):
        wish = wish._replace(keep_cycles=max(1, wish.keep_cycles))
    least = least_budget(material, wish)
    wish = wish._replace(
        budget=max(wish.budget, least), if_over=wish.budget >= least, min_saving=0
    )
    planned = plan_window(material, wish)
    head = msgspec.structs.replace(conversation.head, summary=summary_text(planned.parts))
    sent = sent_messages(messages, planned.parts)
    return Windowed(planned, msgspec.structs.replace(conversation, head=head, messages=sent))


def is_closed(message: Message) -> bool:
    """Tell whether a message closes its cycle: the assistant speaks and calls nothing."""
    return message.role is Role.ASSISTANT and not calls_of(message)


def reopened(
    messages: tuple[Message, ...], *, wish: Wish, count: Count
) -> tuple[Overlay, tuple[Message, ...]]:
    """Return the parts that an earlier run folded, and the messages without their summary.

    The summary is the first text of the first message. Messages that are numbered from 1 again,
    as they are after an import, get the numbers of the cycles that the summary does not cover.
    """
    first = messages[0] if messages else None
    text = first.parts[0] if first is not None and first.role is Role.USER else None
    if first is None or not isinstance(text, TextPart) or not text.text.startswith(OPENING):
        return (), messages
    base = read_summary(text.text, strategy=wish.strategy, count=count)
    if base is None:
        return (), messages
    rest = messages[1:]
    if len(first.parts) > 1:
        rest = (msgspec.structs.replace(first, parts=first.parts[1:]), *rest)
    return base, renumbered(rest, covered_ranges(base))


def covered_ranges(parts: Overlay) -> list[tuple[int, int]]:
    """Return the ranges of cycles that summaries cover, in their order."""
    return [(part.first, part.last) for part in parts if isinstance(part, Summary)]


def renumbered(
    messages: tuple[Message, ...], covered: Sequence[tuple[int, int]]
) -> tuple[Message, ...]:
    """Return messages in cycles that no range covers; as they are if none of them is covered."""
    if not any(is_covered(message.cycle, covered) for message in messages):
        return messages
    numbers: dict[int, int] = {}
    number = 0
    for message in messages:
        if message.cycle not in numbers:
            number = _following(number, covered)
            numbers[message.cycle] = number
    return tuple(
        msgspec.structs.replace(message, cycle=numbers[message.cycle]) for message in messages
    )


def _following(number: int, covered: Sequence[tuple[int, int]]) -> int:
    """Return the first number behind another one that no range covers."""
    number += 1
    for first, last in covered:
        if first <= number <= last:
            number = last + 1
    return number


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
