"""What is held true, over a store or over a file of observations: read, choose, explain."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.instants import normal_instant
from mindpipe.core.names import did_you_mean
from mindpipe.core.problems import Problem
from mindpipe.knowledge.as_of import chosen
from mindpipe.knowledge.keys import SLOTS, normal_subject
from mindpipe.knowledge.records import Checked, Explained, Kind, Observation, Status, Wanted
from mindpipe.knowledge.rules import Rules, rules_of
from mindpipe.knowledge.soundness import faults_of
from mindpipe_cli import input, output
from mindpipe_cli.session import Session

LINE_BYTES = 64 << 20
HELD = (Status.ACTIVE, Status.STALE)


class Place(NamedTuple):
    """Where observations are, an agent's store or a file, and as of when they are asked for."""

    agent: str | None
    known: str | None
    as_of: str | None = None

    @property
    def name(self) -> str:
        """Return the agent; raises UsageError unless exactly one place is named."""
        if (self.agent is None) == (self.known is None):
            raise UsageError("name --agent NAME for a store, or --known FILE for a file.")
        return self.agent or ""

    @property
    def instant(self) -> str | None:
        """Return the instant that is asked for in the stored form."""
        return None if self.as_of is None else normal_instant(self.as_of)


class Choice(NamedTuple):
    """Which observations are asked for."""

    kind: str | None = None
    subject: str | None = None
    status: str | None = None

    def wanted(self, agent: str, ids: Sequence[str] = ()) -> Wanted:
        """Return it as what is looked for; raises UsageError for a kind that is none."""
        kinds: dict[str, Kind] = {kind: kind for kind in SLOTS}
        if self.kind is not None and self.kind not in kinds:
            near = did_you_mean(self.kind, kinds)
            raise UsageError(f'no kind "{self.kind}"; {near}there are {", ".join(kinds)}.')
        return Wanted(
            agent=agent,
            ids=tuple(ids),
            kind=None if self.kind is None else kinds[self.kind],
            subject=None if self.subject is None else normal_subject(self.subject),
            statuses=() if self.status is None else (Status(self.status),),
        )


def rules(session: Session) -> Rules:
    """Return the slots and windows that are in force."""
    settings = session.settings
    return rules_of(
        slots=settings.text("knowledge.slots"), windows=settings.text("knowledge.windows")
    )


def listed(
    session: Session, place: Place, choice: Choice, limit: int | None
) -> Iterable[Observation]:
    """Return the observations that are asked for, without evidence where they are in a store."""
    wanted = choice.wanted(place.name)
    if place.known is None:
        from mindpipe.knowledge.verbs import observations

        found = observations.list_(
            session.store, session.clock, wanted=wanted, rules=rules(session), as_of=place.instant
        )
    else:
        found = _in_file(session, place, wanted)
    return found[:limit]


def shown(session: Session, place: Place, ids: Sequence[str]) -> list[Observation]:
    """Return observations by their ids with all their evidence; raises UsageError for others."""
    if place.known is None:
        from mindpipe.knowledge.verbs import observations

        return observations.show(
            session.store,
            session.clock,
            agent=place.name,
            ids=ids,
            rules=rules(session),
            as_of=place.instant,
        )
    found = {one.id: one for one in _in_file(session, place, Choice().wanted(place.name, ids))}
    if missing := [id for id in ids if id not in found]:
        raise UsageError(f'{place.known} has no observation "{missing[0]}".')
    return [found[id] for id in dict.fromkeys(ids)]


def explained(session: Session, place: Place, found: Sequence[Observation]) -> Iterable[Explained]:
    """Return why each observation is believed as much as it is."""
    if place.known is None:
        from mindpipe.knowledge.verbs import observations

        return observations.explain(session.store, found, rules=rules(session), as_of=place.instant)
    from mindpipe.knowledge import explaining

    windows = rules(session).windows
    return (
        line
        for one in found
        for line in explaining.explained(one, texts={}, log=None, decisions=(), windows=windows)
    )


def audited(session: Session, place: Place) -> Iterable[Checked]:
    """Return what a person should look at."""
    if place.known is None and place.name:
        from mindpipe.knowledge.verbs import knowledge

        return knowledge.audit(
            session.store,
            session.clock,
            agent=place.name,
            rules=rules(session),
            as_of=place.instant,
        )
    from mindpipe.knowledge import auditing

    return auditing.audited(_in_file(session, place, Wanted(agent=place.name, statuses=HELD)))


def revalidated(session: Session, known: str) -> list[Observation]:
    """Return all observations of a file after another look at those due, saying what changed."""
    from mindpipe.knowledge.revalidation import revalidated as look_again

    now, windows = session.clock.now(), rules(session).windows
    after: list[Observation] = []
    for one in of_file(session, known):
        if one.status not in HELD or one.revalidation_due_at > now:
            after.append(one)
            continue
        made, told = look_again(one, now=now, windows=windows)
        after.append(made)
        if told.before is not told.after:
            output.say(f"{told.observation}: {told.before} -> {told.after}: {told.why}")
    return after


def of_file(session: Session, known: str) -> list[Observation]:
    """Read the observations of a file; raises BadInputError naming all that is unsound."""
    found = input.records(known, Observation, limit=LINE_BYTES)
    slots = rules(session).slots
    name = input.name_of(known)
    problems = [
        Problem(source=name, message=f"{one.id}: {fault}")
        for one in found
        for fault in faults_of(one, slots=slots)
    ]
    active: dict[str, str] = {}
    ids: set[str] = set()
    for one in found:
        if one.id in ids:
            problems.append(Problem(source=name, message=f"{one.id} stands there twice"))
        ids.add(one.id)
        if one.status is Status.ACTIVE and active.setdefault(one.canonical_key, one.id) != one.id:
            words = f"{one.id} and {active[one.canonical_key]} are both active: {one.canonical_key}"
            problems.append(Problem(source=name, message=words))
    if problems:
        raise BadInputError(problems)
    return found


def _in_file(session: Session, place: Place, wanted: Wanted) -> list[Observation]:
    """Return those observations of a file that are wanted, best first."""
    return chosen(
        of_file(session, place.known or "-"),
        wanted,
        now=session.clock.now(),
        as_of=place.instant,
        windows=rules(session).windows,
    )
