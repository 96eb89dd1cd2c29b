"""Folders of many persons, for tests."""

from pathlib import Path

from mindpipe.person.life.birth import Birth, new_persons
from mindpipe.person.verbs import populations


def make_population(folder: Path, birth: Birth, *, shard: int, at_us: int = 0) -> None:
    """Make a folder of the persons that a birth draws, so many in each shard."""
    populations.new(
        folder,
        new_persons(birth),
        count=birth.count,
        seed=birth.seed,
        at_us=at_us,
        advance=lambda _done, _total: None,
        shard=shard,
    )
