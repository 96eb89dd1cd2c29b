"""What somebody has said, with the value that he sets right in few words behind it."""

from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.knowledge.claims.attributes import REPLACED
from mindpipe.language.clause_reading import years_of
from mindpipe.language.clauses import sentences
from mindpipe.language.records import Statement
from mindpipe.language.slips import Slip, slip_of

_COUNTED = frozenset({"age", "children"})


def restated(said: Sequence[Statement], text: str) -> list[Statement]:
    """Return the statements of a text, with the right value where its next sentence gives it."""
    found = list(said)
    for sentence in sentences(text, whole=True):
        slip = slip_of(sentence.text)
        before = [one for one in found if one.end <= sentence.start] if slip else []
        if slip is None or not before:
            continue
        last = max(before, key=lambda one: one.start)
        several = sum(one.start == last.start for one in before) > 1
        if not several and slip.sure and (meant := _righted(last, slip)) is not None:
            found[found.index(last)] = msgspec.structs.replace(meant, instead_of=None)
    return found


def slips_of(text: str, said: Sequence[Statement]) -> Iterator[tuple[Statement, Statement | None]]:
    """Yield the one statement that a text sets right, and with what; None where that is unsure."""
    slip = slip_of(text)
    if slip is None:
        return
    stated = [one for one in said if one.holds and one.unit is None]
    fits = {id(one): righted for one in stated if (righted := _righted(one, slip)) is not None}
    for one in stated if len(fits) == 1 else ():
        righted = fits.get(id(one))
        if righted is not None and slip.rights(_name_of(one)):
            yield one, righted
        elif righted is not None and slip.denies:
            yield one, None


def _name_of(one: Statement) -> str:
    """Return the value of a statement, without what kind of animal that is."""
    return (one.value or "").partition(" (")[0]


def _righted(one: Statement, slip: Slip) -> Statement | None:
    """Return a statement with the right value, None where that is of another kind than its own."""
    old = one.value or ""
    if one.meant != "asserted":
        return None
    if slip.kind == "number" and one.attribute in _COUNTED:
        return msgspec.structs.replace(one, value=years_of(slip.right) or old)
    if slip.kind == "day" and one.attribute == "birthday":
        return msgspec.structs.replace(one, value=slip.right)
    if slip.kind != "name" or not old[:1].isupper() or one.attribute not in REPLACED:
        return None
    topic = slip.right if one.topic in (old, _name_of(one)) else one.topic
    value = f"{slip.right}{old.removeprefix(_name_of(one))}"
    return msgspec.structs.replace(one, value=value, topic=topic, instead_of=_name_of(one))
