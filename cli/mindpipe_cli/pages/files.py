"""The files that the program writes of itself, and whether those that are there still say so."""

import re
from pathlib import Path

from mindpipe.core.errors import MindError
from mindpipe.core.records import Record
from mindpipe.stream.files import read_whole, remove, write_whole
from mindpipe_cli.pages import promises
from mindpipe_cli.pages.completions import SHELLS
from mindpipe_cli.pages.manuals import command_manual, program_manual
from mindpipe_cli.pages.observers_manual import observers_manual
from mindpipe_cli.pages.records_manual import records_manual
from mindpipe_cli.pages.security_manual import security_manual
from mindpipe_cli.pages.tree import Page

README = "README.md"
BEGIN, END = "<!-- commands -->", "<!-- /commands -->"
# The names under which the shells look for them.
_SCRIPTS = {"bash": "mind.bash", "zsh": "_mind", "fish": "mind.fish"}
_FOLDERS = ("man", "completions")
# Documentation is for everybody, unlike all else that the program writes.
_PUBLIC, _PUBLIC_FOLDER = 0o644, 0o755


class Difference(Record):
    """One file that does not say what the program says."""

    file: str
    fault: str


def written(program: Page) -> dict[str, str]:
    """Return every file the program writes, by its path below the project's root."""
    pages = {f"man/{'-'.join(page.words)}.1": command_manual(page) for page in program.verbs}
    return {
        "man/mind.1": program_manual(program),
        **pages,
        "man/mind-observe.yaml.5": observers_manual(),
        "man/mind-records.5": records_manual(),
        "man/mind-security.7": security_manual(),
        **{f"completions/{name}": SHELLS[shell](program) for shell, name in _SCRIPTS.items()},
    }


def write(root: Path, program: Page) -> list[Difference]:
    """Write what differs, remove what is left over, and return what was changed."""
    found = differences(root, program)
    texts = {**written(program), README: _readme(root, program)}
    for difference in found:
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
    texts = {**written(program), README: _readme(root, program)}
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
    """Return the README with its table of commands, and of promises if it has one, renewed.

    Raises:
        MindError: it has no place for the commands.
    """
    text = read_whole(root / README).decode()
    text = _renewed(text, BEGIN, command_table(program), END)
    if promises.BEGIN not in text:
        return text
    return _renewed(text, promises.BEGIN, promises.promise_table(root), promises.END)


def _renewed(text: str, begin: str, table: str, end: str) -> str:
    """Return the text with what stands between two marks replaced."""
    place = re.compile(f"{re.escape(begin)}.*{re.escape(end)}", re.DOTALL)
    renewed, places = place.subn(lambda _: f"{begin}\n{table}{end}", text)
    if places != 1:
        raise MindError(f"{README} must have one table between {begin} and {end}.")
    return renewed


def command_table(program: Page) -> str:
    """Return the commands as a table in Markdown."""
    rows = (f"| `{_synopsis(page)}` | {page.in_short} |\n" for page in program.verbs)
    return "| command | does |\n| --- | --- |\n" + "".join(rows)


def _synopsis(page: Page) -> str:
    """Return a command with the names of its verbs, as a cell of a table."""
    verbs = "\\|".join(verb.words[-1] for verb in page.verbs)
    return f"{page.name} {verbs}".strip()
