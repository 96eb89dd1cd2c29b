"""What full-text queries of ours need beside FTS5's own functions."""

from typing import TYPE_CHECKING

import apsw

from mindpipe.core.records import to_json

if TYPE_CHECKING:
    from apsw import FTS5ExtensionApi


def word_counts(match: "FTS5ExtensionApi", *_columns: object) -> str:
    """Return as JSON how many words a matching row has, then how often it holds each phrase."""
    phrases = range(match.phrase_count)
    held = [sum(map(len, match.phrase_locations(phrase))) for phrase in phrases]
    return to_json((match.column_size(-1), *held)).decode()


def know_functions(connection: apsw.Connection) -> None:
    """Let full-text queries of a connection use `word_counts`."""
    connection.register_fts5_function("word_counts", word_counts)
