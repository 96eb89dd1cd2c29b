"""What a prompt is made from, made smaller step by step until it fits."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import msgspec

from mindpipe.person.mind.residue import residue
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.records.state import Coping, Distortion, ThoughtMode
from mindpipe.person.records.thought import LifeMoment, ThoughtTrigger


class RecalledText(NamedTuple):
    """The words of a memory or of a thought, and how it felt, between -1 and 1."""

    text: str
    valence: float


class ToldEpisode(NamedTuple):
    """Something that happened, and how long ago that was, in words."""

    episode: Episode
    ago: str


class LivedDraft(NamedTuple):
    """What a prompt says of the life of a person who lives at its own pace.

    `happened` is what is fresh, oldest first; `back` is what comes back, best first; `ahead` are
    the goals, soonest first, and when they are due, in words.
    """

    moment: LifeMoment
    happened: tuple[ToldEpisode, ...] = ()
    back: tuple[ToldEpisode, ...] = ()
    ahead: tuple[tuple[str, str], ...] = ()


class PromptDraft(NamedTuple):
    """All that a prompt says: who is asked, how it feels, what is on its mind, and why now.

    `codes` are those of the state block, `t_us` is the instant that `D` needs; memories stand best
    first, thoughts oldest first; without an identity its block is left out. `lived` is what only
    those know who live at their own pace.
    """

    mode: ThoughtMode
    trigger: ThoughtTrigger
    codes: tuple[str, ...] = ()
    t_us: int | None = None
    identity: PersonIdentity | None = None
    distortions: tuple[Distortion, ...] = ()
    impulse: Coping | None = None
    memories: tuple[RecalledText, ...] = ()
    thoughts: tuple[RecalledText, ...] = ()
    lived: LivedDraft | None = None


class ThoughtPrompt(NamedTuple):
    """The two texts of a call, their estimated tokens, and whether anything was compressed.

    `fits` is False where even the most compressed texts are over the limit.
    """

    system: str
    user: str
    tokens: int
    compressed: bool
    fits: bool


class PromptMaker(Protocol):
    """Makes prompts of drafts; prompts themselves are not known here."""

    def build(self, draft: PromptDraft) -> ThoughtPrompt:
        """Return the two texts of a draft, compressed as far as its limit asks for."""
        ...

    def retelling(self, identity: PersonIdentity) -> ThoughtPrompt:
        """Return the two texts that ask somebody to say anew who it is."""
        ...


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


def smaller(draft: PromptDraft) -> Iterator[PromptDraft]:
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
        draft = draft._replace(memories=(RecalledText(text=joined, valence=0.0),))
        yield draft
    identity = draft.identity
    if identity is None:
        return
    for name in _LISTS:
        items: tuple[str, ...] = getattr(identity, name)
        if len(items) > LISTED:
            identity = msgspec.structs.replace(identity, **{name: _shorter(items)})
            yield draft._replace(identity=identity)


def _with_residue(pieces: tuple[RecalledText, ...], place: int) -> tuple[RecalledText, ...]:
    """Return pieces of which one is only its residue any more."""
    piece = pieces[place]
    left = piece._replace(text=residue(piece.text, piece.valence))
    return (*pieces[:place], left, *pieces[place + 1 :])


def _shorter(items: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list with one entry for what stands after its third item."""
    rest = "; ".join(residue(item, 0.0) for item in items[LISTED:])
    return (*items[:LISTED], rest)
