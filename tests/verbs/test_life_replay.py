"""A life that is lived again from what it heard comes out the same, or says where it does not."""

from pathlib import Path

from support.full_lives import FullLife
from support.replays import replayed


def test_a_full_life_comes_out_the_same(tmp_path: Path) -> None:
    life = FullLife(tmp_path / "life")
    for _ in range(13):
        life.day()
    found, verdict = replayed(life.path)
    print(verdict)
    assert found == []
    assert verdict.equal
    assert (verdict.cycles, verdict.lived, verdict.prompts, verdict.cut) == (13, 13, 26, 0)
