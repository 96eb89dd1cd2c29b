"""Add lessons as the options of `mind lesson add` ask."""

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.memory.faults import written_faults
from mindpipe.memory.records import GivenLesson
from mindpipe.memory.verbs import lessons
from mindpipe_cli import remembering
from mindpipe_cli.remembering import Kind, Wish
from mindpipe_cli.session import Session


class Given(Record):
    """What the options of `mind lesson add` ask for."""

    file: str = "-"
    text: str | None = None
    when: str | None = None
    key: str | None = None
    source: str | None = None
    on_error: str = "stop"
    rejects: str | None = None


def add(session: Session, agent: str, given: Given) -> None:
    """Add the lessons of lines or of --text to the store."""
    kind: Kind[GivenLesson] = Kind(
        GivenLesson,
        written_faults,
        lambda bad_lines: lessons.adding(
            session.store, session.clock, session.chance, agent=agent, bad_lines=bad_lines
        ),
    )
    if given.text is not None:
        text = remembering.words_of(given.text)
        lesson = GivenLesson(text=text, when=given.when, key=given.key)
        remembering.add_one(session, lesson, kind, source=given.source)
        return
    if given.when or given.key:
        raise UsageError("--when and --key go with --text; lines say their own.")
    wish = Wish(
        file=given.file, source=given.source, on_error=given.on_error, rejects=given.rejects
    )
    remembering.add_lines(session, wish, kind)
