"""A conversation as a request of every API, held against the validator."""

import msgspec

from histories import ANTHROPIC, CHAT, RESPONSES
from mindpipe.core.messages import Conversation
from mindpipe.core.models import RequestOptions, Target
from mindpipe.formats.exporters import export_document
from mindpipe.formats.records import RenderOptions
from mindpipe.formats.requests import make_request
from mindpipe.validator.check import check
from mindpipe.validator.profiles import profile_for

TARGETS = {"anthropic": ANTHROPIC, "openai-chat": CHAT, "openai-responses": RESPONSES}
FORMS = (*TARGETS, "ai-sdk")


def body_of(form: str, conversation: Conversation) -> object:
    """Return what is sent of a conversation in a form."""
    target: Target | None = TARGETS.get(form)
    if target is None:
        document = export_document(conversation, format=form, options=RenderOptions())
        return msgspec.json.decode(b"".join(document.chunks))
    request = make_request(
        conversation, target, RequestOptions(max_tokens=100), RenderOptions(), 60.0
    )
    return msgspec.json.decode(request.body)


def refusals(conversation: Conversation) -> list[str]:
    """Return what any of the four APIs would refuse in a request of this conversation."""
    return [
        f"{form} {found.rule} {found.at}: {found.what}"
        for form in FORMS
        for found in check(
            form, body_of(form, conversation), profile=profile_for(None), kind="request"
        )
        if found.severity == "error"
    ]
