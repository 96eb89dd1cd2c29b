"""The attributes that statements are about, and how each is told in one sentence."""

import functools
import re
from typing import NamedTuple, get_args

from mindpipe.core.sources import named
from mindpipe.knowledge.records import Kind
from mindpipe.language.named_attributes import called
from mindpipe.language.records import ENDING, REPLACEMENT, Statement
from mindpipe.language.topics import singular
from mindpipe.language.words import DRINKS, STANDINGS


class Attribute(NamedTuple):
    """One attribute: the kind and slot of its beliefs, and its sentences.

    `many` says that a subject has several values at a time, each in a slot of its own that its
    topic names; of any other a new value takes the place of the old one. The sentences hold
    `{who}`, `{value}` and `{topic}`; `ended` tells that it is so no longer.
    """

    kind: Kind
    slot: str
    told: str
    denied: str = ""
    ended: str = ""
    many: bool = False


ATTRIBUTES: dict[str, Attribute] = {
    "residence": Attribute(
        "world_fact",
        "residence",
        "{who} lives in {value}",
        "{who} does not live in {value}",
        "{who} no longer lives in {value}",
    ),
    "hometown": Attribute(
        "world_fact", "hometown", "{who} is from {value}", "{who} is not from {value}"
    ),
    "workplace": Attribute(
        "world_fact",
        "workplace",
        "{who} works at {value}",
        "{who} does not work at {value}",
        "{who} no longer works at {value}",
    ),
    "job": Attribute(
        "world_fact",
        "job",
        "{who} works as {value}",
        "{who} does not work as {value}",
        "{who} no longer works as {value}",
    ),
    "age": Attribute("world_fact", "age", "{who} is {value} years old", "{who} is not {value}"),
    "children": Attribute(
        "relationship_fact",
        "children",
        "{who}'s children: {value}",
        "{who}'s children are not {value}",
    ),
    "birthday": Attribute(
        "world_fact",
        "birthday",
        "{who}'s birthday is {value}",
        "{who}'s birthday is not {value}",
    ),
    "name": Attribute(
        "world_fact", "name", "{who} is called {value}", "{who} is not called {value}"
    ),
    "health": Attribute(
        "world_fact",
        "health",
        "{who}'s health: {value}",
        "{who}'s health: not {value}",
        "{who}'s health: no longer {value}",
        many=True,
    ),
    "allergy": Attribute(
        "world_fact",
        "allergy",
        "{who} is allergic to {value}",
        "{who} is not allergic to {value}",
        "{who} is no longer allergic to {value}",
        many=True,
    ),
    "medication": Attribute(
        "world_fact",
        "medication",
        "{who} takes {value}",
        "{who} does not take {value}",
        "{who} no longer takes {value}",
        many=True,
    ),
    "diet": Attribute(
        "operator_preference",
        "diet",
        "{who} is {value}",
        "{who} is not {value}",
        "{who} is no longer {value}",
    ),
    "food": Attribute(
        "operator_preference",
        "eats",
        "{who} eats {value}",
        "{who} does not eat {value}",
        "{who} no longer eats {value}",
        many=True,
    ),
    "away": Attribute(
        "world_fact",
        "state",
        "{who} is {value}",
        "{who} is not {value}",
        "{who} is no longer {value}",
        many=True,
    ),
    "housemate": Attribute(
        "relationship_fact",
        "lives_with",
        "{who} lives with {value}",
        "{who} does not live with {value}",
        "{who} no longer lives with {value}",
        many=True,
    ),
    "taste": Attribute(
        "operator_preference",
        "taste",
        "{who} likes {value}",
        "{who} dislikes {value}",
        "{who} no longer likes {value}",
        many=True,
    ),
    "pet": Attribute(
        "world_fact",
        "pet",
        "{who} has a pet: {value}",
        "{who} has no {value}",
        "{who} no longer has {value}",
        many=True,
    ),
    "owns": Attribute(
        "world_fact",
        "owns",
        "{who} has {value}",
        "{who} does not have {value}",
        "{who} no longer has {value}",
        many=True,
    ),
    "skill": Attribute(
        "world_fact",
        "skill",
        "{who} knows {value}",
        "{who} does not know {value}",
        "{who} no longer knows {value}",
        many=True,
    ),
    "hobby": Attribute(
        "operator_preference",
        "hobby",
        "{who}'s hobby: {value}",
        "{who}'s hobby is not {value}",
        "{who}'s hobby is no longer {value}",
        many=True,
    ),
    "routine": Attribute(
        "operator_preference",
        "routine",
        "{who}'s routine: {value}",
        "{who}'s routine is not {value}",
        "{who}'s routine is no longer {value}",
        many=True,
    ),
    "partner": Attribute(
        "relationship_fact",
        "partner",
        "{value} is {who}'s partner",
        "{value} is not {who}'s partner",
        "{value} is no longer {who}'s partner",
    ),
    "relation": Attribute(
        "relationship_fact",
        "relation",
        "{value} is {who}'s {topic}",
        "{value} is not {who}'s {topic}",
        "{value} is no longer {who}'s {topic}",
        many=True,
    ),
    "prefers": Attribute(
        "operator_preference",
        "prefers",
        "{who} prefers {value}",
        "{who} does not prefer {value}",
        "{who} no longer prefers {value}",
        many=True,
    ),
    "favourite": Attribute(
        "operator_preference",
        "favourite",
        "{who}'s favourite {topic} is {value}",
        "{who}'s favourite {topic} is not {value}",
        "{who}'s favourite {topic} is no longer {value}",
        many=True,
    ),
    "instruction": Attribute(
        "operator_preference", "instruction", "{who} asks: {value}", many=True
    ),
    "communication_style": Attribute(
        "operator_preference", "communication_style", "{who} responds best to {value}"
    ),
    "tendency": Attribute("self_model", "tendency", "I tend to do this: {value}", many=True),
    "strength": Attribute("self_model", "strength", "I am good at {value}", many=True),
    "weakness": Attribute("self_model", "weakness", "I struggle with {value}", many=True),
    "status": Attribute("project_state", "status", "{who} is in {value}"),
    "launch": Attribute("project_state", "launch", "{who} launches in {value}"),
    "platform": Attribute("project_state", "stack", "{who} runs on {value}"),
    "port": Attribute("tooling_state", "port", "{who} is on port {value}"),
    "mode": Attribute("tooling_state", "mode", "{who} uses {value} mode"),
    "version": Attribute("tooling_state", "version", "{who} is at version {value}"),
    "day": Attribute("world_fact", "date", "{who}: {value}", many=True),
    "count": Attribute("world_fact", "count", "{who}: {value}", many=True),
    "metric": Attribute("world_fact", "metric", "{who}: {value}", many=True),
    "event": Attribute("world_fact", "event", "{who} was {topic} {value}", many=True),
    REPLACEMENT: Attribute("world_fact", REPLACEMENT, "{who}: {value}"),
    ENDING: Attribute("world_fact", ENDING, "{who}: {value}"),
}
"""Every attribute that the readers know, by its name."""
REPLACED = (
    "residence", "workplace", "job", "name", "diet", "partner", "relation", "medication", "owns",
    "pet", "housemate", "allergy", "favourite", "hometown",
)  # fmt: skip
"""Attributes of which a value is known by itself: who swaps one for another names no attribute."""
ENDED = (
    "residence", "workplace", "job", "diet", "partner", "medication", "owns", "pet", "housemate",
    "skill", "health", "routine", "hobby",
)  # fmt: skip
"""Attributes of which a value ends by itself: who says that it is over names no attribute."""

