"""The facts about a model are found by the longest fitting prefix, else read strictly."""

from mindpipe.validator.profiles import MODELS, Profile, profile_for
from support.tables import each_row


@each_row(
    ("model", "prefill", "system_in_messages", "thinking"),
    [
        ("claude-3-5-sonnet-20241022", True, False, "none"),
        ("claude-3-7-sonnet-20250219", True, False, "manual"),
        ("claude-opus-4-20250514", True, False, "manual"),
        ("claude-sonnet-4-5", True, False, "manual"),
        ("claude-opus-4-6", False, False, "manual"),
        ("claude-opus-4-7", False, False, "adaptive"),
        ("claude-opus-4-8", False, True, "adaptive"),
        ("claude-sonnet-5-5", False, True, "adaptive"),
        ("anthropic/claude-opus-4-8", False, True, "adaptive"),
        ("eu.anthropic.claude-haiku-4-5-20251001-v1:0", True, False, "manual"),
    ],
)
def test_known_models(
    model: str, *, prefill: bool, system_in_messages: bool, thinking: str
) -> None:
    profile = profile_for(model)
    assert profile.prefill is prefill
    assert profile.system_in_messages is system_in_messages
    assert profile.thinking == thinking


@each_row("model", [None, "", "claude-opus-4-9", "gpt-4.1", "somebody/some-model"])
def test_an_unknown_model_is_read_strictly(model: str | None) -> None:
    assert profile_for(model) == Profile(
        prefill=False,
        system_in_messages=False,
        thinking="manual",
        tool_name_length=64,
        call_id_length=40,
        confirmed=None,
        sdk=6,
        strict_roles=False,
    )


def test_options_travel_with_the_facts() -> None:
    profile = profile_for("claude-opus-4-8", sdk=7, strict_roles=True)
    assert (profile.sdk, profile.strict_roles, profile.tool_name_length) == (7, True, 128)


def test_no_prefix_stands_twice() -> None:
    assert len({facts.prefix for facts in MODELS}) == len(MODELS)
