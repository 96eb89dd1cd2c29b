"""A real MCP server over stdio, made with the official SDK.

Its words and what it does are set by files in the folder that SERVER names: `words` is the
description of its first tool, `hints` what it claims of that (its annotations, with a title of the
tool itself beside them), `mode` makes it misbehave.
"""

import json
import os
from pathlib import Path

from mcp.server import MCPServer
from mcp.types import ToolAnnotations

FOLDER = Path(os.environ["SERVER"])
MODE = (FOLDER / "mode").read_text() if (FOLDER / "mode").exists() else ""
HINTS = json.loads((FOLDER / "hints").read_text()) if (FOLDER / "hints").exists() else None
server = MCPServer("town")


def weather(town: str) -> str:
    with (FOLDER / "called").open("a") as called:
        called.write(f"{town} {Path.cwd()}\n")
    if MODE == "dies":
        os._exit(9)
    if MODE == "fails":
        raise ValueError("no such town")
    return f"Sunny in {town}."


def count(number: int) -> int:
    return number + 1


server.tool(
    name="Get-Weather",
    title=HINTS.pop("name", None) if HINTS else None,
    description=(FOLDER / "words").read_text(),
    annotations=ToolAnnotations(**HINTS) if HINTS else None,
)(weather)
server.tool(name="count", description="One more.")(count)
server.run("stdio")
