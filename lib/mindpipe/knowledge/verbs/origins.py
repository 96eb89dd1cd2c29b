"""Look up what evidence names: its sources in memory, and the words of the log that it quotes."""

import contextlib
from collections.abc import Iterable

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import Store
from mindpipe.history.verbs import log
from mindpipe.knowledge.records import Evidence
from mindpipe.knowledge.verification import EvidenceOrigin
from mindpipe.memory.verbs import entity as entities
from mindpipe.memory.verbs import lesson as lessons
from mindpipe.memory.verbs import memory
from mindpipe.memory.verbs import reflection as reflections

Found = dict[tuple[str, str], EvidenceOrigin]


def sources_of(store: Store, *, agent: str, evidence: Iterable[Evidence]) -> Found:
    """Return every source that is there, by (source, ref)."""
    refs: dict[str, set[str]] = {}
    for one in evidence:
        refs.setdefault(one.source, set()).add(one.ref)
    found: Found = {}
    for _, item in memory.of_ids(store, agent=agent, ids=refs.get("memory_item", ())):
        found["memory_item", item.id] = EvidenceOrigin(item.text, item.span, item.retracted)
    for ref in sorted(refs.get("lesson", ())):
        with contextlib.suppress(UsageError):
            lesson = lessons.show(store, agent=agent, id=ref)
            found["lesson", ref] = EvidenceOrigin(lesson.text, retracted=lesson.retracted)
    for ref in sorted(refs.get("reflection", ())):
        with contextlib.suppress(UsageError):
            reflection = reflections.show(store, agent=agent, id=ref)
            found["reflection", ref] = EvidenceOrigin(
                reflection.text, retracted=reflection.retracted
            )
    for ref in sorted(refs.get("entity", ())):
        with contextlib.suppress(UsageError):
            entity = entities.show(store, agent=agent, id=ref)
            found["entity", ref] = EvidenceOrigin(entity.profile or entity.name)
    return found


def log_of(store: Store, *, agent: str, evidence: Iterable[Evidence]) -> dict[str, str]:
    """Return the words of every message that is quoted and is there, by its id.

    What was found in an item quotes that item.
    """
    spans = (one.span for one in evidence)
    names = [one.message for one in spans if one]
    kept = memory.of_ids(store, agent=agent, ids=names)
    words = {one.item.id: one.item.text for one in kept}
    return {**words, **log.words_of(store, agent=agent, ids=names)}
