"""`mind observation`: what an agent holds true, why, and what a person says to it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mindpipe.core.errors import UsageError
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    agent_option,
    any_agent_option,
    as_of_option,
    at_option,
    by_option,
    decider,
    dry_run_option,
    explain_option,
    kind_option,
    known_option,
    limit_option,
    subject_option,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.knowledge.records import Observation, ObservationFilter
    from mindpipe.knowledge.verbs.observation import Operator

_COLUMNS = ("id", "status", "summary", "confidence", "freshness", "last_supported_at", "contested")
_STOOD = ("at", "observation", "status", "value", "confidence", "freshness", "by", "why")
_EXPLAINED = (
    "part",
    "name",
    "value",
    "share",
    "points",
    "ref",
    "reader",
    "at",
    "speaker",
    "trust",
    "authority",
    "text",
    "quote",
    "found",
    "why",
)
_DECISIONS = ("id", "at", "call", "state", "canonical_key", "old_value", "new_value", "by", "why")
_LOOKED = ("observation", "summary", "before", "after", "confidence", "freshness", "why")
_WORD_BYTES = 4096
_ids = click.argument(
    "ids",
    nargs=-1,
    required=True,
    metavar="ID...",
    type=StoredId("observation", "observation_decision"),
)


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
    from mindpipe.knowledge.verbs import observation
    from mindpipe.memory.settle import settle_instant
    from mindpipe_cli import input

    known = wishes["known"]
    agent = input.agent_of_one_place(session, wishes["agent"], known)
    wanted = _wanted(agent, wishes["kind"], wishes["subject"], wishes["status"])

    def found_at(instant: str | None) -> "Sequence[Observation]":
        if known is not None:
            return _in_file(session, known, wanted, instant)
        return observation.list_(
            session.store, session.clock, wanted=wanted, rules=session.rules, as_of=instant
        )

    instant = settle_instant(wishes["as_of"])
    found = found_at(instant)
    session.write(found[:limit], columns=_COLUMNS)
    _tell_of_age(session, found[:limit])
    if instant is not None and not found and (now := found_at(None)):
        learnt = min(one.learnt for one in now)
        output.say(f"nothing of it was believed by then: the first was learnt at {learnt}.")


def _tell_of_age(session: "Session", found: "Sequence[Observation]") -> None:
    """Say under a table which observations no prompt states any more, though nobody ended them."""
    from mindpipe.core.text import counted
    from mindpipe.knowledge.confidence import STALE_BELOW, is_old

    old = sum(map(is_old, found))
    if old and session.shape == "table":
        are, them = ("is", "it") if old == 1 else ("are", "them")
        output.say(
            f"{counted(old, 'active observation')} {are} of a freshness below {STALE_BELOW:g}: "
            f"no prompt states {them} any more, and mind observation revalidate calls {them} stale."
        )


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
    from mindpipe.knowledge.verbs import observation
    from mindpipe.memory.settle import settle_instant
    from mindpipe_cli import input

    known = wishes["known"]
    agent = input.agent_of_one_place(session, wishes["agent"], known)
    rules, instant = session.rules, settle_instant(wishes["as_of"])
    if known is None:
        found = observation.show(
            session.store,
            session.clock,
            agent=agent,
            ids=ids,
            rules=rules,
            as_of=instant,
        )
    else:
        found = _shown_in_file(session, known, ids, instant)
    if not explain:
        session.write(found, columns=_COLUMNS)
        _tell_of_age(session, found)
    elif known is None:
        told = observation.explain(session.store, found, rules=rules, as_of=instant)
        session.write(told, columns=_EXPLAINED)
    else:
        from mindpipe.knowledge.explanation import explained

        lines = (
            line
            for one in found
            for line in explained(one, texts={}, log=None, decisions=(), windows=rules.windows)
        )
        session.write(lines, columns=_EXPLAINED)


@command("history", example="mind observation history --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz")
@click.argument("id", metavar="ID", type=StoredId("observation"))
@agent_option
@as_of_option
def history(session: Session, id: str, agent: str, as_of: str | None) -> None:
    """Print how an observation, and all others under its key, have stood, and why, oldest first."""
    from mindpipe.knowledge.verbs import observation
    from mindpipe.memory.settle import settle_instant

    instant = settle_instant(as_of)
    found = observation.history(session.store, agent=agent, id=id, as_of=instant)
    session.write(found, columns=_STOOD)


@command("confirm", example="mind observation confirm --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz")
@_ids
@agent_option
@by_option
def confirm(session: Session, ids: tuple[str, ...], agent: str, by: str | None) -> None:
    """Stand by observations: your word is kept as an item, and supports each from now on."""
    from mindpipe.knowledge.verbs import observation

    session.write(observation.confirm(_operator(session, agent, by), ids), columns=_COLUMNS)


@command(
    "correct", example="mind observation correct --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz Hamburg"
)
@click.argument("id", metavar="ID", type=StoredId("observation"))
@click.argument("value", metavar="[VALUE]", required=False)
@agent_option
@click.option("--false", "is_false", is_flag=True, help="It is not true, and nothing else is said.")
@click.option("--summary", metavar="TEXT", help="The claim in one sentence [the old, restated].")
@at_option
@by_option
def correct(session: Session, id: str, agent: str, **wishes: str | bool | None) -> None:
    """Put VALUE in the place of what an observation holds; print both as they stand then.

    "not Kiel" holds that it is not Kiel, and says no more.

    Your word is kept as an item, which contradicts the old one and supports the new. Nothing is
    rewritten: the old one is superseded, or with --false invalidated, and can be read as before.
    """
    from mindpipe.knowledge.verbs import observation

    value = wishes["value"]
    if (value is None) != bool(wishes["is_false"]):
        raise UsageError("say the VALUE that holds instead, or --false where none does.")
    to = observation.Corrected(
        value=_text(value, "VALUE"),
        summary=_text(wishes["summary"], "--summary"),
        since=_text(wishes["at"], "--at"),
    )
    operator = _operator(session, agent, _text(wishes["by"], "--by"))
    session.write(observation.correct(operator, id, to), columns=_COLUMNS)


@command("pin", example="mind observation pin --agent ava ob_0Xq2yV1bT7cR5kE3mN8pLz")
@_ids
@agent_option
@click.option("--off", is_flag=True, help="Pin it no longer.")
@by_option
def pin(session: Session, ids: tuple[str, ...], agent: str, by: str | None, *, off: bool) -> None:
    """Let observations neither age nor give way by themselves; a person still can change them."""
    from mindpipe.knowledge.verbs import observation

    operator = _operator(session, agent, by)
    session.write(observation.pin(operator, ids, pinned=not off), columns=_COLUMNS)


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
    from mindpipe.knowledge.verbs import observation
    from mindpipe.life.operations import REVALIDATE
    from mindpipe_cli import input

    agent = input.agent_of_one_place(session, agent, known)
    if not agent:
        session.write(_revalidated_in_file(session, known or "-"), columns=_COLUMNS)
        return
    due = observation.RevalidationDue(every=every, limit=limit, dry_run=dry_run)
    with session.by_rules(REVALIDATE, due, agent=agent) as ports:
        changed = observation.revalidate(
            ports.store, ports.clock, agent=agent, due=due, rules=session.rules
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
    from mindpipe.knowledge.verbs import observation
    from mindpipe.memory.settle import settle_instant

    instant = settle_instant(as_of)
    found = observation.decisions(
        session.store, agent=agent, key=under, queued=queued, as_of=instant
    )
    session.write(found, columns=_DECISIONS)


@command("approve", example="mind observation approve --agent ava de_0Xq2yV1bT7cR5kE3mN8pLz")
@_ids
@agent_option
@by_option
def approve(session: Session, ids: tuple[str, ...], agent: str, by: str | None) -> None:
    """Let what was proposed take the place of what is held."""
    from mindpipe.knowledge.verbs import observation

    answered = observation.approve(
        session.store,
        session.clock,
        agent=agent,
        ids=ids,
        by=decider(by),
        rules=session.rules,
    )
    session.write(answered, columns=_DECISIONS)


@command("deny", example="mind observation deny --agent ava de_0Xq2yV1bT7cR5kE3mN8pLz")
@_ids
@agent_option
@by_option
def deny(session: Session, ids: tuple[str, ...], agent: str, by: str | None) -> None:
    """Let what is held stay; what spoke for the proposal is kept, but counts against it no more."""
    from mindpipe.knowledge.verbs import observation

    answered = observation.deny(
        session.store,
        session.clock,
        agent=agent,
        ids=ids,
        by=decider(by),
        rules=session.rules,
    )
    session.write(answered, columns=_DECISIONS)


def _wanted(
    agent: str, kind: str | None, subject: str | None, status: str | None
) -> "ObservationFilter":
    """Return which observations are asked for; raises UsageError for a kind that is none."""
    from mindpipe.core.text import did_you_mean
    from mindpipe.knowledge.keys import SLOTS, normal_subject
    from mindpipe.knowledge.records import BeliefStatus, Kind, ObservationFilter

    kinds: dict[str, Kind] = {one: one for one in SLOTS}
    if kind is not None and kind not in kinds:
        near = did_you_mean(kind, kinds)
        raise UsageError(f'no kind "{kind}"; {near}there are {", ".join(kinds)}.')
    return ObservationFilter(
        agent=agent,
        kind=None if kind is None else kinds[kind],
        subject=None if subject is None else normal_subject(subject),
        statuses=() if status is None else (BeliefStatus(status),),
    )


# A file of observations is a filter's input: it is read, chosen from and printed by the pure rules
# that the verbs use as well. A store in memory would take longer to open than all of that.


def _in_file(
    session: Session, known: str, wanted: "ObservationFilter", instant: str | None
) -> "list[Observation]":
    """Return those observations of a file that are wanted, best first."""
    from mindpipe.knowledge.explanation import chosen
    from mindpipe_cli import input

    rules = session.rules
    return chosen(
        input.observations(known, slots=rules.slots),
        wanted,
        now=session.clock.now(),
        as_of=instant,
        windows=rules.windows,
    )


def _shown_in_file(
    session: Session, known: str, ids: Sequence[str], instant: str | None
) -> "list[Observation]":
    """Return observations of a file by their ids; raises UsageError for others."""
    from mindpipe.knowledge.records import ObservationFilter

    wanted = ObservationFilter(agent="", ids=tuple(ids))
    found = {one.id: one for one in _in_file(session, known, wanted, instant)}
    if missing := [id for id in ids if id not in found]:
        raise UsageError(f'{known} has no observation "{missing[0]}".')
    return [found[id] for id in dict.fromkeys(ids)]


def _revalidated_in_file(session: Session, known: str) -> "list[Observation]":
    """Return all observations of a file after another look at those due, saying what changed."""
    from mindpipe.knowledge.records import BeliefStatus
    from mindpipe.knowledge.revision import revalidated
    from mindpipe_cli import input, output

    now, rules = session.clock.now(), session.rules
    after: list[Observation] = []
    for one in input.observations(known, slots=rules.slots):
        if (
            one.status not in (BeliefStatus.ACTIVE, BeliefStatus.STALE)
            or one.revalidation_due_at > now
        ):
            after.append(one)
            continue
        made, told = revalidated(one, now=now, windows=rules.windows)
        after.append(made)
        if told.before is not told.after:
            output.say(f"{told.observation}: {told.before} -> {told.after}: {told.why}")
    return after


def _operator(session: Session, agent: str, by: str | None) -> "Operator":
    """Return the operator who speaks."""
    from mindpipe.knowledge.verbs.observation import Operator

    return Operator(
        session.store,
        session.clock,
        session.chance,
        agent=agent,
        by=decider(by),
        rules=session.rules,
    )


def _text(given: object, field: str) -> str | None:
    """Return words that were given, fit to be kept."""
    from mindpipe.core.text import whole_text

    return None if given is None else whole_text(str(given), field=field, limit=_WORD_BYTES)


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
