"""Content parts of AI SDK messages as neutral parts, under the names of all its versions."""

from mindpipe.core.messages import OpaquePart, ResultStatus, TextPart, ThinkingPart
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.formats.ai_sdk_approvals import Asked, Decided
from mindpipe.formats.documents import Element
from mindpipe.formats.items import Findings, SeenCall, SeenPart, SeenResult, ShapeError
from mindpipe.formats.reading import (
    Members,
    arguments_of,
    file_at,
    file_part,
    joined_text,
    list_at,
    object_at,
    output_text,
    stand_in,
    storable,
    text_at,
    word,
)
from mindpipe.formats.slices import members_of, object_of
from mindpipe.formats.wording import REFUSED_MARK

PROVIDER = "ai-sdk"

PART_FIELDS = frozenset(
    {
        "type",
        "text",
        "image",
        "data",
        "mediaType",
        "mimeType",
        "filename",
        "toolCallId",
        "toolName",
        "output",
        "result",
        "isError",
        "approvalId",
        "approved",
        "reason",
    }
)
_OUTPUT_STATUS = {
    "text": ResultStatus.OK,
    "json": ResultStatus.OK,
    "content": ResultStatus.OK,
    "error-text": ResultStatus.ERROR,
    "error-json": ResultStatus.ERROR,
    "execution-denied": ResultStatus.REFUSED,
}


class Place:
    """One message while it is read: where its parts stand and what is found in them.

    `ran` are the ids of all calls so far that the provider ran itself; `stray` are results that
    stand in the reply although the caller ran the tool.
    """

    def __init__(self, element: Element, findings: Findings, *, ran: set[str]) -> None:
        self.element = element
        self.findings = findings
        self.ran = ran
        self.asked: list[Asked] = []
        self.decided: list[Decided] = []
        self.stray: list[SeenResult] = []

    def old_name(self, old: str, new: str, *, at: str) -> None:
        """Write down that a member has the name of version 4."""
        what = f"`{old}` is the name of version 4, today it is `{new}`"
        self.findings.fault("old_names", at=f"{at}.{old}", line=self.element.line, what=what)


def _file(part: Members, findings: Findings) -> SeenPart:
    """Return an image or file part: bytes in base64, a data URL, or an address that is named."""
    held = part.get("data") or part.get("image") or part.get("url")
    name = word(part, "filename")
    if isinstance(held, dict):
        held = held.get("data") or held.get("url")
    if not isinstance(held, str):
        return stand_in(findings, word(part, "type"), name)
    media_type = word(part, "mediaType") or word(part, "mimeType")
    if not media_type and word(part, "type").startswith("image"):
        media_type = "image/png"
    kept = file_part(findings, held, media_type=media_type, name=name)
    return file_at(findings, held, name=name) if kept is None else kept


def plain_part(value: object, findings: Findings, *, at: str) -> SeenPart:
    """Return a text, or a file of any kind."""
    part = object_at(value, at)
    findings.unknown(part, PART_FIELDS, where="content parts")
    if text_at(part, "type", at) == "text":
        return TextPart(text=text_at(part, "text", at))
    return _file(part, findings)


def _output_words(output: Members, findings: Findings, *, at: str) -> str:
    """Return the text of a tool's output."""
    kind, value = word(output, "type"), output.get("value")
    if kind == "execution-denied":
        return word(output, "reason")
    if kind in {"json", "error-json"}:
        return to_json(storable(value)).decode()
    if kind == "content":
        listed = list_at(value, f"{at}.value")
        parts = [
            plain_part(one, findings, at=f"{at}.value[{index}]") for index, one in enumerate(listed)
        ]
        return joined_text(parts, findings)
    return text_at(output, "value", at)


def result_part(part: Members, place: Place, *, at: str) -> SeenResult:
    """Return a tool result."""
    id_ = text_at(part, "toolCallId", at)
    if "output" not in part and "result" in part:
        place.old_name("result", "output", at=at)
        failed = part.get("isError") is True
        value = part["result"]
        text = value if isinstance(value, str) else to_json(storable(value)).decode()
        return SeenResult(
            id=id_,
            status=ResultStatus.ERROR if failed else ResultStatus.OK,
            text=output_text(text),
            json=None if isinstance(value, str) else storable(value),
            at=at,
        )
    output = object_at(part.get("output"), f"{at}.output")
    kind = text_at(output, "type", f"{at}.output")
    if kind not in _OUTPUT_STATUS:
        raise ShapeError(f"{at}.output.type", f"{kind!r} is no type of output")
    status = _OUTPUT_STATUS[kind]
    text = _output_words(output, place.findings, at=f"{at}.output")
    if kind == "error-text" and text.startswith(REFUSED_MARK):
        status, text = ResultStatus.REFUSED, text.removeprefix(REFUSED_MARK)
    value = storable(output.get("value")) if kind in {"json", "error-json"} else None
    return SeenResult(id=id_, status=status, text=output_text(text), json=value, at=at)


def _call(part: Members, exact: str, *, place: Place, at: str) -> SeenCall:
    """Return a tool call; `exact` is the text of the part."""
    members = members_of(exact)
    if "input" not in members and "args" in members:
        place.old_name("args", "input", at=at)
    text = members.get("input", members.get("args", "null"))
    args, fault = arguments_of(text)
    return SeenCall(
        id=text_at(part, "toolCallId", at),
        tool=text_at(part, "toolName", at),
        args=args,
        args_text=text,
        fault=fault,
        at=at,
    )


def _spoken(part: Members, place: Place, *, at: str) -> SeenPart | None:
    """Return a text, a thought or a file of a reply, or None for anything else."""
    kind = text_at(part, "type", at)
    if kind == "text":
        return TextPart(text=text_at(part, "text", at))
    if kind == "reasoning":
        thought = word(part, "text")
        return ThinkingPart(text=None if is_blank(thought) else thought)
    return _file(part, place.findings) if kind == "file" else None


def _acted(part: Members, exact: str, *, place: Place, at: str) -> SeenPart | None:
    """Return a call or what is opaque, or None for what stands beside the reply."""
    kind = word(part, "type")
    if kind == "tool-call":
        call = _call(part, exact, place=place, at=at)
        if part.get("providerExecuted") is not True:
            return call
        place.ran.add(call.id)
    elif kind == "tool-result" and word(part, "toolCallId") not in place.ran:
        place.stray.append(result_part(part, place, at=at))
        return None
    elif kind == "tool-approval-request":
        call_id = text_at(part, "toolCallId", at)
        place.asked.append(Asked(approval=text_at(part, "approvalId", at), call=call_id, at=at))
        return None
    return OpaquePart(provider=PROVIDER, kind=kind)


def reply_part(part: Members, exact: str, *, place: Place, at: str) -> SeenPart | None:
    """Return one part of a reply; what the provider ran itself is opaque.

    None for approval requests and for results that belong behind the reply: `place` has them.
    """
    return _spoken(part, place, at=at) or _acted(part, exact, place=place, at=at)


def todays_part(exact: str) -> str:
    """Return a part of a reply under today's names."""
    members = members_of(exact)
    if "args" in members and "input" not in members:
        members["input"] = members.pop("args")
    if "result" in members and "output" not in members:
        members["output"] = '{"type":"json","value":' + members.pop("result") + "}"
    return object_of(members)
