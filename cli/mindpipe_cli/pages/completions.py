"""The table of shells that have a completion script."""

from collections.abc import Callable

from mindpipe_cli.pages.bash import bash
from mindpipe_cli.pages.fish import fish
from mindpipe_cli.pages.tree import Page
from mindpipe_cli.pages.zsh import zsh

SHELLS: dict[str, Callable[[Page], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
