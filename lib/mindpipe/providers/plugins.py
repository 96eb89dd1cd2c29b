"""Models, embedding models and importers of plugins, each held to the protocol of its kind."""

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from mindpipe.core.errors import BadInputError, MindError, UnavailableError, UsageError
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.plugins import (
    ForeignConversation,
    ForeignImporter,
    Plugin,
    PluginKind,
    also_plugins,
    plugin_of,
)
from mindpipe.core.ports import Embedder, Model, Octets, Preview
from mindpipe.core.problems import Problem

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_AHEAD = 1 << 16


def plugin_model(text: str) -> Model:
    """Return a plugin's model by its whole name.

    Raises:
        UsageError: no plugin that is installed has that name.
        UnavailableError: the plugin cannot be loaded, fails, or gives something else.
    """
    plugin = plugin_of(PluginKind.MODELS, text)
    if plugin is None:
        raise UsageError(f'"{text}" is no model of a plugin.')
    return PluginModel(plugin)


class PluginModel:
    """Ask a plugin's model; what it returns is looked at as an answer from outside is."""

    def __init__(self, plugin: Plugin) -> None:
        made = plugin.make()
        target = getattr(made, "target", None)
        if not isinstance(target, Target) or not callable(getattr(made, "reply", None)):
            raise UnavailableError(f"{plugin.label()} gives no model: it needs target and reply().")
        self._plugin = plugin
        self._model = cast("Model", made)
        # Under this name people ask for it again, and none is taken for a provider's own.
        self._target = msgspec.structs.replace(
            target, provider=plugin.plugin, model=plugin.name or plugin.plugin
        )

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Ask the plugin's model once.

        Raises:
            ModelFault: the plugin says so, fails, or returns something else.
        """
        try:
            reply = self._model.reply(request, preview)
            # It is Python of others: the types are looked at as those of a file are.
            return msgspec.json.decode(msgspec.json.encode(reply), type=ModelReply)
        except (ModelFault, MindError):
            raise
        except Exception as error:
            raise ModelFault(self._plugin.fails(error), fault=FaultClass.LOCAL) from error


def plugin_embedder(text: str, otherwise: str) -> Embedder:
    """Return a plugin's embedding model by its whole name; `otherwise` is what else can be written.

    Raises:
        UsageError: no plugin that is installed has that name.
        UnavailableError: the plugin cannot be loaded, fails, or gives something else.
    """
    plugin = plugin_of(PluginKind.EMBEDDERS, text)
    if plugin is None:
        more = also_plugins(PluginKind.EMBEDDERS)
        raise UsageError(f'"{text}" is no embedding model; {otherwise}{more}.')
    return PluginEmbedder(plugin, text)


class PluginEmbedder:
    """Ask a plugin's embedding model, and look over its vectors."""

    def __init__(self, plugin: Plugin, name: str) -> None:
        made = plugin.make()
        if not callable(getattr(made, "vectors", None)):
            raise UnavailableError(
                f"{plugin.label()} gives no embedding model: it needs vectors()."
            )
        self._plugin = plugin
        self._embedder = cast("Embedder", made)
        self._name = name

    @property
    def name(self) -> str:
        """Return the name under which it was asked for, which tells its vectors from others."""
        return self._name

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, all of one length.

        Raises:
            UnavailableError: the plugin fails, or returns something else.
        """
        try:
            found = msgspec.convert(
                [list(map(float, one)) for one in self._embedder.vectors(texts)], list[list[float]]
            )
        except MindError:
            raise
        except Exception as error:
            raise self._plugin.unavailable(error) from error
        lengths = {len(one) for one in found}
        if len(found) != len(texts) or len(lengths) > 1 or 0 in lengths:
            raise UnavailableError(
                f"{self._plugin.label()} gives {len(found)} vectors of lengths {sorted(lengths)} "
                f"for {len(texts)} texts; it must give one for each, all of one length."
            )
        return found


class _OctetsFile(io.RawIOBase):
    """Octets as a file: what a plugin reads of it is all that is held."""

    def __init__(self, octets: Octets) -> None:
        super().__init__()
        self._octets = octets
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: len(self._octets)}[whence]
        self._place = max(0, start + offset)
        return self._place

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer)
        piece = self._octets[self._place : self._place + len(view)]
        view[: len(piece)] = piece
        self._place += len(piece)
        return len(piece)


def plugin_conversations(
    octets: Octets, *, plugin: Plugin, source: str
) -> Iterator[ForeignConversation]:
    """Yield every conversation of a file as a plugin reads it.

    Raises:
        BadInputError: the plugin says that the file is none of its own.
        UnavailableError: the plugin cannot be loaded, fails, or gives something else.
    """
    made = plugin.make()
    if not callable(made):
        raise UnavailableError(f"{plugin.label()} gives no importer: it must be a function.")
    try:
        file = io.BufferedReader(_OctetsFile(octets), _AHEAD)
        for one in cast("ForeignImporter", made)(file):
            if not isinstance(one, ForeignConversation):
                raise TypeError(f"expected a ForeignConversation, got {type(one).__name__}")
            yield one
    except MindError:
        raise
    except ValueError as error:
        problem = Problem(source=source, message=f"{plugin.label()} says: {error}")
        raise BadInputError([problem]) from error
    except Exception as error:
        raise plugin.unavailable(error) from error
