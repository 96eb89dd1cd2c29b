"""`mind review`: the observer's notes on a person's recent thoughts."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mindpipe.core.errors import UsageError
from mindpipe.core.text import terminal_text
from mindpipe.person.calendar import instant_text
from mindpipe.person.lines import FilterLine
from mindpipe_cli import output, readable
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    file_argument,
    on_error_options,
    person_option,
    voice_options,
)
from mindpipe_cli.person_filter import FilterOptions, filter_lines
from mindpipe_cli.person_input import in_store
from mindpipe_cli.session import Session
from mindpipe_cli.voices import asked_model, voices_of

if TYPE_CHECKING:
    from rich.text import Text

    from mindpipe.review.records import ReviewFailure, ReviewNote

TAG, COLOUR = "[REVIEW]", "magenta"
"""What stands before a note on a terminal."""
_COLUMNS = ("person", "t_us", "content", "model")


@command("review", example="mind review --model composed < day1.jsonl")
@file_argument
@voice_options()
@person_option
@on_error_options
def COMMAND(
    session: Session, model: str | None, record: str | None, person: str | None, **given: str
) -> None:
    """Print the notes of an observer behind glass, who hears thoughts and reads numbers.

    It reads thought and state lines, and person lines for traits and settings. It takes a note
    where there is something to note: how the person takes what happens, what has changed since
    yesterday and in the week of mood, tension, sleep, meals, contact and energy, what its thoughts
    return to, and what is a risk; on whom it noted nothing it says how that one is. With pacing
    seed it takes a note each minute in which there are thoughts instead. The model is that of the
    person, composed unless it is set otherwise; its first failure is a line of kind review_failure.
    With --store or --person it takes a note on the present of the persons in the store, and keeps
    it there. Nothing of it ever reaches a person.
    """
    from mindpipe.person.records.thought import NO_VOICE
    from mindpipe.review.verbs import ReviewOfLines, review

    if model == NO_VOICE:
        raise UsageError("none is for persons without thoughts; leave --model out, or name one.")
    voices, asked = voices_of(session, record=record), asked_model(session, model)
    if in_store(session, person=person, file=given["file"]):
        from mindpipe.person.verbs import persons

        store = session.store
        names = persons.ids(store) if person is None else [person]
        present = (persons.load(store, person=name) for name in names)
        _write(session, review(store, present, voices, model=asked, tell=output.say))
        return
    notes = ReviewOfLines(voices, model=asked, tell=output.say)

    def hear(line: FilterLine) -> Iterator[object]:
        if line.partial is not None:
            yield from notes.hear(line.partial.record, line.partial.given)

    filter_lines(session, FilterOptions(**given), hear, write=_write, end=notes.end)


def _write(session: Session, notes: Iterable[object]) -> None:
    """Write notes as records, or one line each where a person reads them on a terminal."""
    if not (session.shape == "table" and output.on_terminal("stdout")):
        readable.write(session, notes, columns=_COLUMNS)
        return

    from mindpipe.review.records import ReviewFailure, ReviewNote

    console = output.paper()
    for note in notes:
        if isinstance(note, ReviewNote | ReviewFailure):
            console.print(line_of(note), soft_wrap=True)


def line_of(note: "ReviewNote | ReviewFailure") -> "Text":
    """Return a note as one line of a terminal; of a failure, what failed."""
    from rich.text import Text

    from mindpipe.review.records import ReviewNote

    words = note.content if isinstance(note, ReviewNote) else f"no note: {note.message}"
    said = terminal_text(f" {instant_text(note.t_us)} {note.person}: {' '.join(words.split())}")
    return Text.assemble((TAG, COLOUR), said)
