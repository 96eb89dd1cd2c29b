"""Who asks of himself is reminded of his own first, in both styles, and of what is so today."""

import json
from pathlib import Path

import pytest

from support.command import Mind

pytestmark = pytest.mark.heavy

ITEMS = (
    ("Ana", "2026-01-02", "my garden is behind the mill"),
    ("Tom", "2026-01-03", "my garden is by the harbour"),
    ("Ana", "2026-01-04", "my car is a red Skoda"),
    ("Ana", "2026-03-04", "sold the Skoda to a colleague"),
)


@pytest.fixture(params=["continuous", "timeline"])
def home(request: pytest.FixtureRequest, mind: Mind) -> Mind:
    """Return the life of an agent who shares a space with two people."""
    model = mind.folder / "noted"
    model.write_text('#!/bin/sh\ncat > asked\necho \'{"text": "noted"}\'\n')
    model.chmod(0o700)
    mind("init")
    mind("agent", "new", "ava", "--model", "program:./noted", "--style", request.param)
    mind("space", "new", "home", "--name", "Home")
    mind("space", "join", "home", "ava")
    for name in ("Ana", "Tom"):
        mind("space", "join", "home", name.lower(), "--kind", "human", "--name", name)
    lines = (
        json.dumps({"speaker": who, "at": f"{day}T10:00:00Z", "text": text})
        for who, day, text in ITEMS
    )
    mind("memory", "add", "--agent", "ava", stdin="\n".join(lines))
    return mind


def reminded(home: Mind, sender: str, text: str) -> list[str]:
    """Return what stands in the prompt of a question, of all that was told, in its order."""
    event = {"text": text, "space": "home", "sender": sender}
    pushed = ("inbox", "push", "--agent", "ava", "--type", "space_message")
    home(*pushed, stdin=json.dumps(event))
    home("think", "--agent", "ava")
    asked = Path(home.folder, "asked").read_text()
    places = {text: asked.find(text) for *_, text in ITEMS}
    return sorted((text for text, at in places.items() if at >= 0), key=places.__getitem__)


def test_who_asks_of_himself_is_reminded_of_his_own_first(home: Mind) -> None:
    found = reminded(home, "ana", "where is my garden?")
    assert found == ["my garden is behind the mill", "my garden is by the harbour"]


def test_another_who_asks_the_same_is_reminded_of_his(home: Mind) -> None:
    found = reminded(home, "tom", "where is my garden?")
    assert found == ["my garden is by the harbour", "my garden is behind the mill"]


def test_who_asks_for_what_he_has_is_reminded_of_its_end(home: Mind) -> None:
    found = reminded(home, "ana", "which car is mine?")
    assert found[0] == "sold the Skoda to a colleague"
