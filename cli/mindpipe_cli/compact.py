"""`mind compact`: fold old cycles out of a window, at once or by a plan that can be read."""

from collections.abc import Callable
from typing import TypeVar, get_args

import click

from mindpipe.agents.records import StrategyName
from mindpipe_cli.command import command, group
from mindpipe_cli.named_files import words_or_file
from mindpipe_cli.options import (
    agent_option,
    any_agent_option,
    explain_option,
    file_argument,
    format_option,
    model_options,
    output_option,
    repair_option,
    sdk_options,
    whole,
)
from mindpipe_cli.session import Session

Value = str | int | float | bool | None
F = TypeVar("F", bound=Callable[..., None])

_OPTIONS = (
    any_agent_option,
    click.option(
        "--budget",
        type=whole(1),
        metavar="N",
        help="Tokens that the window may have [70 % of the agent's max_tokens].",
    ),
    click.option(
        "--keep-cycles",
        type=whole(),
        metavar="N",
        help="Cycles at the end that stay whole while they fit [as set for the agent, or 10].",
    ),
    click.option(
        "--strategy",
        type=click.Choice(get_args(StrategyName)),
        help="What stands for old cycles [as set for the agent, or self-summary].",
    ),
    click.option(
        "--floor",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="Refuse a plan that keeps less than this share of the anchors it finds [0].",
    ),
    explain_option,
    click.option(
        "--inbox",
        metavar="TEXT",
        callback=words_or_file,
        help="What the strategy semantic looks for [what waits, or was said last]; @FILE reads it.",
    ),
    model_options,
    format_option(required=False),
    repair_option,
    sdk_options,
)


def _wish_options(function: F) -> F:
    """Declare what a plan is made by, over a store and over messages."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@command("compact", example="mind compact --budget 20000 < messages.jsonl > window.jsonl")
@_wish_options
@output_option
def alone(session: Session, **wishes: Value) -> None:
    """Fold old cycles out of the window of --agent, and print what changed.

    The log stays whole: mind compact undo brings the window back, mind history show shows all.
    With --budget, and as a filter, a window that fits stays as it is; without one all but the
    newest cycles are folded at once.
    Without --agent it is a filter: messages on stdin, their window on stdout in the same form, and
    no store is needed.
    """
    from mindpipe_cli import compacting

    compacting.at_once(session, wishes)


@command("plan", example="mind compact plan --agent ava > plan.jsonl")
@_wish_options
@file_argument
def plan(session: Session, **wishes: Value) -> None:
    """Print what would be folded, and change nothing.

    A plan is a record, then the parts of the window one per line; on a terminal it is shown as by
    mind compact diff. Without --agent the messages of FILE or stdin are planned.
    """
    from mindpipe_cli import compacting

    compacting.plan(session, wishes)


@command("diff", example="mind compact plan --agent ava | mind compact diff")
@file_argument
def diff(session: Session, file: str) -> None:
    """Show what a plan would change: what leaves, what stays, tokens before and after.

    It reads the plan alone and needs no store.
    """
    from mindpipe_cli import comparing

    comparing.compare(session, file=file)


@command("apply", example="mind compact apply plan.jsonl")
@file_argument
def apply(session: Session, file: str) -> None:
    """Put the window of a plan in force, byte for byte, unless the log has moved since.

    Ends with 75 if it has: then plan again.
    """
    from mindpipe_cli import folding

    folding.apply(session, file=file)


@command("undo", example="mind compact undo --agent ava")
@agent_option
def undo(session: Session, agent: str) -> None:
    """Bring back the window as it was before the newest change that is in force.

    It can be repeated until the whole log is sent; it is a change itself and stays listed.
    """
    from mindpipe_cli import folding

    folding.undo(session, agent=agent)


@command("list", example="mind compact list --agent ava --table")
@agent_option
def list_(session: Session, agent: str) -> None:
    """Print every change of an agent's window, oldest first."""
    from mindpipe_cli import folding

    folding.list_(session, agent=agent)


COMMAND = group("compact", plan, diff, apply, undo, list_, alone=alone)
