"""Subjects, slots and the canonical keys of beliefs, with the rules that name them."""

import functools
import hashlib
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.core.text import did_you_mean
from mindpipe.knowledge.confidence import WINDOWS, Windows, changed_windows
from mindpipe.knowledge.records import Kind, SubjectType

PART_CHARACTERS = 80
"""A longer part of a key is cut, and ends in a hash of what it was."""
SELF = "self"

SUBJECT_TYPES: dict[Kind, SubjectType] = {
    "operator_preference": "entity",
    "project_state": "project",
    "world_fact": "global",
    "self_model": "agent",
    "relationship_fact": "entity",
    "tooling_state": "tool",
}

THINGS: tuple[Kind, ...] = ("project_state", "tooling_state")
"""Kinds of beliefs of projects and tools, of which nobody speaks as of himself."""

Slots = Mapping[Kind, frozenset[str]]
"""The words that may be slots of each kind; `.*` behind one asks for a topic."""

_WORDS: dict[Kind, str] = {
    "operator_preference": (
        "communication_style diet eats.* favourite.* hobby.* instruction.* language prefers.* "
        "routine.* taste.* timezone working_hours"
    ),
    "project_state": (
        "blocker budget count.* database deadline framework.* language launch metric.* milestone "
        "owner phase repository schedule.* stack status team"
    ),
    "world_fact": (
        "age allergy.* birthday count.* date.* definition event.* health.* hometown job "
        "medication.* metric.* name nationality owns.* pet.* plan.* residence skill.* state.* "
        "workplace"
    ),
    "self_model": "procedure.* strength.* tendency.* weakness.*",
    "relationship_fact": "children employer lives_with.* manager partner relation.* spouse",
    "tooling_state": "endpoint host mode port version",
}
SLOTS: Slots = {kind: frozenset(words.split()) for kind, words in _WORDS.items()}


def extended(setting: str | None) -> Slots:
    """Return the slots with those of a setting, e.g. `world_fact.blood_type project_state.risk.*`.

    Raises:
        UsageError: an entry is no KIND.SLOT, or its slot is not written as keys are.
    """
    found: dict[Kind, frozenset[str]] = dict(SLOTS)
    kinds: dict[str, Kind] = {kind: kind for kind in SLOTS}
    for entry in (setting or "").replace(",", " ").split():
        name, _, slot = entry.partition(".")
        if (kind := kinds.get(name)) is None:
            near = did_you_mean(name, kinds)
            raise UsageError(
                f'knowledge.slots: "{entry}" is no KIND.SLOT; {near}write it like '
                "world_fact.blood_type, and with .* behind it where it holds one value per topic."
            )
        word = slot.removesuffix(".*")
        if not word or word != normal_topic(word):
            raise UsageError(
                f'knowledge.slots: "{entry}" is no slot; it has lower-case letters, digits and _.'
            )
        found[kind] = found[kind] | {slot}
    return found


def added_to(slots: Slots) -> tuple[str, ...]:
    """Return what a setting has added to the slots, as it names them, in order."""
    return tuple(
        sorted(f"{kind}.{one}" for kind, known in slots.items() for one in known - SLOTS[kind])
    )


def normal_subject(name: str) -> str:
    """Return a name as keys and subjects have it: `Call Scrub.io` is `call-scrub-io`.

    Unicode NFKC and case folding; whatever is no letter, mark or digit becomes one hyphen, at the
    ends nothing. Doing it twice changes nothing.

    Raises:
        UsageError: nothing is left.
    """
    return _part(name, "-")


def normal_topic(words: str) -> str:
    """Return the topic of a slot, as `normal_subject` but with underscores: `response_time`.

    Raises:
        UsageError: nothing is left.
    """
    return _part(words, "_")


def slot_of(slots: Slots, kind: Kind, word: str, *, topic: str | None = None) -> str:
    """Return the slot of a kind that is called by a word of the table, with its topic.

    Raises:
        UsageError: there is no such slot, or it needs or takes no topic.
    """
    made = word if topic is None else f"{word}.{normal_topic(topic)}"
    require_slot(slots, kind, made)
    return made


def require_slot(slots: Slots, kind: Kind, slot: str) -> None:
    """Raise UsageError, naming the nearest, unless the kind has this slot."""
    word, dot, topic = slot.partition(".")
    known = slots[kind]
    if (f"{word}.*" if dot else word) in known and (not dot or _is_topic(topic)):
        return
    near = did_you_mean(f"{word}.*" if dot else word, sorted(known))
    raise UsageError(f'{kind} has no slot "{slot}"; {near}knowledge.slots adds more.')


def _is_topic(text: str) -> bool:
    """Tell whether a text is a topic as keys have it."""
    try:
        return text == normal_topic(text)
    except UsageError:
        return False


def canonical_key(kind: Kind, subject_type: SubjectType, subject: str, slot: str) -> str:
    """Return the key under which at most one observation of an agent is active.

    `subject` and `slot` are normal already; the store composes the same and refuses any other.
    """
    if kind == "world_fact":
        return f"global:world_fact:{subject}.{slot}"
    return f"{subject_type}:{subject}:{kind}:{slot}"


@functools.lru_cache(maxsize=1 << 14)
def _part(text: str, between: str) -> str:
    """Return a text as one part of a key, its words joined by one character."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = (one if unicodedata.category(one)[0] in "LMN" else " " for one in folded)
    made = between.join("".join(kept).split())
    if not made:
        raise UsageError(f'"{text}" has no letter or digit that could stand in a key.')
    if len(made) <= PART_CHARACTERS:
        return made
    digest = hashlib.sha256(made.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{made[: PART_CHARACTERS - 9].rstrip(between)}{between}{digest}"


class SlotRules(NamedTuple):
    """The slots of each kind and its window in days, as they are in force."""

    slots: Slots = SLOTS
    windows: Windows = WINDOWS


def rules_of(*, slots: str | None, windows: str | None) -> SlotRules:
    """Return the rules under the settings `knowledge.slots` and `knowledge.windows`.

    Raises:
        UsageError: one of them names no kind, no slot or no days.
    """
    return SlotRules(extended(slots), changed_windows(windows))
