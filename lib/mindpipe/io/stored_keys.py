"""The keys of providers that a user keeps: in the desktop's keyring, else in a private file."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mindpipe.core.errors import UnavailableError
from mindpipe.core.records import Record
from mindpipe.io.user_files import UserFile

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_SERVICE = "mindpipe"
_FILE = "keys.json"
KEYRING = "keyring"


class StoredKey(Record):
    """Where one key is: in the file itself, or (None) in the keyring."""

    key: str | None = None


class StoredKeys:
    """Keys by the names of providers and servers; each is read when it is first asked for.

    The file names all of them, so that the keyring is asked for none that is not in it.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._file = UserFile(_FILE, dict[str, StoredKey], environment=environment)
        self._read: dict[str, str] = {}

    def places(self) -> dict[str, str]:
        """Return where each stored key is, by name: `keyring`, or the name of the file."""
        return {
            name: KEYRING if kept.key is None else self._file.name
            for name, kept in sorted(self._file.read().items())
        }

    def in_file(self) -> list[str]:
        """Return the keys that stand in the file itself; raises what `get` does for a file."""
        return [kept.key for kept in self._file.read().values() if kept.key is not None]

    def get(self, name: str) -> str | None:
        """Return a key, None where none of that name is stored.

        Raises:
            UnavailableError: it is in a keyring that gives it to nobody.
            RefusedError: others can read the file.
        """
        if name not in self._read and (kept := self._file.read().get(name)) is not None:
            self._read[name] = kept.key or _from_keyring(name)
        return self._read.get(name)

    def known(self) -> tuple[str, ...]:
        """Return the keys that this process has read, which nothing may repeat."""
        return tuple(self._read.values())

    def set(self, name: str, key: str) -> str:
        """Keep a key and return where: in the keyring if there is one, else in the file."""
        kept = StoredKey(key=None if _into_keyring(name, key) else key)
        self._file.change(lambda entries: entries.update({name: kept}))
        return self.places()[name]

    def remove(self, name: str) -> bool:
        """Forget a key; tell whether there was one."""
        kept = self._file.read().get(name)
        if kept is None:
            return False
        if kept.key is None and (backend := _backend()) is not None:
            with _keyring_errors(name):
                if backend.get_password(_SERVICE, name) is not None:
                    backend.delete_password(_SERVICE, name)

        def forget(entries: dict[str, StoredKey]) -> None:
            entries.pop(name, None)

        self._file.change(forget)
        return True


def _backend() -> "KeyringBackend | None":
    """Return the keyring of the desktop, None where the extra or a keyring is missing."""
    try:
        import keyring
        from keyring.backends import fail, null
    except ImportError:
        return None
    found = keyring.get_keyring()
    return None if isinstance(found, (fail.Keyring, null.Keyring)) else found


def _into_keyring(name: str, key: str) -> bool:
    """Put a key into the keyring; tell whether there is one that took it."""
    backend = _backend()
    if backend is None:
        return False
    try:
        backend.set_password(_SERVICE, name, key)
    except Exception:  # each desktop's keyring raises kinds of its own
        return False
    return True


def _from_keyring(name: str) -> str:
    """Return a key that is in the keyring; raises UnavailableError where it cannot be had."""
    backend = _backend()
    with _keyring_errors(name):
        found = None if backend is None else backend.get_password(_SERVICE, name)
    if not found:
        raise _not_there(name)
    return found


@contextlib.contextmanager
def _keyring_errors(name: str) -> Iterator[None]:
    """Turn whatever goes wrong in a keyring into an error of ours, without its words."""
    try:
        yield
    except Exception:  # each desktop's keyring raises kinds of its own
        raise _not_there(name) from None


def _not_there(name: str) -> UnavailableError:
    return UnavailableError(
        f"the key of {name} is in a keyring that does not give it out here. Unlock it, set the key "
        f"in the environment, or keep it anew with mind models key set {name}."
    )
