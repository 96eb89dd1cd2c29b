"""Which rules hold for which format, and what was found."""

import importlib
from typing import Protocol, cast

from mindpipe.validator.anthropic_continuation import check_anthropic_continuation
from mindpipe.validator.openai_responses import check_responses_continuation
from mindpipe.validator.plain import as_object
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind


class FormatCheck(Protocol):
    """The check of one format."""

    def __call__(self, body: object, *, profile: Profile, kind: Kind) -> list[Finding]:
        """Return every problem of the body."""
        ...


# Where the check of each format is; only the one that is asked for is loaded.
_CHECKS = {
    "anthropic": ("mindpipe.validator.anthropic", "check_anthropic"),
    "openai-chat": ("mindpipe.validator.openai_chat", "check_openai_chat"),
    "openai-responses": ("mindpipe.validator.openai_responses", "check_openai_responses"),
    "ai-sdk": ("mindpipe.validator.ai_sdk", "check_ai_sdk"),
    "mindpipe": ("mindpipe.validator.canonical", "check_mindpipe"),
}
FORMATS = tuple(_CHECKS)


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
    if format not in _CHECKS:
        raise ValueError(f"{format!r} is not a format; use one of {', '.join(FORMATS)}")
    if kind is None:
        kind = "request" if isinstance(body, dict) and "model" in body else "history"
    module, function = _CHECKS[format]
    checking = cast("FormatCheck", getattr(importlib.import_module(module), function))
    return checking(body, profile=profile, kind=kind)


def check_continuation(
    earlier_request: object, earlier_reply: object, later_request: object, *, profile: Profile
) -> list[Finding]:
    """Return what a later request changed of what its kept thinking or reasoning depends on.

    Bodies are plain JSON as sent and received. A later request with `input` is read as Responses
    (R7), every other as Anthropic Messages (A18 to A21). A reply without content binds nothing.
    """
    if "input" in as_object(later_request):
        return check_responses_continuation(earlier_request, earlier_reply, later_request)
    return check_anthropic_continuation(
        earlier_request, earlier_reply, later_request, profile=profile
    )
