"""`mind feedback`: what thoughts are labelled, and what that does to the body."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

import click

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.json import load_json
from mindpipe.core.problems import Problem
from mindpipe.io.lines import EVENT_BYTES, bounded_lines
from mindpipe.person.lines import ANYONE
from mindpipe.person.records.person import ParserName
from mindpipe.person.records.thought import Thought
from mindpipe_cli import input, output, readable
from mindpipe_cli.command import command
from mindpipe_cli.input import name_of
from mindpipe_cli.options import file_argument, on_error_options, text_option
from mindpipe_cli.person_filter import FilterOptions, filter_lines, in_columns
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.person.mind.parsers.labelled import LabelledLine, LabelledSet

_COLUMNS = ("person", "t_us", "labels", "parser", "rates", "content")
_SCORE_COLUMNS = (
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


@command(
    "feedback",
    example='mind feedback --text "I can\'t stop thinking about it" --parser improved',
)
@file_argument
@click.option(
    "--parser",
    type=click.Choice(get_args(ParserName)),
    help="What finds labels: keywords as they stand, or patterns [as set for the person, or seed].",
)
@text_option
@click.option(
    "--score",
    metavar="FILE",
    help="Print how well both parsers find the labels of this labelled set, and label nothing.",
)
@click.option(
    "--split",
    type=click.Choice(["dev", "test"]),
    help="With --score, the part of the set that FILE is [as its lines say, or by their hash].",
)
@on_error_options
def COMMAND(
    session: Session,
    parser: ParserName | None,
    text: str | None,
    score: str | None,
    split: str | None,
    **given: str,
) -> None:
    """Add labels to thoughts, and the rates per second by which they push the body's modes.

    A thought needs kind and content alone. Answers of mind complete to what mind feel --prompt
    asked become thoughts. Labels that a thought has from no parser stay. Other lines pass on. With
    --text the words are one thought, and no lines are read.

    A line of a labelled set has content and labels, text and label, or prompt and completion, and
    may say its split, dev or test; one of five is test where none says it.
    """
    if score is not None:
        _score(session, file=score, part=split)
        return
    if text is not None:
        _label_text(session, text, parser=parser)
        return
    from mindpipe.person.verbs.feedback import FeedbackOfLines

    write = in_columns(*_COLUMNS)
    filter_lines(session, FilterOptions(**given), FeedbackOfLines(parser).feedback, write=write)


def _label_text(session: Session, text: str, *, parser: ParserName | None) -> None:
    """Write the thought that words are, `-` for those on stdin."""
    from mindpipe.person.verbs.feedback import feedback, with_labels

    octets = input.words_on_stdin() if text == "-" else os.fsencode(text)
    words = octets.removesuffix(b"\n").decode("utf-8", "replace")
    thought = Thought(person=ANYONE, t_us=0, id="", mode="spontaneous", content=words)
    found = feedback(thought, parser=parser or "seed")
    readable.write(
        session, [with_labels({"kind": "thought", "content": words}, found)], columns=_COLUMNS
    )


def _score(session: Session, *, file: str, part: str | None) -> None:
    """Write the scores of both parsers over a labelled set, any distortion first, then by class.

    Raises:
        BadInputError: the faults of all lines, up to a number that a person can read.
        NothingToDoError: there is no line, or none with a label that is known.
    """
    from mindpipe.person.verbs.feedback import score

    found = labelled_thoughts(file, part=part)
    if not found.rows:
        raise NothingToDoError(f"{name_of(file)} holds no thought with a label that is known.")
    if found.left_out:
        output.say(f"left out for having no label that is known: {found.left_out}.")
    session.write(score(found.rows), columns=_SCORE_COLUMNS)


def labelled_thoughts(file: str, *, part: str | None) -> "LabelledSet":
    """Return a labelled set from its file; raises BadInputError for the faults of its lines."""
    from mindpipe.person.mind.parsers.labelled import labelled_set

    problems: list[Problem] = []
    lines: list[LabelledLine] = []
    for line in _labelled_lines(file):
        if isinstance(line, Problem):
            problems.append(line)
        else:
            lines.append(line)
    if problems:
        raise BadInputError(problems[:_MOST_PROBLEMS])
    return labelled_set(lines, part=part)


def _labelled_lines(file: str) -> "Iterator[LabelledLine | Problem]":
    """Yield the lines of a set, and what is wrong with others."""
    from mindpipe.person.mind.parsers.labelled import labelled_line

    source = name_of(file)
    with input.open_input(file) as stream:
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
