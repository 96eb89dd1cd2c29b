"""What a prompt is made from, before and after it is made to fit."""

from typing import NamedTuple, Protocol

from mindpipe.person.records.person import Identity
from mindpipe.person.records.state import Coping, Distortion, ThoughtMode
from mindpipe.person.records.thought import Trigger


class Piece(NamedTuple):
    """The words of a memory or of a thought, and how it felt, between -1 and 1."""

    text: str
    valence: float


class Draft(NamedTuple):
    """All that a prompt says: who is asked, how it feels, what is on its mind, and why now.

    `codes` are those of the state block, `t_us` is the instant that `D` needs; memories stand best
    first, thoughts oldest first; without an identity its block is left out.
    """

    mode: ThoughtMode
    trigger: Trigger
    codes: tuple[str, ...] = ()
    t_us: int | None = None
    identity: Identity | None = None
    distortions: tuple[Distortion, ...] = ()
    impulse: Coping | None = None
    memories: tuple[Piece, ...] = ()
    thoughts: tuple[Piece, ...] = ()


class Prompt(NamedTuple):
    """The two texts of a call, their estimated tokens, and whether anything was compressed.

    `fits` is False where even the most compressed texts are over the limit.
    """

    system: str
    user: str
    tokens: int
    compressed: bool
    fits: bool


class Prompting(Protocol):
    """Makes prompts of drafts; prompts themselves are not known here."""

    def build(self, draft: Draft) -> Prompt:
        """Return the two texts of a draft, compressed as far as its limit asks for."""
        ...

    def retelling(self, identity: Identity) -> Prompt:
        """Return the two texts that ask somebody to say anew who it is."""
        ...
