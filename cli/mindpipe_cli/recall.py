"""`mind recall`: find again what was lived through, remembered or held true."""

import click

from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    any_agent_option,
    as_of_option,
    entities_option,
    explain_option,
    kind_option,
    known_option,
    lessons_option,
    queries_option,
    reflections_option,
    since_option,
    speaker_option,
    subject_option,
    until_option,
    whole,
)
from mindpipe_cli.recall_embed import embed
from mindpipe_cli.session import Session

Wish = str | int | bool | None


@command("recall", example="mind recall 'Which hotel did Mia like last May?' --agent ava -k 5")
@any_agent_option
@click.option(
    "-k", "limit", type=whole(1, 10_000), default=10, metavar="N", help="So many answers [10]."
)
@queries_option
@click.option("--items", metavar="FILE", help="Items as JSON Lines, in the place of a store's.")
@click.option(
    "--index",
    metavar="FILE",
    help="A YAML index that leads to files, which answer too [recall.index].",
)
@lessons_option
@reflections_option
@entities_option
@known_option
@click.option(
    "--marked", metavar="FILE", help="The marks of items, as mind consolidate --marks writes them."
)
@kind_option
@speaker_option
@subject_option
@since_option
@until_option
@click.option("--trusted", is_flag=True, help="Nothing written under untrusted sources.")
@as_of_option
@click.option("--history", is_flag=True, help="What was archived, replaced or refuted as well.")
@explain_option
@click.argument("query", required=False)
def alone(session: Session, **wishes: Wish) -> None:
    """Print what answers QUERY best, of all that --agent lived, remembers and holds true.

    Nothing in the query is syntax, but for double quotes around words that belong together. Names,
    and dates like "last May", "yesterday", "2026-06-07" or "between 1 June and 10 June", are
    understood; these count from --now, or from the query's "at". What was added counts as known
    from then on, unless its line has "learnt": --as-of an earlier instant does not find it.
    With --queries each record names its query and its rank, and what was found by its ref. Without
    --agent the files of --items, --lessons, --reflections, --entities, --known and --marked are
    searched, and no store is needed.

    Of why: words, vector and graph (relations of who is named) are how well it fits, "nearby" and
    "in its session" what stands beside it; named: said by or about who is named; days: of the days
    asked for; other side: it disagrees with what fits as well. What replaced something stands above
    it, and the other side right below, whatever their scores.

    A --kind is a kind of item or observation, a role, or one of item, message, reflection, lesson,
    entity, observation and file.

    --index leads to Markdown files: an intent whose keywords are in the query leads to another
    index, an entry to its file, and the passages of it that share words with the query answer.
    Those of a companion (kant_memory.md beside kant.md) count twice, and under the same heading
    its file gives way to it. Filters leave files out; recall-index in mind-records(5) is what an
    index holds.
    """
    from mindpipe_cli import recalling

    recalling.recall(session, wishes)


@command("reindex", example="mind recall reindex")
def reindex(session: Session) -> None:
    """Make the index of all agents anew from what they lived, remember and hold true.

    It is made from these alone; everything new is taken in by itself when it is searched.
    """
    from mindpipe_cli import recalling

    recalling.reindex(session)


COMMAND = group("recall", reindex, embed, alone=alone)
