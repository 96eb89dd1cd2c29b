"""Whose words a text holds: what sources are called, and which of them somebody trusts.

An event's source is named as it was pushed, with its sender behind a slash: `mail`, `web/bob`,
`space:family/husam`. `tool:NAME` is the output of a tool that reads what others wrote,
`import:FORMAT` an imported history, and `history` the lines of a history of which only the taint is
known. `mcp:SERVER` is what an MCP server says of its tools, `server:SERVER/TOOL` what one of them
answers, `file:PATH` a file that an index leads to, `person:ID` what a simulated person says aloud.
`claimed:NAME` is a source that only a line names which came from another: it has to be trusted too,
and never says where the words came from.
Whoever speaks in spaces is no source: he is `@NAME` where a person names him, in whichever space.
The operator, its plans, decisions and concerns, and what the program says of a crash are no source:
their words are always trusted.
"""

import re
from collections.abc import Iterable
from typing import Annotated, NamedTuple

import msgspec

from mindpipe.core.records import to_json

MAX_SOURCES = 1000
MAX_SOURCE = 520
SourceName = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_SOURCE)]
Sources = Annotated[tuple[SourceName, ...], msgspec.Meta(max_length=MAX_SOURCES)]

OPERATOR = frozenset({"operator", "plan", "ticket", "recovery", "wait", "decision", "attention"})
RESERVED = OPERATOR | {"task", "loop"}
"""Sources that nobody pushes from but the operator and the program itself."""
HISTORY = "history"
_SPACE = "space:"
_SERVER = "server:"
_IMPORT = "import:"
_CLAIMED = "claimed:"
_SPEAKER = "@"
_BELOW = ("/", ":")
MORE = "more:sources"
"""Stands for all that do not fit into `MAX_SOURCES`; only whoever trusts all (`*`) trusts it."""


def source_name(source: str, sender: str | None) -> str | None:
    """Return what the source of an event is called, or None where it is the operator."""
    if source in OPERATOR:
        return None
    return f"{source}/{sender}" if sender else source


def tool_source(tool: str) -> str:
    """Return what the output of a tool is called that reads what others wrote."""
    return f"tool:{tool}"


def server_source(server: str) -> str:
    """Return what the words of an MCP server about its own tools are called."""
    return f"mcp:{server}"


def answers_source(server: str) -> str:
    """Return what all that the tools of an MCP server answer is called."""
    return f"{_SERVER}{server}"


def claimed(source: str) -> str:
    """Return what a source is called that only a line names which came from another."""
    if source == MORE or source.startswith(_CLAIMED):
        return source
    return f"{_CLAIMED}{source}"[:MAX_SOURCE]


def claims_of(sources: Iterable[str]) -> tuple[str, ...]:
    """Return the sources that are only claimed, by the names that were claimed."""
    return tuple(one.removeprefix(_CLAIMED) for one in sources if one.startswith(_CLAIMED))


def trustee(source: str) -> str:
    """Return what a person names to trust a source: an MCP server answers as a whole."""
    source = source.removeprefix(_CLAIMED)
    return source.partition("/")[0] if source.startswith(_SERVER) else source


def worker_source(worker: str) -> str:
    """Return what the words of whoever works on tasks are called."""
    return f"task/{worker[:200]}"


def file_source(path: str) -> str:
    """Return what the words of a file are called that an index leads to."""
    return f"file:{path}"[:MAX_SOURCE]


def person_source(person: str) -> str:
    """Return what the words of a simulated person are called, who may repeat whatever it heard."""
    return f"person:{person}"


def space_source(space: str) -> str:
    """Return what the words are called that are said in a space."""
    return f"{_SPACE}{space}"


def import_source(format: str) -> str:
    """Return what an imported history is called."""
    return f"{_IMPORT}{format}"


def fault_of_name(wanted: str) -> str | None:
    """Return what is wrong with a name by which a person means sources, or None."""
    if wanted == _SPEAKER:
        return "it names nobody; @husam is who speaks as husam in spaces"
    stem, star, rest = wanted.partition("*")
    if not star or (not rest and (not stem or stem == _SPEAKER or stem.endswith(_BELOW))):
        return None
    plain = stem.removeprefix(_SPEAKER)
    if wanted.startswith(_SPEAKER):
        return f"name each who speaks, as @{plain or 'husam'}; @* means all"
    if rest:
        return "a * ends a name, after / or :, as in mail/* or observer:*"
    return (
        f"a * follows / or : ({plain} with all its senders, {plain}/* these, {plain}:* its kinds)"
    )


def covers(wanted: str, source: str) -> bool:
    """Tell whether a name that a person gave means a source.

    It may be the source's own name, one without its sender (`space:family`), all below a name
    (`mail/*`, `observer:*`), or who speaks in spaces (`@husam`, `@*`). A source and a speaker of
    the same name are two. An older entry that ends in `*` without a sign before it stops there too.
    """
    source = source.removeprefix(_CLAIMED)
    if source == MORE:
        return wanted == "*"
    if wanted.startswith(_SPEAKER):
        speaker = speaker_of(source)
        return bool(speaker) and wanted in (f"{_SPEAKER}{speaker}", f"{_SPEAKER}*")
    stem = wanted.removesuffix("*")
    if stem != wanted and (not stem or stem.endswith(_BELOW)):
        return source.startswith(stem)
    if stem != wanted:
        return source == stem or source.startswith(tuple(f"{stem}{sign}" for sign in _BELOW))
    return wanted in (source, source.partition("/")[0])


