"""What somebody says and ends in the same breath, as `My girlfriend is Anna. We split up.`."""

from collections.abc import Iterable, Sequence

from mindpipe.language.records import ENDING, Statement
from mindpipe.language.topics import singular

_ONE_AT_A_TIME = frozenset({"residence", "workplace", "job"})
_OVER = frozenset({"ended", "denied"})


def lasting(said: Sequence[Statement]) -> list[Statement]:
    """Return the statements of an utterance without what it says itself to be so no longer.

    Of an animal that it names it says no more that there is one.
    """
    ends = [one for one in said if one.meant in _OVER]
    named = {(one.subject, f"{one.value}") for one in said if one.attribute == "pet"}
    return [
        one
        for place, one in enumerate(said)
        if not any(_ends(end, one) for end in ends)
        and not _is_named(one, named)
        and not any(_follows(other, one) for other in said[place + 1 :])
    ]


def _follows(other: Statement, one: Statement) -> bool:
    """Tell whether a home or a post of a day is overtaken by one told behind it."""
    alike = (one.attribute, one.subject, "asserted") == (other.attribute, other.subject, one.meant)
    moved = alike and one.attribute in _ONE_AT_A_TIME and one.since != ""
    return moved and other.meant == "asserted" and other.value != one.value


def _is_named(one: Statement, named: Iterable[tuple[str, str]]) -> bool:
    """Tell whether a statement only says that there is an animal which its text names."""
    alone = one.attribute == "pet" and one.value == one.topic
    return alone and any(
        whose == one.subject and value.endswith(f" ({singular(one.value or '')})")
        for whose, value in named
    )


def _ends(end: Statement, one: Statement) -> bool:
    """Tell whether an ending is of a statement that stands before it or in its sentence."""
    if one.meant != "asserted" or one.subject != end.subject:
        return False
    if end.attribute not in (one.attribute, ENDING):
        return False
    named = end.value is not None
    topic = end.topic if end.attribute != ENDING else end.value
    if one.unit is not None:  # of one thing a figure may be denied, and the right one given
        return one.unit == end.unit and (one.value, one.topic) == (end.value, end.topic)
    of_kind = one.attribute == "relation"  # of which there may be several: a sister, and another
    same = one.value == end.value or (not of_kind and topic is not None and one.topic == topic)
    return end.end >= one.end and (same if named else end.meant == "ended")
