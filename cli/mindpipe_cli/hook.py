"""What a hook of Claude Code, or of any program that has hooks, says on stdin."""

import click
import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD
from mindpipe_cli import input

MOST_PROMPT = 10_000
"""So many characters of a prompt are looked at."""
hook_option = click.option(
    "--hook", is_flag=True, help="A hook calls: stdin is what it says, as JSON."
)


class _HookInput(msgspec.Struct, frozen=True):
    """What Claude Code tells its hooks, as far as it matters here."""

    prompt: str | None = None
    transcript_path: str | None = None


def prompt() -> str:
    """Return the prompt that a hook stands before: of its JSON, else all that it says."""
    try:
        octets = input.words_on_stdin()
    except NothingToDoError:
        return ""
    said = _said(octets)
    text = octets.decode("utf-8", "replace") if said is None else said.prompt or ""
    return text[:MOST_PROMPT]


def transcript() -> str:
    """Return the path of the transcript of a session; raises BadInputError where none is said."""
    said = _said(input.words_on_stdin())
    if said is None or not said.transcript_path:
        words = 'no {"transcript_path": …}, as a hook of Claude Code says; name FILE without --hook'
        raise BadInputError([Problem(source="stdin", message=words)])
    return said.transcript_path


def _said(octets: bytes) -> _HookInput | None:
    """Return what a hook says as JSON, or None where it says anything else."""
    try:
        return msgspec.json.decode(octets, type=_HookInput)
    except NO_RECORD:
        return None
