"""Put aside what recovery must not lose, and remove what nobody finished."""

import shutil
from pathlib import Path

from mindpipe.io.files import remove_unfinished
from mindpipe.store.backup import new_file
from mindpipe.store.records import StoreFinding
from mindpipe.store.recovery_log import RecoveryPassage


def keep_damaged(store: Path, entered: RecoveryPassage) -> StoreFinding:
    """Copy a store that failed a check, and its -wal, byte by byte, once per RECOVERY.

    Raises:
        InputOutputError: there is no space.
    """
    stamp = entered.at.replace(":", "").replace("-", "") or "unknown"
    kept = store.with_name(f"{store.name}.quarantine-{stamp}")
    for suffix in ("-wal", ""):
        source, target = (path.with_name(path.name + suffix) for path in (store, kept))
        if source.exists() and not target.exists():
            with new_file(target, part=True) as temporary:
                shutil.copyfile(source, temporary)
    return StoreFinding(
        check="quarantine",
        verdict="note",
        found=kept.name,
        advice="A copy of the damaged files; remove it when the store is well.",
    )


def remove_left(store: Path) -> StoreFinding:
    """Remove what killed processes began to make of this name; a store of this name is there."""
    count = remove_unfinished(store)
    return StoreFinding(
        check="unfinished files",
        verdict="note" if count else "ok",
        found=f"{count} removed" if count else "0",
    )