HANGS_ON = {
    "workplace": frozenset({"boss", "colleague"}),
    "residence": frozenset({"landlord", "landlady", "flatmate", "neighbour"}),
}
"""Who is somebody's only while he works there, or lives there: a new office has a new boss."""
DOUBTED = (*ENDED, "allergy", "taste", "food", "favourite", "relation")
"""Attributes of which a value may be over where it is named near a sign of an end: of relations
those alone that hang on a home or an office, for kin stay so."""

_EATEN = re.compile(r"\beat")
_HOLE = re.compile(r"\{(who|value|topic)\}")
NOT = "not "
"""Before a value that is denied: what a slot holds is then that this value is not so."""


@functools.cache
def attribute_of(name: str) -> Attribute | None:
    """Return an attribute by its name, None where there is none.

    Any slot of a kind is one, `KIND.SLOT` or `KIND.SLOT.*`: it is called by its own words.
    """
    kinds: dict[str, Kind] = {one: one for one in get_args(Kind)}
    kind, _, slot = name.partition(".")
    if kind not in kinds or not slot:
        return ATTRIBUTES.get(name)
    owned, word = "{who}'s " + called(name), slot.removesuffix(".*")
    be = "are" if word.endswith("s") and not word.endswith("ss") else "is"
    return Attribute(
        kinds[kind],
        word,
        f"{owned} {be} {{value}}",
        f"{owned} {be} not {{value}}",
        f"{owned} {be} no longer {{value}}",
        many=slot.endswith(".*"),
    )


