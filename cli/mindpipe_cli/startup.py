"""Keep the start of the program short, by three means that change nothing it does.

The garbage collector waits for more objects: a cycle makes up to 60,000 that live until the end,
and by default the collector would look through them again and again while they grow, and once more
at exit (`gc.freeze` keeps it from that).

`inspect`, a tenth of what would be loaded, comes when it is used: click imports it to clean the
help of options, of which ours is one line each. (`importlib.util.LazyLoader` does not serve: the
second `import` of the same name makes it load.) typing_extensions is hidden from msgspec, which
takes three names from it where it is installed, else the same ones from `typing`, and from Python
3.11 on these do the same. Both stand in only while click and msgspec are loaded: whoever imports
them later has the real ones.

In core seconds of `python -c pass` (`make bench`, Python 3.11) a durable push rises by 0.5 without
the first stand-in and by 0.9 without the second, which loads `inspect`, too; the collector's part
of a cycle was 0.7. Like ones for textwrap and ipaddress bought less than 0.1 and are gone.
"""

import fcntl
import gc
import importlib
import io
import os
import sys
from types import ModuleType

_OBJECTS = 100_000
_ALGEBRA_THREADS = "OPENBLAS_NUM_THREADS"


class _Inspect(ModuleType):
    """Stand for `inspect` in click until it is used for more than a line of help."""

    def __getattr__(self, name: str) -> object:
        """Load the module, have all of it, and return what was asked for."""
        loaded = importlib.import_module(self.__name__)
        self.__dict__.update(loaded.__dict__)
        return getattr(loaded, name)

    def cleandoc(self, text: str) -> str:
        """Clean a text as `inspect.cleandoc` does; one line has no margin to remove."""
        if "\n" not in text:
            return text.expandtabs().lstrip()
        return str(importlib.import_module(self.__name__).cleandoc(text))


def begin() -> None:
    """Set the collector and load click and msgspec; called before anything else loads them."""
    gc.set_threshold(_OBJECTS)
    # None makes an import of that name fail as if it were not installed.
    stand_ins = {"inspect": _Inspect("inspect"), "typing_extensions": None}
    put = {name: one for name, one in stand_ins.items() if name not in sys.modules}
    sys.modules.update(put)  # type: ignore[arg-type]  # None is documented, but not typed
    try:
        import click  # noqa: F401 - takes what it finds, as does msgspec
        import msgspec  # noqa: F401 - takes what it finds, too
    finally:
        for name in put:
            del sys.modules[name]


def load_arrays() -> None:
    """Load numpy without threads of its own for algebra, of which a body has none.

    They would cost a start half as much again as the rest of numpy. Programs that are started
    later do not inherit that.
    """
    known = os.environ.get(_ALGEBRA_THREADS)
    os.environ[_ALGEBRA_THREADS] = known or "1"
    try:
        importlib.import_module("numpy")
    finally:
        if known is None:
            del os.environ[_ALGEBRA_THREADS]


def open_streams() -> bool:
    """Open what of the standard streams is closed to nowhere; tell whether stdout can be written.

    Otherwise the next file to be opened, such as a store, would have the number of a stream. What
    was closed for reading still cannot be read. What the encoding of stdout does not have is
    written as an escape.
    """
    writable = sys.stdout is not None and _is_for_writing(1)
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free is this one.
            os.open(os.devnull, os.O_WRONLY)
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)
    stdout = sys.stdout
    if writable and isinstance(stdout, io.TextIOWrapper) and _may_fail(stdout):
        stdout.reconfigure(errors="backslashreplace")
    return writable


def _may_fail(stream: io.TextIOWrapper) -> bool:
    """Tell whether a character may be one that a stream cannot write: in the locale C, too."""
    kept = stream.errors == "surrogateescape" and stream.encoding.lower() == "utf-8"
    return not kept and stream.errors in ("strict", "surrogateescape")


def _is_for_writing(number: int) -> bool:
    """Tell whether a descriptor is open for writing."""
    try:
        return fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
    except OSError:
        return False


def end() -> None:
    """Let the end of the program be the end of its objects, without a last look at each."""
    gc.freeze()
