"""What all tests share: the option --populate and the command `mind` as a fixture."""

from pathlib import Path

import pytest

from running import Mind, make_private


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--populate",
        action="store_true",
        help="write what the golden cases print into their folders; read the diff afterwards",
    )


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    """Return the command `mind` in an empty private folder."""
    return Mind(make_private(tmp_path / "life"))


@pytest.fixture
def mind_with_store(mind: Mind) -> Mind:
    """Return the command `mind` in a folder with a fresh store."""
    mind("init")
    return mind
