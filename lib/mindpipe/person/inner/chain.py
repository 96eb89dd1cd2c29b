"""The chain of thoughts on one theme, and how far it has drawn a person in."""

from collections.abc import Collection

from mindpipe.person.records.state import Chain, ThoughtMode
from mindpipe.person.records.thought import Trigger

FOLLOWS_US = 90_000_000
"""Within how many µs a thought follows the one before it."""
RUMINATION = "rumination"


def theme_of(mode: ThoughtMode, trigger: Trigger) -> str:
    """Return what a thought is about: its dimension, its category and source, or its mode."""
    if mode == "react":
        return trigger.dim or ""
    return f"{trigger.category}/{trigger.source}" if mode == "spontaneous" else mode


def chained(
    chain: Chain, mode: ThoughtMode, trigger: Trigger, *, labels: Collection[str], t_us: int
) -> Chain:
    """Return a chain with one more thought: longer on the same theme, else begun anew.

    A mind that drifts is in no chain, except where the thought ruminates.
    """
    theme = theme_of(mode, trigger)
    if trigger.category == "AssociativeDrift" and RUMINATION not in labels:
        return Chain(theme=theme, n=0, last_us=t_us)
    follows = chain.n > 0 and t_us - chain.last_us <= FOLLOWS_US
    same = follows and chain.theme == theme
    return Chain(theme=theme, n=chain.n + 1 if same else 1, last_us=t_us)


def absorption(chain: Chain, t_us: int) -> float:
    """Return how far a chain of thoughts draws a person in at an instant, from 0 to 1."""
    if t_us - chain.last_us > FOLLOWS_US:
        return 0.0
    return min(1.0, max(0.0, (chain.n - 2) / 3))
