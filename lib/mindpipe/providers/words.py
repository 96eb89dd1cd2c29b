"""Results, calls and files in words, where a format has no place of their own for them."""

import base64
import re
from collections.abc import Callable
from typing import Literal

import msgspec

from mindpipe.core.messages import CallPart, FilePart, ResultPart, ResultStatus
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers.rendering import Rendering

NO_TEXT = "(no text)"
NO_OUTPUT = "(no output)"
ERROR_MARK = "ERROR: "
REFUSED_MARK = "REFUSED: "
FAILED = frozenset(
    {
        ResultStatus.ERROR,
        ResultStatus.INVALID,
        ResultStatus.UNKNOWN,
        ResultStatus.SKIPPED,
    }
)

_NAME_LENGTH = 64
_NOT_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")


def result_text(part: ResultPart) -> str:
    """Return the text of a result; its JSON where it has no text, `(no output)` where neither."""
    if not is_blank(part.text):
        return part.text
    return NO_OUTPUT if part.json is None else to_json(part.json).decode()


def marked_result_text(part: ResultPart) -> str:
    """Return the text of a result for forms that know no errors: a mark says how it ended."""
    if part.status is ResultStatus.REFUSED:
        return REFUSED_MARK + result_text(part)
    if part.status in FAILED:
        return ERROR_MARK + result_text(part)
    return result_text(part)


def call_name(part: CallPart) -> str:
    """Return the name of a call in the letters that every provider takes, at most 64."""
    return _NOT_A_NAME.sub("_", part.tool)[:_NAME_LENGTH] or "unnamed"


def arguments_text(part: CallPart) -> str:
    """Return the arguments of a call as JSON text, `{}` where the model wrote none or no JSON."""
    if part.args is None:
        return "{}"
    return to_json(part.args).decode() if is_blank(part.args_text) else part.args_text


def missing_file(part: FilePart) -> str:
    """Say that the bytes of a file are gone."""
    return f"[file {part.name} is no longer kept]"


def unfit_file(part: FilePart) -> str:
    """Say that a form cannot show a file."""
    return f"[file {part.name} ({part.media_type}) cannot be shown here]"


def file_as_text(part: FilePart, octets: bytes) -> str:
    """Return a text file as words under its name."""
    return f"[file {part.name}]\n{octets.decode('utf-8', 'replace')}"


Kind = Literal["image", "pdf", "text", "other"]
Block = dict[str, object]

IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})


def kind_of(media_type: str) -> Kind:
    """Return what a provider can make of a media type."""
    bare = media_type.partition(";")[0].strip().lower()
    if bare in IMAGES:
        return "image"
    if bare == "application/pdf":
        return "pdf"
    return "text" if bare.startswith("text/") or bare == "application/json" else "other"


# A file may be large: the encoder itself writes its bytes as base64, so that none is made before.
def _url(part: FilePart, octets: bytes) -> msgspec.Raw:
    head = to_json(f"data:{part.media_type};base64,")[:-1]
    return msgspec.Raw(b'%b%b"' % (head, base64.b64encode(octets)))


def _anthropic(part: FilePart, octets: bytes) -> Block:
    source = {"type": "base64", "media_type": part.media_type, "data": octets}
    if kind_of(part.media_type) == "image":
        return {"type": "image", "source": source}
    return {"type": "document", "source": source, "title": part.name}


def _chat(part: FilePart, octets: bytes) -> Block:
    if kind_of(part.media_type) == "image":
        return {"type": "image_url", "image_url": {"url": _url(part, octets)}}
    return {"type": "file", "file": {"filename": part.name, "file_data": _url(part, octets)}}


def _responses(part: FilePart, octets: bytes) -> Block:
    if kind_of(part.media_type) == "image":
        return {"type": "input_image", "detail": "auto", "image_url": _url(part, octets)}
    return {"type": "input_file", "filename": part.name, "file_data": _url(part, octets)}


def _file_or_words(
    part: FilePart, rendering: Rendering, *, message: str, write: Callable[[FilePart, bytes], Block]
) -> Block | str:
    octets = rendering.file_octets(part)
    if octets is None:
        rendering.lose(message, part="file", why=f"the bytes of {part.name} are no longer kept")
        return missing_file(part)
    kind = kind_of(part.media_type)
    if kind == "text" and not is_blank(octets.decode("utf-8", "replace")):
        rendering.lose(message, part="file", why=f"{part.name} is written as text")
        return file_as_text(part, octets)
    if kind in {"image", "pdf"}:
        return write(part, octets)
    rendering.lose(message, part="file", why=f"the form takes no {part.media_type}")
    return unfit_file(part)


def anthropic_file(part: FilePart, rendering: Rendering, *, message: str) -> Block | str:
    """Return an image or document block, or words in its place (and a loss)."""
    return _file_or_words(part, rendering, message=message, write=_anthropic)


def chat_file(part: FilePart, rendering: Rendering, *, message: str) -> Block | str:
    """Return an image or file part of a chat message, or words in its place (and a loss)."""
    return _file_or_words(part, rendering, message=message, write=_chat)


def responses_file(part: FilePart, rendering: Rendering, *, message: str) -> Block | str:
    """Return an input image or input file, or words in its place (and a loss)."""
    return _file_or_words(part, rendering, message=message, write=_responses)


def sdk_file(part: FilePart, rendering: Rendering, *, message: str) -> Block | str:
    """Return a file part of any media type, or words where its bytes are gone (and a loss)."""
    octets = rendering.file_octets(part)
    if octets is None:
        rendering.lose(message, part="file", why=f"the bytes of {part.name} are no longer kept")
        return missing_file(part)
    return {
        "type": "file",
        "data": octets,
        "mediaType": part.media_type,
        "filename": part.name,
    }


def named_file(part: FilePart, rendering: Rendering, *, message: str) -> str:
    """Return words that name a file, where the form takes none at all (and a loss)."""
    rendering.lose(message, part="file", why="the form takes no file in an assistant message")
    return unfit_file(part)


def worded_file(part: FilePart, rendering: Rendering, *, message: str) -> str:
    """Return a text file as words, and words that name any other (and a loss)."""
    octets = rendering.file_octets(part)
    if octets is None:
        rendering.lose(message, part="file", why=f"the bytes of {part.name} are no longer kept")
        return missing_file(part)
    if kind_of(part.media_type) == "text":
        rendering.lose(message, part="file", why=f"{part.name} is written as text")
        return file_as_text(part, octets)
    rendering.lose(message, part="file", why=f"the form takes no {part.media_type}")
    return unfit_file(part)


def worded_result(part: ResultPart) -> tuple[str, bool]:
    """Return what a result says, for forms that know an error of a tool; and whether it is one."""
    if part.status is ResultStatus.REFUSED:
        return marked_result_text(part), True
    return result_text(part), part.status in FAILED
