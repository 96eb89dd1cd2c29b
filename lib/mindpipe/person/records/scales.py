"""The scales of what is recorded of a person: instants, spans, shares, ids."""

from typing import Annotated

import msgspec

MOST_US = 2**62 - 1
"""The last instant and the longest span, in microseconds."""
YEAR_US = 366 * 86_400_000_000
VERSION = 1
"""The version of every record of a person."""

Instant = Annotated[int, msgspec.Meta(ge=-MOST_US, le=MOST_US)]
Day = Annotated[int, msgspec.Meta(ge=-MOST_US // 86_400_000_000, le=MOST_US // 86_400_000_000)]
Duration = Annotated[int, msgspec.Meta(ge=0, le=YEAR_US)]
Born = Annotated[int, msgspec.Meta(ge=-MOST_US, le=0)]
Span = Annotated[int, msgspec.Meta(ge=1, le=YEAR_US)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_US)]
Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Signed = Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)]
Hours = Annotated[float, msgspec.Meta(ge=-4.0, le=4.0)]
PersonId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
