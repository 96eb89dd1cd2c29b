"""`mind observation`: what an agent holds true, why, and what a person says to it."""

import click

from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    agent_option,
    any_agent_option,
    as_of_option,
    at_option,
    by_option,
    dry_run_option,
    explain_option,
    kind_option,
    known_option,
    limit_option,
    subject_option,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "status", "summary", "confidence", "freshness", "last_supported_at", "contested")
_STOOD = ("at", "observation", "status", "value", "confidence", "freshness", "by", "why")
_EXPLAINED = (
    "part",
    "name",
    "value",
    "share",
    "points",
    "ref",
    "at",
    "text",
    "quote",
    "found",
    "why",
)
_DECISIONS = ("id", "at", "call", "state", "canonical_key", "old_value", "new_value", "by", "why")
_LOOKED = ("observation", "summary", "before", "after", "confidence", "freshness", "why")
_ids = click.argument("ids", nargs=-1, required=True, metavar="ID...")


@command("list", example="mind observation list --agent ava --subject sarah --table")
@any_agent_option
@kind_option
@subject_option
@click.option(
    "--status",
    type=click.Choice(["active", "stale", "superseded", "invalidated"]),
    help="Those that stand so alone.",
)
@as_of_option
@limit_option(None)
@known_option
def list_(session: Session, limit: int | None, **wishes: str | None) -> None:
    """Print what is held true, the best supported first, with what is held no longer behind it.

    In a file, as in a store, every figure is of now, or of the instant that is asked for.
    """
    from mindpipe_cli import believing

    place = believing.Place(wishes["agent"], wishes["known"], wishes["as_of"])
    choice = believing.Choice(wishes["kind"], wishes["subject"], wishes["status"])
    session.write(believing.listed(session, place, choice, limit), columns=_COLUMNS)


@command("show", example="mind observation show --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz --explain")
@_ids
@any_agent_option
@as_of_option
@explain_option
@known_option
def show(session: Session, ids: tuple[str, ...], *, explain: bool, **wishes: str | None) -> None:
    """Print observations with all their evidence; with --explain, line by line what each adds.

    That are the components of confidence and the points they give, freshness, and every piece of
    evidence down to the words it quotes and whether the log has them.
    """
    from mindpipe_cli import believing

    place = believing.Place(wishes["agent"], wishes["known"], wishes["as_of"])
    found = believing.shown(session, place, ids)
    if explain:
        session.write(believing.explained(session, place, found), columns=_EXPLAINED)
    else:
        session.write(found, columns=_COLUMNS)


@command("history", example="mind observation history --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz")
@click.argument("id", metavar="ID")
@agent_option
@as_of_option
def history(session: Session, id: str, agent: str, as_of: str | None) -> None:
    """Print how an observation, and all others under its key, have stood, and why, oldest first."""
    from mindpipe.knowledge.verbs import observations
    from mindpipe_cli.believing import Place

    instant = Place(agent, None, as_of).instant
    found = observations.history(session.store, agent=agent, id=id, as_of=instant)
    session.write(found, columns=_STOOD)


@command("confirm", example="mind observation confirm --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz")
@_ids
@agent_option
@by_option
def confirm(session: Session, ids: tuple[str, ...], agent: str, by: str | None) -> None:
    """Stand by observations: your word is kept as an item, and supports each from now on."""
    from mindpipe_cli import believing_operator

    session.write(believing_operator.of(session, agent, by).confirm(ids), columns=_COLUMNS)


@command(
    "correct", example="mind observation correct --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz Hamburg"
)
@click.argument("id", metavar="ID")
@click.argument("value", metavar="[VALUE]", required=False)
@agent_option
@click.option("--false", "is_false", is_flag=True, help="It is not true, and nothing else is said.")
@click.option("--summary", metavar="TEXT", help="The claim in one sentence [the old, restated].")
@at_option
@by_option
def correct(session: Session, id: str, agent: str, **wishes: str | bool | None) -> None:
    """Put VALUE in the place of what an observation holds; print both as they stand then.

    Your word is kept as an item, which contradicts the old one and supports the new. Nothing is
    rewritten: the old one is superseded, or with --false invalidated, and can be read as before.
    """
    from mindpipe_cli import believing_operator

    asked = believing_operator.correction(wishes)
    operator = believing_operator.of(session, agent, asked.by)
    session.write(operator.correct(id, asked.to), columns=_COLUMNS)


