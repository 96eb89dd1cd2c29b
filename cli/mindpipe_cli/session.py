"""What one command runs with: its common options, settings, store, clock, chance and output."""

import contextlib
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from mindpipe.core import text
from mindpipe.core.errors import UsageError
from mindpipe.core.redaction import MARK
from mindpipe_cli import output

if TYPE_CHECKING:
    from pathlib import Path

    from mindpipe.app import App
    from mindpipe.core.ports import Chance, Clock, Deliver, Tokens
    from mindpipe.core.records import Record
    from mindpipe.engine.dependencies import RulePorts
    from mindpipe.knowledge.keys import SlotRules
    from mindpipe.settings import Settings
    from mindpipe.store.address import Where
    from mindpipe.store.engine import EngineStore

R = TypeVar("R")
_MOST_NAMED = 3


class Session:
    """One command's run; everything is made when it is first asked for."""

    def __init__(
        self,
        options: Mapping[str, str | int | None],
        shape: output.Shape | None,
        *,
        full: bool = False,
    ) -> None:
        self.full = full
        self._options = options
        self._chosen: dict[str, str | int | None] = {}
        self._shape: output.Shape | None = shape
        self._made: list[str] = []
        self._file: str | None = None

    @property
    def options(self) -> dict[str, str | int | None]:
        """Return the common options that were given, by which another process has the same ones."""
        return dict(self._options)

    def choose(self, setting: str, *, value: str | int) -> None:
        """Put an option of one command over a setting; before anything is made."""
        self._chosen[setting] = value

    @cached_property
    def app(self) -> "App":
        """Return what the command runs with."""
        from mindpipe.app import App

        return App({**self._options, **self._chosen}, os.environ)

    @property
    def settings(self) -> "Settings":
        """Return the settings."""
        return self.app.settings

    @property
    def clock(self) -> "Clock":
        """Return the clock, which stands still under --now."""
        return self.app.clock

    @property
    def chance(self) -> "Chance":
        """Return chance, which is reproducible under --seed."""
        return self.app.chance

    @property
    def tokens(self) -> "Tokens":
        """Return the counter whose figures are stored."""
        return self.app.tokens

    @property
    def rules(self) -> "SlotRules":
        """Return the slots of what is held true, and the windows of its freshness."""
        from mindpipe.knowledge.keys import rules_of

        settings = self.settings
        return rules_of(slots=settings.knowledge.slots, windows=settings.knowledge.windows)

    @property
    def where(self) -> "Where":
        """Return where the store is: a file, or a schema of a server."""
        return self.app.where

    @property
    def store_path(self) -> "Path":
        """Return the file of the store; raises UnavailableError where it is on a server."""
        return self.app.store_path

    @property
    def is_there(self) -> bool:
        """Tell whether there is a store."""
        return self.app.is_there

    @property
    def store(self) -> "EngineStore":
        """Return the open store."""
        return self.app.store

    @property
    def turns_to_store(self) -> bool:
        """Tell whether a store is there, and nothing that could be read: stdin is a terminal."""
        return output.on_terminal("stdin") and self.is_there

    def suppose(self) -> None:
        """Go on in a private copy of a store that can only be read, until the command ends.

        For what is written only to be seen, and undone.
        """
        if self.store.takes_nothing:
            from mindpipe.store.scratch import private_copy

            copy = private_copy(self.store)
            self.app.store = click.get_current_context().with_resource(copy)

    @cached_property
    def announce(self) -> "Deliver":
        """Return what tells an agent of something, as an event in its inbox."""
        from mindpipe.engine.delivery import announce_to

        return announce_to(self.store, self.clock, self.chance, self.settings)

    @contextlib.contextmanager
    def by_rules(
        self, kind: str, asked: "Record", *, agent: str, rules: "Record | None" = None
    ) -> "Iterator[RulePorts]":
        """Give ports that are recorded in an agent's life, for what is done by rules alone."""
        from mindpipe.engine.dependencies import NoRules, RulePorts

        ports = RulePorts(self.store, self.clock, self.chance, self.announce)
        record = self.app.rule_recording(self.store)
        with record(ports, agent=agent, kind=kind, asked=asked, rules=rules or NoRules()) as found:
            yield found

    @property
    def shape(self) -> output.Shape:
        """Return how records are shown: as asked, else a table on a terminal and JSON Lines."""
        if self._shape is not None:
            return self._shape
        return "table" if output.on_terminal("stdout") else "json"

    @property
    def shape_asked(self) -> bool:
        """Tell whether a shape of records was asked for."""
        return self._shape is not None

    def prints(self, what: str, *shapes: output.Shape) -> None:
        """Say what a command prints that has no records, in one of some shapes or in none at all.

        Raises:
            UsageError: another shape was asked for.
        """
        if self._shape is not None and self._shape not in shapes:
            raise UsageError(f"this prints {what}; take away --{self._shape}.")

    @property
    def watched(self) -> bool:
        """Tell whether somebody looks on: stdout is a terminal, and no shape was asked for."""
        return self._shape is None and output.on_terminal("stdout")

    def write(self, records: Iterable[object], *, columns: Sequence[str]) -> int:
        """Write records to stdout and return how many there were."""
        cut: output.Cut = "nothing" if self.full else "width"
        noted = map(self._noted, records)
        return output.write_records(noted, shape=self.shape, columns=columns, cut=cut)

    def write_receipts(
        self, pieces: Iterable[bytes], *, kind: type[R], columns: Sequence[str]
    ) -> None:
        """Write receipts that are lines of JSON already, as they are where records are wanted."""
        if self.shape == "json":
            output.write_bytes(map(self._noted_lines, pieces))
        else:
            read = msgspec.json.Decoder(kind).decode_lines
            self.write(itertools.chain.from_iterable(map(read, pieces)), columns=columns)
        self.flush()

    def flush(self) -> None:
        """Make sure that what was written was taken; then nobody has to be told of it again."""
        output.flush()
        self.forget_made()

    def note_made(self, name: str) -> None:
        """Remember what was made, for whoever will not get to read it."""
        if len(self._made) <= _MOST_NAMED:
            self._made.append(name)

    def forget_made(self) -> None:
        """Forget what was made: it was told of, or is undone."""
        self._made.clear()

    def note_file(self, file: str) -> None:
        """Remember that what was made is in a file, and not in the store."""
        self._file = file

    def tell_redacted(self) -> None:
        """Say on stderr where a secret was taken out of what is kept."""
        app = self.__dict__.get("app")
        if app is not None and app.redactor.found:
            output.say(f"a secret was not kept: {MARK} stands for it.")

    def kept(self) -> str:
        """Return in words what was made and is kept, empty where nothing was.

        That is for whoever could not be told, and would do it again.
        """
        store = self.app.__dict__.get("store")
        place = self._file or (store.where if store is not None and store.changed else None)
        if place is None or not self._made:
            return ""
        names = [*self._made[:_MOST_NAMED], *(["…"] if len(self._made) > _MOST_NAMED else [])]
        return f"What was done is kept in {place} ({', '.join(names)}); do not do it again."

    def _noted(self, record: R) -> R:
        """Return a record whose id, or cycle, is remembered, as it is kept: without secrets."""
        app = self.__dict__.get("app")
        if app is not None and app.redactor.found and isinstance(record, msgspec.Struct):
            kept = app.redactor.value(msgspec.to_builtins(record))
            record = msgspec.convert(kept, type(record))
        name = getattr(record, "id", None)
        cycle = getattr(record, "cycle", None)
        if name is not None or cycle is not None:
            self.note_made(f"cycle {cycle}" if name is None else str(name))
        return record

    def _noted_lines(self, piece: bytes) -> bytes:
        """Return lines whose first ids are remembered."""
        if len(self._made) <= _MOST_NAMED:
            for line in piece.split(b"\n", _MOST_NAMED + 1)[: _MOST_NAMED + 1]:
                if line:
                    self.note_made(msgspec.json.decode(line)["id"])
        return piece

    def show_whole(
        self, records: Iterable[object], *, columns: Sequence[str], cut: output.Cut = "length"
    ) -> int:
        """Write records of which a person must see all: nothing odd is removed, but escaped.

        A list of several may be `cut` to the width, as others are.
        """
        cut = "nothing" if self.full else cut
        return output.write_records(
            records, shape=self.shape, columns=columns, clean=text.visible_text, cut=cut
        )

    def show_document(self, record: object, *, columns: Sequence[str]) -> None:
        """Write one record of which a person must see all; a table gives each field a line."""
        if self.shape != "table":
            self.show_whole([record], columns=columns)
            return
        output.write_text("".join(f"{line}\n" for line in output.document_lines(record)))
