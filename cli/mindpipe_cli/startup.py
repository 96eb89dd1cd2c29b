"""Keep the start of the program short, by three means that change nothing it does.

The garbage collector waits for more objects: loading makes up to 40,000 that live until the end,
and by default the collector would look through them again and again while they grow, and once more
at exit (`gc.freeze` keeps it from that).

Three modules come when they are used. `inspect` is a tenth of what would be loaded: click imports
it to clean the help of options, of which ours is one line each. textwrap serves msgspec's schemas,
ipaddress the addresses of URLs in pathlib. (`importlib.util.LazyLoader` does not serve: the second
`import` of the same name makes it load.)

typing_extensions is hidden until msgspec is loaded: msgspec takes three names from it where it is
installed, else the same ones from `typing`, and from Python 3.11 on these do the same.

Measured as ratios to `python -c pass` (medians of 40 interleaved runs, Python 3.11), `mind history
check` takes 6.4 without all three, 5.5 without the first, 5.0 without the second, 5.3 without the
third, and 4.6 with them. `make bench` says what it takes now.
"""

import gc
import importlib
import sys
import threading
from collections.abc import Callable
from types import ModuleType

_OBJECTS = 50_000
_HIDDEN = "typing_extensions"
_loading = threading.RLock()


class _Later(ModuleType):
    """Stand for a module until something of it is used, then have all of it."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        """Load the module and return what was asked for."""
        with _loading:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
            loaded = importlib.import_module(self.__name__)
            self.__dict__.update(loaded.__dict__)
        found: Callable[..., object] = getattr(loaded, name)
        return found


class _Inspect(_Later):
    """Stand for `inspect` until it is used for more than a line of help."""

    def cleandoc(self, text: str) -> str:
        """Clean a text as `inspect.cleandoc` does; one line has no margin to remove."""
        if "\n" not in text:
            return text.expandtabs().lstrip()
        return str(self.__getattr__("cleandoc")(text))


def begin() -> None:
    """Set the collector, and put off what is not needed; called before click is imported."""
    gc.set_threshold(_OBJECTS)
    for stand_in in (_Inspect("inspect"), _Later("textwrap"), _Later("ipaddress")):
        sys.modules.setdefault(stand_in.__name__, stand_in)
    # None makes an import of that name fail as if it were not installed.
    sys.modules.setdefault(_HIDDEN, None)  # type: ignore[arg-type]  # documented, but not typed


def show_hidden() -> None:
    """Let everything be imported again; called before a command reads its options."""
    if sys.modules.get(_HIDDEN, sys) is None:
        import msgspec  # noqa: F401 - what it was hidden from

        del sys.modules[_HIDDEN]


def end() -> None:
    """Let the end of the program be the end of its objects, without a last look at each."""
    gc.freeze()
