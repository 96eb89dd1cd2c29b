"""What a model's name says about the request it takes, as literal tables of name prefixes."""

from collections.abc import Sequence

# Reasoning models of OpenAI: limits are `max_completion_tokens`, temperature is refused, and
# reasoning must be asked for in encrypted form. Confirmed 2026-11-21 against the SDK's types.
OPENAI_REASONING: Sequence[str] = ("o1", "o3", "o4", "gpt-5", "gpt-6", "codex-")
OPENAI_NOT_REASONING: Sequence[str] = ("gpt-5-chat",)

# Models that take a thinking budget; all newer ones decide for themselves ("adaptive").
ANTHROPIC_BUDGET: Sequence[str] = (
    "claude-2",
    "claude-instant",
    "claude-3",
    "claude-opus-4-0",
    "claude-opus-4-1",
    "claude-opus-4-2025",
    "claude-opus-4-5",
    "claude-sonnet-4-0",
    "claude-sonnet-4-2025",
    "claude-sonnet-4-5",
    "claude-sonnet-4-6",
    "claude-haiku-4-5",
)

# Models that still take a temperature: those above and the last ones that took either.
ANTHROPIC_TEMPERATURE: Sequence[str] = (*ANTHROPIC_BUDGET, "claude-opus-4-6")


def bare_name(model: str) -> str:
    """Return a model's name without a vendor path such as `openai/`."""
    return model.rpartition("/")[2]


def begins(model: str, prefixes: Sequence[str]) -> bool:
    """Tell whether a model's bare name begins with one of the prefixes."""
    return bare_name(model).startswith(tuple(prefixes))


def is_openai_reasoning(model: str) -> bool:
    """Tell whether a model is a reasoning model of OpenAI."""
    return begins(model, OPENAI_REASONING) and not begins(model, OPENAI_NOT_REASONING)


def takes_budget(model: str) -> bool:
    """Tell whether an Anthropic model takes a thinking budget."""
    return begins(model, ANTHROPIC_BUDGET)


def takes_temperature(model: str) -> bool:
    """Tell whether an Anthropic model takes a temperature; names of other makers do."""
    return begins(model, ANTHROPIC_TEMPERATURE) or not bare_name(model).startswith("claude-")
