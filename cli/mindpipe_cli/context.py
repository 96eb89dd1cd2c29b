"""`mind context`: the exact prompt of a cycle, and how its window is divided."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.text import visible_text
from mindpipe_cli import input, output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    agent_file_options,
    agent_option,
    any_agent_option,
    cycle_option,
    model_option,
    model_options,
    only_agent,
    text_option,
    whole,
)
from mindpipe_cli.session import Session
from mindpipe_cli.think import ThinkOptions, options_of, thinker_of

if TYPE_CHECKING:
    from mindpipe.context.budget.records import Portion
    from mindpipe.context.records import LeftOut, Share, ShownPrompt
    from mindpipe.core.messages import Message

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


@command("show", example="mind context show --agent ava --cycle 3 --json")
@any_agent_option
@cycle_option
@click.option("--turn", type=whole(1), default=1, metavar="N", help="Its turn [1].")
@click.option(
    "--receipt",
    is_flag=True,
    help="Print the tokens of each section, what did not fit, and whose words taint it.",
)
@text_option
@model_options
@agent_file_options
def show(
    session: Session,
    *,
    cycle: int | None,
    turn: int,
    receipt: bool,
    text: str | None,
    **values: object,
) -> None:
    """Print the request of the next cycle, or of a past one: as JSON exactly what is sent.

    On a terminal it is shown to be read: a timeline as one text, as it is before what was said
    becomes messages of its own.

    With --text it is the one there would be if these words had just been pushed. Where nothing is
    due, a stand-in takes their place. Nothing is spent or changed, and no key is needed.
    """
    from mindpipe.core.errors import UsageError

    options = options_of(values)
    if cycle is None:
        from mindpipe.engine.verbs import context

        thinker = thinker_of(session, options, asks=False)
        shown = context.show(thinker.deps, agent=thinker.agent.name, text=_said(text))
    elif text is not None:
        raise UsageError("--text is of the next cycle; leave --cycle out.")
    else:
        shown = _past(session, options.agent, cycle, turn)
    if receipt:
        _write_receipt(session, shown.receipt)
    elif session.shape == "table":
        output.write_text(visible_text(_text_of(shown)))
    else:
        session.prints("a request", "json", "table")
        output.write_bytes((shown.request.body, b"\n"))


@command("budget", example="mind context budget --agent ava --tokens 20000")
@agent_option
@click.option(
    "--tokens",
    type=whole(100, 10_000_000),
    metavar="N",
    help="Divide a window of so many tokens [memory.context_window_tokens].",
)
@text_option
@model_option
def budget(
    session: Session, *, agent: str, model: str | None, text: str | None, tokens: int | None
) -> None:
    """Print what each section of the next prompt is given and uses, and what does not fit.

    The window of a timeline is divided by priority: each section gets its floor, then its share,
    then of what others leave up to its ceiling. Records are whole or left out. Identity,
    instructions, tools (which are of the section system) and the trigger are never left out: a
    window that has no room for them is refused. Of the continuous style, which divides nothing, it
    is what each part takes. --text, what is shown where nothing is due, and that nothing is spent
    or changed are as with mind context show.
    """
    from mindpipe.engine.verbs import context

    thinker = thinker_of(session, ThinkOptions(agent=agent, model=model), asks=False)
    portions = context.budget(
        thinker.deps,
        agent=agent,
        text=_said(text),
        window=tokens,
    )
    if session.shape == "json":
        session.write(portions, columns=_COLUMNS)
        return
    session.write(map(_row, portions), columns=_COLUMNS)
    if session.watched:
        _draw(portions)


def _said(text: str | None) -> str | None:
    """Return the words that are to be shown as if they had been pushed."""
    return text if text is None else input.words_of(text)


def _past(session: Session, agent: str | None, cycle: int, turn: int) -> "ShownPrompt":
    """Return the request of a past turn, byte for byte."""
    from mindpipe.context.verbs.situations import PromptPorts
    from mindpipe.engine.verbs import context

    ports = PromptPorts(session.store, session.app.clock, session.app.chance, session.app.tokens)
    return context.past(ports, agent=agent or only_agent(session), cycle=cycle, turn=turn)


def _text_of(shown: "ShownPrompt") -> str:
    """Return a request as text with a rule before each part."""
    conversation = shown.read
    total = sum(share.tokens for share in shown.receipt)
    tainting = ", ".join(source for share in shown.receipt for source in share.sources)
    blocks = [
        f"=== {shown.agent}, cycle {shown.cycle}, turn {shown.turn}: about {total} tokens ===",
        f"--- system ---\n{conversation.head.system}",
        f"--- tools: {', '.join(tool.name for tool in conversation.head.tools)} ---",
    ]
    if tainting:
        blocks.append(f"--- not trusted: {tainting} ---")
    if left_out := ", ".join(name for one in shown.receipt for name in names(one.left_out)):
        blocks.append(f"--- did not fit: {left_out} ---")
    if conversation.head.summary:
        blocks.append(f"--- summary ---\n{conversation.head.summary}")
    blocks += [
        f"--- {message.role.value}, cycle {message.cycle} ---\n{_words(message)}"
        for message in conversation.messages
    ]
    return "\n\n".join(blocks) + "\n"


def _words(message: "Message") -> str:
    """Return a message's parts as lines."""
    from mindpipe.core.messages import CallPart, ResultPart, TextPart

    lines: list[str] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            lines.append(part.text)
        elif isinstance(part, CallPart):
            lines.append(f"→ {part.tool} {part.args_text}")
        elif isinstance(part, ResultPart):
            lines.append(f"← {part.status.value}: {part.text}")
    return "\n".join(lines)


def _write_receipt(session: Session, receipt: "tuple[Share, ...]") -> None:
    """Print a receipt; for people, what did not fit as one text."""
    columns = ("section", "tokens", "left_out", "sources")
    if session.shape == "json":
        session.write(receipt, columns=columns)
        return
    rows = (
        {**msgspec.to_builtins(one), "left_out": ", ".join(names(one.left_out))} for one in receipt
    )
    session.write(rows, columns=columns)


def _row(portion: "Portion") -> dict[str, object]:
    """Return a portion with the names of what is left out as one text."""
    plain: dict[str, object] = msgspec.to_builtins(portion)
    return {**plain, "left_out": ", ".join(names(portion.left_out))}


def names(left_out: "Sequence[LeftOut]") -> Iterator[str]:
    """Yield the names of records that were left out, those side by side as one."""
    for (block, of, _), neighbours in groupby(
        enumerate(left_out), key=lambda one: (one[1].block, one[1].of, one[1].place - one[0])
    ):
        places = [one.place for _, one in neighbours]
        range_ = str(places[0]) if len(places) == 1 else f"{places[0]}-{places[-1]}"
        yield f"{block} {range_} of {of}"


def _draw(portions: "Sequence[Portion]") -> None:
    """Draw what is used as one bar, with a line that says which part is which."""
    from rich.text import Text

    used = sum(one.used for one in portions)
    if not used:
        return
    bar, names = Text(), Text()
    for number, one in enumerate(one for one in portions if one.used):
        colour = _COLOURS[number % len(_COLOURS)]
        bar.append("█" * max(1, round(one.used * _BAR / used)), style=colour)
        names.append(f"█ {one.section} {one.used * 100 / used:.0f} %  ", style=colour)
    console = output.paper()
    console.print(bar)
    console.print(names)


COMMAND = group("context", show, budget)
