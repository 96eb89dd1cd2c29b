"""The door of the validator: one body in, every problem out."""

from typing import Protocol

from mindpipe.validator.ai_sdk import check_ai_sdk
from mindpipe.validator.anthropic import check_anthropic
from mindpipe.validator.canonical import check_mindpipe
from mindpipe.validator.openai_chat import check_openai_chat
from mindpipe.validator.openai_responses import check_openai_responses
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind


class FormatCheck(Protocol):
    """The check of one format."""

    def __call__(self, body: object, *, profile: Profile, kind: Kind) -> list[Finding]:
        """Return every problem of the body."""
        ...


FORMATS: tuple[str, ...] = ("anthropic", "openai-chat", "openai-responses", "ai-sdk", "mindpipe")

CHECKS: dict[str, FormatCheck] = {
    "anthropic": check_anthropic,
    "openai-chat": check_openai_chat,
    "openai-responses": check_openai_responses,
    "ai-sdk": check_ai_sdk,
    "mindpipe": check_mindpipe,
}


def check(
    format: str, body: object, *, profile: Profile, kind: Kind | None = None
) -> list[Finding]:
    """Return every problem of a body: a request, an exported history or a bare list.

    The body is plain JSON as decoded; no JSON value makes this raise. A body that names a model
    is a request, everything else a history, unless `kind` says otherwise; a history may end with
    the assistant. Errors and warnings are problems, notes are not.

    Raises:
        ValueError: `format` is not one of FORMATS.
    """
    checking = CHECKS.get(format)
    if checking is None:
        raise ValueError(f"{format!r} is not a format; use one of {', '.join(FORMATS)}")
    if kind is None:
        kind = "request" if isinstance(body, dict) and "model" in body else "history"
    return checking(body, profile=profile, kind=kind)
