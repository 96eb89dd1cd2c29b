"""The files that the program writes of itself, and whether those that are there still say so."""

import re
from pathlib import Path

from mindpipe.core.errors import MindError
from mindpipe.core.records import Record
from mindpipe.io.files import read_if_there, read_whole, remove, write_whole
from mindpipe_cli.commands import CommandGroup
from mindpipe_cli.completion import script_of
from mindpipe_cli.manual.glossary_manual import glossary_manual
from mindpipe_cli.manual.life_manual import life_manual
from mindpipe_cli.manual.machines_manual import machines_manual
from mindpipe_cli.manual.manuals import command_manual, program_manual
from mindpipe_cli.manual.mcp_manual import mcp_manual
from mindpipe_cli.manual.memory_manual import memory_manual
from mindpipe_cli.manual.observers_manual import observers_manual
from mindpipe_cli.manual.persons_manual import person_manual
from mindpipe_cli.manual.promises import RECORDED, promises_manual
from mindpipe_cli.manual.python_manual import python_manual
from mindpipe_cli.manual.real_parts import RECORDED_PARTS, real_parts_table
from mindpipe_cli.manual.records_manual import records_manual
from mindpipe_cli.manual.roff import Manual, manual
from mindpipe_cli.manual.security_manual import security_manual
from mindpipe_cli.manual.server_manual import server_manual
from mindpipe_cli.manual.tree import Page

README = "README.md"
_COMMANDS, _REAL_PARTS = "commands", "real parts"
# The names under which the shells look for them.
_SCRIPTS = {"bash": "mind.bash", "zsh": "_mind", "fish": "mind.fish"}
_FOLDERS = ("man", "completions")
# Documentation is for everybody, unlike all else that the program writes.
_PUBLIC, _PUBLIC_FOLDER = 0o644, 0o755


class Difference(Record):
    """One file that does not say what the program says."""

    file: str
    fault: str


def manuals_about(recorded: bytes) -> list[Manual]:
    """Return the pages that are about more than one command, with a recorded run of the promises.

    Raises:
        BadInputError: the recorded run cannot be read.
    """
    return [
        observers_manual(),
        records_manual(),
        glossary_manual(),
        life_manual(),
        machines_manual(),
        mcp_manual(),
        memory_manual(),
        person_manual(),
        promises_manual(recorded),
        python_manual(),
        security_manual(),
        server_manual(),
    ]


def written(root: Path, program: Page) -> dict[str, str]:
    """Return every file the program writes, by its path below the project's root.

    Raises:
        BadInputError: the recorded run of the promises cannot be read.
    """
    pages = [
        program_manual(program),
        *map(command_manual, program.verbs),
        *manuals_about(read_if_there(str(root / RECORDED)) or b""),
    ]
    return {
        **{f"man/{page.file}": manual(page) for page in pages},
        **{f"completions/{name}": script_of(shell) for shell, name in _SCRIPTS.items()},
    }


def write(root: Path, program: Page) -> list[Difference]:
    """Write what differs, remove what is left over, and return what was changed."""
    found = differences(root, program)
    texts = {**written(root, program), README: _readme(root, program)}
    # First what is left over: unfinished files of a killed run go when theirs is written again.
    for difference in sorted(found, key=lambda one: one.file in texts):
        path = root / difference.file
        if difference.file in texts:
            _make_public(path.parent)
            write_whole(path, [texts[difference.file].encode()], mode=_PUBLIC)
        else:
            remove(path)
    return found


def _make_public(folder: Path) -> None:
    """Make a folder where there is none, open to readers whatever the umask is."""
    if not folder.is_dir():
        folder.mkdir(parents=True)
        folder.chmod(_PUBLIC_FOLDER)


def differences(root: Path, program: Page) -> list[Difference]:
    """Compare byte by byte and return every file that is missing, differs or is left over."""
    texts = {**written(root, program), README: _readme(root, program)}
    found = []
    for name, text in texts.items():
        path = root / name
        if not path.is_file():
            found.append(Difference(file=name, fault="missing"))
        elif read_whole(path) != text.encode():
            found.append(Difference(file=name, fault="differs"))
    there = [path for folder in _FOLDERS for path in sorted((root / folder).glob("*"))]
    names = (str(path.relative_to(root)) for path in there)
    return [
        *found,
        *(Difference(file=name, fault="left over") for name in names if name not in texts),
    ]


def _readme(root: Path, program: Page) -> str:
    """Return the README with its tables renewed: of commands, and of the real parts.

    Raises:
        MindError: it has no place for one of them.
        BadInputError: the recorded run of the real parts cannot be read.
    """
    recorded = read_if_there(str(root / RECORDED_PARTS)) or b""
    tables = {_COMMANDS: command_table(program), _REAL_PARTS: real_parts_table(recorded)}
    text = read_whole(root / README).decode()
    for name, table in tables.items():
        text = _with_table(text, f"<!-- {name} -->", table, f"<!-- /{name} -->")
    return text


def _with_table(text: str, begin: str, table: str, end: str) -> str:
    """Return a text with another table between two marks."""
    place = re.compile(f"{re.escape(begin)}.*{re.escape(end)}", re.DOTALL)
    renewed, places = place.subn(lambda _: f"{begin}\n{table}{end}", text)
    if places != 1:
        raise MindError(f"{README} must have one table between {begin} and {end}.")
    return renewed


def command_table(program: Page) -> str:
    """Return the commands by group, each with its verbs, as a table in Markdown."""
    rows = (
        f"| {group.value} | {', '.join(_words(page) for page in _of(group, program))} |\n"
        for group in CommandGroup
    )
    return "| group | commands |\n| --- | --- |\n" + "".join(rows)


def _of(group: CommandGroup, program: Page) -> list[Page]:
    """Return the commands under one heading."""
    return [page for page in program.verbs if page.group is group]


def _words(page: Page) -> str:
    """Return a command with the names of its verbs."""
    verbs = " ".join(verb.words[-1] for verb in page.verbs)
    return f"`{page.words[1]}`" + (f" ({verbs})" if verbs else "")
