"""Where a store may lie: nobody else's file or folder, shown with a real other owner."""

import os
from pathlib import Path

import pytest

from mindpipe.core.errors import RefusedError
from mindpipe.store.place import ENOUGH_BYTES, check_file, check_folder, free_bytes, room_of
from support.command import Mind

NOBODY = 65534
gives_away = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def test_room_is_scarce_where_no_copy_of_the_store_would_fit(tmp_path: Path) -> None:
    store = tmp_path / "mind.db"
    store.touch()
    space = {one.check: one for one in room_of(store)}["space"]
    assert (space.verdict, space.advice) == ("ok", None)
    size = free_bytes(store) + ENOUGH_BYTES * 64
    os.truncate(store, size)  # a hole, which takes no room itself
    space = {one.check: one for one in room_of(store)}["space"]
    assert (space.verdict, f"needs {size} bytes" in str(space.advice)) == ("note", True)


@gives_away
def test_a_store_of_somebody_else_is_refused(mind_with_store: Mind) -> None:
    store = mind_with_store.folder / "mind.db"
    check_file(store)
    os.chown(store, NOBODY, -1)
    with pytest.raises(RefusedError, match=r"^mind\.db belongs to somebody else; make your own"):
        check_file(store)


@gives_away
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    check_folder(tmp_path / "mind.db")
    os.chown(tmp_path, NOBODY, -1)
    try:
        with pytest.raises(RefusedError, match=r"^the folder of mind\.db belongs to somebody else"):
            check_folder(tmp_path / "mind.db")
    finally:
        os.chown(tmp_path, 0, -1)
