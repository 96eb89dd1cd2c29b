"""What somebody denies or corrects in a talk: it counts at once, in the prompt of its cycle too."""

import contextlib
import functools
from collections.abc import Sequence

from mindpipe.core.errors import BadInputError
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.knowledge.claims.answers import AnswersReader, answer_in
from mindpipe.knowledge.claims.attributes import NOT
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.claims.of_items import doubt_of, names_of
from mindpipe.knowledge.confidence import is_doubted
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.beliefs import Beliefs
from mindpipe.knowledge.deciding.consolidation import (
    RememberedClaims,
    claims_by_subject,
    keys_of,
    weigh,
)
from mindpipe.knowledge.keys import SlotRules, added_to
from mindpipe.knowledge.records import BeliefStatus, Observation
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs.consolidate import (
    held_for,
    others,
    settle,
    things,
)
from mindpipe.knowledge.verbs.heard import HeardItems, denied_of
from mindpipe.knowledge.verbs.publish import held_under
from mindpipe.language.guards import rights
from mindpipe.language.strict import strict_reader


def deny(store: Store, clock: Clock, heard: HeardItems, rules: SlotRules) -> None:
    """Weigh what was heard and counts at once, without waiting for the next consolidation.

    What it says is so in the place of what it denies counts too, also where that was denied
    before. What it calls wrong in the words that it answers, if that is one thing that is held, is
    in doubt from then on. A consolidation reads all else of it, and finds this weighed already;
    what would come to something unsound is left to it.
    """
    terms = Terms(clock.now(), rules.windows, rules.slots)
    for subject, claims in _claims(store, heard, terms).items():
        with store.write(heard.agent) as rows, contextlib.suppress(BadInputError):
            if said := _bearing(rows, heard, claims, terms):
                settle(store, rows, heard.agent, subject, said, terms)


def foreseen(
    store: Store, clock: Clock, heard: HeardItems, rules: SlotRules
) -> dict[str, Observation | None]:
    """Return what `deny` will leave of the beliefs that it bears on, by their ids; write nothing.

    That is what takes the place of each, itself where it is in doubt, or None.
    """
    terms = Terms(clock.now(), rules.windows, rules.slots)
    left: dict[str, Observation | None] = {}
    for claims in _claims(store, heard, terms).values():
        with store.read() as rows:
            said = _bearing(rows, heard, claims, terms)
            beliefs = Beliefs(held_for(rows, agent=heard.agent, claims=said, slots=terms.slots))
        weigh(beliefs, said, terms)
        stood = [one.observation for one in beliefs.changes(now=terms.now, windows=terms.windows)]
        after = {
            one.supersedes_observation_id: one for one in stood if one.status is BeliefStatus.ACTIVE
        }
        for one in stood:
            if one.status is not BeliefStatus.ACTIVE:
                left[one.id] = one if is_doubted(one) else after.get(one.id)
    return left


def _claims(store: Store, heard: HeardItems, terms: Terms) -> dict[str, list[Claim]]:
    """Return what was heard claims by subject, with what it answers and doubts of that."""
    answered = heard.answered()
    with store.read() as rows:
        denied = observations.denied_slots(rows, agent=heard.agent)
    answers = {
        item.text: answer
        for item in heard.items
        if (own := denied_of(item, denied))
        and (answer := answer_in(item, question=answered, denied=own)) is not None
    }
    reader = AnswersReader(strict_reader(added_to(terms.slots)), answers)
    held = functools.partial(things, store, heard.agent)
    found = claims_by_subject(RememberedClaims(items=heard.items), reader, held=held)
    for item in heard.items if answered else ():
        if (doubt := doubt_of(item, answered)) is not None:
            found.setdefault(min(names_of([doubt.subject])), []).append(doubt)
    return found


def _bearing(rows: Rows, heard: HeardItems, claims: Sequence[Claim], terms: Terms) -> list[Claim]:
    """Return the claims of a subject that bear on what is held, or was denied before."""
    slips = {one.id for one in heard.items if rights(one.text)}
    denied = any(
        one.evidence.meant in ("denied", "ended") or one.evidence.ref in slips for one in claims
    )
    keys = {key for one in claims for key in keys_of(one, terms.slots)}
    held = {
        one.canonical_key
        for one in held_under(rows, heard.agent, tuple(keys))
        if denied or one.value.startswith(NOT)
    }
    return [
        one
        for one in claims
        if held.intersection(keys_of(one, terms.slots)) or any(others(rows, heard.agent, [one]))
    ]
