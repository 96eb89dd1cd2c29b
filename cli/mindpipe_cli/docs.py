"""`mind docs`: manual pages, completions and the README's table, written by the program."""

from pathlib import Path

import click

from mindpipe.core.errors import MindError, UnavailableError
from mindpipe_cli.command import command, group
from mindpipe_cli.manual import files
from mindpipe_cli.manual.tree import Page, read
from mindpipe_cli.session import Session

_COLUMNS = ("file", "fault")
_root_option = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False),
    default=".",
    show_default=True,
    metavar="DIR",
    callback=lambda _context, _option, root: _checkout(root),
    help="The project's root folder.",
)


def _checkout(root: Path) -> Path:
    """Return a folder that holds the project; raises UnavailableError where it does not."""
    if not (root / files.README).is_file():
        raise UnavailableError(
            f"{root} is no checkout of mindpipe: it has no {files.README}. Name one with --root; "
            "mind help shows the manual without one."
        )
    return root


@command("write", example="mind docs write")
@_root_option
def write(session: Session, root: Path) -> None:
    """Renew the manual pages, the completions and the README's table of commands.

    Prints which files were missing, differed or were left over.
    """
    session.write(files.write(root, _program()), columns=_COLUMNS)


@command("check", example="mind docs check")
@_root_option
def check(session: Session, root: Path) -> None:
    """Compare what `mind docs write` would write with what is there; status 1 if they differ."""
    found = files.differences(root, _program())
    session.write(found, columns=_COLUMNS)
    if found:
        raise MindError(
            f"{len(found)} files are not as the program writes them; run mind docs write."
        )


def _program() -> Page:
    """Read every command of the program."""
    return read(click.get_current_context().find_root().command, "mind")


COMMAND = group("docs", write, check)
