"""A request as a person reads it: system text, then message by message."""

from mindpipe.context.records import Shown
from mindpipe.core.messages import CallPart, Message, ResultPart, TextPart
from mindpipe_cli.budgeting import names


def for_people(shown: Shown) -> str:
    """Return a request as text with a rule before each part."""
    conversation = shown.read
    total = sum(share.tokens for share in shown.receipt)
    tainting = ", ".join(source for share in shown.receipt for source in share.sources)
    blocks = [
        f"=== {shown.agent}, cycle {shown.cycle}, turn {shown.turn}: about {total} tokens ===",
        f"--- system ---\n{conversation.head.system}",
        f"--- tools: {', '.join(tool.name for tool in conversation.head.tools)} ---",
    ]
    if tainting:
        blocks.append(f"--- not trusted: {tainting} ---")
    if left_out := ", ".join(name for one in shown.receipt for name in names(one.left_out)):
        blocks.append(f"--- did not fit: {left_out} ---")
    if conversation.head.summary:
        blocks.append(f"--- summary ---\n{conversation.head.summary}")
    blocks += [
        f"--- {message.role.value}, cycle {message.cycle} ---\n{_words(message)}"
        for message in conversation.messages
    ]
    return "\n\n".join(blocks) + "\n"


def _words(message: Message) -> str:
    """Return a message's parts as lines."""
    lines: list[str] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            lines.append(part.text)
        elif isinstance(part, CallPart):
            lines.append(f"→ {part.tool} {part.args_text}")
        elif isinstance(part, ResultPart):
            lines.append(f"← {part.status.value}: {part.text}")
    return "\n".join(lines)
