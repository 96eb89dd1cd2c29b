"""Names of models: which provider, which API, what each family takes."""

import re
from collections.abc import Sequence
from typing import Literal

from mindpipe.core.errors import UsageError
from mindpipe.core.models import Api, Target
from mindpipe.core.plugins import PluginKind, also_plugins, plugin_of
from mindpipe.core.records import Record

Provider = Literal["anthropic", "openai", "replay", "program", "plugin"]

DEFAULT_MODELS = {"anthropic": "claude-haiku-4-5"}
CHOICES = (
    "anthropic/NAME",
    "openai/NAME (Chat Completions)",
    "openai-responses/NAME",
    "replay:FILE",
    "program:./PATH",
)

# What stands before the name, the provider it means, and the API that is spoken.
PREFIXES: dict[str, tuple[Provider, Api]] = {
    "anthropic/": ("anthropic", "messages"),
    "openai/": ("openai", "chat"),
    "openai-responses/": ("openai", "responses"),
    "replay:": ("replay", "program"),
    "program:": ("program", "program"),
}
# Models whose texts are counted with the older table.
_OLDER_TABLE = ("gpt-4-", "gpt-3.5")
_DATE = re.compile(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


class ModelName(Record):
    """A model as people write it: provider, name (a file or path for replay and program), API.

    The name of a plugin's model is all of it.
    """

    provider: Provider
    name: str
    api: Api

    def text(self) -> str:
        """Return the model as it is written on the command line."""
        if self.provider == "plugin":
            return self.name
        parts = (self.provider, self.api)
        prefix = next(key for key, meant in PREFIXES.items() if meant == parts)
        return f"{prefix}{self.name}"


def parse_model_name(text: str) -> ModelName:
    """Read `anthropic/NAME`, `openai/NAME`, `openai-responses/NAME`, `replay:FILE`, `program:PATH`.

    `anthropic` alone means its default model. What none of these is may be of a plugin.

    Raises:
        UsageError: anything else, with the choices.
    """
    whole = f"{text}/{DEFAULT_MODELS[text]}" if text in DEFAULT_MODELS else text
    for prefix, (provider, api) in PREFIXES.items():
        name = whole.removeprefix(prefix)
        if whole.startswith(prefix) and name.strip() and name.isprintable():
            return ModelName(provider=provider, name=name, api=api)
    if plugin_of(PluginKind.MODELS, text) is not None:
        return ModelName(provider="plugin", name=text, api="program")
    choices = f"{', '.join(CHOICES[:-1])} or {CHOICES[-1]}{also_plugins(PluginKind.MODELS)}"
    raise UsageError(f'"{text}" is no model; write {choices}.')


def target_of(model: ModelName) -> Target:
    """Return what requests for a model are written for."""
    older = model.name in {"gpt-4"} or model.name.startswith(_OLDER_TABLE)
    return Target(
        provider=model.provider,
        api=model.api,
        model=model.name,
        family=family_of(model),
        tokenizer="cl100k_base" if older else "o200k_base",
    )


def family_of(model: ModelName) -> str:
    """Return the family, within which raw replies may be sent back: the name without its date.

    Reasoning of one model cannot be read by another, so that two names are two families, and only
    a name with and without a date are one.
    """
    return _DATE.sub("", model.name)


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
