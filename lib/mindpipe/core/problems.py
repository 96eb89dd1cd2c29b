"""Problems in data are data: where they stand and what is wrong."""

import msgspec


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One fault in input: its source, line (from 1), JSON path of the field and the message."""

    source: str
    message: str
    line: int | None = None
    field: str | None = None

    def line_of_text(self) -> str:
        """Render as `FILE:LINE: $.FIELD: what is wrong`."""
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        field = f" {self.field}:" if self.field else ""
        return f"{place}:{field} {self.message}"
