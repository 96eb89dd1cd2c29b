"""`mind chat`: a conversation on a terminal, each turn of which is one of the other commands."""

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.attachments import placeholder
from mindpipe.core.errors import ExitStatus, MindError, UsageError
from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.commands import COMMANDS, every_command
from mindpipe_cli.options import (
    any_agent_option,
    decider,
    model_options,
    person_option,
    talk_space_option,
    talker_option,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

_FIRST_AGENT = "mind"
_SHORT = {
    "tickets": ("ticket", "review"),
    "memory": ("memory", "list", "--table"),
    "beliefs": ("observation", "list", "--table"),
    "history": ("history", "show", "--table"),
    "status": ("status", "--table"),
}
"""What a word behind a slash means where nothing follows it."""
_LEAVE = ("quit", "exit")
_ATTACH = "/attach "
_HELP = """\
What you write is said to {agent}; Enter sends it, Alt-Enter begins a new line, Ctrl-C stops an
answer, Ctrl-D leaves. Behind a slash stands any command of mind, which is asked of {agent}:
  /tickets   decide what waits for you       /memory    what it remembers
  /beliefs   what it holds true              /history   what it lived through
  /attach FILE   lets a file go along with what you say next
  /recall "the lamp"   /note list   /ticket show ID   ...   /quit leaves
"""


@command("chat", example="mind chat --agent ava --model anthropic/claude-haiku-4-5")
@any_agent_option
@talker_option
@talk_space_option
@person_option
@model_options
def COMMAND(
    session: Session,
    agent: str | None,
    speaker: str | None,
    space: str | None,
    person: str | None,
    model: str | None,
    record: str | None,
) -> None:
    """Talk with an agent (or, with --person, a person in the store) until you leave with Ctrl-D.

    Each turn is a mind ask, in a space of the two of you that mind space read shows afterwards.
    A line that begins with / is any other command of mind about this agent, as /tickets or
    /recall "the lamp"; /help tells more. /attach FILE lets an image, a PDF or a text go along with
    what you say next. Lines from a pipe are said one after the other.

    Without a store or an agent one is made, which answers with --model from then on.
    """
    common = _common(session)
    if person is not None:
        talk = ["simulate", "talk", "--person", person, *common]
        talk += [*(("--as", speaker) if speaker else ()), *(("--model", model) if model else ())]
        _end_with(_run(talk))
        return
    agent = agent or _some_agent(session, model)
    turn = ["ask", "--agent", agent, "--as", decider(speaker), *common]
    for option, value in (("--in-space", space), ("--model", model), ("--record", record)):
        turn += [option, value] if value else []
    watched = output.on_terminal("stdin")
    if watched:
        output.say(f"{agent} hears you. /help tells what you can do, Ctrl-D leaves.")
    attached: list[str] = []
    for line in _lines(f"{decider(speaker)}> " if watched else None):
        said = line.strip()
        if said[1:] in _LEAVE and said.startswith("/"):
            break
        if not said:
            continue
        if said.startswith(_ATTACH):
            attached += _named_file(said.removeprefix(_ATTACH))
            continue
        if said.startswith("/"):
            status = _slash(said[1:], agent, common)
        else:
            status = _run([*turn, *attached, "--", line])
            attached.clear()
        if status and not watched:
            _end_with(status)


def _named_file(name: str) -> list[str]:
    """Return the option by which a file goes along with what is said next; none where it cannot."""
    from mindpipe_cli.attached_files import attached_files

    path = str(Path(name.strip()).expanduser())
    try:
        (found,) = attached_files([path])
    except MindError as error:
        output.say(f"/attach: {error}")
        return []
    output.say(f"{placeholder(found.part)} goes along with what you say next.")
    return ["--attach", path]


def _common(session: Session) -> list[str]:
    """Return the common options that were given, for every command of the conversation."""
    return [
        word
        for name, it in session.options.items()
        if it is not None
        for word in (f"--{name}", str(it))
    ]


def _some_agent(session: Session, model: str | None) -> str:
    """Return the only agent of the store, which is made with a first one where there is none.

    Raises:
        UsageError: there are several.
    """
    from mindpipe.agents.records import AgentChange
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.store.verbs.init import init

    if not session.store_path.exists():
        init(
            session.store_path,
            session.clock,
            session.chance,
            agent=None,
            page_checksums=False,
        )
        output.say(f"made {session.store_path}")
    names = [agent.name for agent in agents.list_(session.store)]
    if len(names) > 1:
        raise UsageError(f"which agent? Give --agent NAME: there are {', '.join(names)}.")
    if not names:
        change = session.app.new_agent(AgentChange(model=model or msgspec.UNSET))
        agents.new(session.store, session.clock, session.chance, name=_FIRST_AGENT, change=change)
        output.say(f"made the agent {_FIRST_AGENT}")
    return names[0] if names else _FIRST_AGENT


def _slash(line: str, agent: str, common: list[str]) -> ExitStatus:
    """Run the command of a line that began with a slash, for the agent that one talks with."""
    try:
        words = shlex.split(line)
    except ValueError as fault:
        output.say(f"/{line}: {fault}")
        return ExitStatus.USAGE
    if not words or words[0] in {"help", "?"}:
        output.say(_HELP.format(agent=agent).rstrip())
        return ExitStatus.DONE
    if len(words) == 1:
        words = list(_SHORT.get(words[0], words))
    if words == ["ticket", "review"] and not output.can_ask():
        words = ["ticket", "list"]
    if _takes_agent(words) and "--agent" not in words:
        words += ["--agent", agent]
    return _run([*words, *common])


def _takes_agent(words: list[str]) -> bool:
    """Tell whether a command has the option --agent."""
    from mindpipe_cli.root import root

    context = click.Context(root)
    if words[0] not in COMMANDS:
        return False
    found = root.get_command(context, words[0])
    if isinstance(found, click.Group):
        found = found.commands.get(words[1] if len(words) > 1 else "", found)
    return found is not None and any("--agent" in param.opts for param in found.params)


def _run(arguments: list[str]) -> ExitStatus:
    """Run one command line; Ctrl-C ends it and not the conversation."""
    from mindpipe_cli.root import run_command

    try:
        return run_command(arguments)
    except KeyboardInterrupt:
        output.say("stopped; what you said is heard with what you say next.")
        return ExitStatus.INTERRUPTED


def _end_with(status: ExitStatus) -> None:
    """End with the status of a command that failed."""
    if status:
        raise click.exceptions.Exit(int(status))


def _lines(prompt: str | None) -> Iterator[str]:
    """Yield what is typed, by entries of one or more lines; without a prompt, lines of stdin."""
    if prompt is None:
        yield from (line.rstrip("\n") for line in sys.stdin)
        return
    typed = _typed()
    while True:
        try:
            yield typed.prompt(prompt)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _typed() -> "PromptSession[str]":
    """Return what a person types into, with history and completion of what follows a slash."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    words = [
        *_SHORT,
        "help",
        _ATTACH.strip("/ "),
        *_LEAVE,
        *(" ".join(one) for one in every_command()),
    ]
    completer = WordCompleter([f"/{word}" for word in words], sentence=True)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = Path(state) / "mindpipe"
    folder.mkdir(parents=True, exist_ok=True)
    session: PromptSession[str] = PromptSession(
        history=FileHistory(folder / "chat_history"),
        key_bindings=keys,
        completer=completer,
    )
    session.complete_while_typing = Condition(lambda: session.default_buffer.text.startswith("/"))
    return session
