"""Read what is wished of a concern."""

from collections.abc import Mapping
from typing import cast

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.loop.attention_records import (
    Attending,
    Concern,
    ConcernChange,
    ConcernTrigger,
    Relevance,
)
from mindpipe.plans.durations import parse_duration
from mindpipe_cli.session import Session

Wish = str | int | float | bool | tuple[str, ...] | None


def rules_of(session: Session) -> Attending:
    """Return what the settings say of attention."""
    from mindpipe.wiring.attention_rules import attending_of

    return attending_of(session.settings)


def change_of(
    text: str | None, wishes: Mapping[str, Wish], *, old: Concern | None
) -> ConcernChange:
    """Return what options say of a concern; of `old` stays what they do not name.

    Raises:
        UsageError: one of them cannot be kept.
    """
    given = {key: value for key, value in wishes.items() if value not in (None, ())}
    about = {key: given[key] for key in Relevance.__struct_fields__ if key in given}
    fired: dict[str, object] = {}
    if "every" in given:
        fired["every"] = given["every"]
    if "idle" in given:
        fired["idle_seconds"] = parse_duration(str(given["idle"]))
    fields: dict[str, object] = {
        "text": text,
        "share": given.get("share"),
        "boost": given.get("boost"),
        "about": {**_fields(old.about if old else Relevance()), **about} if about else None,
        "trigger": {**_fields(old.trigger if old else ConcernTrigger()), **fired}
        if fired
        else None,
    }
    try:
        return msgspec.convert(fields, ConcernChange)
    except msgspec.ValidationError as fault:
        raise UsageError(f"the concern cannot be kept: {fault}") from None


def _fields(record: Relevance | ConcernTrigger) -> dict[str, object]:
    """Return a record as plain values."""
    return cast("dict[str, object]", msgspec.to_builtins(record))
