"""A reader of a plugin, held to what statements promise."""

from collections.abc import Sequence
from typing import cast

import msgspec

from mindpipe.core.errors import UnavailableError
from mindpipe.core.plugins import Plugin
from mindpipe.language.records import Statement, StatementReader, Utterance


class PluginReader:
    """Read as a plugin does; what it returns is looked over, since evidence will stand on it."""

    def __init__(self, plugin: Plugin) -> None:
        self._label = plugin.label()
        self._fails = plugin.fails
        # What it cannot do shows when it is asked.
        self._reader = cast("StatementReader", plugin.make())
        name = getattr(self._reader, "name", None)
        if not isinstance(name, str) or not callable(getattr(self._reader, "read", None)):
            raise UnavailableError(f"{self._label} gives no reader: it needs name and read().")
        self._name = name

    @property
    def name(self) -> str:
        """Return the name that the plugin gives it, with its version."""
        return self._name

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance, in their order.

        Raises:
            UnavailableError: the plugin fails, or what it returns is none.
        """
        try:
            read = self._reader.read(said)
            # It is Python of others: the types are looked at as those of a file are.
            found = msgspec.convert(msgspec.to_builtins(read), list[tuple[Statement, ...]])
        except Exception as error:
            raise UnavailableError(f"{self._fails(error)}; mend or uninstall it.") from error
        if len(found) != len(said):
            raise UnavailableError(
                f"{self._label} read {len(found)} of {len(said)} utterances; it must answer each."
            )
        for utterance, statements in zip(said, found, strict=True):
            for one in statements:
                if not one.start < one.end <= len(utterance.text):
                    raise UnavailableError(
                        f"{self._label} reads a statement from characters {one.start} to "
                        f"{one.end} of {len(utterance.text)}; there are none."
                    )
        return found