def known_attribute(name: str) -> Attribute:
    """Return the attribute of a statement; readers whose attributes there are not are refused."""
    attribute = attribute_of(name)
    assert attribute is not None, name
    return attribute


def _attribute_of_slot(word: str) -> Attribute:
    """Return the attribute that a slot's first word holds."""
    known = next((one for one in ATTRIBUTES.values() if one.slot == word), None)
    return known or known_attribute(f"world_fact.{word}")


def told(said: Statement) -> str:
    """Return what a statement says, in one sentence; "" where it names nothing."""
    attribute = known_attribute(said.attribute)
    if said.value is None:
        return ""
    denied = said.meant == "denied" or said.value.startswith(NOT)
    form = attribute.denied if denied else attribute.told
    if said.meant == "ended":
        form = attribute.ended or attribute.denied
    value = said.value.removeprefix(NOT)
    if said.attribute == "tendency" and value[0].isupper():
        return f"{value}."
    return _filled(form, who=said.subject, value=value, topic=singular(said.topic or ""))


def told_ended(slot: str, *, who: str, value: str) -> str:
    """Return in one sentence that what a slot holds of somebody is so no longer."""
    word, _, tail = slot.partition(".")
    attribute = _attribute_of_slot(word)
    own = value.lower().split()
    topic = " ".join(one for one in tail.split("_") if one not in own)
    return _filled(attribute.ended or attribute.denied, who=who, value=value, topic=topic)


def told_of_slot(slot: str, *, who: str, value: str) -> str:
    """Return what a slot holds in one sentence, "" where no attribute tells that."""
    word, _, tail = slot.partition(".")
    attribute = next((one for one in ATTRIBUTES.values() if one.slot == word), None)
    if attribute is None:
        return ""
    bare = value.removeprefix(NOT)
    own = bare.lower().split()
    told = attribute.denied if value.startswith(NOT) else attribute.told
    topic = " ".join(one for one in tail.split("_") if one not in own)
    return _filled(told, who=who, value=bare, topic=topic) if told else ""


def denial(value: str) -> str:
    """Return a value that somebody says not to be so as slots hold it, or ""."""
    said = value.strip()
    return f"{NOT}{said[len(NOT) :].strip()}" if said.lower().startswith(NOT) else ""


def _filled(form: str, **said: str) -> str:
    """Return a sentence with its holes filled; what was said is no format, and stays as it is."""
    words = {**said, "who": named(said["who"])}
    last = said["value"].lower().rpartition(" ")[2]
    if last in DRINKS:
        form = _EATEN.sub("drink", form)
    if last in STANDINGS:
        form = form.replace("does not work as", "is not").replace("works as", "is")
    return _HOLE.sub(lambda hole: words[hole[1]], form) + "."


def held(said: Statement) -> str | None:
    """Return what a slot holds by a statement: the value, that it is not so, None of no value.

    Of who denies that something is not so, that is what it would be no longer.
    """
    denied = said.meant in ("denied", "ended") and not is_undenied(said)
    return f"{NOT}{said.value}" if denied and said.value is not None else said.value


def is_undenied(said: Statement) -> bool:
    """Tell whether it is denied that something is not so: `I don't hate mushrooms`."""
    denied = said.meant in ("denied", "ended")
    return denied and said.value is not None and said.value.startswith(NOT)
