"""The record of a form that a clause may have."""

from typing import NamedTuple

from mindpipe.language.records import Meant


class ClauseForm(NamedTuple):
    """One form of a clause: the attribute, its pattern, and how it is meant.

    `ends_only` tells that it ends what is held, and says nothing else; `value` is what it says
    where no words of it are the value: "I don't drink", and `topic` where none are the topic.
    """

    attribute: str
    spelling: str
    meant: Meant = "asserted"
    negative: bool = False
    ends_only: bool = False
    value: str = ""
    topic: str | None = None


def ends(attribute: str, spelling: str) -> ClauseForm:
    """Return a form that ends what is held, and says nothing where nothing is."""
    return ClauseForm(attribute, spelling, "ended", ends_only=True)
