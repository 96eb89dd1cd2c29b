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
)
from mindpipe.plans.durations import parse_duration
from mindpipe_cli.session import Session

KINDS = {
    "source": "sources",
    "path": "paths",
    "space": "spaces",
    "sender": "senders",
    "type": "types",
    "keyword": "keywords",
    "entity": "entities",
}
"""What a concern may be about, by the word for one of them."""
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
    about = _about(cast("tuple[str, ...]", given.get("about", ())))
    fired: dict[str, object] = {}
    if "every" in given:
        fired["every"] = given["every"]
    if "idle" in given:
        fired["idle_seconds"] = parse_duration(str(given["idle"]))
    fields: dict[str, object] = {
        "text": text,
        "share": given.get("share"),
        "boost": given.get("boost"),
        "about": about,
        "trigger": {**_fields(old.trigger if old else ConcernTrigger()), **fired}
        if fired
        else None,
    }
    try:
        return msgspec.convert(fields, ConcernChange)
    except msgspec.ValidationError as fault:
        raise UsageError(f"the concern cannot be kept: {fault}") from None


def _about(said: tuple[str, ...]) -> dict[str, list[str]] | None:
    """Return what a concern is about, or None where nothing is said; raises UsageError."""
    found: dict[str, list[str]] = {}
    for one in said:
        kind, colon, value = one.partition(":")
        if kind not in KINDS or not colon or not value:
            raise UsageError(f'"{one}" is not KIND:VALUE, with KIND one of {", ".join(KINDS)}.')
        found.setdefault(KINDS[kind], []).append(value)
    return found or None


def _fields(record: ConcernTrigger) -> dict[str, object]:
    """Return a record as plain values."""
    return cast("dict[str, object]", msgspec.to_builtins(record))
