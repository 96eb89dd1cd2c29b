"""The fixed words that stand in a provider form for what has no words of its own."""

import re

from mindpipe.core.messages import CallPart, FilePart, ResultPart, ResultStatus
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank

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
