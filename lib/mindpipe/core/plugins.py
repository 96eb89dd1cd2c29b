"""Plugins: what other installed packages add, found by their entry points when a name asks for it.

A name is `PLUGIN/NAME`, `PLUGIN:NAME` or `PLUGIN` alone, where PLUGIN is the name of an entry
point in the group of its kind. The entry point is a function that takes NAME ("" where there is
none) and returns what that kind is: a Model, an Embedder, a StatementReader, a list of tool
manifests, or an importer. What is built in goes first. importlib.metadata is loaded only when a
name is not built in.
"""

import enum
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from mindpipe.core.errors import MindError, UnavailableError
from mindpipe.core.records import Record

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_SHAPE = re.compile(r"([A-Za-z][\w.-]*)(?:[/:](.*))?", re.DOTALL)
_WORDS = 300


class PluginKind(enum.StrEnum):
    """What a plugin can add; the value is the group of its entry points."""

    MODELS = "mindpipe.models"
    EMBEDDERS = "mindpipe.embedders"
    TOOLS = "mindpipe.tools"
    IMPORTERS = "mindpipe.importers"
    READERS = "mindpipe.readers"

    @property
    def word(self) -> str:
        """Return the kind as it is written on a command line: `models`."""
        return self.value.rpartition(".")[2]


class ForeignConversation(Record):
    """One conversation of a foreign file, as a document of a form that is built in.

    `form` is such a form, as `mind history import --format` names it, and `octets` the document.
    """

    form: str
    octets: bytes


class ForeignImporter(Protocol):
    """Read a file of another program, conversation by conversation."""

    def __call__(self, file: BinaryIO, /) -> Iterable[ForeignConversation]:
        """Yield every conversation of a file; raises ValueError where it is no such file.

        The file is open at its beginning, can be read from any place (seek), and is not held.
        """
        ...


class ToolPlugin(Protocol):
    """Say which tools there are, as manifests: what `mind schema tool` describes, as dicts."""

    def __call__(self, name: str, /) -> Sequence[dict[str, object]]:
        """Return the manifests of one tool or collection, or of all where NAME is empty."""
        ...


class Plugin(NamedTuple):
    """One plugin and what is asked of it: its kind, its entry point's name, and the rest."""

    kind: PluginKind
    plugin: str
    name: str
    entry: "EntryPoint"

    def make(self) -> object:
        """Load the plugin, ask it for what has that name, and return that.

        Raises:
            MindError: it says itself what is wrong.
            UnavailableError: it cannot be loaded, or fails.
        """
        try:
            made: Callable[[str], object] = self.entry.load()
            return made(self.name)
        except MindError:
            raise
        except Exception as error:
            raise self.unavailable(error) from error

    def fails(self, error: Exception) -> str:
        """Return in one line which plugin failed and how."""
        return failure_of(self.label(), error)

    def unavailable(self, error: Exception) -> UnavailableError:
        """Return the error for a plugin that failed."""
        return UnavailableError(f"{self.fails(error)}; mend or uninstall it.")

    def label(self) -> str:
        """Return the plugin as people know it, with the package that it is from."""
        package = self.entry.dist
        of = f" (package {package.name} {package.version})" if package is not None else ""
        return f"the plugin {self.plugin} of {self.kind}{of}"


def failure_of(label: str, error: Exception) -> str:
    """Return in one line what became of a plugin: its label, the error's kind, and its words."""
    words = " ".join(str(error).split()).rstrip(" .;")[:_WORDS]
    return f"{label} fails: {type(error).__name__}{': ' if words else ''}{words}"


def plugin_of(kind: PluginKind, text: str) -> Plugin | None:
    """Return the plugin that a name means, None where none that is installed has that name.

    Raises:
        UnavailableError: two packages have plugins of that name.
    """
    shape = _SHAPE.fullmatch(text)
    if shape is None or not text.isprintable():
        return None
    entries = _entries(kind, name=shape[1])
    if not entries:
        return None
    if len(entries) > 1:
        packages = " and ".join(sorted({_package(entry) for entry in entries}))
        raise UnavailableError(
            f"two plugins of {kind} are called {shape[1]}, of {packages}; uninstall one."
        )
    return Plugin(kind, shape[1], shape[2] or "", entries[0])


def plugins() -> list[Plugin]:
    """Return every plugin that is installed, kind by kind."""
    return [
        Plugin(kind, entry.name, "", entry)
        for kind in PluginKind
        for entry in sorted(_entries(kind), key=lambda one: (one.name, _package(one)))
    ]


def plugin_names(kind: PluginKind) -> list[str]:
    """Return the names of the plugins of one kind that are installed."""
    return sorted({entry.name for entry in _entries(kind)})


def also_plugins(kind: PluginKind) -> str:
    """Return what an error that lists what is built in says of plugins: nothing without any."""
    names = plugin_names(kind)
    return f" (or a plugin's: {', '.join(names)})" if names else ""


def _entries(kind: PluginKind, *, name: str | None = None) -> "list[EntryPoint]":
    """Return the entry points of one kind, each once, even where a path is searched twice."""
    from importlib.metadata import entry_points

    found = entry_points(group=kind.value)
    chosen = (entry for entry in found if name in (None, entry.name))
    return list({(entry.name, entry.value, _package(entry)): entry for entry in chosen}.values())


def _package(entry: "EntryPoint") -> str:
    """Return the name of the package that an entry point is of."""
    return entry.dist.name if entry.dist is not None else "?"
