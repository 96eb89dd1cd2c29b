"""A list that is empty ends with 0 and prints nothing; what is sought or due and is not, with 3."""

import pytest

from support.command import Mind, make_private
from support.every_command import declared_commands

LISTING = frozenset(
    {"list", "cycles", "members", "read", "windows", "patterns", "decisions", "marks"}
)
"""The last words of the commands that list."""
MORE = ("history show", "trace export", "models cost", "metrics", "compact list")
GIVEN = {
    "space members": ("hall",),
    "space read": ("hall",),
    "models key list": (),
    "agent trust list": ("ava",),
    "observation decisions": (),
}
"""What a command needs beside its agent."""
NEVER_EMPTY = frozenset(
    {"agent list", "space list", "concern list", "models list", "plugin list", "metrics"}
)
"""What lists something that is always there."""
SOUGHT = (
    ("recall", "tea"),
    ("history", "search", "tea"),
    ("memory", "search", "tea"),
    ("inbox", "claim"),
    ("plan", "due"),
    ("think", "--model", "program:/bin/false"),
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    """Return a store with an agent that has lived nothing, and a space without members."""
    mind = Mind(make_private(tmp_path_factory.mktemp("empty") / "life"))
    mind("init", "--agent", "ava")
    mind("space", "new", "hall")
    return mind


def lists() -> list[str]:
    """Return every command that lists."""
    named = [name for name, _ in declared_commands() if name.rpartition(" ")[2] in LISTING]
    return sorted({*named, *MORE} - NEVER_EMPTY)


@pytest.mark.parametrize("name", lists())
def test_a_list_that_is_empty_is_no_failure(empty: Mind, name: str) -> None:
    words = [*name.split(), *GIVEN.get(name, ())]
    ran = empty.run(*words, "--json")
    assert (ran.status, ran.stdout) == (0, b""), ran.words


@pytest.mark.parametrize("words", SOUGHT, ids=lambda words: " ".join(words))
def test_what_is_sought_and_is_not_there_has_a_status_of_its_own(
    empty: Mind, words: tuple[str, ...]
) -> None:
    ran = empty.run(*words, "--agent", "ava")
    assert (ran.status, ran.stdout) == (3, b""), ran.words


@pytest.mark.parametrize(
    "words",
    [
        ("observation", "list", "--subject", "zebra"),
        ("memory", "list", "--kind", "note"),
        ("inbox", "list", "--state", "dead"),
    ],
    ids=lambda words: " ".join(words),
)
def test_a_list_of_which_an_option_leaves_nothing_is_empty_too(
    empty: Mind, words: tuple[str, ...]
) -> None:
    ran = empty.run(*words, "--agent", "ava", "--json")
    assert (ran.status, ran.stdout) == (0, b""), ran.words
