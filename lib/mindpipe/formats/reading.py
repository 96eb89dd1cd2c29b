"""Small readings that every importer shares: members, arguments, marked results, files."""

import base64
import binascii
import math
import re
from typing import cast

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import FilePart, ResultStatus, TextPart
from mindpipe.core.strict_json import load_json
from mindpipe.core.text import without_surrogates
from mindpipe.formats.items import Findings, SeenPart, ShapeError, Word
from mindpipe.formats.wording import ERROR_MARK, NO_OUTPUT, REFUSED_MARK

Members = dict[str, object]

_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*?)(;base64)?,(.*)", re.DOTALL)
_MARKS = {ERROR_MARK: ResultStatus.ERROR, REFUSED_MARK: ResultStatus.REFUSED}
_LEAST, _MOST = -(2**63), 2**64 - 1


def object_at(value: object, at: str) -> Members:
    """Return a JSON object, or raise ShapeError."""
    if not isinstance(value, dict):
        raise ShapeError(at, "an object is expected here")
    return cast(Members, value)


def list_at(value: object, at: str) -> list[object]:
    """Return a JSON array, or raise ShapeError."""
    if not isinstance(value, list):
        raise ShapeError(at, "a list is expected here")
    return cast(list[object], value)


def text_at(members: Members, name: str, at: str) -> str:
    """Return a member that is text, or raise ShapeError."""
    value = members.get(name)
    if not isinstance(value, str):
        raise ShapeError(f"{at}.{name}", "text is expected here")
    return value


def word(members: Members, name: str) -> str:
    """Return a member that is text, and an empty string for anything else."""
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _fits(value: object) -> bool:
    """Tell whether a JSON value holds only numbers and text that can be stored."""
    if isinstance(value, dict):
        return all(_fits(key) and _fits(one) for key, one in value.items())
    if isinstance(value, list):
        return all(_fits(one) for one in value)
    if isinstance(value, str):
        return not without_surrogates(value)[1]
    if isinstance(value, int):
        return _LEAST <= value <= _MOST
    return not isinstance(value, float) or math.isfinite(value)


def arguments_of(text: str) -> tuple[Members | None, str | None]:
    """Return the arguments of a call from their JSON text, or None and why they are none."""
    try:
        value = load_json(text, source="arguments")
    except BadInputError as fault:
        first = fault.problems[0]
        place = f"{first.field} " if first.field else ""
        return None, f"the arguments cannot be read: {place}{first.message}"
    if not isinstance(value, dict):
        return None, "the arguments are not a JSON object"
    if not _fits(value):
        return None, "the arguments hold a value that cannot be stored"
    return cast(Members, value), None


def storable(value: object) -> object:
    """Return a JSON value for the `json` of a result, or None where it cannot be stored."""
    return value if _fits(value) else None


def output_text(text: str) -> str:
    """Return the text of a result; the words for an empty one are an empty one again."""
    return "" if text == NO_OUTPUT else text


def marked_output(text: str) -> tuple[ResultStatus, str]:
    """Return status and text of a result from a form that knows no errors but by their marks."""
    for mark, status in _MARKS.items():
        if text.startswith(mark):
            return status, output_text(text.removeprefix(mark))
    return ResultStatus.OK, output_text(text)


def file_part(
    findings: Findings, encoded: str, *, media_type: str, name: str = ""
) -> FilePart | None:
    """Keep a file given in base64, or return None where it is not base64."""
    try:
        octets = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
    kind = media_type or "application/octet-stream"
    plain = name or kind.replace("/", ".")
    return FilePart(sha256=findings.keep(octets), media_type=kind, name=plain)


def file_at(findings: Findings, address: str, *, name: str = "") -> Word:
    """Return the file of a data URL, or words that name the address of any other."""
    found = _DATA_URL.fullmatch(address)
    if found is not None and found[3]:
        part = file_part(findings, found[4], media_type=found[1], name=name)
        if part is not None:
            return part
    kind = "file" if found is None else "data URL"
    return stand_in(findings, kind, address if found is None else name)


def stand_in(findings: Findings, kind: str, detail: str = "") -> TextPart:
    """Return words in place of content that canonical messages do not carry, and name it."""
    findings.leave_out(f"{kind} that is no text, kept in the source and named in the text")
    return TextPart(text=f"[{kind} {detail}]" if detail else f"[{kind}]")


def joined_text(parts: list[SeenPart], findings: Findings) -> str:
    """Return parts as the text of a result; files are named, since a result holds only text."""
    words: list[str] = []
    for part in parts:
        if isinstance(part, TextPart):
            words.append(part.text)
        elif isinstance(part, FilePart):
            words.append(stand_in(findings, part.media_type, part.name).text)
    return "\n".join(words)
