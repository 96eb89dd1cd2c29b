"""Add labels and rates to the thoughts among lines, and make thoughts of answers."""

import os
from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.faults import problems_of
from mindpipe.core.strict_json import load_json
from mindpipe.person.glimpses import ANYONE
from mindpipe.person.records.person import ParserName, Person
from mindpipe.person.records.thought import Thought
from mindpipe.person.verbs.feedback import answered, feedback
from mindpipe.person.voicing import About
from mindpipe_cli import documents, readable
from mindpipe_cli.session import Session
from mindpipe_cli.sifting import glimpsing
from mindpipe_cli.sifting.glimpsing import Line

_COLUMNS = ("person", "t_us", "labels", "parser", "rates", "content")


class Wish(glimpsing.Wish):
    """What the options of `mind feedback` ask for."""

    parser: ParserName | None = None


class _Answered(msgspec.Struct):
    """An answer of `mind complete` to a request for a thought; what else it says is of no use."""

    text: str
    about: About
    model: str = ""


def label(session: Session, wish: Wish, *, text: str | None) -> None:
    """Write lines with their thoughts labelled, or one thought that is given as text.

    Raises:
        BadInputError: a line is bad, unless bad lines are skipped.
        NothingToDoError: there was no line.
        UnavailableError: a record is of a newer version.
    """
    if text is not None:
        words = _words_of(text)
        thought = Thought(person=ANYONE, t_us=0, id="", mode="spontaneous", content=words)
        found = feedback(thought, parser=wish.parser or "seed")
        told = _told({"kind": "thought", "content": words}, found)
        readable.write(session, [told], columns=_COLUMNS)
        return
    write = glimpsing.in_columns(*_COLUMNS)
    glimpsing.sift(session, wish, _Labelling(wish.parser).step, write=write)


def _words_of(text: str) -> str:
    """Return the words of --text, or those on stdin for `-`."""
    octets = documents.whole("-").octets if text == "-" else os.fsencode(text)
    return octets.removesuffix(b"\n").decode("utf-8", "replace")


class _Labelling:
    """The parser that is wished, or else those that persons are set to."""

    def __init__(self, parser: ParserName | None) -> None:
        self._parser: ParserName | None = parser
        self._set: dict[str, ParserName] = {}

    def step(self, line: Line) -> Iterator[object]:
        """Yield a line, a thought with labels and rates; raises BadInputError for a bad one."""
        if line.glimpse is None:
            yield self._of_no_kind(line)
            return
        record = line.glimpse.record
        if isinstance(record, Person):
            self._set[record.person] = record.settings.parser
        if not isinstance(record, Thought):
            yield glimpsing.passing(line)
            return
        parser: ParserName = self._parser or self._set.get(record.person, "seed")
        try:
            found = feedback(record, parser=parser)
        except ValueError as error:
            raise line.problem("$.labels", str(error)) from error
        yield found if line.glimpse.given is None else _told(line.glimpse.given, found)

    def _of_no_kind(self, line: Line) -> object:
        """Return the thought that an answer is, or else the line as it came."""
        if b'"about"' not in line.octets:
            return glimpsing.passing(line)
        given = load_json(line.octets, source=line.place.source, line=line.place.line)
        if not isinstance(given, dict) or "kind" in given or "about" not in given:
            return glimpsing.passing(line)
        if faults := problems_of(given, _Answered, source=line.place.source, line=line.place.line):
            raise BadInputError(faults)
        answer = msgspec.convert(given, _Answered)
        return answered(answer.about, answer.text, model=answer.model, parser=self._parser)


def _told(given: dict[str, object], thought: Thought) -> dict[str, object]:
    """Return a thought that says less than a whole one, with what was found."""
    found = {name: getattr(thought, name) for name in ("labels", "parser", "rates", "hold_s")}
    return {**given, **found}
