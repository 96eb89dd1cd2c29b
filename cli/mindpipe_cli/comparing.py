"""A plan as a person reads it before it is applied: what leaves, what stays, and what it saves."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mindpipe.compaction.plans.diff import (
    AnchorDiff,
    CyclesDiff,
    PointerDiff,
    Range,
    TokensDiff,
    WorthDiff,
    diff,
)
from mindpipe.compaction.plans.plan_lines import read_plan
from mindpipe.compaction.records import WindowPlan
from mindpipe.compaction.wording import span
from mindpipe.core.text import terminal_text
from mindpipe_cli import documents, output
from mindpipe_cli.session import Session
from mindpipe_cli.tables import PIPE_WIDTH

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_COLUMNS = ("diff", "first", "last", "to", "tokens", "leaving", "kind", "before", "after")
_LEAVES, _ENTERS, _CHANGES, _STAYS = "red", "green", "yellow", "dim"


def compare(session: Session, *, file: str) -> None:
    """Show what the plan in a file would change.

    Raises:
        BadInputError: it is no plan; every fault with its line and field.
        NothingToDoError: there is nothing in it.
    """
    found = documents.whole(file)
    show(session, read_plan(found.octets, source=found.name))


def show(session: Session, planned: WindowPlan) -> None:
    """Draw what a plan would change where a table is wanted, else write it as records."""
    if session.shape != "table":
        session.write(diff(planned), columns=_COLUMNS)
        return
    from rich.console import Console

    width = None if output.on_terminal("stdout") else PIPE_WIDTH
    console = Console(no_color=not output.colours_wanted(), highlight=False, width=width)
    sizes: list[TokensDiff] = []
    for one in diff(planned):
        match one:
            case CyclesDiff():
                _draw_cycles(console, one)
            case AnchorDiff():
                words = f"= {one.anchor.kind}: {one.anchor.text} (cycle {one.anchor.cycle})"
                _draw(console, words, _ENTERS)
            case PointerDiff():
                _draw(console, f"= {one.text}", _ENTERS)
            case TokensDiff():
                sizes.append(one)
            case WorthDiff():
                console.print(_table(sizes))
                _draw_worth(console, one)
    for reason in planned.reasons:
        _draw(console, f"cycle {reason.cycle}: {reason.to}: {reason.why}", _STAYS)


def _draw(console: "Console", words: str, style: str, *, indent: int = 0) -> None:
    """Draw one line, folded below its beginning."""
    from rich.padding import Padding
    from rich.text import Text

    console.print(Padding(Text(terminal_text(words), style=style), (0, 0, 0, indent), expand=False))


def _draw_cycles(console: "Console", one: CyclesDiff) -> None:
    """Draw what becomes of a run of cycles, and the lines that stand for it."""
    cycles = _named([(one.first, one.last)])
    size = f"{one.tokens} tokens"
    if one.to == "kept":
        _draw(console, f"  {cycles}: whole, {size}", _STAYS)
    elif one.to == "masked":
        saved = sum(stub.saved for stub in one.stubs)
        results = _counted(len(one.stubs), "result")
        _draw(console, f"~ {cycles}: {results} masked, {saved} tokens saved, {size}", _CHANGES)
        for stub in one.stubs:
            _draw(console, stub.text, _CHANGES, indent=4)
    elif one.leaving:
        _draw(console, f"- {_named(one.leaving)}: out of the window", _LEAVES)
        _draw(console, f"+ {cycles}: {_counted(len(one.lines), 'line')}, {size}", _ENTERS)
    else:
        lines = _counted(len(one.lines), "line")
        _draw(console, f"  {cycles}: {lines} as before, {size}", _STAYS)
    if one.returning:
        _draw(console, f"+ {_named(one.returning)}: back in the window", _ENTERS)
    style = _ENTERS if one.leaving else _STAYS
    for line in one.lines:
        _draw(
            console, f"{span(line.cycle, line.until or line.cycle)}: {line.text}", style, indent=4
        )


def _draw_worth(console: "Console", worth: WorthDiff) -> None:
    """Draw what a plan is worth."""
    kept = worth.measures
    facts = [
        f"{worth.agent}: {worth.strategy}, at most {worth.budget} tokens; saves {worth.saving}",
        f"of what leaves: {kept.anchors:.0%} of the anchors stay, and of {kept.grounded:.0%} of "
        "the messages the rare words",
    ]
    if worth.saving < worth.min_saving:
        facts.append(f"too little to be done by itself, which waits for {worth.min_saving} tokens")
    if worth.cached:
        paid = "unknown" if worth.pays_after is None else f"{worth.pays_after} requests"
        facts.append(f"{worth.cached} tokens leave the cache, paid for after {paid}")
    if worth.fallback:
        facts.append(f"another strategy wrote it: {worth.fallback}")
    for fact in facts:
        _draw(console, fact, "")


def _table(sizes: Iterable[TokensDiff]) -> "Table":
    """Return tokens by kind, before and after."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("tokens")
    table.add_column("before", justify="right")
    table.add_column("after", justify="right")
    for one in sizes:
        style = "bold" if one.kind == "total" else _changed(one)
        table.add_row(one.kind, str(one.before), str(one.after), style=style)
    return table


def _changed(one: TokensDiff) -> str:
    """Return how a kind is drawn, by whether it grows or shrinks."""
    if one.before == one.after:
        return _STAYS
    return _LEAVES if one.after < one.before else _ENTERS


def _named(ranges: Iterable[Range]) -> str:
    """Return ranges of cycles in words."""
    found = list(ranges)
    alone = len(found) == 1 and found[0][0] == found[0][1]
    return f"cycle{'' if alone else 's'} {', '.join(span(*one) for one in found)}"


def _counted(number: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
