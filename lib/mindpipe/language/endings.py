"""What somebody says and ends in the same breath, as `My girlfriend is Anna. We split up.`."""

from collections.abc import Sequence

from mindpipe.language.records import ENDING, Statement

_OVER = frozenset({"ended", "denied"})


def lasting(said: Sequence[Statement]) -> list[Statement]:
    """Return the statements of an utterance without what it says itself to be so no longer."""
    ends = [one for one in said if one.meant in _OVER]
    return [one for one in said if not any(_ends(end, one) for end in ends)]


def _ends(end: Statement, one: Statement) -> bool:
    """Tell whether an ending is of a statement that stands before it or in its sentence."""
    if one.meant != "asserted" or one.subject != end.subject:
        return False
    if end.attribute not in (one.attribute, ENDING):
        return False
    named = end.value is not None
    same = one.value == end.value or (end.topic is not None and one.topic == end.topic)
    return end.end >= one.end and (same if named else end.meant == "ended")
