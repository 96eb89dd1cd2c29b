"""Ask the independent validator about a body; nothing that writes or reads forms is involved."""

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json
from mindpipe.validator.check import check as check_form
from mindpipe.validator.profiles import Profile, profile_for
from mindpipe.validator.records import Finding, Question

_OWN = "mindpipe"


def check(octets: bytes, *, source: str, question: Question) -> list[Finding]:
    """Return what is wrong with a request body, an exported history, a bare list or lines.

    Raises:
        BadInputError: it is not JSON, or rows of our own that are to be checked as another form.
        NothingToDoError: there is nothing.
    """
    if not octets.strip():
        raise NothingToDoError(f"{source} is empty; there is nothing to check.")
    body = _body(octets, source=source)
    form = question.format or _OWN
    if form != _OWN and _are_rows(body):
        message = (
            f"these are rows of our own; say --for {_OWN}, or mind history export --format {form} "
            "first"
        )
        raise BadInputError([Problem(source=source, message=message)])
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


def _are_rows(body: object) -> bool:
    """Tell whether a body begins with a canonical message, which no other form looks like."""
    first = body[0] if isinstance(body, list) and body else None
    return isinstance(first, dict) and {"seq", "parts"} <= first.keys()


def profile_of(question: Question) -> Profile:
    """Return the facts about the model that is asked for."""
    return profile_for(question.model, sdk=question.sdk, strict_roles=question.strict_roles)
