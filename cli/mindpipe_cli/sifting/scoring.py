"""Say how well the parsers of thoughts find the labels of a set."""

from collections.abc import Iterator

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json
from mindpipe.person.feedback.labelled import LabelledLine, labelled_line, labelled_set
from mindpipe.person.verbs import feedback
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents, output
from mindpipe_cli.input import name_of
from mindpipe_cli.session import Session

_COLUMNS = (
    "part",
    "parser",
    "label",
    "precision",
    "recall",
    "f1",
    "kappa",
    "true_positives",
    "false_positives",
    "false_negatives",
    "true_negatives",
)
_MOST_PROBLEMS = 100


def score(session: Session, *, file: str, part: str | None) -> None:
    """Write the scores of both parsers over a labelled set, any distortion first, then by class.

    Raises:
        BadInputError: the faults of all lines, up to a number that a person can read.
        NothingToDoError: there is no line, or none with a label that is known.
    """
    problems: list[Problem] = []
    lines: list[LabelledLine] = []
    for line in _lines(file):
        if isinstance(line, Problem):
            problems.append(line)
        else:
            lines.append(line)
    if problems:
        raise BadInputError(problems[:_MOST_PROBLEMS])
    found = labelled_set(lines, part=part)
    if not found.rows:
        raise NothingToDoError(f"{name_of(file)} holds no thought with a label that is known.")
    if found.left_out:
        output.say(f"left out for having no label that is known: {found.left_out}.")
    session.write(feedback.score(found.rows), columns=_COLUMNS)


def _lines(file: str) -> Iterator[LabelledLine | Problem]:
    """Yield the lines of a set, and what is wrong with others."""
    source = name_of(file)
    with documents.opened(file) as stream:
        for line in bounded_lines(stream, limit=EVENT_BYTES, source=source, setting=""):
            if isinstance(line, Problem):
                yield line
                continue
            number, octets = line
            try:
                given = load_json(octets, source=source, line=number)
                if not isinstance(given, dict):
                    raise ValueError("expected an object")
                yield labelled_line(given)
            except BadInputError as error:
                yield from error.problems
            except ValueError as error:
                yield Problem(source=source, line=number, message=str(error))
