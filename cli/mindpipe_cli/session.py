"""What one command runs with: its common options, settings, store, clock, chance and output."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mindpipe.core import text
from mindpipe_cli import output

if TYPE_CHECKING:
    from pathlib import Path

    from mindpipe.core.ports import Chance, Clock, Tokens
    from mindpipe.store.sqlite import SqliteStore
    from mindpipe.wiring.settings import Settings


class Session:
    """One command's run; everything is made when it is first asked for."""

    def __init__(self, options: Mapping[str, str | int | None], shape: output.Shape | None) -> None:
        self._options = options
        self._shape: output.Shape | None = shape

    @property
    def options(self) -> dict[str, str | int | None]:
        """Return the common options that were given, by which another process has the same ones."""
        return dict(self._options)

    @cached_property
    def settings(self) -> "Settings":
        """Return the settings."""
        from mindpipe.wiring.settings import Settings

        return Settings(options=self._options, environment=os.environ)

    @cached_property
    def clock(self) -> "Clock":
        """Return the clock, which stands still under --now."""
        from mindpipe.wiring.clock import make_clock

        return make_clock(self.settings.text("now"))

    @cached_property
    def chance(self) -> "Chance":
        """Return chance, which is reproducible under --seed."""
        from mindpipe.wiring.chance import make_chance

        return make_chance(self.settings.number("seed"))

    @cached_property
    def tokens(self) -> "Tokens":
        """Return the counter whose figures are stored."""
        from mindpipe.wiring.models import make_tokens

        return make_tokens(self.settings.text("tokenizer") or "o200k_base")

    @property
    def store_path(self) -> "Path":
        """Return where the store is."""
        from pathlib import Path

        return Path(self.settings.text("store") or "mind.db")

    @cached_property
    def store(self) -> "SqliteStore":
        """Return the open store."""
        from mindpipe.wiring.stores import open_store

        return open_store(self.store_path)

    @property
    def shape(self) -> output.Shape:
        """Return how records are shown: as asked, else a table on a terminal and JSON Lines."""
        if self._shape is not None:
            return self._shape
        return "table" if output.on_terminal("stdout") else "json"

    @property
    def watched(self) -> bool:
        """Tell whether somebody looks on: stdout is a terminal, and no shape was asked for."""
        return self._shape is None and output.on_terminal("stdout")

    def write(self, records: Iterable[object], *, columns: Sequence[str]) -> int:
        """Write records to stdout and return how many there were."""
        return output.write_records(records, shape=self.shape, columns=columns)

    def show_whole(self, records: Iterable[object], *, columns: Sequence[str]) -> int:
        """Write records of which a person must see all: nothing odd is removed, but escaped."""
        return output.write_records(
            records, shape=self.shape, columns=columns, clean=text.visible_text
        )
