"""Consolidate what is new in memory into what is held true, window by window, subject by subject.

A window is a bounded part of what is new. It is claimed once, under a lease that is renewed with
every subject; whoever comes meanwhile finds nothing to do. Each subject is one transaction. A run
that dies leaves its window open: once its lease is over the next run goes on with the very same
window, dated as it was, and does the subjects that are left.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mindpipe.agents import verbs as agents
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.beliefs import Beliefs
from mindpipe.knowledge.deciding.consolidation import weigh
from mindpipe.knowledge.deciding.over_files import Word
from mindpipe.knowledge.deciding.remembered import claims_by_subject
from mindpipe.knowledge.deciding.reporting import report_on
from mindpipe.knowledge.records import Changes, Consolidated, Window
from mindpipe.knowledge.rules import Rules
from mindpipe.knowledge.tables import windows
from mindpipe.knowledge.verbs import windowing
from mindpipe.knowledge.verbs.holding import held_for
from mindpipe.knowledge.verbs.publishing import publish

LIMIT = 5_000
"""Items, and of each other substrate as many, that one window reads unless it is said otherwise."""

ASKED_SECONDS = 900.0
"""How long a window is held while claims are put into words: a model may be slow, and tried again.
"""


class Wish(NamedTuple):
    """How memory is consolidated: the rules in force, how much at once, and what is left to whom.

    `review` leaves supersessions to a person, `word` the wording of claims to a model.
    """

    rules: Rules
    limit: int = LIMIT
    review: bool = False
    word: Word | None = None


def consolidate(store: Store, clock: Clock, *, agent: str, wish: Wish) -> Iterator[Consolidated]:
    """Do the work of one window and yield what it changed, subject by subject.

    Raises:
        FencedError: another run has taken the window over.
        NothingToDoError: nothing is new, or another run is at work.
        RefusedError: a window was left five times and is given up.
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    window = windowing.claim(store, clock, agent=agent, limit=wish.limit)
    try:
        yield from _subjects(store, clock, window, wish)
    except (Exception, KeyboardInterrupt, GeneratorExit):
        windowing.let_go(store, window)
        raise
    windowing.close(store, window)


def _subjects(store: Store, clock: Clock, window: Window, wish: Wish) -> Iterator[Consolidated]:
    """Consolidate one subject after the other, each in a transaction of its own."""
    terms = Terms(window.opened, wish.rules.windows, wish.rules.slots, wish.review)
    claims = claims_by_subject(windowing.read(store, window))
    with store.read() as rows:
        done = windows.subjects(rows, window)
    for subject, found in claims.items():
        if subject in done:
            continue
        said = (
            found if wish.word is None else _worded(store, clock, window, wish.word, subject, found)
        )
        with store.write() as rows:
            windowing.renew(rows, clock, window)
            changed = _settle(store, rows, window, subject, said, terms)
            windows.add_subject(rows, window, subject)
            reach("consolidate.before_publish")
        reach("consolidate.after_publish")
        yield changed


def _worded(
    store: Store, clock: Clock, window: Window, word: Word, subject: str, claims: Sequence[Claim]
) -> Sequence[Claim]:
    """Return claims in other words; the window is held meanwhile, and no transaction is open."""
    with store.write() as rows:
        windowing.renew(rows, clock, window, seconds=ASKED_SECONDS)
    return word(subject, claims)


def _settle(
    store: Store, rows: Rows, window: Window, subject: str, said: Sequence[Claim], terms: Terms
) -> Consolidated:
    """Weigh the claims on one subject and write what comes of it."""
    beliefs = Beliefs(held_for(rows, agent=window.agent, claims=said, slots=terms.slots))
    weigh(beliefs, said, terms)
    changes = beliefs.changes(now=terms.now, windows=terms.windows)
    decisions = list(beliefs.decisions.values())
    publish(
        store,
        Changes(
            agent=window.agent,
            at=terms.now,
            changes=tuple(changes),
            decisions=tuple(decisions),
            marks=tuple(beliefs.marks.values()),
        ),
        slots=terms.slots,
    )
    return report_on(subject, changes, decisions, marks=len(beliefs.marks))
