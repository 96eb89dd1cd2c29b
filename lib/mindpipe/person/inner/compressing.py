"""Making a prompt smaller, step by step, without leaving anything out."""

from collections.abc import Iterator

import msgspec

from mindpipe.person.inner.drafting import Draft, Piece
from mindpipe.person.inner.residues import residue

KEPT = 2
"""How many of the newest thoughts stay whole as long as anything else can give way."""
LISTED = 3
"""How many items of each list of the identity stay whole."""
_LISTS = (
    "disposition_traits",
    "relational_markers",
    "key_memories",
    "emotional_patterns",
    "values_commitments",
)


def smaller(draft: Draft) -> Iterator[Draft]:
    """Yield ever smaller drafts of the same moment, each one step on from the one before.

    Thoughts but the newest two become residues, oldest first; then memories, worst first; then the
    last two thoughts; then the residues of all memories share one line; then the items of each
    list of the identity after its third share one entry of residues.
    """
    older = max(len(draft.thoughts) - KEPT, 0)
    for place in range(older):
        draft = draft._replace(thoughts=_with_residue(draft.thoughts, place))
        yield draft
    for place in reversed(range(len(draft.memories))):
        draft = draft._replace(memories=_with_residue(draft.memories, place))
        yield draft
    for place in range(older, len(draft.thoughts)):
        draft = draft._replace(thoughts=_with_residue(draft.thoughts, place))
        yield draft
    if len(draft.memories) > 1:
        joined = "; ".join(piece.text for piece in draft.memories)
        draft = draft._replace(memories=(Piece(text=joined, valence=0.0),))
        yield draft
    identity = draft.identity
    if identity is None:
        return
    for name in _LISTS:
        items: tuple[str, ...] = getattr(identity, name)
        if len(items) > LISTED:
            identity = msgspec.structs.replace(identity, **{name: _shorter(items)})
            yield draft._replace(identity=identity)


def _with_residue(pieces: tuple[Piece, ...], place: int) -> tuple[Piece, ...]:
    """Return pieces of which one is only its residue any more."""
    piece = pieces[place]
    left = piece._replace(text=residue(piece.text, piece.valence))
    return (*pieces[:place], left, *pieces[place + 1 :])


def _shorter(items: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list with one entry for what stands after its third item."""
    rest = "; ".join(residue(item, 0.0) for item in items[LISTED:])
    return (*items[:LISTED], rest)
