"""The examples of the page on observations, and as many in other words, by each reader."""

import functools

import pytest

from mindpipe.io.folders import digest_of
from mindpipe.language.readers import reader_of
from mindpipe.language.records import StatementReader, Utterance

READERS = ("strict", "parsed")
EXAMPLES = {
    "User prefers PostgreSQL over MongoDB for ACID compliance": {
        ("User", "prefers", "PostgreSQL over MongoDB for ACID compliance")
    },
    "Project callscrub.io is in active development, targeting Q2 launch": {
        ("Project callscrub.io", "status", "active development"),
        ("Project callscrub.io", "launch", "Q2"),
    },
    "The Telegram channel processes approximately 40 messages per day": {
        ("operator", "count of message", "40")
    },
    "User responds best to concise technical summaries, not verbose explanations": {
        (
            "User",
            "communication_style",
            "concise technical summaries, not verbose explanations",
        )
    },
    "User prefers free/open-source when quality is comparable": {
        ("User", "prefers", "free/open-source when quality is comparable")
    },
    "holace is in active development on Next.js 14": {("holace", "status", "active development")},
    "Claude Opus 4 was released May 2025": {("Claude Opus 4", "event", "May 2025")},
    "Memory recall skews toward knowledge type": {
        ("operator", "tendency", "Memory recall skews toward knowledge type")
    },
    "Richard is Jason's business partner": {("Jason", "relation", "Richard")},
    "Telegram bot uses webhook mode on port 443": {
        ("Telegram bot", "mode", "webhook"),
        ("Telegram bot", "port", "443"),
    },
}
IN_OTHER_WORDS = {
    "I prefer PostgreSQL to MongoDB.": {("operator", "prefers", "PostgreSQL to MongoDB")},
    "callscrub.io is under active development": {("callscrub.io", "status", "active development")},
    "About 40 messages a day go through the Telegram channel.": {
        ("operator", "count of message", "40")
    },
    "I respond best to short technical summaries": {
        ("operator", "communication_style", "short technical summaries")
    },
    "I prefer open-source tools where the quality is comparable": {
        ("operator", "prefers", "open-source tools where the quality is comparable")
    },
    "holace is still in development": {("holace", "status", "development")},
    "Claude Opus 4 was published in May 2025": {("Claude Opus 4", "event", "May 2025")},
    "My recall skews to knowledge items": {
        ("operator", "tendency", "My recall skews to knowledge items")
    },
    "Jason's business partner, Richard, is here": {("Jason", "relation", "Richard")},
    "The Telegram bot runs in webhook mode, on port 443.": {("Telegram bot", "mode", "webhook")},
}


@functools.cache
def reader(name: str) -> StatementReader:
    """Return a reader; the one that parses takes a while to load."""
    return reader_of(name, digest_of)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("text", [*EXAMPLES, *IN_OTHER_WORDS])
def test_an_example_gives_the_right_statements_and_no_other(name: str, text: str) -> None:
    (found,) = reader(name).read([Utterance(text, "operator", "2026-05-01T10:00:00Z")])
    told = {
        (one.subject, f"count of {one.unit}" if one.unit else one.attribute, one.value)
        for one in found
        # A bare figure in passing is believed once it is said again.
        if one.unit != ""
    }
    assert told == {**EXAMPLES, **IN_OTHER_WORDS}[text]
    assert all(one.meant == "asserted" for one in found)
