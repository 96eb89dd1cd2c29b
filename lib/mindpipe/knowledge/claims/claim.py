"""A claim, and how it is told."""

import contextlib
import re
from typing import Literal, NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import later
from mindpipe.knowledge.keys import normal_subject
from mindpipe.knowledge.records import Evidence, Kind
from mindpipe.language.words import PETS

DOUBT = "doubt"
"""The word of claims that something may be over, whatever it is: they begin and end nothing."""
PERSONS = "persons"
"""The topic of a doubt that may be of somebody too, and not of things alone."""
UNLIKE = "unlike"
"""The topic of a doubt of what somebody may have denied: no home or animal is by being named so."""
RETURNED = "returned"
"""The topic of a doubt of what is held to be over, or not to be so."""
PLAN = "plan"
"""The word of the slots that hold what is to be from a day on."""
FROM = " from "
"""What stands in the value of a plan between what is to be and its day."""
SOME_DAY = "some day"
"""The day of a plan that names none: it never comes by itself."""
LONG_AGO_SECONDS = 366 * 86_400.0
_GOES_ON = re.compile(r"(?i)\b(?:since|ever|still|always)\b")
_MOVED = re.compile(r"(?i)\b(?:moved|relocated) (?:\w+ )?(?:to|here)\b")
_WENT_ON = re.compile(
    r"(?i)\b(?:then|later|after|afterwards|until|till|before|left|leave|stayed|returned|back|when|"
    r"as an?|for an?)\b"
)
"""What tells that the change was but one of several."""
Sense = Literal["states", "ends"]
"""What is said of the value: that it is so, or of a figure or of an edge of the graph that it is
not so, or no longer."""


class Claim(NamedTuple):
    """What a source says of a subject in one slot, before it is weighed against what is known.

    `word` is a word of the slot table. Of a figure, `family` is what is counted or measured, and
    `families` are those in which an older figure is looked for: its own, or where the text leaves
    it to be understood, every noun around. `topic` are the words behind the word in the slot, the
    nearest first, and `about` the stems of all the words around: figures of one family are of one
    slot where enough of `about` agrees, or where `named`, the stems that name what it is of, means
    but one (None: it is not named); other claims where their slots are equal. `change` counts
    the words that say that the value is new. `begins` says that it says something by itself, and
    not only of what is held. `value` is "" of what has ended and was not named, which is then the
    one value that is held. `said` is the sentence that says it, `items` are those that it was made
    from, if from any. `since` and `until` are the days from and up to which it is to hold. Of a
    replacement `instead_of` is what it takes the place of, whatever that is of.
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
    named: frozenset[str] | None = None
    sense: Sense = "states"
    change: int = 0
    begins: bool = True
    said: str = ""
    items: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    instead_of: str = ""

    @property
    def names_kind(self) -> bool:
        """Tell whether it ends an animal by what it is, and not by its name: "not dog"."""
        return self.word == "pet" and self.value.startswith("not ") and self.value[4:] in PETS

    @property
    def ends_thing(self) -> bool:
        """Tell whether it says of a thing that its subject has it no more: "not bike"."""
        return self.word == "owns" and self.value.startswith("not ")

    @property
    def names_another(self) -> bool:
        """Tell whether it may mean a figure that is held by its name: it is new, or denies it."""
        return self.change > 0 or self.sense == "ends"

    @property
    def is_of_long_ago(self) -> bool:
        """Tell whether it is of a change that is told long after it: what came of it is not told.

        What somebody says to go on since then is so today: `I've lived here since 1999`.
        """
        long_ago = later(self.evidence.at, seconds=-LONG_AGO_SECONDS)
        return "" < self.since < long_ago and _GOES_ON.search(self.said) is None

    @property
    def lasts_since(self) -> bool:
        """Tell whether what was changed long ago is so still where nobody says otherwise.

        Who tells that he moved there in 2019 lives there.
        """
        return (
            self.is_of_long_ago
            and self.word == "residence"
            and _MOVED.search(self.said) is not None
        )

    @property
    def pretends(self) -> bool:
        """Tell whether it is of words that say they are of whom they speak, and nobody vouches."""
        claimed = self.evidence.claimed_speaker
        if claimed is None:
            return False
        with contextlib.suppress(UsageError):
            return normal_subject(claimed) == normal_subject(self.subject)
        return False


def is_operators(evidence: Evidence) -> bool:
    """Tell whether evidence is an operator's word: none is that stands under untrusted words."""
    return evidence.origin == "operator" and not evidence.sources
