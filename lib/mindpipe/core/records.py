"""The base of everything that travels on a line of JSON or rests in a row."""

from typing import Annotated, dataclass_transform

import msgspec

from mindpipe.core.numbers import MOST_WHOLE

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
