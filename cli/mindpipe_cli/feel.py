"""`mind feel`: how states are felt, and what the inner voice is asked about them."""

from collections.abc import Iterable
from typing import get_args

import click

from mindpipe.person.records.state import ThoughtMode
from mindpipe.person.records.thought import ThoughtRequest
from mindpipe_cli import readable
from mindpipe_cli.command import command
from mindpipe_cli.options import file_argument, on_error_options
from mindpipe_cli.person_filter import FilterOptions, filter_lines, in_columns
from mindpipe_cli.session import Session


@command("feel", example="mind simulate tick --dt 60 < mara.jsonl | mind feel")
@file_argument
@click.option(
    "--prompt",
    type=click.Choice(get_args(ThoughtMode)),
    help="Print what the inner voice is asked, as requests for mind complete, and nothing else.",
)
@on_error_options
def COMMAND(session: Session, prompt: ThoughtMode | None, **given: str) -> None:
    """Add to each state the lines in which it is felt and their codes, and pass other lines on.

    A state needs kind and read alone; what read does not say is not felt. With --prompt react
    there is a request for each line of mind salience with a trigger, with spontaneous for each
    state of somebody awake, with respond for each event of speech or action; persons, thoughts and
    memories that come before are who is asked, and what is looked back on.
    """
    options = FilterOptions(**given)
    if prompt is None:
        from mindpipe.person.verbs.feel import feel

        filter_lines(session, options, feel, write=in_columns("person", "t_us", "codes", "felt"))
        return
    from mindpipe.person.verbs.thought_requests import RequestsOfLines

    filter_lines(session, options, RequestsOfLines(prompt).requests, write=_write_requests)


def _write_requests(session: Session, requests: Iterable[object]) -> None:
    """Write requests; in a table these are what is asked of whom, when, and in which mode."""
    if session.shape != "table":
        session.write(requests, columns=("about", "system", "messages"))
        return
    readable.write(session, map(_asked, requests), columns=("person", "t_us", "mode", "asked"))


def _asked(request: object) -> dict[str, object]:
    """Return what people are told of a request."""
    assert isinstance(request, ThoughtRequest)
    moment = request.about.moment
    words = request.messages[0].parts[0].text
    return {"person": moment.person, "t_us": moment.t_us, "mode": moment.mode, "asked": words}
