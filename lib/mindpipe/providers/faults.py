"""Which class a provider's error is of, decided from its status, its type and its words."""

import re

from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.records import Record
from mindpipe.core.redaction import redact
from mindpipe.core.text import terminal_text
from mindpipe.providers.stream import Fields, fields_of, parsed, words_of

SHOWN_CHARACTERS = 2000

_OK, _CLIENT_ERRORS, _SERVER_ERRORS = 200, 400, 500
_TRANSIENT_STATUSES = frozenset({408, 409, 425, 429})
_ACCOUNT_STATUSES = frozenset({401, 402, 403, 404})

# Types and codes in error bodies, which also come inside a stream that began with status 200.
_CLASS_OF_NAME = {
    "invalid_request_error": FaultClass.OUR_REQUEST,
    "invalid_prompt": FaultClass.OUR_REQUEST,
    "request_too_large": FaultClass.OUR_REQUEST,
    "authentication_error": FaultClass.OUR_ACCOUNT,
    "permission_error": FaultClass.OUR_ACCOUNT,
    "not_found_error": FaultClass.OUR_ACCOUNT,
    "billing_error": FaultClass.OUR_ACCOUNT,
    "rate_limit_error": FaultClass.TRANSIENT,
    "api_error": FaultClass.TRANSIENT,
    "timeout_error": FaultClass.TRANSIENT,
    "overloaded_error": FaultClass.TRANSIENT,
    "server_error": FaultClass.TRANSIENT,
    "rate_limit_exceeded": FaultClass.TRANSIENT,
}
# Names that say more than the status beside them.
_CLASS_OF_CODE = {
    "context_length_exceeded": FaultClass.TOO_LONG,
    "exceed_context_size_error": FaultClass.TOO_LONG,
    "invalid_encrypted_content": FaultClass.LOST_THINKING,
    "insufficient_quota": FaultClass.OUR_ACCOUNT,
    "billing_hard_limit_reached": FaultClass.OUR_ACCOUNT,
    "billing_not_active": FaultClass.OUR_ACCOUNT,
    "model_not_found": FaultClass.OUR_ACCOUNT,
    "invalid_api_key": FaultClass.OUR_ACCOUNT,
}
# Patterns, which are compiled when a fault is first looked at.
_CLASS_OF_WORDS = (
    (
        FaultClass.LOST_THINKING,
        (
            r"(?is)invalid `?signature`? in `?thinking`?"
            r"|prefix_mismatch|bound to a different conversation"
            r"|blocks in the latest assistant message cannot be modified"
            r"|each thinking block must contain non-whitespace"
            r"|encrypted content .*could not be (?:verified|decrypted)"
            r"|item with id 'rs_[^']*' not found"
        ),
    ),
    (
        FaultClass.TOO_LONG,
        (
            r"(?i)prompt is too long|exceeds? (?:the |model )*context (?:limit|window|length)"
            r"|maximum context length|exceeds the context window"
            r"|exceeds the available context size|context length exceeded"
            r"|request too large for"
        ),
    ),
    (
        FaultClass.OUR_ACCOUNT,
        (
            r"(?i)credit balance is too low|api usage limits|spend(?:ing)? limit|spend cap"
            r"|exceeded your current quota|plan and billing|billing hard limit"
        ),
    ),
)


class HttpAnswer(Record):
    """An answer that is no reply: HTTP status, media type, body so far, and the wait it names."""

    status: int
    media_type: str
    body: bytes
    wait: float | None = None


def shown(text: str) -> str:
    """Return a provider's words fit to stand in an error: one line, no secrets, not too long."""
    line = " ".join(terminal_text(redact(text)).split())
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[:SHOWN_CHARACTERS]}…"


def fault_of_answer(answer: HttpAnswer) -> ModelFault:
    """Return the fault that an HTTP answer other than 2xx stands for."""
    document = parsed(answer.body)
    if document is None:
        message = (
            "the provider gave no valid reply "
            f"(HTTP {answer.status}, {answer.media_type or 'no media type'})"
        )
        fault = _class_of_status(answer.status)
    else:
        error = error_in(document)
        message = f"the provider answered {answer.status}: {shown(_told(error, answer.body))}"
        fault = _class_of_code_or_words(error) or _class_of_status(answer.status)
    return ModelFault(
        _with_advice(message, fault), fault=fault, http_status=answer.status, wait=answer.wait
    )


def fault_of_event(document: Fields) -> ModelFault:
    """Return the fault that an error inside a stream, or in the body of a 200, stands for."""
    error = error_in(document)
    fault = (
        _class_of_code_or_words(error)
        or _CLASS_OF_NAME.get(words_of(error.get("code")))
        or _CLASS_OF_NAME.get(words_of(error.get("type")))
        or FaultClass.TRANSIENT
    )
    message = f"the provider stopped with an error: {shown(_told(error, b''))}"
    return ModelFault(_with_advice(message, fault), fault=fault, http_status=_OK)


def error_in(document: Fields) -> Fields:
    """Return the error object of a body, wherever this provider puts it."""
    for name in ("error", "response"):
        inner = document.get(name)
        if isinstance(inner, dict):
            return error_in(inner) if name == "response" else fields_of(inner)
        if isinstance(inner, str) and name == "error":
            return {"message": inner}
    return document


def _told(error: Fields, body: bytes) -> str:
    """Return what an error says: its type or code and its message, or the body itself."""
    names = [words_of(error.get(key)) for key in ("type", "code")]
    name = next((one for one in names if one and one != "error"), "")
    words = words_of(error.get("message")) or words_of(error.get("detail"))
    if not words:
        words = body.decode("utf-8", "replace")
    return f"{name}: {words}" if name else words


def _class_of_code_or_words(error: Fields) -> FaultClass | None:
    """Return the class that a code or the message itself tells, or None."""
    for key in ("code", "type"):
        found = _CLASS_OF_CODE.get(words_of(error.get(key)))
        if found is not None:
            return found
    words = words_of(error.get("message"))
    return next((fault for fault, told in _CLASS_OF_WORDS if re.search(told, words)), None)


def _class_of_status(status: int) -> FaultClass:
    """Return the class of a status alone."""
    if status in _TRANSIENT_STATUSES or status >= _SERVER_ERRORS:
        return FaultClass.TRANSIENT
    if status in _ACCOUNT_STATUSES or status < _CLIENT_ERRORS:
        return FaultClass.OUR_ACCOUNT
    return FaultClass.OUR_REQUEST


_ADVICE = {
    FaultClass.OUR_ACCOUNT: "Check the key, the model's name, the address and the account",
    FaultClass.TOO_LONG: "Compact the history",
}


def _with_advice(message: str, fault: FaultClass) -> str:
    """Add what to try, where there is something."""
    advice = _ADVICE.get(fault)
    return message if advice is None else f"{message.rstrip(' .')}. {advice}"
