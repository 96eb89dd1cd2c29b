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
from mindpipe_cli import input, output
from mindpipe_cli.command import command
from mindpipe_cli.commands import COMMANDS, every_command
from mindpipe_cli.options import (
    any_agent_option,
    decider,
    model_options,
    only_agent,
    person_option,
    talk_space_option,
    talker_option,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer

    from mindpipe_cli.conversation import TalkOptions

_FIRST_AGENT = "mind"
_TYPED = "mind chat"
_SHORT = {
    "tickets": ("ticket", "review"),
    "memory": ("memory", "list", "--table"),
    "beliefs": ("observation", "list", "--table"),
    "history": ("history", "show", "--table"),
    "status": ("status", "--table"),
}
"""What a word behind a slash means where nothing follows it."""
_UNSAID = (ExitStatus.USAGE, ExitStatus.REFUSED, ExitStatus.BAD_DATA)
_LEAVE = ("quit", "exit")
_ATTACH = "/attach"
_UNDO = "undo"
_GOES_ON = (ExitStatus.DONE, ExitStatus.NOTHING_TO_DO)
"""After these the lines of a pipe go on: nothing found is no fault."""
_HELP = """\
What you write is said to {agent}; Enter sends it, Alt-Enter begins a new line, Ctrl-C stops an
answer, Ctrl-D leaves. Behind a slash stands any command of mind, which is asked of {agent}:
  /tickets   decide what waits for you       /memory    what it remembers
  /beliefs   what it holds true              /history   what it lived through
  /attach FILE   lets a file go along with what you say next to an agent; without FILE none does
  /undo      goes back to before the last exchange (mind life rewind)
  /recall "the lamp"   /note list   /ticket show ID   ...   /quit leaves
  //etc/hosts   is said, but for its first slash
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

    Each turn is a mind ask, or one of mind simulate talk, in a space of the two of you (or that of
    --in-space, which both are in): mind space read shows it afterwards. A line that
    begins with / is any other command of mind about who hears you, as /tickets or /recall "the
    lamp"; /help tells more. /attach FILE lets an image, a PDF or a text go along with what you say
    next to an agent. A line that begins with // is said, but for its first slash. Lines from a pipe
    are said one after the other, until one fails.

    Without a store or an agent one is made, which answers with --model from then on. What cannot
    be talked with, as it has no model or there is no such agent, is refused before that.
    """
    common = _given(*((f"--{name}", value) for name, value in session.options.items()))
    if person is not None:
        from mindpipe_cli.conversation import TalkOptions

        speaker = decider(speaker, field="--as")
        options = TalkOptions(
            speaker=speaker,
            space=space,
            model=model,
            record=record,
            person=person,
            plain=True,
            alone=True,
        )
        entries = _Entries(person, speaker, common, piped=input.said_lines(""))
        _talk_with_person(session, options, entries)
        return
    agent = _hearing_agent(session, agent, model)
    speaker = decider(speaker, field="--as")
    said_with = _given(("--in-space", space), ("--model", model), ("--record", record))
    turn = ["ask", "--agent", agent, "--as", speaker, *common, *said_with]
    attached: list[str] = []
    piped = (line.rstrip("\n") for line in sys.stdin)
    entries = _Entries(agent, speaker, common, piped=piped, attached=attached)
    for words in entries:
        status = _run([*turn, *attached, "--", words], typed=_TYPED)
        if status not in _UNSAID:
            # Said is said, whatever came of the cycle.
            attached.clear()
        entries.go_on(status)


def _talk_with_person(session: Session, options: "TalkOptions", entries: "_Entries") -> None:
    """Say to a person of the store what is entered; who stops an answer talks on."""
    from mindpipe_cli.conversation import converse

    while True:
        try:
            converse(session, options, entries)
        except KeyboardInterrupt:
            output.say("stopped.")
            entries.go_on(ExitStatus.INTERRUPTED)
        else:
            return


class _Entries(Iterator[str]):
    """What is entered to be said; what stands behind a slash is done, and not said."""

    def __init__(
        self,
        hearer: str,
        speaker: str,
        common: list[str],
        *,
        piped: Iterator[str],
        attached: list[str] | None = None,
    ) -> None:
        """Begin to read, from the terminal or the pipe; `attached` is None where no file can be."""
        self._hearer = hearer
        self._common = common
        self._attached = attached
        self._watched = output.on_terminal("stdin")
        if self._watched:
            output.say(f"{hearer} hears you. /help tells what you can do, Ctrl-D leaves.")
        self._lines = _typed(f"{speaker}> ", common) if self._watched else piped

    def __next__(self) -> str:
        """Return the next words that are to be said; ends the command where another one fails."""
        for line in self._lines:
            said = line.strip()
            first, _, rest = said.partition(" ")
            if first.startswith("/") and first[1:] in _LEAVE:
                break
            if not said:
                continue
            if said.startswith("//"):
                return said[1:]
            if not said.startswith("/"):
                return line
            if first != _ATTACH:
                self.go_on(_slash(said[1:], self._hearer, self._common))
            elif self._attached is not None:
                self.go_on(_attach(rest, self._attached))
            else:
                output.say(f"/attach: {self._hearer} is a person, and hears words alone.")
                self.go_on(ExitStatus.USAGE)
        raise StopIteration

    def go_on(self, status: ExitStatus) -> None:
        """End the command where something failed and nobody is there who could see it."""
        if status in _GOES_ON or self._watched:
            return
        # Who interrupts does not wait for the end of a pipe.
        stopped = status == ExitStatus.INTERRUPTED
        if unsaid := 0 if stopped else sum(bool(one.strip()) for one in self._lines):
            output.say(f"mind chat: stops there; lines not said: {unsaid}.")
        raise click.exceptions.Exit(int(status))


def _attach(name: str, attached: list[str]) -> ExitStatus:
    """Add the option by which a file goes along with what is said next, where it can."""
    from mindpipe_cli.attached_files import attached_files

    if not name.strip():
        attached.clear()
        output.say("no file goes along with what you say next; /attach FILE adds one.")
        return ExitStatus.DONE
    path = str(Path(name.strip()).expanduser())
    try:
        *_, found = attached_files([*attached[1::2], path])
    except MindError as error:
        output.say(f"/attach: {error}")
        return error.status
    attached += ["--attach", path]
    output.say(f"{placeholder(found.part)} goes along with what you say next.")
    return ExitStatus.DONE


def _given(*options: tuple[str, object]) -> list[str]:
    """Return those options that have a value as words of a command line."""
    return [word for name, it in options if it is not None for word in (name, str(it))]


def _hearing_agent(session: Session, agent: str | None, model: str | None) -> str:
    """Return the agent that is talked with; where there is no store or no agent, one is made.

    Raises:
        UsageError: there is no such agent, or none is named and there are several; or no model
            answers for it. Then nothing was made.
        RefusedError: it is a simulated person.
    """
    from mindpipe.agents.records import AgentChange
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.store.verbs.init import init

    if session.is_there:
        if agent is not None or agents.list_(session.store):
            who = agents.show(session.store, name=agent or only_agent(session))
            session.app.dependencies_to_think(who, model=model, tell=output.say)
            return who.name
    elif agent is not None:
        raise UsageError(
            f"there is no store {session.where}, and so no {agent}; "
            f"mind init --agent {agent} makes both."
        )
    session.app.models.model(model, record=None)
    session.app.models.require_program(model)
    change = session.app.new_agent(AgentChange(model=model or msgspec.UNSET))
    if not session.is_there:
        init(
            session.where,
            session.clock,
            session.chance,
            agent=_FIRST_AGENT,
            page_checksums=False,
            change=change,
        )
        output.say(f"made {session.where}")
    else:
        agents.new(session.store, session.clock, session.chance, name=_FIRST_AGENT, change=change)
    output.say(f"made the agent {_FIRST_AGENT}")
    return _FIRST_AGENT


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
    if words == [_UNDO]:
        words = ["life", "rewind", agent]
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


def _run(arguments: list[str], *, typed: str | None = None) -> ExitStatus:
    """Run one command line; Ctrl-C ends it and not the conversation."""
    from mindpipe_cli.root import run_command

    try:
        return run_command(arguments, typed=typed)
    except KeyboardInterrupt:
        output.say("stopped.")
        return ExitStatus.INTERRUPTED


def _typed(prompt: str, common: list[str]) -> Iterator[str]:
    """Yield what is typed, by entries of one or more lines."""
    typed = _prompt_session(common)
    while True:
        try:
            yield typed.prompt(prompt)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _prompt_session(common: list[str]) -> "PromptSession[str]":
    """Return what a person types into, with history and completion of what follows a slash."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = Path(state) / "mindpipe"
    folder.mkdir(parents=True, exist_ok=True)
    session: PromptSession[str] = PromptSession(
        history=FileHistory(folder / "chat_history"),
        key_bindings=keys,
        completer=_slash_completer(common),
    )
    session.complete_while_typing = Condition(lambda: session.default_buffer.text.startswith("/"))
    return session


def _slash_completer(common: list[str]) -> "Completer":
    """Return what completes commands while one types, and their values and files on Tab.

    `common` are the options that say of which store the values are.
    """
    from prompt_toolkit.completion import Completer, Completion, PathCompleter
    from prompt_toolkit.document import Document

    commands = {" ".join(one) for one in every_command()}
    known = [*_SHORT, "help", _ATTACH[1:], *_LEAVE, *sorted(commands)]
    files = PathCompleter(expanduser=True)

    def values(line: str) -> "Iterator[CompletionItem[str]]":
        """Yield what may follow the words of a line; its last one is not whole."""
        from mindpipe_cli.completion import offered
        from mindpipe_cli.root import root

        *words, last = line.split(" ")
        words = [word for word in words if word]
        place = 2 if " ".join(words[:2]) in commands else 1
        yield from offered(root, [*words[:place], *common, *words[place:]], last)

    class SlashCompleter(Completer):
        def get_completions(
            self, document: Document, complete_event: "CompleteEvent"
        ) -> "Iterator[Completion]":
            text = document.text_before_cursor
            if not text.startswith("/") or text.startswith("//"):
                return
            line, last = text[1:], text.rpartition(" ")[2]
            yield from (
                Completion(f"/{word}", start_position=-len(text))
                for word in known
                if word.startswith(line)
            )
            if " " not in line or not complete_event.completion_requested:
                return
            found = [] if text.startswith(f"{_ATTACH} ") else list(values(line))
            for one in found:
                if one.type == "plain":
                    yield Completion(one.value, start_position=-len(last))
            if not found or any(one.type == "file" for one in found):
                yield from files.get_completions(Document(last), complete_event)

    return SlashCompleter()
