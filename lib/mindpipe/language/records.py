"""A statement, the words that it is read from, and what reads them."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, get_args

from mindpipe.core.records import Natural, Record

Meant = Literal[
    "asserted",
    "denied",
    "ended",
    "planned",
    "hedged",
    "asked",
    "reported",
    "quoted",
    "imagined",
    "wished",
    "ironic",
]
"""How something is said: that it is so, that it is not, that it is so no longer; the rest is no
claim, and is never believed."""
CLAIMS: frozenset[Meant] = frozenset({"asserted", "denied", "ended"})
"""Ways of saying something that can be believed."""
REPLACEMENT = "replacement"
"""The attribute of what takes the place of a value whatever that is of: `no, Kiel, not Bremen`."""
ENDING = "ending"
"""The attribute of what has ended, whatever that is of: `the vegan thing is over`."""
MENTIONED = "mentioned"
"""The value of what is told by a pronoun alone, where it is told to be otherwise now: what is held
says which of the things is meant that stand before it: `I like them now`. Of a home, or of
a place to work at, it is the one that is planned: `we're in!`, `second week at the new office`."""
CALLED_OFF = "called off"
"""The topic of what denies a plan that it does not name: `we're not moving after all`."""
NO_CHILDREN = "0"
"""How many children who has none has."""
WAYS: tuple[Meant, ...] = get_args(Meant)


class Utterance(NamedTuple):
    """What one person says at once: the words, who speaks ("" where nobody knows), and when."""

    text: str
    speaker: str = ""
    at: str = ""


class Statement(Record, omit_defaults=True):
    """Something that is said of somebody or something.

    `speaker` says it and `subject` is whom it is said of, both as the words name them; "" is a
    speaker whom nobody knows. `attribute` is one of the table of attributes, `value` what it is
    said to be (None of what has ended and was not named: "I lost my job"), and `topic` of several
    values of an attribute the one that this is about (the liked thing, the relation, the pet).
    `start` and `end` are the characters that it stands on, `end` the first that is out. `since` and
    `until` are the instants from and until which it holds, where the words name the day;
    `instead_of` names what it takes the place of, "" where that is not named; `ends_only` tells
    that nothing is to be held but that it has ended, if it was held at all (who "left Hull" may
    have lived or worked there). `reader` is who read it, with its version. Of a figure, `unit` is
    what is counted or measured ("" where the words leave it to be understood), `topic` all the
    words around it, the nearest first, `change` how many words call it new, `told` what the
    sentence says with it, and `of` the words that name what it is of (`the budget is`): "" of a
    pronoun, None where none do.
    """

    speaker: str
    subject: str
    attribute: str
    value: str | None
    topic: str | None = None
    meant: Meant = "asserted"
    start: Natural
    end: Natural
    reader: str
    since: str = ""
    until: str = ""
    instead_of: str | None = None
    ends_only: bool = False
    unit: str | None = None
    change: Natural = 0
    told: str = ""
    of: str | None = None

    @property
    def holds(self) -> bool:
        """Tell whether it is said to be so, to be so no longer, or not to be so."""
        return self.meant in CLAIMS


class StatementReader(Protocol):
    """What reads statements from words."""

    @property
    def name(self) -> str:
        """Return its name and version, as statements keep it: `strict/1`."""
        ...

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance, in their order."""
        ...
