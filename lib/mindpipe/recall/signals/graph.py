"""How near entities are to those that a question names: personalised PageRank over their graph.

Page, Brin, Motwani and Winograd, The PageRank Citation Ranking, 1999, section 6: who walks along
the edges starts again, one step in seven, at one of the entities named. The graph is the small one
around them, of some hundreds of edges.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

_AGAIN = 0.15
_ROUNDS = 50
_SETTLED = 1e-9


def nearness(
    edges: Iterable[tuple[str, str]], named: Collection[str], *, rounds: int = _ROUNDS
) -> dict[str, float]:
    """Return how near each entity is to the named ones: shares between 0 and 1, 1 in all.

    Args:
        edges: pairs of entities; they are walked both ways, as often as they are given.
        named: where the walk begins; with none, nothing is near.
        rounds: steps at most; it ends before them once nothing moves any more.
    """
    beside: dict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        beside[one].append(other)
        beside[other].append(one)
    start = {one: 1 / len(named) for one in named}
    found = dict(start)
    for _ in range(rounds):
        moved: dict[str, float] = defaultdict(float)
        for one, share in found.items():
            onward = beside.get(one)
            for other in onward or ():
                moved[other] += (1 - _AGAIN) * share / len(onward or ())
            if not onward:
                for other, begun in start.items():
                    moved[other] += (1 - _AGAIN) * share * begun
        for one, begun in start.items():
            moved[one] += _AGAIN * begun
        change = sum(abs(moved.get(one, 0.0) - found.get(one, 0.0)) for one in {*moved, *found})
        found = dict(moved)
        if change < _SETTLED:
            break
    return found
