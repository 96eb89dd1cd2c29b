"""Ask the independent validator about a body; nothing that writes or reads forms is involved."""

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.strict_json import load_json
from mindpipe.validator.check import check as check_form
from mindpipe.validator.profiles import Profile, profile_for
from mindpipe.validator.records import Finding, Question


def check(octets: bytes, *, source: str, question: Question) -> list[Finding]:
    """Return what is wrong with a request body, an exported history, a bare list or lines.

    Raises:
        BadInputError: it is not JSON.
        NothingToDoError: there is nothing.
    """
    if not octets.strip():
        raise NothingToDoError(f"{source} is empty; there is nothing to check.")
    body = _body(octets, source=source)
    form = question.format or "mindpipe"
    return check_form(form, body, profile=profile_of(question), kind=question.kind)


def _body(octets: bytes, *, source: str) -> object:
    """Read one JSON document, or JSON Lines as a list."""
    try:
        body = load_json(octets, source=source)
    except BadInputError:
        lines = [(n, line) for n, line in enumerate(octets.split(b"\n"), 1) if line.strip()]
        if len(lines) < 2:
            raise
        return [load_json(line, source=source, line=number) for number, line in lines]
    is_row = isinstance(body, dict) and "parts" in body
    return [body] if is_row else body


def profile_of(question: Question) -> Profile:
    """Return the facts about the model that is asked for."""
    return profile_for(question.model, sdk=question.sdk, strict_roles=question.strict_roles)
