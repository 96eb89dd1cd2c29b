"""One claim: what somebody or something says of a subject in one slot."""

from typing import Literal, NamedTuple

from mindpipe.knowledge.records import Evidence, Kind

Sense = Literal["states", "ends", "denies"]
"""What is said of the value: that it is so, that it is so no longer, or that it never was."""


class Claim(NamedTuple):
    """What a source says of a subject in one slot, before it is weighed against what is known.

    `word` is a word of the slot table. Of a figure, `family` is what is counted or measured, and
    `families` are those in which an older figure is looked for: its own, or where the text leaves
    it to be understood, every noun around. `topic` are the words behind the word in the slot, the
    nearest first, and `about` the stems of all the words around: figures of one family are of one
    slot where enough of `about` agrees, other claims where their slots are equal. `change` counts
    the words that say that the value is new. `bound` says that it holds where somebody lives.
    `said` is the sentence that says it, `items` are those that it was made from, if from any.
    """

    kind: Kind
    subject: str
    word: str
    value: str
    summary: str
    evidence: Evidence
    family: str = ""
    families: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()
    about: frozenset[str] = frozenset()
    sense: Sense = "states"
    change: int = 0
    bound: bool = False
    said: str = ""
    items: tuple[str, ...] = ()
