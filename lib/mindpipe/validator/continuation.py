"""Compares a request with the recorded request and reply that it continues."""

from mindpipe.validator.anthropic_prefix import check_anthropic_continuation
from mindpipe.validator.plain import as_object
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding
from mindpipe.validator.responses_chain import check_responses_continuation


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
