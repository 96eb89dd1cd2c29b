"""Postconditions of plans: `post:SPACE`, `note:KEY`, `file:PATH` and `command:LINE`."""

import shlex
from typing import NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.core.text import one_line

MOST = 10
LENGTH = 1000
FORMS = ("post:SPACE", "note:KEY", "file:PATH", "command:LINE")
"""How each kind is written."""
_KINDS = tuple(form.partition(":")[0] for form in FORMS)


class Postcondition(NamedTuple):
    """What must be there once a window's event is over: its kind, and what of that kind."""

    kind: str
    what: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"{self.kind}:{self.what}"

    def argv(self) -> tuple[str, ...]:
        """Return the arguments of a command; raises UsageError where its quotes do not match."""
        try:
            return tuple(shlex.split(self.what))
        except ValueError as error:
            raise UsageError(f'"{self}" cannot be read: {error}.') from None


def split(text: str) -> Postcondition:
    """Return the two parts of a text, whether or not they are a postcondition.

    Raises:
        UsageError: it is no single line, or too long.
    """
    kind, _, what = one_line(text, field="a postcondition", limit=LENGTH).partition(":")
    return Postcondition(kind, what.strip())


def parse(text: str) -> Postcondition:
    """Return one postcondition.

    Raises:
        UsageError: it has no such form, or a file or program is named by half a path.
    """
    found = split(text)
    kind = found.kind
    if kind not in _KINDS or not found.what:
        raise UsageError(f'"{text}" is no postcondition; write {", ".join(FORMS)}.')
    path = found.what if kind == "file" else found.argv()[0] if kind == "command" else "/"
    if not path.startswith("/"):
        what = "a program by its whole path" if kind == "command" else "the whole path"
        raise UsageError(f'"{text}": write {what} instead of "{path}"; no shell reads the line.')
    return found


def checked(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return postconditions as they are kept.

    Raises:
        UsageError: one of them has no such form, or there are more than 10.
    """
    found = tuple(dict.fromkeys(str(parse(text)) for text in texts))
    if len(found) > MOST:
        raise UsageError(f"a plan has at most {MOST} postconditions, not {len(found)}.")
    return found
