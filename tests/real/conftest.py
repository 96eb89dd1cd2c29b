"""Tests of real parts: they are only collected by `pytest -m real`, as `make test-real` runs it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from real.parts import Part
from support.proofs import append_line


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Let no other run look at them: what they need is not there on every machine."""
    del collection_path
    return None if config.getoption("markexpr") == "real" else True


@pytest.fixture
def needs() -> Callable[..., None]:
    """Return what skips a test whose parts are not here, and says how they are installed."""

    def need(*parts: Part) -> None:
        missing = [f"{part.name}: {part.advice()}" for part in parts if part.version() is None]
        if missing:
            pytest.skip(f"missing: {'; '.join(missing)}")

    return need


@pytest.fixture
def shown() -> Callable[[Part, str], None]:
    """Return what notes what a part was seen to do; call it last, when every assertion held."""
    file = os.environ.get("MINDPIPE_REAL_PARTS")

    def note(part: Part, words: str) -> None:
        if file:
            append_line(file, {"part": part.name, "shown": words})

    return note