@command("pin", example="mind observation pin --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz")
@_ids
@agent_option
@click.option("--off", is_flag=True, help="Pin it no longer.")
@by_option
def pin(session: Session, ids: tuple[str, ...], agent: str, by: str | None, *, off: bool) -> None:
    """Let observations neither age nor give way by themselves; a person still can change them."""
    from mindpipe_cli import believing_operator

    operator = believing_operator.of(session, agent, by)
    session.write(operator.pin(ids, pinned=not off), columns=_COLUMNS)


@command("revalidate", example="mind observation revalidate --agent ava")
@any_agent_option
@click.option("--every", is_flag=True, help="Also those that are not due yet.")
@limit_option(None)
@dry_run_option
@known_option
def revalidate(
    session: Session,
    agent: str | None,
    known: str | None,
    limit: int | None,
    *,
    every: bool,
    dry_run: bool,
) -> None:
    """Look again at the observations that are due, and print those whose status changed, and why.

    Evidence is read again; what is no longer supported or outweighed is invalidated, what is not
    fresh is stale. Nothing due is exit status 3. With --known all are printed as they stand then.
    """
    from mindpipe_cli import believing

    place = believing.Place(agent, known)
    if place.name == "":
        session.write(believing.revalidated(session, known or "-"), columns=_COLUMNS)
        return
    from mindpipe.knowledge.verbs import revalidating

    changed = revalidating.revalidate(
        session.store,
        session.clock,
        agent=place.name,
        due=revalidating.Due(every, limit, dry_run),
        rules=believing.rules(session),
    )
    session.write(changed, columns=_LOOKED)


@command("decisions", example="mind observation decisions --agent ava --queued")
@agent_option
@click.option("--queued", is_flag=True, help="Those that wait for a person alone.")
@click.option("--under", metavar="KEY", help="Under this canonical key alone.")
@as_of_option
def decisions(
    session: Session, agent: str, under: str | None, as_of: str | None, *, queued: bool
) -> None:
    """Print what was decided on observations and the weights that decided it, oldest first."""
    from mindpipe.knowledge.verbs import decisions as verbs
    from mindpipe_cli.believing import Place

    instant = Place(agent, None, as_of).instant
    found = verbs.decisions(session.store, agent=agent, key=under, queued=queued, as_of=instant)
    session.write(found, columns=_DECISIONS)


@command("approve", example="mind observation approve --agent ava de_0Xq2yV1bT7cR5kE3mN8pLz")
@_ids
@agent_option
@by_option
def approve(session: Session, ids: tuple[str, ...], agent: str, by: str | None) -> None:
    """Let what was proposed take the place of what is held."""
    from mindpipe_cli import believing_operator

    answered = believing_operator.answered(session, ids, agent=agent, by=by, approve=True)
    session.write(answered, columns=_DECISIONS)


@command("deny", example="mind observation deny --agent ava de_0Xq2yV1bT7cR5kE3mN8pLz")
@_ids
@agent_option
@by_option
def deny(session: Session, ids: tuple[str, ...], agent: str, by: str | None) -> None:
    """Let what is held stay; what spoke for the proposal is kept, but counts against it no more."""
    from mindpipe_cli import believing_operator

    answered = believing_operator.answered(session, ids, agent=agent, by=by, approve=False)
    session.write(answered, columns=_DECISIONS)


COMMAND = group(
    "observation",
    list_,
    show,
    history,
    confirm,
    correct,
    pin,
    revalidate,
    decisions,
    approve,
    deny,
)
