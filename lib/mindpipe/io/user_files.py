"""What mindpipe keeps for whoever runs it: small JSON files beside his settings."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.io.files import read_if_there, require_private, write_whole

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")


def config_folder(environment: Mapping[str, str]) -> str:
    """Return the folder of the settings of whoever runs this."""
    folder = environment.get("XDG_CONFIG_HOME")
    if not folder:
        folder = f"{environment.get('HOME') or _home()}/.config"
    return f"{folder.rstrip('/')}/mind"


def cache_folder(environment: Mapping[str, str]) -> "Path":
    """Return the folder of what can be made anew for whoever runs this."""
    from pathlib import Path

    given = environment.get("XDG_CACHE_HOME")
    base = Path(given) if given and Path(given).is_absolute() else Path.home() / ".cache"
    return base / "mindpipe"


class UserFile(Generic[T]):
    """A JSON object of entries by their names, which nobody else may read or write."""

    def __init__(
        self, name: str, into: type[dict[str, T]], *, environment: Mapping[str, str]
    ) -> None:
        self.name = f"{config_folder(environment)}/{name}"
        self._into = into

    def read(self) -> dict[str, T]:
        """Return the entries, none where there is no file.

        Raises:
            RefusedError: others can read or change it.
            BadInputError: it holds anything else.
        """
        octets = read_if_there(self.name)
        if octets is None:
            return {}
        require_private(self.name)
        try:
            return msgspec.json.decode(octets, type=self._into)
        except msgspec.DecodeError as fault:
            # Its words hold no value of the file, only where it is wrong.
            raise BadInputError([Problem(source=self.name, message=str(fault))]) from None

    def change(self, made: Callable[[dict[str, T]], None]) -> None:
        """Let `made` change the entries, and write them; raises TemporaryError while another does.

        Raises:
            RefusedError: others can read or change the file.
        """
        from pathlib import Path

        from mindpipe.io.files import file_errors, locked_folder

        path = Path(self.name)
        with file_errors(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locked_folder(path.parent):
            entries = self.read()
            made(entries)
            octets = msgspec.json.format(msgspec.json.encode(entries, order="sorted"))
            write_whole(path, (octets, b"\n"), mode=0o600)


def _home() -> str:
    from pathlib import Path

    return str(Path.home())
