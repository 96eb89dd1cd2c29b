"""How the window of a prompt is divided: a table, and a bar where somebody looks on."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import click
import msgspec

from mindpipe.context.budget.records import Portion
from mindpipe.context.records import LeftOut
from mindpipe_cli import output, thinking
from mindpipe_cli.command import command
from mindpipe_cli.options import agent_option, model_option, whole
from mindpipe_cli.session import Session

_COLUMNS = (
    "section",
    "priority",
    "share",
    "floor",
    "ceiling",
    "given",
    "used",
    "records",
    "left_out",
)
_COLOURS = ("blue", "green", "yellow", "magenta", "cyan", "red")
_BAR = 60


@command("budget", example="mind context budget --agent ava --tokens 20000")
@agent_option
@click.option(
    "--tokens",
    type=whole(100, 10_000_000),
    metavar="N",
    help="Divide a window of so many tokens [memory.context_window_tokens].",
)
@model_option
def budget(session: Session, *, agent: str, model: str | None, tokens: int | None) -> None:
    """Print what each section of the next prompt is given and uses, and what does not fit.

    The window of a timeline is divided by priority: each section gets its floor, then its share,
    then of what others leave up to its ceiling. Records are whole or left out. Identity,
    instructions, tools (which are of the section system) and the trigger are never left out: a
    window that has no room for them is refused. Of the continuous style, which divides nothing, it
    is what each part takes. Nothing is spent or changed.
    """
    wish = thinking.Wish(agent=agent, model=model)
    portions = thinking.portions(session, wish, window=tokens)
    if session.shape == "json":
        session.write(portions, columns=_COLUMNS)
        return
    session.write(map(_row, portions), columns=_COLUMNS)
    if session.watched:
        _draw(portions)


def _row(portion: Portion) -> dict[str, object]:
    """Return a portion with the names of what is left out as one text."""
    plain: dict[str, object] = msgspec.to_builtins(portion)
    return {**plain, "left_out": ", ".join(names(portion.left_out))}


def names(left_out: Sequence[LeftOut]) -> Iterator[str]:
    """Yield the names of records that were left out, those side by side as one."""
    for (block, of, _), group in groupby(
        enumerate(left_out), key=lambda one: (one[1].block, one[1].of, one[1].place - one[0])
    ):
        places = [one.place for _, one in group]
        range_ = str(places[0]) if len(places) == 1 else f"{places[0]}-{places[-1]}"
        yield f"{block} {range_} of {of}"


def _draw(portions: Sequence[Portion]) -> None:
    """Draw what is used as one bar, with a line that says which part is which."""
    from rich.console import Console
    from rich.text import Text

    used = sum(one.used for one in portions)
    if not used:
        return
    bar, names = Text(), Text()
    for number, one in enumerate(one for one in portions if one.used):
        colour = _COLOURS[number % len(_COLOURS)]
        bar.append("█" * max(1, round(one.used * _BAR / used)), style=colour)
        names.append(f"█ {one.section} {one.used * 100 / used:.0f} %  ", style=colour)
    console = Console(no_color=not output.colours_wanted(), highlight=False)
    console.print(bar)
    console.print(names)
