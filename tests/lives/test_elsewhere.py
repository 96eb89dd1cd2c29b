"""A life comes out the same where the time zone, the locale and the order of sets are others."""

import subprocess

import pytest

from support.command import BIN, Mind
from support.elsewhere import ELSEWHERE, LIFE

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    """Return where the life was lived."""
    folder = tmp_path_factory.mktemp("elsewhere") / "life"
    folder.mkdir(mode=0o700)
    mind = Mind(folder)
    ran = mind.shell(LIFE)
    assert ran.status == 0, ran.words
    return mind


@pytest.mark.parametrize("environment", ELSEWHERE, ids=lambda one: one["TZ"])
def test_it_is_lived_again_elsewhere(lived: Mind, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [BIN / "mind", "life", "replay", "ava.life", "--json"],
        cwd=lived.folder,
        env={"HOME": str(lived.folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"equal":true' in done.stdout
