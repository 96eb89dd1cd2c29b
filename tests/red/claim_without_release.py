"""Run `mind` as a broken build would: a claim that nobody read is kept."""

from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.inbox.records import Release
from mindpipe.inbox.verbs import inbox
from support.broken_builds import run_broken


def _keep(
    _store: Store, _clock: Clock, _chance: Chance, *, id: str, epoch: int, how: Release
) -> None:
    """Give nothing back."""


PATCHES = ((inbox, "release", _keep),)

if __name__ == "__main__":
    run_broken(PATCHES)
