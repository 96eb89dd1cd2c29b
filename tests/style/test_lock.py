"""The lock names every direct dependency, each file by its hash, and no place to take it from."""

import re
import tomllib

from support.command import ROOT

LOCK = (ROOT / "requirements.lock").read_text()
PINNED = re.compile(r"^([a-z0-9-]+)==\S+ ?((?:\\\n +--hash=sha256:[0-9a-f]{64} ?)+)$", re.MULTILINE)
NAME = re.compile(r"[A-Za-z0-9_.-]+")


def normal(requirement: str) -> str:
    """Return the normal form of the name that a requirement begins with."""
    found = NAME.match(requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def test_every_direct_dependency_is_locked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*settings["dependencies"], *settings["optional-dependencies"]["dev"]]
    locked = {name for name, _ in PINNED.findall(LOCK)}
    missing = sorted({normal(requirement) for requirement in wanted} - locked)
    assert missing == [], "run make lock"


def test_every_line_pins_a_version_or_a_hash() -> None:
    rest = re.sub(r"^#.*$", "", PINNED.sub("", LOCK), flags=re.MULTILINE)
    assert rest.split() == []
