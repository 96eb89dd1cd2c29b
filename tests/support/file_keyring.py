"""A keyring for tests: a JSON file that the variable KEYRING_FILE names, or a locked one."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked


class FileKeyring(KeyringBackend):
    """Keep passwords in a file; without the file it is locked."""

    priority = 1

    def _entries(self) -> dict[str, str]:
        """Return all that is kept."""
        try:
            found: dict[str, str] = json.loads(Path(os.environ["KEYRING_FILE"]).read_text())
        except OSError as error:
            raise KeyringLocked("locked") from error
        return found

    def get_password(self, service: str, username: str) -> str | None:
        """Return what is kept under two names."""
        return self._entries().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep something under two names."""
        entries = {**self._entries(), f"{service}/{username}": password}
        Path(os.environ["KEYRING_FILE"]).write_text(json.dumps(entries))

    def delete_password(self, service: str, username: str) -> None:
        """Forget what is kept under two names."""
        entries = self._entries()
        del entries[f"{service}/{username}"]
        Path(os.environ["KEYRING_FILE"]).write_text(json.dumps(entries))
