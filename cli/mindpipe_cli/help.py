"""`mind help`: the manual without man, page by page."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.core.text import did_you_mean
from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.commands import COMMANDS, grouped
from mindpipe_cli.options import CompletedText
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe_cli.manual.roff import Manual

_WIDEST, _NARROWEST = 100, 40


class HelpTopic(Record):
    """One topic of the manual: what mind help is given for it, and what it is about."""

    topic: str
    summary: str


class _About(NamedTuple):
    """A page that is about more than one command: its file's name, and what it is about."""

    file: str
    summary: str

    @property
    def topic(self) -> str:
        """Return its shortest name; where a command has that, with the number of its part."""
        name, _, _ = self.file.removeprefix("mind-").rpartition(".")
        return self.file.removeprefix("mind-") if name in COMMANDS else name


@command("help", example="mind help life")
@click.argument("topic", nargs=-1, type=CompletedText(lambda _: _topics()))
def COMMAND(session: Session, topic: tuple[str, ...]) -> None:
    """Show a page of the manual, or without TOPIC the list of all.

    A topic is a command (inbox, or inbox push) or a page, as man names them (life, memory.7,
    7 mind-mcp, mind-records(5)). On a terminal it is shown by the program of PAGER, else printed.
    """
    from mindpipe_cli.manual.plain import plain

    if not topic:
        _list_all(session)
        return
    page = _page(topic)
    bold = output.on_terminal("stdout") and output.colours_wanted()
    width = min(shutil.get_terminal_size((80, 24)).columns, _WIDEST)
    output.show_page(
        plain(
            page,
            width=max(width, _NARROWEST),
            mark=(lambda words: click.style(words, bold=True)) if bold else str,
        )
    )
    guide = page.file.removesuffix(".1") + ".7"
    if guide != page.file and any(one.file == guide for one in _pages()):
        output.say(f"there is more: mind help 7 {page.file[len('mind-') : -len('.1')]}")


def _topics() -> list[str]:
    """Return the names of all topics, for a shell."""
    return [*COMMANDS, *(_About(page.file, page.summary).topic for page in _pages())]


def _list_all(session: Session) -> None:
    """Print every topic: commands by their headings, then what is about more than one."""
    pages = [_About(page.file, page.summary) for page in _pages()]
    headed = {
        **{
            group.value: [HelpTopic(topic=name, summary=one.summary) for name, one in these.items()]
            for group, these in grouped().items()
        },
        "About more than one command": [
            HelpTopic(topic=one.topic, summary=f"{one.summary[:1].upper()}{one.summary[1:]}.")
            for one in pages
        ],
    }
    if session.shape_asked:
        topics = [one for these in headed.values() for one in these]
        session.write(topics, columns=("topic", "summary"))
        return
    width = max(len(one.topic) for these in headed.values() for one in these)
    lines = ["mind help TOPIC shows one of these; mind COMMAND --help is shorter."]
    for heading, these in headed.items():
        lines += ["", f"{heading}:", *(f"  {one.topic:{width}}  {one.summary}" for one in these)]
    output.show_page("\n".join(lines) + "\n")


def _page(words: tuple[str, ...]) -> "Manual":
    """Return the page of a topic; raises UsageError where there is none."""
    if len(words) > 1 and words[0].isdigit():
        words = (f"{' '.join(words[1:])}.{words[0]}",)  # as in `man 7 mind-life`
    name = " ".join(words).strip().replace("(", ".").removesuffix(")").lower()
    name = name.removeprefix("mind ").removeprefix("mind-")
    if name in ("mind", "mind.1"):
        return _of_command(None)
    first, *rest = name.removesuffix(".1").replace("-", " ").split()
    if first in COMMANDS and not rest:
        return _of_command(first)
    if first in COMMANDS and rest[0] in COMMANDS[first].verbs and not rest[1:]:
        return _of_command(first)
    pages = {page.file.removeprefix("mind-"): page for page in _pages()}
    for file, page in pages.items():
        if name in (file, file.rpartition(".")[0]):
            return page
    if first in COMMANDS:
        raise UsageError(
            f"mind {first} has no {rest[0]}; {did_you_mean(rest[0], COMMANDS[first].verbs)}"
            f"mind help {first} shows what it has."
        )
    known = [*COMMANDS, *(file.rpartition(".")[0] for file in pages), *pages]
    raise UsageError(f'there is no topic "{name}"; {did_you_mean(name, known)}mind help lists all.')


def _of_command(name: str | None) -> "Manual":
    """Return the page of a command, or of the program; only that command is loaded."""
    from mindpipe_cli.manual.manuals import command_manual, program_manual
    from mindpipe_cli.manual.tree import read

    root = click.get_current_context().find_root()
    if name is None:
        return program_manual(read(root.command, "mind"))
    assert isinstance(root.command, click.Group)
    found = root.command.get_command(root, name)
    assert found is not None, "the table has it"
    return command_manual(read(found, "mind", name))


def _pages() -> "list[Manual]":
    """Return the pages that are about more than one command."""
    from mindpipe.io.files import read_if_there
    from mindpipe_cli.manual import files
    from mindpipe_cli.manual.promises import RECORDED

    # In a wheel the recorded run lies beside the pages, in a checkout where it is recorded.
    folder = Path(files.__file__).parent
    places = (folder / "promises.jsonl", folder.parents[2] / RECORDED)
    found = (read_if_there(str(place)) for place in places)
    return files.manuals_about(next(filter(None, found), b""))
