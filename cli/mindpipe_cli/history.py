"""`mind history`: the append-only log of what an agent lived through."""

import click

from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    IN_FORCE,
    agent_option,
    any_agent_option,
    by_option,
    cycle_option,
    file_argument,
    format_option,
    limit_option,
    model_option,
    output_option,
    queries_option,
    repair_option,
    sdk_options,
    whole,
)
from mindpipe_cli.session import Session

Wish = str | int | bool | None
_CHECKED = ("ai-sdk", "anthropic", "mindpipe", "openai-chat", "openai-responses")


@command("show", example="mind history show --agent ava --cycle 3")
@agent_option
@cycle_option
@limit_option(None)
@click.option(
    "--window",
    is_flag=False,
    flag_value=IN_FORCE,
    type=whole(IN_FORCE),
    metavar="[NUMBER]",
    help="What the model sees: the summary, then the cycles sent; or what a compaction made of it "
    "(0: all of the log).",
)
@click.option(
    "--covers", metavar="A-B", help="The messages of these cycles, for which a summary stands."
)
def show(session: Session, **wishes: Wish) -> None:
    """Print an agent's messages: a timeline on a terminal, canonical records anywhere else.

    All of the log is shown, whatever of it a model sees.
    """
    from mindpipe_cli import history_views

    history_views.show(session, wishes)


@command("cycles", example="mind history cycles --agent ava --limit 10 --table")
@agent_option
@limit_option(None)
def cycles(session: Session, agent: str, limit: int | None) -> None:
    """Print an agent's cycles: what began each, how it ended, what it took, whose words it read."""
    from mindpipe_cli import history_views

    history_views.cycles(session, agent=agent, limit=limit)


@command("search", example="mind history search --agent ava 'report \"third quarter\" hotel*'")
@agent_option
@click.option(
    "--any",
    "words",
    flag_value="any",
    default="all",
    help="Any of the words will do: a question is a query too.",
)
@queries_option
@limit_option(20)
@click.argument("query", required=False)
def search(session: Session, **wishes: Wish) -> None:
    """Print the messages that hold all words of QUERY, the best first.

    "Words in quotes" belong together; a word ending in * stands for all that begin like it. With
    --any function words and the endings of words do not matter, and what was said beside a message
    counts for it. With --queries each record names its query and its rank.
    """
    from mindpipe_cli import searching

    searching.search(session, wishes)


@command("export", example="mind history export --agent ava --format anthropic --output ava.json")
@any_agent_option
@format_option(required=True)
@cycle_option
@click.option("--import", "document", metavar="ID", help="Give back one imported document.")
@sdk_options
@click.option("--losses", metavar="FILE", help="Write what the form cannot carry, one by one.")
@output_option
@file_argument
def export(session: Session, **wishes: Wish) -> None:
    """Write a history in the form of another program; what it cannot carry is counted on stderr.

    An imported file comes back as it was read if the history is nothing else. Without --agent the
    canonical rows of FILE or stdin are written, and no store is needed.
    """
    from mindpipe_cli import history_export

    history_export.export(session, wishes)


@command("import", example="mind history import --agent ava --format openai-chat chat.json")
@any_agent_option
@format_option(required=True)
@repair_option
@click.option("--trust", is_flag=True, help="Do not taint the imported text.")
@file_argument
def import_(session: Session, **wishes: Wish) -> None:
    """Take the conversations of FILE (or stdin; .gz too) into a history: all of them or none.

    Without --agent their canonical rows are printed, and no store is needed.
    """
    from mindpipe_cli import history_import

    history_import.import_(session, wishes)


@command(
    "check",
    example="mind history export --agent ava --format anthropic | "
    "mind history check --for anthropic",
)
@any_agent_option
@click.option("--for", "format", type=click.Choice(_CHECKED), help="The API that would be asked.")
@model_option
@sdk_options
@click.option(
    "--as", "kind", type=click.Choice(["request", "history"]), help="What FILE is taken for."
)
@click.option("--warnings-as-errors", is_flag=True, help="End with 65 for a warning too.")
@file_argument
def check(session: Session, **wishes: Wish) -> None:
    """Say what an API would refuse in FILE, or in an agent's history; ends with 65 if anything.

    The judge is independent of what writes requests. With --agent rules H1 to H13 are checked too.
    """
    from mindpipe_cli import history_check

    history_check.check(session, wishes)


@command("verify", example="mind history verify --agent ava --anchor $(cat ava.anchor)")
@agent_option
@click.option("--anchor", metavar="SHA", help="A head hash that was kept elsewhere.")
def verify(session: Session, agent: str, anchor: str | None) -> None:
    """Walk the hash chain of an agent's log and name every row that is not what was written.

    Prints the head hash as `anchor`: kept elsewhere, it shows later whether rows at the end were
    cut off or all were written anew. Ends with 65 if a row is broken, 3 if there is none.
    """
    from mindpipe_cli import history_views

    history_views.verify(session, agent=agent, anchor=anchor)


@command("trust", example="mind history trust --agent ava 3 4")
@agent_option
@click.argument("cycles", nargs=-1, required=True, type=whole(1), metavar="CYCLE...")
@by_option
def trust(session: Session, agent: str, cycles: tuple[int, ...], by: str | None) -> None:
    """Vouch for cycles, once you have read them: what they took in no longer taints a turn.

    A later cycle that was shown them has their sources too; mind history cycles lists them. It is
    recorded, and the log itself does not change.
    """
    from mindpipe_cli import clearing

    clearing.cycles(session, agent=agent, numbers=cycles, by=by)


COMMAND = group("history", show, cycles, search, export, import_, check, verify, trust)
