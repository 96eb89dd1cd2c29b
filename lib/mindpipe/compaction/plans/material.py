"""What a plan is made from, and what is wanted of it."""

from typing import NamedTuple

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.records import Overlay
from mindpipe.compaction.task import PROMPT_TOKENS, Count, Embed, Lived, Write


class Material(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan is made from.

    `lived` are the closed cycles that the base window sends and all after it, oldest first, their
    messages as they are in the log; cycles that stand only in summaries of `base` are never among
    them. Where an older window was cut without a summary, cycles before `first_sent` are given too,
    but are not sent now. `head` are the tokens of system text and tools, as `count` (called
    `tokenizer`) counts; `calibration` is what the provider reported over that. `seq` and `sha256`
    are the end of the log, `through` its last closed cycle, `name` the base window's. What leaves
    is `stored` where a tool of the agent can find it again.
    """

    lived: tuple[Lived, ...]
    head: int
    seq: int
    sha256: str
    through: int
    count: Count
    tokenizer: str
    calibration: float = 1.0
    base: Overlay = ()
    name: str | None = None
    first_sent: int = 1
    stored: bool = True
    embed: Embed | None = None
    write: Write | None = None
    prompt_tokens: int = PROMPT_TOKENS


class Wish(NamedTuple):
    """What is wanted of a plan.

    `budget` are the tokens of the whole window as the provider counts, head included. `automatic`
    stops after the cheapest step that is enough, and does nothing where it would save fewer than
    `min_saving` tokens. A window that has less than the share `floor` of the anchors found is
    refused. `inbox` are the words that wait, `tickets` the open tickets, which are always named.
    With `if_over` a window that is within the budget stays as it is. `cached` tokens of the present
    prefix are in the provider's cache, where a token costs `cached_price` of a fresh one (None: not
    known).
    """

    agent: str
    strategy: StrategyName
    budget: int
    keep_cycles: int
    min_saving: int = 0
    automatic: bool = False
    if_over: bool = False
    inbox: str = ""
    tickets: tuple[str, ...] = ()
    explain: bool = False
    cached: int = 0
    cached_price: float | None = None
    floor: float = 0.0
