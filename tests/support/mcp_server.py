"""A real MCP server over stdio, made with the official SDK.

Its words and what it does are set by files in the folder that SERVER names: `words` is the
description of its first tool, `hints` what it claims of that (its annotations, with a title of the
tool itself beside them), `mode` makes it misbehave.
"""

import base64
import json
import os
from pathlib import Path
from typing import Annotated

import anyio
from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.types import (
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    SamplingMessage,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from pydantic import BaseModel

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


def picture() -> list[TextContent | ImageContent | EmbeddedResource | ResourceLink]:
    octets = base64.b64encode(b"PNG").decode()
    return [
        TextContent(type="text", text="Here."),
        ImageContent(type="image", data=octets, mime_type="image/png"),
        EmbeddedResource(
            type="resource",
            resource=TextResourceContents(uri="town://map", text="North is up."),
        ),
        ResourceLink(type="resource_link", uri="town://more", name="more"),
    ]


def photo() -> list[ImageContent | EmbeddedResource]:
    """Answer with a picture, with octets that nobody can show, and with a text as octets."""
    files = {"town://sound.bin": b"\0\xff\1", "town://note.txt": b"North is up."}
    resources = [
        BlobResourceContents(uri=uri, blob=base64.b64encode(octets).decode())
        for uri, octets in files.items()
    ]
    octets = (FOLDER / "photo.png").read_bytes()
    shown = ImageContent(
        type="image", data=base64.b64encode(octets).decode(), mime_type="image/png"
    )
    return [shown, *(EmbeddedResource(type="resource", resource=one) for one in resources)]


class Census(BaseModel):
    people: int
    dogs: int


def census() -> Census:
    return Census(people=3, dogs=1)


def streets() -> CallToolResult:
    said = [TextContent(type="text", text="Two of them.")]
    return CallToolResult(content=said, structured_content={"streets": ["Ash", "Elm"]})


def quota() -> CallToolResult:
    said = ("3", "Warning: the quota is nearly used up.")
    content = [TextContent(type="text", text=one) for one in said]
    return CallToolResult(content=content, structured_content={"count": 3})


def deep() -> CallToolResult:
    nested: list[object] = []
    for _ in range(99):
        nested = [nested]
    return CallToolResult(content=[], structured_content={"nested": nested})


class Name(BaseModel):
    name: str


async def greet(context: Context) -> str:
    answer = await context.elicit("Who are you?\x1b[2J", Name)
    return f"{answer.action}."


def who() -> Elicit[Name]:
    return Elicit("Who are you?", Name)


def greet_by_name(name: Annotated[Name, Resolve(who)]) -> str:
    return f"Hello {name.name}."


async def asks_more(context: Context) -> str:
    """Ask for what no client of ours gives: words of a model, and folders."""
    said = SamplingMessage(role="user", content=TextContent(type="text", text="Write a poem."))
    refused = []
    for ask in (
        lambda: context.session.create_message([said], max_tokens=9),
        context.session.list_roots,
    ):
        try:
            await ask()
        except MCPError as error:
            refused.append(error.code)
    return f"Refused: {refused}."


async def steps(context: Context) -> str:
    for step in range(500):
        await context.report_progress(step + 1, 500, "On\x1b[2J\nit.")
    return "There."


async def wait(context: Context) -> str:
    (FOLDER / "waiting").touch()
    await context.report_progress(1, 3)
    try:
        await anyio.sleep_forever()
    except anyio.get_cancelled_exc_class():
        (FOLDER / "cancelled").touch()
        raise


def count(number: int) -> int:
    return number + 1


server.tool(
    name="Get-Weather",
    title=HINTS.pop("name", None) if HINTS else None,
    description=(FOLDER / "words").read_text(),
    annotations=ToolAnnotations(**HINTS) if HINTS else None,
)(weather)
server.tool(name="count", description="One more.")(count)
if MODE == "more":
    asking = (greet, greet_by_name, asks_more)
    for tool in (picture, photo, census, streets, quota, deep, *asking, steps, wait):
        server.tool(description="More.")(tool)
(FOLDER / "started").open("a").write(f"{os.getpid()} {os.environ.get('TOKEN', '')}\n")
server.run("stdio")
