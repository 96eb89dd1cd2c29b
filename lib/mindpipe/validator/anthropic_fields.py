"""The fields of Anthropic bodies that this validator knows; others are noted, never refused."""


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


REQUEST_FIELDS = _names(
    "anthropic_version billing_policy betas cache_control compaction container "
    "context_management diagnostics fallback_credit_token fallbacks inference_geo max_tokens "
    "mcp_servers messages metadata model output_config output_format service_tier speed "
    "stop_sequences stream system temperature thinking thread "
    "tool_choice tools top_k top_p user_profile_id workspace_id"
)

MESSAGE_FIELDS = frozenset({"role", "content"})
SYSTEM_MESSAGE_FIELDS = frozenset({"role", "content", "clear_at", "output_config"})

BLOCK_FIELDS: dict[str, frozenset[str]] = {
    "text": _names("type text cache_control citations"),
    "image": _names("type source cache_control transformations"),
    "document": _names("type source cache_control citations context title"),
    "search_result": _names("type content source title cache_control citations"),
    "thinking": _names("type thinking signature"),
    "redacted_thinking": _names("type data"),
    "tool_use": _names("type id name input cache_control caller toolset_name"),
    "tool_result": _names("type tool_use_id content is_error cache_control toolset_name"),
    "server_tool_use": _names("type id name input cache_control caller"),
    "mcp_tool_use": _names("type id name input server_name cache_control"),
    "container_upload": _names("type file_id cache_control"),
    "compaction": _names("type content cache_control encrypted_content signature tool_changes"),
    "tool_addition": _names("type tool cache_control"),
    "tool_removal": _names("type tool cache_control"),
    "mcp_tool_listing": _names("type mcp_server_name tools"),
    "fallback": _names("type to trigger"),
    "browser_state": _names("type tabs cache_control state_changes"),
}

SERVER_RESULT_FIELDS = _names("type tool_use_id content is_error cache_control caller")

SERVER_USES = frozenset({"server_tool_use", "mcp_tool_use"})
THINKING_BLOCKS = frozenset({"thinking", "redacted_thinking"})


def is_server_result(kind: str) -> bool:
    """Say whether a block type is the answer of a tool that the provider runs itself."""
    return kind.endswith("_tool_result")
