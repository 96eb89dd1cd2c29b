"""A history as a person reads it: cycles, who spoke, the calls and their results."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    ResultStatus,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.text import terminal_text
from mindpipe.history.records import Cycle
from mindpipe_cli import output

CycleOf = Callable[[int], Cycle | None]
_LONGEST = 600


class Line(NamedTuple):
    """One part of a timeline: who speaks, the words, and how they are drawn."""

    label: str
    words: str
    style: str


class Told(NamedTuple):
    """One cycle of a timeline: the line above it, and its lines."""

    heading: str
    lines: list[Line]


def cycles(messages: Iterable[Message], cycle_of: CycleOf) -> Iterator[Told]:
    """Yield messages cycle by cycle, one cycle in memory at a time."""
    for number, held in itertools.groupby(messages, key=lambda message: message.cycle):
        first, *rest = held
        lines = [line for message in (first, *rest) for line in _lines(message)]
        yield Told(_heading(first, cycle_of(number)), lines)


def _lines(message: Message) -> Iterator[Line]:
    """Yield a line per part, who speaks before the first."""
    label = message.role.value
    for part in message.parts:
        words, style = _shown(part)
        yield Line(label, _shortened(words), style)
        label = ""


def _heading(message: Message, cycle: Cycle | None) -> str:
    """Return the line above a cycle: its number, how it stands, when, and what it took."""
    if cycle is None:
        return f"cycle {message.cycle} · {message.at}"
    facts = [
        f"cycle {cycle.cycle}",
        cycle.outcome.value if cycle.outcome else cycle.state.value,
        cycle.opened,
        cycle.trigger,
        cycle.model,
    ]
    if cycle.input_tokens or cycle.output_tokens:
        facts.append(f"{cycle.input_tokens} + {cycle.output_tokens} tokens")
    if cycle.cost_micros:
        facts.append(f"${cycle.cost_micros / 1_000_000:.4f}")
    return " · ".join(fact for fact in facts if fact)


def _shown(part: Part) -> tuple[str, str]:
    """Return the words of one part and how they are drawn."""
    match part:
        case TextPart():
            return part.text, ""
        case ThinkingPart():
            return f"(thinking) {part.text or ''}".rstrip(), "dim italic"
        case CallPart():
            return f"→ {part.tool} {part.args_text or _json(part.args)}", "cyan"
        case ResultPart():
            words = part.text or ("" if part.json is None else _json(part.json))
            good = part.status in {ResultStatus.OK, ResultStatus.TICKETED}
            return f"← {part.status.value} {words}".rstrip(), "green" if good else "red"
        case FilePart():
            return f"[file {part.name}, {part.media_type}]", "dim"
        case OpaquePart():
            return f"[{part.kind} of {part.provider}]", "dim"


def _json(value: object) -> str:
    """Return a value as JSON text."""
    return msgspec.json.encode(value).decode()


def _shortened(words: str) -> str:
    """Return words that fit on a screen, with how much is not shown."""
    if len(words) <= _LONGEST:
        return words
    return f"{words[:_LONGEST]}… ({len(words) - _LONGEST} more characters)"


def write_words(words: str) -> None:
    """Draw words of which a person must see all, each line of them on its own."""
    from rich.console import Console
    from rich.text import Text

    console = Console(no_color=not output.colours_wanted(), highlight=False)
    for line in words.split("\n"):
        console.print(Text(terminal_text(line), style="" if line.startswith("- ") else "bold"))
    console.print()


def write(messages: Iterable[Message], cycle_of: CycleOf) -> None:
    """Draw a timeline on stdout, cycle by cycle."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console(no_color=not output.colours_wanted(), highlight=False)
    for cycle in cycles(messages, cycle_of):
        console.print(Text(terminal_text(cycle.heading), style="bold"))
        grid = Table.grid(padding=(0, 1))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for line in cycle.lines:
            grid.add_row(line.label, Text(terminal_text(line.words), style=line.style))
        console.print(Padding(grid, (0, 0, 1, 2), expand=False))
