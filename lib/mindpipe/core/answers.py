"""The lines of JSON that a language model answers with, each a record or what is wrong with it."""

from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import Record

R = TypeVar("R", bound=Record)


class AnswerLine(NamedTuple, Generic[R]):
    """One line of an answer: its number, its text, and the record, or all that is wrong with it."""

    number: int
    text: str
    record: R | None
    problems: Sequence[Problem] = ()

    @property
    def why(self) -> str:
        """Return what is wrong with it first, in words."""
        field = self.problems[0].field
        return f"{field}: {self.problems[0].message}" if field else self.problems[0].message


def answer_lines(answer: str, into: type[R], *, source: str = "answer") -> Iterator[AnswerLine[R]]:
    """Yield the lines of an answer but blank ones, fences, and `{}`, which says nothing."""
    for number, line in enumerate(answer.splitlines(), 1):
        text = line.strip()
        if text in ("", "{}") or text.startswith("```"):
            continue
        try:
            value = load_json(text, source=source, line=number)
        except BadInputError as error:
            yield AnswerLine(number, text, None, error.problems)
            continue
        problems = problems_of(value, into, source=source, line=number)
        record = None if problems else msgspec.convert(value, into)
        yield AnswerLine(number, text, record, problems)
