"""`mind decide`: judge what an agent proposes, in the store or as it comes by."""

import click

from mindpipe_cli.command import command
from mindpipe_cli.options import any_agent_option, file_argument
from mindpipe_cli.session import Session

_JUDGED = ("type", "threshold", "why", "undoable", "proposal")
_DECIDED = ("id", "agent", "state", "type", "why", "proposal")


@command(
    "decide",
    example="""echo '{"kind":"note","tool":"set_memory","confidence":0.8}' | mind decide""",
)
@file_argument
@any_agent_option
def COMMAND(session: Session, file: str, agent: str | None) -> None:
    """Judge proposals by their confidence, their importance and the bar of their kind.

    With --agent it judges what that agent proposed since, and nothing runs: mind act does that.
    Without it is a filter, and no store is needed: one proposal per line of FILE or stdin, and one
    judgement per line on stdout. No proposal is exit status 3.
    """
    from mindpipe_cli import judging

    if agent is None:
        session.write(judging.over_lines(session, file), columns=_JUDGED)
    elif file != "-":
        raise click.UsageError("give --agent for the store, or a FILE of proposals, not both.")
    else:
        session.write(judging.over_store(session, agent), columns=_DECIDED)
