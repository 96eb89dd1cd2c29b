"""The arguments a model wrote for a call: a JSON object, or the reason why they are none."""

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import CallPart, ReplyPart
from mindpipe.core.models import Finish
from mindpipe.core.records import to_json
from mindpipe.core.strict_json import load_json
from mindpipe.formats.replies.fields import words_of

CUT_OFF = "cut off"
DECLINED = "declined"

_STOPPED = {Finish.CUT: CUT_OFF, Finish.UNKNOWN: CUT_OFF, Finish.REFUSAL: DECLINED}


def read_call(*, identifier: object, tool: object, written: object) -> CallPart:
    """Return a call with the provider's own id; `written` is the text of its arguments.

    Arguments that are no JSON object are kept whole and never completed, quoted or guessed.
    """
    text = written if isinstance(written, str) else _text_of(written)
    args: dict[str, object] | None = None
    reason: str | None
    try:
        value = load_json(text, source="arguments")
        octets = to_json(value)
        if b"\\u0000" in octets and _holds_nul(value):
            raise ValueError("NUL")
    except BadInputError as error:
        reason = error.problems[0].message
    except (UnicodeEncodeError, OverflowError, ValueError):
        reason = "they hold a value that cannot be kept"
    else:
        args = value if isinstance(value, dict) else None
        reason = None if args is not None else "they are not an object"
    return CallPart(
        id=words_of(identifier),
        tool=words_of(tool),
        args=args,
        args_text=words_of(text),
        invalid=None if reason is None else f"json: {reason}",
    )


def _holds_nul(value: object) -> bool:
    """Tell whether any string of a JSON value holds NUL, which no text in a store may."""
    if isinstance(value, dict):
        return any(_holds_nul(one) for pair in value.items() for one in pair)
    if isinstance(value, list):
        return any(map(_holds_nul, value))
    return isinstance(value, str) and "\x00" in value


def _text_of(value: object) -> str:
    """Return arguments that came as a JSON value, as some servers send them, as text."""
    try:
        return "" if value is None else to_json(value).decode()
    except (UnicodeEncodeError, OverflowError, ValueError):
        return ""


def settle(parts: list[ReplyPart], finish: Finish) -> tuple[tuple[ReplyPart, ...], Finish]:
    """Make parts and finish agree.

    A complete reply with calls ends in CALLS, one without in END. Where a reply was cut, declined
    or ended in an unknown way, no call may run: each is made invalid with its text kept.
    """
    if finish in {Finish.END, Finish.CALLS}:
        called = any(isinstance(part, CallPart) for part in parts)
        return tuple(parts), Finish.CALLS if called else Finish.END
    reason = _STOPPED.get(finish)
    if reason is None:
        return tuple(parts), finish
    return tuple(_stopped(part, reason) for part in parts), finish


def _stopped(part: ReplyPart, reason: str) -> ReplyPart:
    """Return a call as one that may not run, and any other part as it is."""
    if not isinstance(part, CallPart):
        return part
    return CallPart(id=part.id, tool=part.tool, args=None, args_text=part.args_text, invalid=reason)
