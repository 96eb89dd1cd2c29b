"""`mind completion`: what connects a shell with the program, and what is then offered in it."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from mindpipe.core.errors import MindError
from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.commands import COMPLETING
from mindpipe_cli.options import CompletedId, CompletedText, Offers, StoredId
from mindpipe_cli.session import Session


class _Bash(BashComplete):
    """The same, but that what ends in =, / or : goes on without a space."""

    source_template = BashComplete.source_template.replace(
        "    return 0\n",
        "    [[ ${COMPREPLY[0]-} == *[=/:] ]] && compopt -o nospace\n    return 0\n",
    )


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "fish": FishComplete, "zsh": ZshComplete}


def script_of(shell: str) -> str:
    """Return the script by which a shell asks the program what may follow."""
    asking = SHELLS[shell](click.Command("mind"), {}, "mind", COMPLETING)
    # Its method `source` would start bash, to look at the version.
    return asking.source_template % asking.source_vars()


def complete(root: click.Command, instruction: str) -> None:
    """Print what may follow on the command line that a shell has put into the environment.

    Where something is wrong, nothing is offered.
    """
    shell = SHELLS.get(instruction.removesuffix("_complete"))
    if shell is None:
        return
    with contextlib.suppress(MindError, OSError, click.ClickException, KeyError, ValueError):
        output.write_text(f"{shell(root, {}, 'mind', COMPLETING).complete()}\n")


def offered(root: click.Command, words: list[str], incomplete: str) -> list[CompletionItem[str]]:
    """Return what may follow some words of a command line; nothing where something is wrong."""
    asking = ShellComplete(root, {}, "mind", COMPLETING)
    with contextlib.suppress(MindError, OSError, click.ClickException, KeyError, ValueError):
        return asking.get_completions(words, incomplete)
    return []


@command("completion", example='eval "$(mind completion bash)"')
@click.argument("shell", type=click.Choice(sorted(SHELLS)))
def COMMAND(session: Session, shell: str) -> None:
    """Print the completion script for a shell: bash, zsh or fish.

    It completes commands, options and their values, also agents, spaces, plans and tickets of the
    store; for that it starts mind, which only reads.
    """
    session.prints("a script")
    output.write_text(script_of(shell))


def _records(_: click.Context) -> Iterable[str]:
    """Return the names of all records."""
    from mindpipe_cli.schema import RECORDS

    return RECORDS


def _agents(context: click.Context) -> Iterator[str]:
    """Yield the names of the agents of the store."""
    from mindpipe.agents.verbs import agent as agents

    with _reading(context) as session:
        yield from (agent.name for agent in agents.list_(session.store))


def _spaces(context: click.Context) -> Iterator[str]:
    """Yield the names of the spaces of the store."""
    from mindpipe.spaces import verbs

    with _reading(context) as session:
        yield from (space.name for space in verbs.list_(session.store))


def _tickets(context: click.Context) -> Iterator[str]:
    """Yield the ids of the tickets that wait for a person."""
    from mindpipe.engine.verbs import ticket as tickets

    with _reading(context) as session:
        yield from (ticket.id for ticket in tickets.list_(session.store, session.clock))


def _lives(context: click.Context) -> Iterator[str]:
    """Yield the names of the agents and persons of the store."""
    from mindpipe.person.verbs import persons

    yield from _agents(context)
    with _reading(context) as session:
        yield from persons.ids(session.store)


def _ids_of(kind: StoredId) -> Offers:
    """Return what offers the ids of some tables of the store."""

    def offers(context: click.Context) -> Iterator[str]:
        from mindpipe.store.ids import all_ids

        with _reading(context) as session:
            yield from all_ids(session.store, kind.tables)

    return offers


OPTIONS: Mapping[str, Offers] = {"--agent": _agents, "--space": _spaces}
"""What is offered for an option, whichever command it belongs to."""

ARGUMENTS: Mapping[tuple[str, str], Offers] = {
    ("agent", "name"): _agents,
    **{("life", name): _lives for name in ("agent", "first", "life", "second")},
    ("schema", "record"): _records,
    ("space", "space"): _spaces,
    ("ticket", "ticket"): _tickets,
}
"""What is offered for an argument of a command at the top or of its verbs."""


def offer_values(name: str, command: click.Command) -> None:
    """Let a command at the top, and its verbs, complete what the tables and files offer."""
    verbs = command.commands.values() if isinstance(command, click.Group) else ()
    for one in (command, *verbs):
        for param in one.params:
            if param.type is not click.STRING and not isinstance(param.type, StoredId):
                continue
            offers = ARGUMENTS.get((name, param.name or ""))
            if isinstance(param, click.Option):
                offers = next((OPTIONS[word] for word in param.opts if word in OPTIONS), None)
            if offers is None and isinstance(param.type, StoredId):
                offers = _ids_of(param.type)
            # Files stand where no word is offered.
            if offers is not None and isinstance(param.type, StoredId):
                param.type = CompletedId(offers, param.type.tables)
            elif offers is not None or "FILE" in (param.metavar or ""):
                param.type = CompletedText(offers or (lambda _: ()))


@contextlib.contextmanager
def _reading(context: click.Context) -> "Iterator[Session]":
    """Yield a session with the store open for reading alone.

    Raises:
        MindError: there is no store, or none that can be read.
    """
    from mindpipe.store.access import open_where
    from mindpipe_cli.session import Session

    session = Session({"store": context.params.get("common_store")}, None)
    with contextlib.closing(open_where(session.where, read_only=True)) as store:
        session.app.store = store
        yield session
