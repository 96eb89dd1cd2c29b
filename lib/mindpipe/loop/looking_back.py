"""What is said of many iterations: how a focus was left, what a day was, what a pattern asks."""

from collections import Counter
from collections.abc import Iterable, Sequence

from mindpipe.loop.attention_records import Concern
from mindpipe.loop.reflection_records import CHANGES, Finding, Pattern, PatternKind, Reflected
from mindpipe.memory.records import NewLesson

OFTEN, GOOD, BAD = 5, 0.8, 0.5
"""Calls of a tool in a day from which it says something, and shares that ended well or badly."""
_LISTED = 5
_ASKS = {
    PatternKind.STUCK: "Do something else this time, or say that it cannot be done.",
    PatternKind.OSCILLATING: "Stay with one of them until it is finished.",
    PatternKind.INEFFECTIVE: "A person was told. Do not try the same again before they answer.",
    PatternKind.OVERLOADED: "Take up what is urgent, and be brief.",
}


def tag(concern: str) -> str:
    """Return the tag of reflections on a concern."""
    return f"concern:{concern}"


def of_focus(concern: Concern, left: str | None) -> str:
    """Return what an agent is told of the focus that it has now."""
    said = f"Your focus is {concern.name}."
    if concern.text:
        said = f"{said} {concern.text}"
    return f"{said}\nHow you left it: {left}" if left else said


def of_work(concern: Concern, lived: Sequence[Reflected], *, since: str, until: str) -> str:
    """Return what was done for a concern while it had the focus."""
    head = f"{concern.name} had the focus from {since} to {until}."
    return " ".join([head, *of_iterations(lived)])


def of_iterations(lived: Sequence[Reflected]) -> list[str]:
    """Return, in sentences, what some iterations were: counts, outcomes, actions, what mattered."""
    cycles = [one.cycle for one in lived if one.cycle is not None]
    span = f", cycles {cycles[0]} to {cycles[-1]}" if cycles else ""
    ended = _ranked(one.outcome for one in lived)
    said = [f"{len(lived)} iteration{'s' if len(lived) > 1 else ''}{span}: {ended}."]
    calls, well = tools(lived)
    if calls:
        shown = (f"{name} ({well[name]} of {n} well)" for name, n in _most(calls))
        said.append(f"Called: {', '.join(shown)}.")
    less = Counter(words for one in lived for words in one.less)
    if less:
        said.append(f"Less well: {', '.join(name for name, _ in _most(less))}.")
    weighty = sorted(lived, key=lambda one: (-one.significance, one.iteration))[0]
    said.append(f"What mattered most: iteration {weighty.iteration} ({weighty.significance:g}).")
    return said


def tools(lived: Sequence[Reflected]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each tool was called in some iterations, and how often it ended well."""
    calls: Counter[str] = Counter()
    well: Counter[str] = Counter()
    for one in lived:
        for name, (count, good) in one.tools.items():
            calls[name] += count
            well[name] += good
    return calls, well


def standing(lived: Sequence[Reflected]) -> dict[str, bool | None]:
    """Return of each tool that was called often whether it mostly ended well; None: in between."""
    calls, well = tools(lived)
    found: dict[str, bool | None] = {}
    for name, count in sorted(calls.items()):
        if count >= OFTEN:
            share = well[name] / count
            found[name] = True if share >= GOOD else False if share < BAD else None
    return found


def of_day(lived: Sequence[Reflected], patterns: Sequence[Pattern], *, since: str) -> str:
    """Return what a day was, with what it says of the agent in words that knowledge reads."""
    said = [f"Since {since}:", *of_iterations(lived)]
    found = Counter(one.kind.value for one in patterns)
    if found:
        said.append(f"Patterns: {_ranked(found.elements())}.")
    for name, good in standing(lived).items():
        if good is not None:
            said.append(f"I am good at calling {name}." if good else f"I struggle with {name}.")
    return " ".join(said)


def strategy(tool: str) -> NewLesson:
    """Return the lesson of a tool that often went wrong; every later day is an outcome of it."""
    return NewLesson(
        key=f"strategy:{tool}",
        when=f"calling {tool}",
        text=f"Check what {tool} needs first, and after a failure change the call or ask a person.",
        tags=("strategy",),
        origin="program",
    )


def of_pattern(found: Finding) -> str:
    """Return what an agent is told of a pattern in its next prompt."""
    numbers = ", ".join(map(str, found.iterations))
    whose = f" with {found.concern}" if found.concern else ""
    head = f"You are {found.kind.value}{whose}: {found.words} (iterations {numbers})."
    return f"{head} {_ASKS[found.kind]}"


def why(found: Finding) -> str:
    """Return in a line why something changes."""
    return f"{found.kind.value}: {found.words}; so {CHANGES[found.kind].value}"


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return the most frequent words with their counts, equals by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_LISTED]


def _ranked(words: Iterable[str]) -> str:
    """Return words with how often each came."""
    return ", ".join(f"{count} {word}" for word, count in _most(Counter(words)))
