"""How an MCP server is reached: a program to start or an address, with `${VAR}` in their words."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from mindpipe.core.addresses import shown_address
from mindpipe.core.errors import UnavailableError
from mindpipe.core.records import Record
from mindpipe.core.redaction import MARK, redact

ANSWERS = "MIND_ANSWERS"
"""The variable by which a call is told what a person answered to the questions of its server."""

SERVER_PATH = "PATH"
"""The variable that a server sees whatever its file says: so its program is found, and others."""

BRIDGE = "mindpipe.io.mcp_bridge"
"""The module that speaks to servers; the command of each tool of theirs runs it."""

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")

# A variable alone, at most behind a scheme of HTTP, and without words for where it is not set.
_BARE = re.compile(r"(?:[A-Za-z]+ )?\$\{[A-Za-z_][A-Za-z0-9_]*\}")


class ServerQuestion(Record, omit_defaults=True):
    """What a server asks for in the middle of a call: its words, and the schema of an answer.

    `fields` are what a person answered; null as long as nobody has.
    """

    message: str
    schema: dict[str, object]
    fields: dict[str, object] | None = None

    def is_asked_again(self, later: "ServerQuestion") -> bool:
        """Tell whether a later question is this one: the same words, and the same schema."""
        return (self.message, self.schema) == (later.message, later.schema)


def declined_words(message: str) -> str:
    """Return what a model is told of a question that nobody is asked."""
    said = json.dumps(message, ensure_ascii=False)
    return (
        f"[The server asked for input, which was declined: {said}. Give what it needs in the "
        "arguments, or ask somebody first.]"
    )


class AskingRun(Record):
    """A call whose server asked what nobody had answered, and what it said without an answer."""

    question: ServerQuestion
    text: str
    failed: bool


class McpServer(Record, omit_defaults=True):
    """A server over stdio (`command`) or over streamable HTTP (`url`).

    In every word `${VAR}` stands for a variable of the environment, `${VAR:-words}` for these words
    where there is none; they are filled in when the server is started or asked.
    """

    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = {}

    def words(self) -> tuple[str, ...]:
        """Return it as one word of a command, in which nothing looks like a placeholder."""
        plain = json.dumps(msgspec.to_builtins(self), ensure_ascii=False)
        return (plain.replace("${", "$\\u007b"),)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield each word in which variables may stand, behind its JSON path."""
        yield "command", self.command
        yield from ((f"args[{place}]", word) for place, word in enumerate(self.args))
        yield from ((f"env.{name}", value) for name, value in self.env.items())
        yield "cwd", self.cwd
        yield "url", self.url
        yield from ((f"headers.{name}", value) for name, value in self.headers.items())

    def filled(self, environment: Mapping[str, str]) -> "McpServer":
        """Return it with every variable filled in.

        Raises:
            UnavailableError: one is not set, or a value was left out when the life was exported.
        """
        if missing := self.left_out():
            raise UnavailableError(
                f"{', '.join(missing)}: left out when the life was exported; give the server's "
                "file again (mind agent set NAME --mcp FILE)."
            )
        return self.mapped(
            lambda text: _VARIABLE.sub(lambda found: _value(found, environment), text)
        )

    def filled_in_part(self, environment: Mapping[str, str]) -> "McpServer":
        """Return it with those variables filled in that are there; the others stay as they are."""
        return self.mapped(
            lambda text: _VARIABLE.sub(lambda found: environment.get(found[1], found[0]), text)
        )

    def mapped(self, fill: Callable[[str], str]) -> "McpServer":
        """Return it with something done to every word in which variables may stand."""
        return msgspec.structs.replace(
            self,
            command=fill(self.command),
            args=tuple(map(fill, self.args)),
            env={name: fill(value) for name, value in self.env.items()},
            cwd=fill(self.cwd),
            url=fill(self.url),
            headers={name: fill(value) for name, value in self.headers.items()},
        )

    def shown(self) -> "McpServer":
        """Return it without what may be secret in it, but for variables that stand for that.

        Of an address scheme, host and port stay; the values of headers and of its environment go,
        and what looks like a key in its command.
        """
        place = shown_address(self.url)
        whole = self.url in ("", place) or _BARE.fullmatch(self.url)
        return msgspec.structs.replace(
            self,
            command=redact(self.command),
            args=tuple(map(redact, self.args)),
            env={name: _shown(value) for name, value in self.env.items()},
            cwd=self.cwd,
            url=self.url if whole else f"{place}/{MARK}",
            headers={name: _shown(value) for name, value in self.headers.items()},
        )

    def bare(self) -> "McpServer":
        """Return it without the values of headers and environment, and what looks like keys.

        Variables that stand for a value stay, and so does an address in which nothing can be one.
        """
        is_plain = not re.search(r"[?@#]", self.url) and all(
            len(part) < _LONG_PART for part in self.url.split("/")[3:]
        )
        return msgspec.structs.replace(self.shown(), url=self.url if is_plain else self.shown().url)

    def left_out(self) -> tuple[str, ...]:
        """Return where values are left out of it, as `bare` leaves them out."""
        return tuple(field for field, text in self.texts() if MARK in text)


_LONG_PART = 20
"""A part of an address that is as long may be a key."""


def _shown(value: str) -> str:
    """Return a value that only names a variable, and of any other that it is not shown."""
    return value if _BARE.fullmatch(value) else MARK


def without_withdrawn(fields: dict[str, object]) -> dict[str, object]:
    """Return what a file or a store says of a server without what no longer means anything.

    Every server is greeted by the `handshake` first; it was a switch once.
    """
    return {name: it for name, it in fields.items() if name != "handshake"}


def server_of(words: Sequence[str]) -> McpServer:
    """Return the server that some words of a command mean; several are the command itself."""
    if len(words) == 1 and words[0].startswith("{"):
        fields = msgspec.json.decode(words[0], type=dict[str, object])
        return msgspec.convert(without_withdrawn(fields), McpServer)
    return McpServer(command=words[0], args=tuple(words[1:]))


def variables_in(text: str) -> dict[str, bool]:
    """Return the names of the variables in a text, and whether each needs a value."""
    found: dict[str, bool] = {}
    for one in _VARIABLE.finditer(text):
        found[one[1]] = found.get(one[1], False) or one[2] is None
    return found


def _value(found: re.Match[str], environment: Mapping[str, str]) -> str:
    """Return what stands for a variable."""
    name, otherwise = found[1], found[2]
    if environment.get(name):
        return environment[name]
    if otherwise is None:
        raise UnavailableError(f"the variable {name} is not set; set it where the agent lives.")
    return otherwise