def speaker_name(speaker: str) -> str:
    """Return by what a person means somebody who speaks in spaces."""
    return f"{_SPEAKER}{speaker}"


def speaker_of(source: str) -> str | None:
    """Return who said it, where a source is what somebody said in a space."""
    place, _, sender = source.partition("/")
    return sender if place.startswith(_SPACE) else None


def untrusted(sources: Iterable[str], trust: Iterable[str]) -> tuple[str, ...]:
    """Return those of some sources that no entry of `trust` means, sorted."""
    entries = tuple(trust)
    return tuple(
        sorted(one for one in set(sources) if not any(covers(entry, one) for entry in entries))
    )


USER = "user"
"""Who speaks in a history where nobody is named: its format says so, and no line of it."""


def may_speak(speaker: str, sources: Iterable[str]) -> bool:
    """Tell whether words are known to be of a speaker, by the untrusted sources that they are of.

    They are where there is none, since somebody vouches for all, and where they were said in a
    space. Of an imported history only that its user spoke is known.
    """
    found = tuple(sources)
    if not found or any(one.startswith(_SPACE) for one in found):
        return True
    return speaker == USER and all(one == HISTORY or one.startswith(_IMPORT) for one in found)


class SaidBy(NamedTuple):
    """Who is known to have said something, or else who it says that it is of."""

    known: str | None
    claimed: str | None


def speakers(named: str | None, claimed: str | None, sources: Iterable[str]) -> SaidBy:
    """Return whose words something is, by who is named and its untrusted sources.

    Who is named as its speaker only claims to be where they may not speak for him.
    """
    if named is None or may_speak(named, sources):
        return SaidBy(named, claimed if named is None else None)
    return SaidBy(None, claimed or named)


def attribution(speaker: str | None, claimed: str | None, sources: Iterable[str]) -> str | None:
    """Return in words who said something, or whose it says that it is and by which way it came."""
    if speaker is not None:
        return speaker
    found = tuple(sources)
    ways = dict.fromkeys(one.partition("/")[0] for one in found if not one.startswith(_CLAIMED))
    came = f"came by {' and '.join(ways)}" if ways else ""
    of = dict.fromkeys(one.partition("/")[0] for one in claims_of(found))
    claims = [*([] if claimed is None else [claimed]), *(f"of {one}" for one in of)]
    says = f"says it is {' and '.join(claims)}" if claims else ""
    return ", ".join(words for words in (says, came) if words) or None


_HEARSAY = "source:"
_AS = " as "
_MOST_CLAIMED = 60
"""Characters of a name that a line claims for itself."""


def hearsay(sources: Iterable[str], claimed: str | None = None) -> str:
    """Return whom words are of that say "I" where nobody knows who said them: their source.

    It begins as the name of no person does, so that no source can be called like one. Of several it
    is the one of which least is known, so that no better one can be named beside it; what a line
    only claims counts where nothing else is there. Those whom lines of one source are said to be of
    (`claimed`) are several: what one says contradicts no other.
    """
    least = min(sources, key=lambda one: (_known_of(one), one), default="unknown")
    voice = f"{_HEARSAY}{least.partition('/')[0]}"
    return f"{voice}{_AS}{claimed[:_MOST_CLAIMED]}" if claimed else voice


def named(voice: str) -> str:
    """Return whom words are of as a sentence names him: who is known by his name."""
    if not voice.startswith(_HEARSAY):
        return voice
    source, _, claimed = voice.removeprefix(_HEARSAY).partition(_AS)
    return f"Somebody {f'who says it is {claimed}' if claimed else 'unknown'} ({source})"


_KNOWN = {
    MORE.partition(":")[0]: 0,
    _IMPORT.removesuffix(":"): 2,
    HISTORY: 2,
    "file": 2,
    "observer": 2,
    "tool": 3,
    "mcp": 3,
    "server": 3,
    "task": 3,
    _SPACE.removesuffix(":"): 4,
    _CLAIMED.removesuffix(":"): 5,
}


def _known_of(source: str) -> int:
    """Return how much is known of a source by its kind: least where anybody may have pushed it."""
    return _KNOWN.get(re.split("[:/]", source, maxsplit=1)[0], 1)


def of_others(sources: Iterable[str], reader: str) -> tuple[str, ...]:
    """Return the sources but the reader's own words, as they come back in answers to them."""
    return tuple(one for one in sources if speaker_of(one) != reader)


def joined(*groups: Iterable[str]) -> tuple[str, ...]:
    """Return all sources of some groups, each once, sorted; `MORE` for those that do not fit."""
    found = {one for group in groups for one in group}
    if len(found) <= MAX_SOURCES:
        return tuple(sorted(found))
    return tuple(sorted([*sorted(found - {MORE})[: MAX_SOURCES - 1], MORE]))


def stored_sources(sources: Iterable[str]) -> str:
    """Return sources as a row keeps them."""
    return to_json(tuple(sources)).decode()


def with_sources(row: dict[str, object]) -> dict[str, object]:
    """Return a row of a table whose sources are a list again."""
    kept = row["sources"]
    return {**row, "sources": () if kept is None else msgspec.json.decode(str(kept))}
