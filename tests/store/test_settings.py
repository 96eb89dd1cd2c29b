"""Every connection that writes has the settings that the promises stand on."""

from pathlib import Path

import pytest

from mindpipe.store.sqlite import connect
from support.command import make_private

SETTINGS = {
    "journal_mode": "wal",
    "synchronous": 2,
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
    "foreign_keys": 1,
    "recursive_triggers": 1,
    "trusted_schema": 0,
    "cell_size_check": 1,
    "journal_size_limit": 64 << 20,
    "mmap_size": 0,
    "busy_timeout": 30_000,
}


@pytest.mark.parametrize(("name", "value"), SETTINGS.items())
def test_a_setting_is_in_force(name: str, value: object, tmp_path: Path) -> None:
    connection = connect(make_private(tmp_path / "life") / "mind.db", create=True)
    assert connection.pragma(name) == value
    connection.close()
