"""What can follow on a command line, for the completion scripts of all shells."""

from collections.abc import Iterator

from mindpipe_cli.pages.tree import Option, Page, shared_options

_HELP = Option(names=("--help",), value=None, help="Show how the command is used.")


def leaves(program: Page) -> Iterator[Page]:
    """Yield every command that does something, group by group."""
    for page in program.verbs:
        if page.acts:
            yield page
        yield from page.verbs


def options_of(page: Page) -> tuple[Option, ...]:
    """Return every option that can follow a command."""
    return (*page.options, *everywhere())


def everywhere() -> tuple[Option, ...]:
    """Return the options that can follow every command."""
    return (*shared_options(), _HELP)


def quoted(words: str) -> str:
    """Return words between single quotes, as bash, zsh and fish read them."""
    return "'" + words.replace("\\", "\\\\").replace("'", "'\\''") + "'"
