"""What speaks for a row speaks, less loudly, for the rows beside it and for its whole session.

A question stands in one turn and its answer in the next; one turn names who, another what. So each
word of a question is carried over by itself, before the words are added up: a row counts as holding
a part of what its neighbours hold. Shared out after adding up, the same shares find less.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mindpipe.recall.candidates import Candidate

_Session = tuple[str, str]
_SHARES = {1: 0.6, 2: 0.4}
"""What of a row's own weight its neighbours get, by how far away they are."""
_SESSION = 0.3
"""What of the best weight in a session each row of it gets."""


class Carried(NamedTuple):
    """What each row has of something: by itself, from the better neighbour, from its session."""

    own: Sequence[float]
    nearby: Sequence[float]
    session: Sequence[float]

    def totals(self) -> list[float]:
        """Return all of it for each row."""
        return [sum(each) for each in zip(*self, strict=True)]


class Surroundings:
    """How some candidates stand to each other."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._size = len(candidates)
        self._sessions: dict[_Session, list[int]] = defaultdict(list)
        self._session_of: list[_Session | None] = []
        self._beside: list[list[tuple[int, float]]] = []
        places: dict[tuple[_Session, int], int] = {}
        for index, one in enumerate(candidates):
            session: _Session | None = (one.source, one.session) if one.session else None
            self._session_of.append(session)
            if session:
                self._sessions[session].append(index)
                places[session, one.place] = index
        for index, one in enumerate(candidates):
            where = self._session_of[index]
            steps = [(sign * far, share) for far, share in _SHARES.items() for sign in (-1, 1)]
            self._beside.append(
                [
                    (places[where, one.place + step], share)
                    for step, share in steps
                    if where and (where, one.place + step) in places
                ]
            )

    def carried(self, layers: Sequence[Mapping[int, float]]) -> Carried:
        """Carry each layer over by itself and add them up; a layer has weights over 0 by index."""
        own, nearby, session = ([0.0] * self._size for _ in range(3))
        for layer in layers:
            best: dict[_Session, float] = {}
            near: dict[int, float] = {}
            for index, weight in layer.items():
                own[index] += weight
                for other, share in self._beside[index]:
                    near[other] = max(near.get(other, 0.0), share * weight)
                where = self._session_of[index]
                if where:
                    best[where] = max(best.get(where, 0.0), weight)
            for index, weight in near.items():
                nearby[index] += weight
            for where, weight in best.items():
                for index in self._sessions[where]:
                    session[index] += _SESSION * weight
        return Carried(own, nearby, session)
