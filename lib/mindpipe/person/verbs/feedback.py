"""Say of thoughts what they are labelled and what that does to the body."""

from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.problems import problems_of
from mindpipe.person.body.modes import feedback_to_changes
from mindpipe.person.lines import FilterLine
from mindpipe.person.mind.labels import parsed, thought_of
from mindpipe.person.mind.parsers.scores import LabelledText, Parse, Score, scores
from mindpipe.person.records.person import ParserName, Person
from mindpipe.person.records.thought import COMPOSED, PendingThought, Thought

PARSERS: tuple[ParserName, ...] = ("seed", "improved")


def feedback(thought: Thought, *, parser: ParserName = "seed") -> Thought:
    """Return a thought with its labels, the parser that found them, and its rates per second.

    Labels that stand there without a parser were given by hand: they stay, and have their rates.

    Raises:
        ValueError: a label that was given is none that a thought can have.
    """
    if thought.labels and not thought.parser:
        return msgspec.structs.replace(thought, rates=feedback_to_changes(thought.labels))
    found = parsed(thought.content, parser)
    return msgspec.structs.replace(
        thought, labels=found.labels, parser=found.parser, rates=found.rates
    )


def answered(
    about: PendingThought, words: str, *, model: str, parser: ParserName | None = None
) -> Thought:
    """Return the thought that a model's answer to a request for one is.

    `parser` stands before the one that the request names.
    """
    wished = about if parser is None else msgspec.structs.replace(about, parser=parser)
    return thought_of(wished, words, model=model, composed=model == COMPOSED)


def score(rows: Sequence[LabelledText]) -> list[Score]:
    """Return how well each parser finds the labels of a labelled set, part by part."""
    return [
        found for parser in PARSERS for found in scores(rows, _labels_by(parser), parser=parser)
    ]


def _labels_by(parser: ParserName) -> Parse:
    """Return what finds labels by a parser."""
    return lambda text: parsed(text, parser).labels


class _Answered(msgspec.Struct):
    """An answer of `mind complete` to a request for a thought; what else it says is of no use."""

    text: str
    about: PendingThought
    model: str = ""


class FeedbackOfLines:
    """Labels thoughts by one parser, or else each by the one that its person is set to."""

    def __init__(self, parser: ParserName | None) -> None:
        self._parser: ParserName | None = parser
        self._set: dict[str, ParserName] = {}

    def feedback(self, line: FilterLine) -> Iterator[object]:
        """Yield a line, a thought with labels and rates; raises BadInputError for a bad one."""
        if line.partial is None:
            yield self._of_no_kind(line)
            return
        record = line.partial.record
        if isinstance(record, Person):
            self._set[record.person] = record.settings.parser
        if not isinstance(record, Thought):
            yield line.as_it_came()
            return
        parser: ParserName = self._parser or self._set.get(record.person, "seed")
        try:
            found = feedback(record, parser=parser)
        except ValueError as error:
            raise line.problem("$.labels", str(error)) from error
        yield found if line.partial.given is None else with_labels(line.partial.given, found)

    def _of_no_kind(self, line: FilterLine) -> object:
        """Return the thought that an answer is, or else the line as it came."""
        if b'"about"' not in line.octets:
            return line.as_it_came()
        given = load_json(line.octets, source=line.place.source, line=line.place.line)
        if not isinstance(given, dict) or "kind" in given or "about" not in given:
            return line.as_it_came()
        if faults := problems_of(given, _Answered, source=line.place.source, line=line.place.line):
            raise BadInputError(faults)
        answer = msgspec.convert(given, _Answered)
        return answered(answer.about, answer.text, model=answer.model, parser=self._parser)


def with_labels(given: dict[str, object], thought: Thought) -> dict[str, object]:
    """Return a thought that says less than a whole one, with what was found."""
    found = {name: getattr(thought, name) for name in ("labels", "parser", "rates", "hold_s")}
    return {**given, **found}
