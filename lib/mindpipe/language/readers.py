"""Which reader reads: `strict`, `parsed` with a pipeline, a model, a plugin, or the best here."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.core.plugins import PluginKind, also_plugins, plugin_of
from mindpipe.core.text import did_you_mean
from mindpipe.language.records import StatementReader
from mindpipe.language.strict import strict_reader

Digest = Callable[[Path], str]
"""Returns by what the files of a folder are told from others."""
AUTO = "auto"
MODEL = "model"
READERS = ("strict", "parsed", MODEL, AUTO)
"""Names of readers; `parsed:PIPELINE` names the pipeline too, `model:MODEL` the model."""


def model_of(name: str) -> str | None:
    """Return the model that a reader's name names, "" for the agent's own, None for no model."""
    kind, _, model = name.partition(":")
    return model if kind == MODEL else None


@functools.cache
def reader_of(name: str, digest: Digest, named: tuple[str, ...] = ()) -> StatementReader:
    """Return a reader that asks no model by its name, the same each time: a pipeline loads slowly.

    `digest` tells the files of a pipeline from others; `named` are the attributes that a setting
    adds, `KIND.SLOT` or `KIND.SLOT.*`.

    Raises:
        UnavailableError: `parsed` finds no spaCy, or no pipeline of that name; a plugin fails.
        UsageError: there is no such reader.
    """
    kind, _, pipeline = name.partition(":")
    if kind == "strict" and not pipeline:
        return strict_reader(named)
    if kind == AUTO and not pipeline:
        return reader_of(best_reader(), digest, named)
    if kind == "parsed":
        return _parsed(pipeline, digest, named)
    if (plugin := plugin_of(PluginKind.READERS, name)) is not None:
        from mindpipe.language.plugin_reader import PluginReader

        return PluginReader(plugin)
    near = did_you_mean(kind, READERS)
    known = f"{', '.join(READERS)}{also_plugins(PluginKind.READERS)}"
    raise UsageError(f'there is no reader "{name}"; {near}there are {known}.')


def best_reader() -> str:
    """Return what `auto` means here: `parsed` with the first pipeline of English, or `strict`.

    It names the pipeline, so that it means the same later and elsewhere.
    """
    try:
        installed = _pipelines()
    except UnavailableError:
        return "strict"
    return f"parsed:{installed[0]}" if installed else "strict"


def _pipelines() -> Sequence[str]:
    """Return the pipelines of English that are installed; raises UnavailableError without spaCy."""
    try:
        import spacy
    except ImportError as error:
        raise UnavailableError(
            "the reader \"parsed\" needs spaCy: pip install '.[nlp]' in mindpipe's folder, and a "
            "pipeline."
        ) from error
    return sorted(name for name in spacy.util.get_installed_models() if name.startswith("en"))


def _parsed(pipeline: str, digest: Digest, named: tuple[str, ...]) -> StatementReader:
    """Return the reader that parses, by a pipeline of that name or the first English one."""
    installed = _pipelines()
    chosen = pipeline or next(iter(installed), "")
    if not chosen:
        raise UnavailableError(
            'the reader "parsed" finds no pipeline of English; install one: python -m '
            "spacy download en_core_web_sm, or name one as parsed:PIPELINE."
        )
    import spacy

    from mindpipe.language.parsed.reader import ParsedReader

    try:
        loaded = spacy.load(chosen, exclude=["ner", "textcat"])
    except (ImportError, ValueError) as error:
        raise UnavailableError(
            f'the pipeline "{chosen}" is damaged: {error}; install it again.'
        ) from error
    except OSError as error:
        raise UnavailableError(
            f'there is no pipeline "{chosen}"; installed are {", ".join(installed) or "none"}.'
        ) from error
    told = None if loaded.path is None else digest(Path(loaded.path))
    return ParsedReader(loaded, digest=told, strict=strict_reader(named))
