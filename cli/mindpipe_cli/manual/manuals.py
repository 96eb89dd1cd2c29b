"""The manual pages: the program, each of its commands, and the records they read and write."""

from collections.abc import Iterator

from mindpipe.core.errors import ExitStatus
from mindpipe.settings import SETTINGS, variable_of
from mindpipe_cli.commands import CommandGroup
from mindpipe_cli.manual.persons_manual import persons_sections
from mindpipe_cli.manual.roff import Block, Heading, Manual, Sample, Section, Term, Text
from mindpipe_cli.manual.tree import Option, Page, shared_options

STATUSES = {
    ExitStatus.DONE: "done: the work is committed, the output taken; or nothing came to a filter",
    ExitStatus.FAILED: "failed: the work was tried and failed, and no line below fits",
    ExitStatus.USAGE: "usage: a bad option or name, a missing argument, no input",
    ExitStatus.NOTHING_TO_DO: "nothing to do: nothing due or found, all done; any empty list is 0",
    ExitStatus.REFUSED: "refused: a cap, a missing approval, unsafe file modes",
    ExitStatus.BAD_DATA: "bad data: input, settings or a history that breaks its format",
    ExitStatus.UNAVAILABLE: "unavailable: no such store, file or program; a newer schema; no key",
    ExitStatus.INPUT_OUTPUT: "input or output: the disk is full, or the store is damaged",
    ExitStatus.TEMPORARY: "temporary, try again: the store is busy, the lease was lost",
    ExitStatus.INTERRUPTED: "interrupted by SIGINT",
    ExitStatus.BROKEN_PIPE: "the reader of the output left",
}


_ABOUT = tuple(
    f"mind-{name}(7)"
    for name in ("glossary", "life", "memory", "person", "promises", "python", "security")
)
"""What explains more than one command."""


def program_manual(program: Page) -> Manual:
    """Return mind(1)."""
    files = (
        Term(
            "mind.db",
            "The store, unless --store or MIND_STORE names another; made by mind init. Beside it "
            "stand mind.db-wal, with what was committed last, and mind.db-shm, as long as it is "
            "open or was not closed in order: copy it with mind store backup.",
        ),
        Term(
            "mind.db.reserve",
            "1 MiB of nothing, which is given back when the disk is full, so that there is room to "
            "clear up. It is made again once 64 MiB are free; whoever deletes it loses nothing.",
        ),
        Term("mind.toml", "Settings of this folder."),
        Term("$XDG_CONFIG_HOME/mind/config.toml", "Settings of this user."),
    )
    sections = (
        _title("mind", program.summary),
        Section("SYNOPSIS", (Text("mind COMMAND [OPTIONS] [ARGUMENTS]"),)),
        Section("DESCRIPTION", tuple(map(Text, program.description))),
        Section("COMMANDS", tuple(_commands(program))),
        Section("OPTIONS OF EVERY COMMAND", tuple(_options(shared_options()))),
        Section("SETTINGS", tuple(_settings())),
        Section("EXIT STATUS", tuple(_statuses())),
        Section("FILES", files),
        Section("SEE ALSO", (Text(_see([*(page.words for page in program.verbs)])),)),
    )
    return Manual("mind", 1, sections)


def command_manual(page: Page) -> Manual:
    """Return the page of one command or group, e.g. mind-inbox(1)."""
    name = "-".join(page.words)
    body = _of_group(page) if page.verbs else _of_command(page)
    closing = (
        Section("EXIT STATUS", (Text("As in mind(1)."),)),
        Section("SEE ALSO", (Text("mind(1), mind-records(5)"),)),
    )
    more = persons_sections() if name == "mind-simulate" else ()
    return Manual(name, 1, (_title(name, page.in_short), *body, *more, *closing))


def _commands(program: Page) -> Iterator[Block]:
    """Yield every command under its heading."""
    for group in CommandGroup:
        yield Heading(group.value)
        for page in program.verbs:
            if page.group is group:
                yield Term(page.name, _with_verbs(page))


def _title(name: str, summary: str) -> Section:
    """Return the section that whatis and apropos read."""
    words = summary.rstrip(".")
    return Section("NAME", (Text(f"{name} - {words[:1].lower()}{words[1:]}"),))


def _of_group(page: Page) -> Iterator[Section]:
    """Yield the sections of a group of commands, which may do something itself."""
    own = [page] if page.acts else []
    yield Section("SYNOPSIS", tuple(Text(one.usage) for one in (*own, *page.verbs)))
    yield Section("DESCRIPTION", (Text(page.summary), *map(Text, page.description)))
    if page.acts:
        yield from _doing(page)
    yield Section("COMMANDS", tuple(_of_verbs(page)))


def _of_command(page: Page) -> Iterator[Section]:
    """Yield the sections of a command that stands alone."""
    yield Section("SYNOPSIS", (Text(page.usage),))
    yield Section("DESCRIPTION", (Text(page.summary), *map(Text, page.description)))
    yield from _doing(page)


def _doing(page: Page) -> Iterator[Section]:
    """Yield with which options something is done, and an example."""
    yield Section("OPTIONS", (*_options(page.options), _EVERYWHERE))
    yield Section("EXAMPLE", (Sample(page.example),))


def _of_verbs(page: Page) -> Iterator[Block]:
    """Yield what each verb of a group does."""
    for verb in page.verbs:
        yield Heading(verb.usage)
        yield Text(verb.summary)
        yield from map(Text, verb.description)
        yield from _options(verb.options)
        yield Text("Example:")
        yield Sample(verb.example)
    yield Heading("Options of every command")
    yield _EVERYWHERE


_EVERYWHERE = Text(
    "--store, --now, --seed, --json, --table, --csv, --tsv and --no-color are described in mind(1)."
)


def _options(options: tuple[Option, ...]) -> Iterator[Block]:
    """Yield each option with its help."""
    for option in options:
        value = f" {option.value}" if option.value else ""
        yield Term(f"{', '.join(option.names)}{value}", option.help)


def _settings() -> Iterator[Block]:
    """Yield each setting: its variable, its default, what it does."""
    yield Text(
        "Strongest first: an option, the variable, mind.toml, the user's config.toml, the default. "
        "mind config show prints each with where it came from."
    )
    for setting in SETTINGS.values():
        default = "" if setting.default is None else f" Default: {setting.default}."
        yield Term(f"{setting.name} ({variable_of(setting.name)})", f"{setting.help}{default}")


def _statuses() -> Iterator[Block]:
    """Yield each exit status and what it means."""
    for status, words in STATUSES.items():
        yield Term(str(int(status)), f"{words[:1].upper()}{words[1:]}.")


def _with_verbs(page: Page) -> str:
    """Return a command's summary, with the names of its verbs if it is a group."""
    if not page.verbs:
        return page.in_short
    return f"{page.in_short} Commands: {', '.join(verb.words[-1] for verb in page.verbs)}."


def _see(pages: list[tuple[str, ...]]) -> str:
    """Return references to other pages."""
    commands = (f"{'-'.join(words)}(1)" for words in pages)
    return ", ".join([*commands, "mind-observe.yaml(5)", "mind-records(5)", *_ABOUT])
