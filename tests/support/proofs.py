"""What is proved: figures of the promises, and rows of the founding requirements.

Nothing is written unless `MINDPIPE_PROOFS` names a file; `make promises` sets it.

A test names its row by `@proves("the row")`; `tests/unit/person/traceability` has one for each.
"""

import json
import os
from collections.abc import Callable
from typing import TypeVar

from support.server_stores import ON_SERVER


def proved(promise: int, **counts: int) -> None:
    """Say what a test of a promise counted, e.g. `proved(1, kills=100, acknowledged=393, lost=0)`.

    Call it last, when every assertion held.
    """
    _note({"promise": promise, "counts": counts, "store": "server" if ON_SERVER else "file"})


def proved_on_server(promise: int, **counts: int) -> None:
    """Say it of a test that has a server of its own."""
    _note({"promise": promise, "counts": counts, "store": "server"})


def turned_red(promise: int, build: str, **counts: int) -> None:
    """Say by what a broken build of tests/red was found, e.g. `turned_red(1, "name", lost=3)`."""
    if not ON_SERVER:
        _note({"promise": promise, "red": build, "counts": counts})


def _note(line: dict[str, object]) -> None:
    """Append one line to the file of proofs."""
    file = os.environ.get("MINDPIPE_PROOFS")
    if file:
        append_line(file, line)


def append_line(file: str, line: dict[str, object]) -> None:
    """Append a line with its test's name; one write, so that tests side by side do not tear it."""
    line["test"] = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, json.dumps(line).encode() + b"\n")
    finally:
        os.close(descriptor)


F = TypeVar("F", bound=Callable[..., None])

ROWS = (
    "first-person experience from psychological state; the person is unaware of a simulation",
    "three modes, at most one per tick, shared rate limit",
    "React: salience and rate limit, None otherwise",
    "Spontaneous: interval 30 s and rate limit, None without candidate",
    "Respond: speech and action, bypasses salience, rate limit only",
    "reason for reactive and spontaneous",
    "salience formula, four dimensions, max as trigger",
    "rate of change, novelty weight (.3, 60 s, about 2.0), reset on trigger",
    "attention modifier 1 + .5·direction",
    "breach bonuses .8/.5, -.6/.4, .15/.3, .6/.6",
    "dynamic threshold .3, -.1, -.05, +.1, clamp .1 to .6",
    "first Compute establishes baseline",
    "five priorities, weights 8/5/3/2/1, weighted random",
    "AddPredictionError, ActiveGoals, SocialConcerns",
    "UpdateNeeds three prompts",
    "four drift prompts",
    "absorption",
    "system prompt lines and identity block",
    "state block, six literal lines, no numbers",
    "per-mode triggers and questions",
    "distortion sentence",
    "up to about 10 memories within budget",
    "IdentityCore fields, defaults, persisted, always fed",
    "ContextSelector score .35/.35/.30, six dimensions, abs(valence), MaxContextMemories 5, sorted",
    "compression over truncation",
    "feedback table, 8 patterns, keywords, rates",
    "more than 2 distortions: cortisol +.01/s",
    "FeedbackToChanges, per-second rates applied to the body",
    "LLM interface complete(system, user); mock in tests",
    "1024 tokens, temperature .9, ANTHROPIC_API_KEY, claude-haiku-4-5",
    "MinCallInterval 2 s, SpontaneousInterval 30 s, canCall, timestamps before the call, 0 = none",
    "Reviewer: shared interface, 60 s, buffer 20, oldest dropped",
    "reviewer system and user prompt, numbers, final question",
    "independent limit; empty buffer: none",
    "Observation {content, timestamp}, [REVIEW] magenta",
    "observation only, no influence",
    "SQLite persistence",
)


def proves(row: str) -> Callable[[F], F]:
    """Name the row that a test proves; raises ValueError for a row that there is not."""
    if row not in ROWS:
        raise ValueError(f"no such row: {row}")

    def name(test: F) -> F:
        return test

    return name
