"""What concerns are about, which shares they have, and when a trigger comes; pure."""

import fnmatch
import re
from collections.abc import Sequence

from mindpipe.inbox.ordering import Glimpse
from mindpipe.loop.attention_records import OTHERS, Attending, Concern, Turns

SOURCE = "attention"
"""The source of events that a trigger makes; only these name their concern themselves."""
LEAST_OTHERS = 0.05
"""Share of events that no concern claims, however much the concerns have."""


def is_about(concern: Concern, event: Glimpse, *, folded: str) -> bool:
    """Tell whether a concern is about an event; `folded` is its text in small letters."""
    if event.source == SOURCE and event.concern is not None:
        return event.concern == concern.name
    about = concern.about
    return (
        event.space in about.spaces
        or event.sender in about.senders
        or event.type in about.types
        or _any_passes(event.source, about.sources)
        or _any_passes(event.path, about.paths)
        or _any_stands(folded, about.keywords)
        or _any_stands(folded, about.entities)
    )


def _any_passes(name: str | None, patterns: tuple[str, ...]) -> bool:
    """Tell whether a name is of one of some shell patterns."""
    return name is not None and any(fnmatch.fnmatchcase(name, one) for one in patterns)


def _any_stands(folded: str, wanted: tuple[str, ...]) -> bool:
    """Tell whether one of some words stands in a text."""
    return any(has_words(folded, one) for one in wanted)


def has_words(folded: str, wanted: str) -> bool:
    """Tell whether some words stand as whole words in a text that is in small letters."""
    small = wanted.casefold()
    if small not in folded:
        return False
    return re.search(rf"(?<!\w){re.escape(small)}(?!\w)", folded) is not None


def concern_of(concerns: Sequence[Concern], event: Glimpse) -> str:
    """Return whose an event is: the first concern's that is about it, else nobody's."""
    folded = (event.text or "").casefold()
    found = (one.name for one in concerns if is_about(one, event, folded=folded))
    return next(found, OTHERS)


def boost_of(concern: Concern | None, rules: Attending) -> int:
    """Return what is added to the score of an event of a concern."""
    if concern is None:
        return 0
    return rules.primary_boost + concern.boost if concern.focus else concern.boost


def shares(concerns: Sequence[Concern], rules: Attending) -> dict[str, float]:
    """Return each concern's share of iterations, and that of events that no concern claims.

    They are weights: what one has no use for goes to the others in proportion.
    """
    found = {one.name: rules.primary_share if one.focus else one.share for one in concerns}
    rest = max(LEAST_OTHERS, 1.0 - sum(found.values()))
    return {**found, OTHERS: rest}


def is_due(concern: Concern, turns: Turns, *, iteration: int) -> bool:
    """Tell whether a concern had no turn for as many iterations as its trigger says."""
    every = concern.trigger.every
    return every is not None and iteration - max(turns.fired, turns.last) >= every


def is_idle(concern: Concern, turns: Turns, *, idle_seconds: float, lived: int) -> bool:
    """Tell whether the loop has been idle for as long as a concern's trigger says.

    It was `idle_seconds` since the iteration `lived`; an idle time brings a trigger once.
    """
    idle = concern.trigger.idle_seconds
    return idle is not None and idle_seconds >= idle and turns.fired <= lived
