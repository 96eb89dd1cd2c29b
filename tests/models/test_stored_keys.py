"""Stored keys: in the keyring or in a private file, used where the environment has none."""

import json
import sys
from pathlib import Path

import pytest

from mindpipe.core.errors import ExitStatus
from support.command import ROOT, Mind
from support.loopback.provider import Provider

KEPT, GIVEN = "kept-in-a-place-0123456789", "given-by-the-environment-0123456789"
ASK = ("complete", "Hello you", "--model", "openai/gpt-4o", "--plain")
KEYRING = "support.file_keyring.FileKeyring"


@pytest.fixture(name="asking")
def _asking(mind: Mind, provider: Provider) -> Mind:
    mind.environment |= {"OPENAI_BASE_URL": provider.openai_url, "OPENAI_API_KEY": ""}
    return mind


@pytest.fixture(name="ring")
def _ring(asking: Mind) -> Path:
    """Return the file of a keyring that `mind` finds."""
    file = asking.folder / "ring.json"
    file.write_text("{}")
    asking.environment |= {
        "PYTHON_KEYRING_BACKEND": KEYRING,
        "PYTHONPATH": f"{ROOT / 'tests'}:{':'.join(sys.path)}",
        "KEYRING_FILE": str(file),
    }
    asking.forked = False
    return file


def keys_file(mind: Mind) -> Path:
    """Return the file of keys."""
    return mind.folder / ".config" / "mind" / "keys.json"


def keys_sent(provider: Provider) -> list[str]:
    """Return the keys of all requests since the last time."""
    found = [one.headers["Authorization"].removeprefix("Bearer ") for one in provider.requests]
    provider.requests.clear()
    return found


def sources(mind: Mind) -> dict[str, str]:
    """Return what is told of each key."""
    lines = mind("models", "key", "list").stdout.decode().splitlines()
    return {one["name"]: one["source"] for one in map(json.loads, lines) if one["name"] == "openai"}


def test_a_key_in_the_file_is_used_where_the_environment_has_none(
    asking: Mind, provider: Provider
) -> None:
    asking("models", "key", "set", "openai", stdin=f"{KEPT}\n")
    file = keys_file(asking)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    asking(*ASK)
    assert keys_sent(provider) == [KEPT]
    asking.environment["OPENAI_API_KEY"] = GIVEN
    assert sources(asking) == {"openai": "$OPENAI_API_KEY"}
    asking(*ASK)
    assert keys_sent(provider) == [GIVEN]
    asking.environment["OPENAI_API_KEY"] = ""
    asking("models", "key", "remove", "openai")
    assert KEPT not in file.read_text()
    asking(*ASK)
    assert keys_sent(provider) == ["no-key"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_can_open_is_refused(
    asking: Mind, provider: Provider, mode: int
) -> None:
    asking("models", "key", "set", "openai", stdin=KEPT)
    keys_file(asking).chmod(mode)
    ran = asking.run(*ASK)
    assert ran.status != 0
    assert b"keys.json can be read or changed by others" in ran.stderr
    assert keys_sent(provider) == []


@pytest.mark.heavy
def test_a_keyring_keeps_the_key_where_there_is_one(
    ring: Path, asking: Mind, provider: Provider
) -> None:
    asking("models", "key", "set", "openai", stdin=KEPT)
    assert json.loads(ring.read_text()) == {"mindpipe/openai": KEPT}
    assert KEPT not in keys_file(asking).read_text()
    assert sources(asking) == {"openai": "keyring"}
    asking(*ASK)
    assert keys_sent(provider) == [KEPT]
    asking("models", "key", "remove", "openai")
    assert json.loads(ring.read_text()) == {}
    assert sources(asking) == {}


@pytest.mark.heavy
def test_a_locked_keyring_is_told_and_never_worked_around(
    ring: Path, asking: Mind, provider: Provider
) -> None:
    asking("models", "key", "set", "openai", stdin=KEPT)
    ring.unlink()
    ran = asking.run(*ASK)
    assert ran.status == ExitStatus.UNAVAILABLE
    assert b"the key of openai is in a keyring that does not give it out here" in ran.stderr
    assert keys_sent(provider) == []
    asking("models", "key", "set", "openai", stdin=KEPT)
    assert sources(asking) == {"openai": str(keys_file(asking))}
    asking(*ASK)
    assert keys_sent(provider) == [KEPT]
