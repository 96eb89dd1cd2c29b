"""Arguments that name a file: words as @FILE, tools as manifests."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mindpipe.core.tools import ToolManifest


def words_or_file(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> str | None:
    """Return words as they are, or those of the file that `@FILE` names.

    Raises:
        UnavailableError: the file is not there.
        BadInputError: it is not UTF-8.
    """
    if text is None or not text.startswith("@"):
        return text
    from mindpipe.core.errors import BadInputError
    from mindpipe.core.problems import Problem
    from mindpipe.stream.files import read_whole

    name = text[1:]
    try:
        return read_whole(Path(name)).decode("utf-8-sig").rstrip("\n")
    except UnicodeDecodeError as error:
        message = f"not UTF-8 at byte {error.start}"
        raise BadInputError([Problem(source=name, message=message)]) from None


def servers_of_files(
    _context: click.Context, _option: click.Parameter, names: tuple[str, ...]
) -> "tuple[ToolManifest, ...]":
    """Start each MCP server whose manifest is named, and return the tools of all.

    Raises:
        UnavailableError: a file, or a server, is not there.
        BadInputError: every fault in the first file that has any, or in what its server lists.
    """
    if not names:
        return ()
    import os

    from mindpipe.think.builtin import BY_NAME
    from mindpipe.wiring.mcp import listed_tools

    return tuple(
        tool
        for name in names
        for server in tools_of_files(_context, _option, (name,))
        for tool in listed_tools(server, environment=os.environ, source=name, reserved=BY_NAME)
    )


def tools_of_files(
    _context: click.Context, _option: click.Parameter, names: tuple[str, ...]
) -> "tuple[ToolManifest, ...]":
    """Return the tools of all manifests that were named.

    Raises:
        UnavailableError: a file is not there.
        BadInputError: every fault in the first file that has any.
    """
    if not names:
        return ()
    from mindpipe.agents.manifests import read_tools
    from mindpipe.stream.files import read_whole
    from mindpipe.think.builtin import BY_NAME

    return tuple(
        tool
        for name in names
        for tool in read_tools(
            read_whole(Path(name)),
            source=name,
            folder=Path(name).absolute().parent,
            reserved=BY_NAME,
        )
    )
