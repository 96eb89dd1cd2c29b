"""What a prompt is made from, made smaller step by step until it fits."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import msgspec

from mindpipe.person.mind.residue import in_brief, residue
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
    list of the identity after its third share one entry of residues. Where the person lives at its
    own pace what was given of it stays whole, and what it lived gives way instead.
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
    if draft.lived is not None:
        yield from _less_lived(draft, draft.lived)
        return
    identity = draft.identity
    if identity is None:
        return
    for name in _LISTS:
        items: tuple[str, ...] = getattr(identity, name)
        if len(items) > LISTED:
            identity = msgspec.structs.replace(identity, **{name: _shorter(items)})
            yield draft._replace(identity=identity)


def _less_lived(draft: PromptDraft, lived: LivedDraft) -> Iterator[PromptDraft]:
    """Yield drafts with ever less of what a person lived, the most important kept longest.

    First goes what comes back, the least first; then what happened is told in brief, then left out
    but for the most important and the latest; then the goals but the next; then what is over; then
    what was learnt, what turned the life last.
    """
    while lived.back:
        lived = lived._replace(back=lived.back[:-1])
        draft = draft._replace(lived=lived)
        yield draft
    for place, told in enumerate(lived.happened):
        text = in_brief(told.episode.text, most=BRIEF)
        if text != told.episode.text:
            brief = told._replace(episode=msgspec.structs.replace(told.episode, text=text))
            happened = (*lived.happened[:place], brief, *lived.happened[place + 1 :])
            lived = lived._replace(happened=happened)
            draft = draft._replace(lived=lived)
            yield draft
    while len(lived.happened) > HAPPENED:
        least = min(lived.happened[:-1], key=lambda one: (one.episode.importance, one.episode.t_us))
        happened = tuple(one for one in lived.happened if one is not least)
        lived = lived._replace(happened=happened)
        draft = draft._replace(lived=lived)
        yield draft
    while len(lived.ahead) > 1:
        lived = lived._replace(ahead=lived.ahead[:-1])
        draft = draft._replace(lived=lived)
        yield draft
    identity = draft.identity
    while identity is not None and len(identity.learnt) > LEARNT:
        identity = _less_learnt(identity)
        draft = draft._replace(identity=identity)
        yield draft


BRIEF, HAPPENED, LEARNT = 120, 2, 2
"""How long a brief text is, how much of what happened stays, and how much of what was learnt."""


def _less_learnt(identity: PersonIdentity) -> PersonIdentity:
    """Return an identity without the fact that is worth least: one that is over, or no turn."""
    least = min(
        identity.learnt, key=lambda one: (one.until_us is None, bool(one.turn), one.since_us)
    )
    learnt = tuple(one for one in identity.learnt if one is not least)
    return msgspec.structs.replace(identity, learnt=learnt)


def _with_residue(pieces: tuple[RecalledText, ...], place: int) -> tuple[RecalledText, ...]:
    """Return pieces of which one is only its residue any more."""
    piece = pieces[place]
    left = piece._replace(text=residue(piece.text, piece.valence))
    return (*pieces[:place], left, *pieces[place + 1 :])


def _shorter(items: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list with one entry for what stands after its third item."""
    rest = "; ".join(residue(item, 0.0) for item in items[LISTED:])
    return (*items[:LISTED], rest)
