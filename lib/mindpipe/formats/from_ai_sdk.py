"""ModelMessages of the AI SDK (versions 5 to 7), and those of version 4 where they are repaired."""

from mindpipe.core.messages import Head, TextPart
from mindpipe.core.text import is_blank
from mindpipe.formats.ai_sdk_approvals import Decided, Step, with_approvals
from mindpipe.formats.ai_sdk_parts import (
    PART_FIELDS,
    PROVIDER,
    Place,
    plain_part,
    reply_part,
    result_part,
    todays_part,
)
from mindpipe.formats.documents import Document, Element
from mindpipe.formats.foreign_tools import read_tools
from mindpipe.formats.items import (
    Findings,
    Item,
    Reading,
    SeenPart,
    ShapeError,
    item_of,
    reply_of,
)
from mindpipe.formats.reading import Members, list_at, object_at, text_at, word
from mindpipe.formats.slices import array_of, elements_of, members_of

_MESSAGE_FIELDS = frozenset({"role", "content"})


def _words(value: object, place: Place) -> list[SeenPart]:
    """Return the content of a user or system message."""
    at = f"{place.element.at}.content"
    if isinstance(value, str):
        return [TextPart(text=value)]
    return [
        plain_part(one, place.findings, at=f"{at}[{index}]")
        for index, one in enumerate(list_at(value, at))
    ]


def _reply(message: Members, place: Place) -> Item:
    """Return an assistant message."""
    content, at = message.get("content"), f"{place.element.at}.content"
    exact = members_of(place.element.octets.decode()).get("content", "null")
    parts: list[SeenPart] = []
    raw: list[str] = []
    if isinstance(content, str):
        parts.append(TextPart(text=content))
        raw.append('{"type":"text","text":' + exact + "}")
    else:
        texts = elements_of(exact) if isinstance(content, list) else []
        for index, one in enumerate(list_at(content, at)):
            here, text = f"{at}[{index}]", texts[index]
            stray = len(place.stray)
            part = reply_part(object_at(one, here), text, place=place, at=here)
            parts += [] if part is None else [part]
            if len(place.stray) == stray:
                raw.append(todays_part(text))
    octets = '{"role":"assistant","content":' + array_of(raw) + "}"
    return reply_of(place.element, parts=parts, raw=octets)


def _tool(message: Members, place: Place) -> Item:
    """Return a tool message: results, and answers to approval requests."""
    at = f"{place.element.at}.content"
    parts: list[SeenPart] = []
    for index, one in enumerate(list_at(message.get("content"), at)):
        here = f"{at}[{index}]"
        part = object_at(one, here)
        place.findings.unknown(part, PART_FIELDS, where="content parts")
        kind = text_at(part, "type", here)
        if kind == "tool-result":
            parts.append(result_part(part, place, at=here))
        elif kind == "tool-approval-response":
            decided = Decided(
                approval=text_at(part, "approvalId", here),
                approved=part.get("approved") is True,
                reason=word(part, "reason"),
            )
            place.decided.append(decided)
        else:
            raise ShapeError(f"{here}.type", f"a tool message holds no {kind!r}")
    return item_of(place.element, role="user", parts=parts)


def _step(element: Element, findings: Findings, *, ran: set[str]) -> Step:
    """Return one message as a neutral item with its approval parts."""
    if isinstance(element.value, str):
        words: list[SeenPart] = [TextPart(text=element.value)]
        return Step(item=item_of(element, role="user", parts=words))
    message = object_at(element.value, element.at)
    role = text_at(message, "role", element.at)
    findings.unknown(message, _MESSAGE_FIELDS, where=f"{role} messages")
    place = Place(element, findings, ran=ran)
    if role == "assistant":
        item = _reply(message, place)
    elif role == "tool":
        item = _tool(message, place)
    elif role in {"user", "system"}:
        parts = _words(message.get("content"), place)
        item = item_of(element, role="system" if role == "system" else "user", parts=parts)
    else:
        raise ShapeError(f"{element.at}.role", f"{role!r} is no role of this form")
    return Step(
        item=item,
        stray=tuple(place.stray),
        asked=tuple(place.asked),
        decided=tuple(place.decided),
    )


def _system(document: Document) -> str:
    """Return the system text beside the list: text, a system message, or several."""
    value = document.fields.get("instructions") or document.fields.get("system")
    listed = value if isinstance(value, list) else [value]
    texts = [word(one, "content") if isinstance(one, dict) else one for one in listed]
    return "\n\n".join(text for text in texts if isinstance(text, str) and not is_blank(text))


def read_ai_sdk(document: Document, findings: Findings) -> Reading:
    """Read ModelMessages; a shape that the form does not have is a fault."""
    steps: list[Step] = []
    ran: set[str] = set()
    for element in document.elements:
        try:
            steps.append(_step(element, findings, ran=ran))
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=element.line, what=str(fault))
    return Reading(
        head=Head(
            system=_system(document),
            tools=read_tools(document.fields.get("tools"), findings),
        ),
        items=with_approvals(steps, findings),
        provider=PROVIDER,
        api=PROVIDER,
        model=word(document.fields, "model"),
    )
