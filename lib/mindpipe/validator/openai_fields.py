"""The fields of OpenAI bodies that this validator knows; others are noted, never refused."""


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


CHAT_FIELDS = _names(
    "audio extra_body frequency_penalty function_call functions logit_bias logprobs "
    "max_completion_tokens max_tokens messages metadata modalities model moderation n "
    "parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options "
    "prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier "
    "stop store stream stream_options temperature tool_choice tools top_logprobs top_p user "
    "verbosity web_search_options"
)

CHAT_MESSAGE_FIELDS: dict[str, frozenset[str]] = {
    "system": frozenset({"role", "content", "name"}),
    "developer": frozenset({"role", "content", "name"}),
    "user": frozenset({"role", "content", "name"}),
    "assistant": _names(
        "role content name audio function_call refusal tool_calls annotations reasoning_content"
    ),
    "tool": frozenset({"role", "content", "name", "tool_call_id"}),
    "function": frozenset({"role", "content", "name"}),
}

RESPONSES_FIELDS = _names(
    "access_programs background background_options context_management conversation image include "
    "input instructions max_output_tokens max_tool_calls metadata model moderation "
    "parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options "
    "prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options "
    "temperature text tool_choice tools top_logprobs top_p truncation user"
)

ITEM_FIELDS: dict[str, frozenset[str]] = {
    "message": _names("type role content id status phase"),
    "function_call": _names("type id call_id name arguments status caller namespace"),
    "function_call_output": _names("type id call_id output status caller name namespace"),
    "custom_tool_call": _names("type id call_id name input caller namespace status"),
    "custom_tool_call_output": _names("type id call_id output caller status"),
    "reasoning": _names("type id summary content encrypted_content status"),
}

OTHER_ITEMS = _names(
    "additional_tools apply_patch_call apply_patch_call_output code_interpreter_call compaction "
    "compaction_summary compaction_trigger computer_call computer_call_output file_search_call "
    "image_generation_call item_reference local_shell_call local_shell_call_output "
    "mcp_approval_request mcp_approval_response mcp_call mcp_list_tools program program_output "
    "shell_call shell_call_output tool_search_call tool_search_output web_search_call"
)
"""Items that the rules do not look into."""

INPUT_ITEMS = _names(
    "apply_patch_call_output compaction_trigger computer_call_output custom_tool_call_output "
    "function_call_output local_shell_call_output mcp_approval_response shell_call_output"
)
"""Items that the caller writes, never the model: none of them follows from a reasoning item."""
