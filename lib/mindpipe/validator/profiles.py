"""Facts about models that the rules depend on, in one table with the date of confirmation."""

from typing import Literal, NamedTuple

from mindpipe.core.records import Record

Thinking = Literal["none", "manual", "adaptive"]
"""How thinking is asked for: not at all, with a budget (manual or adaptive), only adaptive."""

Takes = Literal["prefill", "system", "neither"]
"""What a model takes in `messages` beyond the plain turns; none takes both."""


class Profile(Record, kw_only=True):
    """The facts about one target that decide which rules apply.

    `tool_name_length` and `call_id_length` are in characters. `confirmed` is the date on which a
    person last compared the facts with the provider's documentation, None if nobody has.
    """

    prefill: bool = False
    system_in_messages: bool = False
    thinking: Thinking = "manual"
    tool_name_length: int = 64
    call_id_length: int = 40
    confirmed: str | None = None
    sdk: int = 6
    strict_roles: bool = False


class ModelFacts(NamedTuple):
    """One row of the table: the facts of all models whose name begins with `prefix`."""

    prefix: str
    takes: Takes
    thinking: Thinking
    tool_name_length: int
    confirmed: str | None


MODELS: tuple[ModelFacts, ...] = (
    # prefix, takes, thinking, longest tool name, confirmed
    ModelFacts("claude-2", "prefill", "none", 64, None),
    ModelFacts("claude-instant", "prefill", "none", 64, None),
    ModelFacts("claude-3", "prefill", "none", 64, None),
    ModelFacts("claude-3-7", "prefill", "manual", 64, None),
    ModelFacts("claude-opus-4-0", "prefill", "manual", 128, "2026-11-21"),
    ModelFacts("claude-opus-4-2025", "prefill", "manual", 128, "2026-11-21"),
    ModelFacts("claude-opus-4-1", "prefill", "manual", 128, "2026-11-21"),
    ModelFacts("claude-opus-4-5", "prefill", "manual", 128, "2026-11-21"),
    ModelFacts("claude-sonnet-4-0", "prefill", "manual", 128, "2026-11-21"),
    ModelFacts("claude-sonnet-4-2025", "prefill", "manual", 128, "2026-11-21"),
    ModelFacts("claude-sonnet-4-5", "prefill", "manual", 128, "2026-11-21"),
    ModelFacts("claude-haiku-4-5", "prefill", "manual", 128, "2026-11-21"),
    ModelFacts("claude-opus-4-6", "neither", "manual", 128, "2026-11-21"),
    ModelFacts("claude-sonnet-4-6", "neither", "manual", 128, "2026-11-21"),
    ModelFacts("claude-opus-4-7", "neither", "adaptive", 128, "2026-11-21"),
    ModelFacts("claude-opus-4-8", "system", "adaptive", 128, "2026-11-21"),
    ModelFacts("claude-mythos-preview", "neither", "adaptive", 128, "2026-11-21"),
    ModelFacts("claude-opus-5", "system", "adaptive", 128, "2026-11-21"),
    ModelFacts("claude-sonnet-5", "system", "adaptive", 128, "2026-11-21"),
    ModelFacts("claude-haiku-5", "system", "adaptive", 128, "2026-11-21"),
    ModelFacts("claude-fable-5", "system", "adaptive", 128, "2026-11-21"),
    ModelFacts("claude-mythos-5", "system", "adaptive", 128, "2026-11-21"),
)
"""Checked against the provider's documentation and SDK, not by sending requests; the drift probe
does that. The longest prefix that fits a name decides."""


def profile_for(model: str | None, *, sdk: int = 6, strict_roles: bool = False) -> Profile:
    """Return the facts about a model, which may carry a vendor path such as `anthropic/NAME`.

    A model that the table does not know gets the stricter reading of every rule.
    """
    facts = _facts_of(model or "")
    if facts is None:
        return Profile(sdk=sdk, strict_roles=strict_roles)
    return Profile(
        prefill=facts.takes == "prefill",
        system_in_messages=facts.takes == "system",
        thinking=facts.thinking,
        tool_name_length=facts.tool_name_length,
        confirmed=facts.confirmed,
        sdk=sdk,
        strict_roles=strict_roles,
    )


def _facts_of(model: str) -> ModelFacts | None:
    begin = model.find("claude-")
    name = model[begin:] if begin >= 0 else model
    fitting = [facts for facts in MODELS if name.startswith(facts.prefix)]
    return max(fitting, key=lambda facts: len(facts.prefix), default=None)
