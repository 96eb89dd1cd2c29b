"""The stem of an English word, as the full-text index takes it: by SQLite's own tokenizer."""

import functools

import apsw


@functools.lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a word of lower-case letters; anything else is its own stem."""
    if not (word.isascii() and word.isalpha() and word.islower()):
        return word
    (term,) = _porter()(word.encode(), apsw.FTS5_TOKENIZE_AUX, None, include_offsets=False)
    return str(term[0])


@functools.cache
def _porter() -> apsw.FTS5Tokenizer:
    """Return the tokenizer of the index, of a connection that holds no store."""
    return apsw.Connection(":memory:").fts5_tokenizer("porter", ["ascii"])
