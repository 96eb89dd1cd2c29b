"""An observer's notes for people: `[REVIEW]` in magenta, when, on whom, and the words."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mindpipe.core.text import terminal_text
from mindpipe.person.calendar import instant_text
from mindpipe.review.records import Observation, ReviewFailure
from mindpipe_cli import output, readable
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from rich.text import Text

TAG, COLOUR = "[REVIEW]", "magenta"
COLUMNS = ("person", "t_us", "content", "model")


def write(session: Session, notes: Iterable[object]) -> None:
    """Write notes as records, or one line each where a person reads them on a terminal."""
    if not (session.shape == "table" and output.on_terminal("stdout")):
        readable.write(session, notes, columns=COLUMNS)
        return
    from rich.console import Console

    console = Console(no_color=not output.colours_wanted(), highlight=False)
    for note in notes:
        if isinstance(note, Observation | ReviewFailure):
            console.print(line_of(note), soft_wrap=True)


def line_of(note: Observation | ReviewFailure) -> "Text":
    """Return a note as one line of a terminal; of a failure, what failed."""
    from rich.text import Text

    words = note.content if isinstance(note, Observation) else f"no note: {note.message}"
    said = terminal_text(f" {instant_text(note.t_us)} {note.person}: {' '.join(words.split())}")
    return Text.assemble((TAG, COLOUR), said)
