"""Old cycles that bear on the present come back whole, as far as there is room."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.compaction.selection.transcript import said_of
from mindpipe.compaction.task import CycleInView, SpokenWords
from mindpipe.context.prompt import quotation
from mindpipe.context.timeline.wording import marked, named, told
from mindpipe.context.verbs import origins
from mindpipe.core.messages import Role
from mindpipe.core.ports import Store, Tokens
from mindpipe.core.sources import untrusted
from mindpipe.history.verbs import history

TITLE = "EARLIER CYCLES"
MOST_CYCLES = 3
"""So many cycles at most come back for one prompt."""
_CYCLE = re.compile(r"^  - (?:\(quoted, .*\) )?cycle (\d+) \(", re.MULTILINE)


_QUESTION = 2000


def question_of(words: Iterable[str]) -> str:
    """Return what is asked of memory where the present is about some words."""
    return " ".join(" ".join(words).split())[:_QUESTION]


class EarlierCycle(NamedTuple):
    """A cycle as it comes back: its record, and whose words it took in."""

    cycle: int
    record: str
    sources: tuple[str, ...]


def bearing(
    store: Store, agent: Agent, *, text: str, there: Collection[int], tokens: Tokens, room: int
) -> list[EarlierCycle]:
    """Return the old cycles that bear most on a text and fit into `room` tokens, the best first.

    Those that are `there` already are left out, and one that does not fit is, whole.
    """
    found: list[EarlierCycle] = []
    with store.read():
        for fit in history.cycles_about(store, agent=agent.name, text=text):
            if len(found) == MOST_CYCLES:
                break
            if fit.cycle in there:
                continue
            one = _whole(store, agent, fit.cycle)
            size = tokens.count(one.record) if one else 0
            if one is not None and size <= room:
                found.append(one)
                room -= size
    return found


def sections(cycles: Collection[EarlierCycle]) -> list[str]:
    """Return cycles as a part of a note; of none there is no part."""
    lines = [f"{TITLE} (whole, as they were; none is new):"]
    lines += [f"  - {one.record}" for one in cycles]
    return ["\n".join(lines)] if cycles else []


def brought_back(notes: Iterable[str]) -> set[int]:
    """Return the cycles that notes of the program have brought back."""
    parts = (part for note in notes for part in note.split("\n\n") if part.startswith(TITLE))
    return {int(number) for part in parts for number in _CYCLE.findall(part)}


def _whole(store: Store, agent: Agent, cycle: int) -> EarlierCycle | None:
    """Return a cycle with all that was said, called and answered in it; None where nothing was."""
    messages = tuple(history.show(store, agent=agent.name, cycle=cycle))
    said = said_of([CycleInView(cycle, messages, ())])
    if not said:
        return None
    taken = origins.of_cycles(store, agent=agent.name, first=cycle, last=cycle).get(cycle, ())
    heading = f"cycle {cycle} ({marked(messages[0].at)})"
    quote = quotation(untrusted(taken, agent.trust))
    return EarlierCycle(cycle, "\n".join([f"{quote}{heading}", *_lines(said)]), taken)


def _lines(said: Iterable[SpokenWords]) -> Iterator[str]:
    """Yield what was said, each on a line of its own; not the receipts of tools."""
    for one in said:
        if one.text.strip() and not (one.role is Role.TOOL and is_receipt(one.text)):
            yield f"      {_speaker(one)}: {told(one.text)}"


def is_receipt(answer: str) -> bool:
    """Tell whether an answer says no more than that it was done, and under which id."""
    try:
        found = msgspec.json.decode(answer, type=dict[str, str | bool])
    except msgspec.DecodeError:
        return False
    ids = (name for name, value in found.items() if not isinstance(value, bool))
    return found.get("success") is True and all(name.lower().endswith("id") for name in ids)


def _speaker(one: SpokenWords) -> str:
    """Return who said something, as it stands before a colon."""
    if one.role is Role.ASSISTANT:
        return "you"
    if one.role is Role.TOOL:
        return f"answer of {named(one.speaker or 'a tool')}"
    return named(one.speaker) if one.speaker else "told"
