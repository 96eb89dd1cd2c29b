"""How far long work has come, as a bar on stderr where that is a terminal, else nothing."""

import contextlib
from collections.abc import Callable, Iterator

from mindpipe.core.text import terminal_text
from mindpipe_cli import output

Advance = Callable[[int, int], None]


def _silent(_done: int, _all: int) -> None:
    """Hear and show nothing."""


@contextlib.contextmanager
def progress(words: str) -> Iterator[Advance]:
    """Give a function that is told how much is done and how much there is."""
    if not output.on_terminal("stderr"):
        yield _silent
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    console = Console(stderr=True, no_color=not output.colours_wanted())
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(escape(terminal_text(words)), total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield advance
