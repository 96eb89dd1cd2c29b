"""What a tool is: its effect class, its labels, and the manifest of a user's own executable."""

import enum
from typing import Annotated, Literal

import msgspec

from mindpipe.core.messages import ToolSpec
from mindpipe.core.records import Record

Label = Literal["reads_private", "reads_untrusted", "sends_out"]
ToolName = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]{0,47}(?!\n)$")]


class Effect(enum.StrEnum):
    """What a second run of a call would do, which decides what happens after a crash."""

    STORE = "store"
    PURE = "pure"
    IDEMPOTENT = "idempotent"
    KEYED = "keyed"
    UNSAFE = "unsafe"


class ToolManifest(Record):
    """An executable that an agent may call.

    `command` is an argument vector, started without a shell; the arguments come as one JSON object
    on its stdin. `effect` is what its author promises. `timeout` is in seconds, `output_bytes` caps
    each stream, `environment` names the variables it may see. `verify` is run with the same
    arguments after a crash and prints `done`, `not_done` or `unknown` as {"outcome", "output"}.
    """

    name: ToolName
    description: str
    command: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    input_schema: dict[str, object] = msgspec.field(default_factory=lambda: {"type": "object"})
    effect: Literal["pure", "idempotent", "keyed", "unsafe"] = "unsafe"
    labels: tuple[Label, ...] = ()
    timeout: Annotated[float, msgspec.Meta(gt=0, le=1800)] = 60.0
    output_bytes: Annotated[int, msgspec.Meta(gt=0, le=16 << 20)] = 65536
    environment: tuple[str, ...] = ()
    verify: tuple[str, ...] = ()

    def spec(self) -> ToolSpec:
        """Return what a model is told of it."""
        return ToolSpec(
            name=self.name, description=self.description, input_schema=self.input_schema
        )
