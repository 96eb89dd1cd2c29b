"""Take a note on a person when one is due, whatever becomes of the model that is asked."""

from mindpipe.core.said import Said
from mindpipe.core.text import terminal_text
from mindpipe.review import ask
from mindpipe.review.buffer import Reviewer
from mindpipe.review.composed import MODEL
from mindpipe.review.records import (
    Observation,
    Observer,
    Question,
    ReviewError,
    ReviewFailure,
    Seen,
)

MOST_CHARACTERS = 8_000
"""How much of a model's note is kept."""


def review(
    reviewer: Reviewer, seen: Seen, observer: Observer, *, person: str, model: str
) -> Observation | ReviewFailure | None:
    """Return a note on the thoughts in view, or None where none is due.

    When it looked is set before the model is asked, so that failures cannot flood. A call that
    fails is a record like any other: nothing is raised for it.
    """
    if not reviewer.is_due(seen):
        return None
    reviewer.last_us = seen.t_us
    question = ask.question(seen, reviewer.thoughts)
    try:
        note = observer(question)
        content = _kept(note)
        if not content:
            raise ReviewError("the note is empty", error_class="empty_note")
    except ReviewError as error:
        return _failure(error, seen, person=person, model=model)
    by = note.model if isinstance(note, Said) else model
    return _observation(question, content, person=person, model=by)


def _kept(note: str) -> str:
    """Return a note as it is stored: without control characters, and not without end."""
    return terminal_text(note)[:MOST_CHARACTERS].strip()


def _failure(error: ReviewError, seen: Seen, *, person: str, model: str) -> ReviewFailure:
    """Return the record of a call that failed."""
    return ReviewFailure(
        person=person,
        t_us=seen.t_us,
        model=model,
        error_class=error.error_class,
        message=str(error),
    )


def _observation(question: Question, content: str, *, person: str, model: str) -> Observation:
    """Return the record of a note."""
    return Observation(
        person=person,
        t_us=question.seen.t_us,
        content=content,
        thoughts=tuple(thought.id for thought in question.thoughts),
        model=model,
        composed=model == MODEL,
    )
