"""`mind consolidate`: turn what is remembered into what is held true, with its evidence."""

import click
import msgspec

from mindpipe_cli.command import command
from mindpipe_cli.options import (
    any_agent_option,
    entities_option,
    file_argument,
    known_option,
    lessons_option,
    limit_option,
    model_options,
    output_option,
    reflections_option,
)
from mindpipe_cli.session import Session


@command("consolidate", example="mind consolidate --known held.jsonl < items.jsonl > next.jsonl")
@file_argument
@any_agent_option
@known_option
@limit_option(5_000)
@click.option("--review", is_flag=True, help="Leave every supersession to a person.")
@click.option("--verdicts", metavar="FILE", help="Take these verdicts on items; judge nothing.")
@lessons_option
@reflections_option
@entities_option
@click.option("--marks", metavar="FILE", help="Write which item replaces or contradicts which.")
@click.option("--decisions", metavar="FILE", help="Write each verdict with its weights.")
@model_options
@output_option
def COMMAND(session: Session, **wishes: str | int | bool | None) -> None:
    """Read what is new in the memory of --agent and print what changed, subject by subject.

    Claims are found by rules and weighed against what is held: they support it, say it more
    exactly, replace it, contradict it or end it. One run reads --limit items, the oldest of every
    subject in turn; two runs at a time never do the same work, and status 3 says that nothing is
    new. Without --agent it is a filter: items on stdin, observations on stdout, those of --known
    first. The lines of --verdicts, such as {"relation": "supersedes", "old": ["m1"], "new":
    ["m3"]}, say which items supersede or contradict which (mind schema given-verdict). With
    --model claims are put into words by a model that must cite the evidence it was shown: what does
    not is refused, and is worded by rules as everything is without it.
    """
    from mindpipe_cli import consolidating

    consolidating.consolidate(session, msgspec.convert(wishes, consolidating.Wish))
