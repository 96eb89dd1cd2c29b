"""What each part of a prompt took, in tokens."""

from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.compaction.parts.sizing import head_tokens
from mindpipe.compaction.wording import ANCHORS_HEADING
from mindpipe.context.records import LeftOut, Prompt, Share
from mindpipe.core.messages import Conversation, Message, TextPart
from mindpipe.core.ports import Tokens
from mindpipe.core.records import to_json
from mindpipe.history.words import counted_text

NEWS = "TAKEN UP"
"""What a cycle begins with, where nothing stands above it."""


def receipt(
    conversation: Conversation,
    unsent: tuple[Message, ...],
    tokens: Tokens,
    *,
    sources: tuple[str, ...] = (),
    left_out: Sequence[LeftOut] = (),
) -> list[Share]:
    """Return the tokens of every section of the head, of the history, and of the new messages.

    What is `left_out` of the head is named by its section. Where there are `sources` that are not
    trusted, the last share names them.
    """
    head = conversation.head
    shares = list(_head_shares(head.system, left_out, tokens))
    shares.append(Share(section="TOOLS", tokens=tokens.count(to_json(head.tools).decode())))
    shares += _window_shares(head.summary or "", tokens)
    new = {message.id for message in unsent}
    before = [message for message in conversation.messages if message.id not in new]
    history = sum(tokens.count(counted_text(message)) for message in before)
    shares.append(Share(section="HISTORY", tokens=history))
    for message in unsent:
        for part in message.parts:
            if isinstance(part, TextPart):
                shares += [_share(block, tokens) for block in part.text.split("\n\n")]
    return [*shares, Share(section="NOT TRUSTED", tokens=0, sources=sources)] if sources else shares


def _head_shares(system: str, left_out: Sequence[LeftOut], tokens: Tokens) -> Iterator[Share]:
    """Yield what the blocks of a system text took, with what did not fit into each."""
    out: dict[str, tuple[LeftOut, ...]] = {}
    for one in left_out:
        out[one.block] = (*out.get(one.block, ()), one)
    for block in system.split("\n\n"):
        title = block.partition("\n")[0].removesuffix(":")
        yield msgspec.structs.replace(_share(block, tokens), left_out=out.pop(title, ()))
    for title, records in out.items():
        yield Share(section=title.partition(" (")[0], tokens=0, left_out=records)


def counted(prompt: Prompt, tokens: Tokens) -> int:
    """Return the tokens of a prompt as they are counted for its window: head, history and news."""
    head = prompt.window.head
    news = (head.summary or "", *map(counted_text, prompt.unsent))
    before = head_tokens(head, count=tokens.count) + prompt.window.tokens
    return before + sum(map(tokens.count, news))


def _window_shares(summary: str, tokens: Tokens) -> list[Share]:
    """Return what the lines of a summary took, the words kept as they were, and the pointer.

    Only headings begin with a bracket: whatever is quoted stands behind a dash.
    """
    blocks: dict[str, list[str]] = {}
    name = "SUMMARY"
    for line in summary.split("\n") if summary else ():
        if line == ANCHORS_HEADING:
            name = "ANCHORS"
        elif line.startswith("[") and blocks:
            name = "POINTER"
        blocks.setdefault(name, []).append(f"{line}\n")
    return [
        Share(section=name, tokens=tokens.count("".join(lines))) for name, lines in blocks.items()
    ]


def _share(block: str, tokens: Tokens) -> Share:
    """Return what one block of text took, under the name it begins with; bare events have none."""
    name = NEWS if block.startswith("[") else block.partition(":")[0].partition(" (")[0]
    return Share(section=name, tokens=tokens.count(block))
