"""What each section of a prompt took, and which cycles were chosen for it."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set

import msgspec

from mindpipe.compaction.sizes import head_tokens
from mindpipe.compaction.window_text import ANCHORS_HEADING
from mindpipe.context.records import LeftOut, Prompt, Share
from mindpipe.core.messages import Conversation, Message, TextPart
from mindpipe.core.ports import Tokens
from mindpipe.core.records import to_json
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.history.rows import message_tokens
from mindpipe.knowledge.confidence import STALE_BELOW, standing_of
from mindpipe.knowledge.records import BeliefStatus, Observation
from mindpipe.providers.file_tokens import message_file_tokens
from mindpipe.recall.words import stem

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
    history = sum(message_tokens(message, tokens.count) for message in before)
    shares.append(Share(section="HISTORY", tokens=history))
    for message in unsent:
        for part in message.parts:
            if isinstance(part, TextPart):
                shares += [_share(block, tokens) for block in part.text.split("\n\n")]
    if files := message_file_tokens(unsent):
        shares.append(Share(section="FILES", tokens=files))
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
    before = head_tokens(head, count=tokens.count) + prompt.window.tokens
    news = sum(message_tokens(message, tokens.count) for message in prompt.unsent)
    return before + tokens.count(head.summary or "") + news


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


LEAST_STANDING = 0.5
"""One piece of evidence of weight 1 gives 0.57, however old (`mindpipe.knowledge.confidence`)."""
LEAST_FRESHNESS = STALE_BELOW
MOST = 500
"""No more are looked at, the most confident first."""

_WORD = re.compile(r"\w+")


def stems_of(*texts: str) -> frozenset[str]:
    """Return the stems of the words of texts, without those that say nothing of their subject."""
    words = (word for text in texts for word in _WORD.findall(text.casefold()))
    return frozenset(stem(word) for word in words if word not in FUNCTION_WORDS)


def may_be_stated(observation: Observation) -> bool:
    """Tell whether an observation is the present belief, sure and fresh enough, or pinned.

    It is fresh for its window: for three months of the world, and for longer where it lasts.
    """
    if observation.status is not BeliefStatus.ACTIVE:
        return False
    return observation.pinned or (
        standing_of(observation.components) >= LEAST_STANDING
        and observation.freshness >= LEAST_FRESHNESS
    )


def chosen(
    ranked: Sequence[Observation],
    present: Set[str],
    *,
    budget: int,
    cost: Callable[[Observation], int],
    first: Set[str] = frozenset(),
) -> list[Observation]:
    """Return the observations that a prompt states, in the order of their keys.

    `ranked` are those of an agent, the most confident first. Pinned ones come first, with those
    whose ids are in `first`, then those that share the most with `present`, the stems of what
    it is about: each shared stem counts `ln(1 + N / n)` where n of N observations have it. Ties
    go to the more confident. Each that still fits is taken; `cost` tells how many tokens of the
    `budget` one takes. As they are stated in the order of their keys, the same choice is the
    same bytes.
    """
    fit = [one for one in ranked if may_be_stated(one)][:MOST]
    stems = [stems_of(one.summary, one.subject_id, one.value) for one in fit]
    holders = Counter(word for words in stems for word in words)
    weights = {word: math.log1p(len(fit) / count) for word, count in holders.items()}
    bearing = [_sum(weights[word] for word in words & present) for words in stems]
    ahead = [one.pinned or one.id in first for one in fit]
    order = sorted(range(len(fit)), key=lambda n: (not ahead[n], -bearing[n], n))
    taken: list[Observation] = []
    for number in order:
        taken_up = cost(fit[number])
        if taken_up <= budget:
            budget -= taken_up
            taken.append(fit[number])
    return sorted(taken, key=lambda one: one.canonical_key)


def _sum(weights: Iterable[float]) -> float:
    """Return a sum that does not depend on the order of a set."""
    return math.fsum(weights)
