"""The base of all records, of state machines and of migrations."""

import enum
from typing import Annotated, Self, dataclass_transform

import msgspec

from mindpipe.core.errors import IllegalStateError


class State(enum.StrEnum):
    """A state of one machine; subclasses define `successors`."""

    def successors(self) -> frozenset[Self]:
        """Return the states that may follow this one."""
        raise NotImplementedError

    def to(self, next_state: Self) -> Self:
        """Return `next_state` if it may follow this one, else raise IllegalStateError."""
        if next_state not in self.successors():
            raise IllegalStateError(
                f"{type(self).__name__} cannot go from {self.value} to {next_state.value}"
            )
        return next_state


MOST_WHOLE = 2**53 - 1
"""Every JSON reader takes it as it is (RFC 8259, section 6), and every column of a row holds it."""

Natural = Annotated[int, msgspec.Meta(ge=0, le=MOST_WHOLE)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=MOST_WHOLE)]


class _KeywordOnly(msgspec.StructMeta):
    """Make every record keyword-only: msgspec itself does not hand `kw_only` down to subclasses."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, object], **settings: object
    ) -> "_KeywordOnly":
        settings.setdefault("kw_only", True)
        return super().__new__(
            cls,
            name,
            bases,
            namespace,
            **settings,  # type: ignore[arg-type]  # msgspec itself checks the settings
        )


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Record(
    msgspec.Struct, metaclass=_KeywordOnly, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Frozen, keyword-only, typed; decoded and validated straight from a line of JSON."""


def to_json(record: object) -> bytes:
    """Encode a record or plain JSON value as one line of UTF-8 JSON without the line end."""
    return msgspec.json.encode(record)


NO_RECORD = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding a record raises for bytes that are none: of another shape, no UTF-8, too deep."""


class Migration(Record):
    """One step: a unique name such as `0003_inbox` and the SQL statements that take it.

    `postgres` are the statements on a server, which has only steps that came after the first there.
    """

    name: str
    sql: str
    postgres: str | None = None
