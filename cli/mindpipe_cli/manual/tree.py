"""The commands as plain records, read from click: what every page is made of."""

import inspect
from collections.abc import Iterator
from typing import NamedTuple

import click

from mindpipe_cli.command import options_everywhere
from mindpipe_cli.commands import COMMANDS, CommandGroup


class Option(NamedTuple):
    """One option: its spellings, what its value is called (none for a flag), and help."""

    names: tuple[str, ...]
    value: str | None
    help: str


class Page(NamedTuple):
    """One command or group: its words (`mind inbox push`), help, own options, and its verbs."""

    words: tuple[str, ...]
    summary: str
    description: tuple[str, ...]
    arguments: tuple[str, ...]
    options: tuple[Option, ...]
    example: str
    verbs: tuple["Page", ...]

    @property
    def name(self) -> str:
        """Return the words joined by spaces."""
        return " ".join(self.words)

    @property
    def in_short(self) -> str:
        """Return what the table of commands says of a command or group at the top."""
        return COMMANDS[self.words[1]].summary

    @property
    def group(self) -> CommandGroup:
        """Return the heading under which the table lists a command or group at the top."""
        return COMMANDS[self.words[1]].group

    @property
    def acts(self) -> bool:
        """Tell whether it does something itself: a command, or a group with an example."""
        return not self.verbs or bool(self.example)

    @property
    def usage(self) -> str:
        """Return the line that shows how it is called, a group without a verb only if it acts."""
        if not self.acts:
            return f"{self.name} COMMAND [OPTIONS] [ARGUMENTS]"
        return " ".join([self.name, "[OPTIONS]", *self.arguments])


def read(command: click.Command, *words: str) -> Page:
    """Read one command, and all below it if it is a group; a lazy group loads its modules."""
    context = click.Context(command, info_name=words[-1])
    paragraphs = _paragraphs(command.help)
    return Page(
        words=words,
        summary=paragraphs[0] if paragraphs else "",
        description=tuple(paragraphs[1:]),
        arguments=tuple(
            part.make_metavar(context)
            for part in command.params
            if isinstance(part, click.Argument)
        ),
        options=tuple(
            _option(part, context)
            for part in command.params
            if isinstance(part, click.Option) and part.name not in _EVERYWHERE
        ),
        example=_example(command.epilog),
        verbs=_verbs(command, context, words),
    )


def leaves(program: Page) -> Iterator[Page]:
    """Yield every command that does something, group by group."""
    for page in program.verbs:
        if page.acts:
            yield page
        yield from page.verbs


def shared_options() -> tuple[Option, ...]:
    """Return the options that every command has."""
    context = click.Context(click.Command("mind"))
    return tuple(_option(part, context) for part in options_everywhere())


_EVERYWHERE = frozenset(part.name for part in options_everywhere())


def _verbs(
    command: click.Command, context: click.Context, words: tuple[str, ...]
) -> tuple[Page, ...]:
    """Read what stands below a group, in its own order."""
    if not isinstance(command, click.Group):
        return ()
    found = []
    # A plain group lists its verbs by the alphabet; we keep the order in which they are declared.
    for name in list(command.commands) or command.list_commands(context):
        below = command.get_command(context, name)
        if below is not None:
            found.append(read(below, *words, name))
    return tuple(found)


def _paragraphs(text: str | None) -> list[str]:
    """Return the paragraphs of a help text, each on one line."""
    blocks = inspect.cleandoc(text or "").split("\n\n")
    return [" ".join(block.split()) for block in blocks if block.strip()]


def _example(epilog: str | None) -> str:
    """Return the worked example that a command's help ends with."""
    lines = (epilog or "").partition("Example:\n")[2].split("\n")
    return inspect.cleandoc("\n" + "\n".join(lines)).strip()


def _option(part: click.Option, context: click.Context) -> Option:
    """Read one option; its default is said where it has one."""
    is_flag = bool(part.is_flag)
    words = part.help or ""
    if part.show_default and not is_flag:
        shown = part.show_default if isinstance(part.show_default, str) else part.default
        words = f"{words} Default: {shown}."
    return Option(
        names=(*part.opts, *part.secondary_opts),
        value=None if is_flag else part.make_metavar(context),
        help=words,
    )
