"""Which reader reads: `strict`, `parsed` with an installed pipeline, or the best that is there."""

import functools

from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.core.text import did_you_mean
from mindpipe.language.records import StatementReader
from mindpipe.language.strict import STRICT

READERS = ("strict", "parsed", "auto")
"""Names of readers; `parsed:PIPELINE` names the pipeline too."""


@functools.cache
def reader_of(name: str) -> StatementReader:
    """Return a reader by its name, the same each time: a pipeline takes a second to load.

    Raises:
        UnavailableError: `parsed` finds no spaCy, or no pipeline of that name.
        UsageError: there is no such reader.
    """
    kind, _, pipeline = name.partition(":")
    if kind == "strict" and not pipeline:
        return STRICT
    if kind == "auto" and not pipeline:
        try:
            return _parsed("")
        except UnavailableError:
            return STRICT
    if kind == "parsed":
        return _parsed(pipeline)
    near = did_you_mean(kind, READERS)
    raise UsageError(f'there is no reader "{name}"; {near}there are {", ".join(READERS)}.')


def _parsed(pipeline: str) -> StatementReader:
    """Return the reader that parses, by a pipeline of that name or the first English one."""
    try:
        import spacy

        from mindpipe.language.parsed.reader import ParsedReader
    except ImportError as error:
        raise UnavailableError(
            'the reader "parsed" needs spaCy: pip install "mindpipe[nlp]", and a pipeline.'
        ) from error
    installed = [name for name in spacy.util.get_installed_models() if name.startswith("en")]
    chosen = pipeline or next(iter(sorted(installed)), "")
    if not chosen:
        raise UnavailableError(
            'the reader "parsed" finds no pipeline of English; install one, such as '
            "en_core_web_sm, or name one as parsed:PIPELINE."
        )
    try:
        loaded = spacy.load(chosen, exclude=["ner", "textcat"])
    except OSError as error:
        raise UnavailableError(
            f'there is no pipeline "{chosen}"; installed are {", ".join(installed) or "none"}.'
        ) from error
    return ParsedReader(loaded, name=f"{loaded.meta['name']}-{loaded.meta['version']}")
