"""The library behind the command `mind`: everything that is true without a terminal.

`mindpipe.open_store` opens a store for Python; mind-python(7) shows how.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mindpipe.api import OpenAgent, OpenStore, open_store

    __version__: str

__all__ = ["OpenAgent", "OpenStore", "open_store"]


def __getattr__(name: str) -> object:
    """Load the Python API when a name of it is first used, so that the import costs nothing."""
    if name == "__version__":
        from mindpipe.core.version import VERSION

        return VERSION
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module("mindpipe.api"), name)


def __dir__() -> list[str]:
    """Return the names of the Python API, loaded or not."""
    return sorted({*globals(), *__all__, "__version__"})
