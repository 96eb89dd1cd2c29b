"""`mind ask`: say something to an agent and print what it answers."""

from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe_cli import input, output
from mindpipe_cli.attached_files import attached_files, words_for
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    any_agent_option,
    attach_option,
    decider,
    max_micros_option,
    max_seconds_option,
    max_turns_option,
    model_options,
    quiet_option,
    talk_space_option,
    talker_option,
    wait_any_option,
)
from mindpipe_cli.session import Session
from mindpipe_cli.think import ThinkOptions, end_preview, lowered_limits, say_waiting, thinker_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mindpipe.core.attachments import Attachment
    from mindpipe.engine.verbs.ask import AskAnswer, SaidToAgent
    from mindpipe_cli.preview import TerminalPreview

COLUMNS = ("agent", "space", "asked", "answers", "cycle", "outcome", "closing", "tickets")


@command("ask", example='mind ask --agent ava "Is the lamp lit?"')
@click.argument("text", required=False)
@any_agent_option
@talker_option
@talk_space_option
@attach_option
@model_options
@max_turns_option
@max_seconds_option
@max_micros_option
@wait_any_option
@quiet_option
def COMMAND(
    session: Session,
    text: str | None,
    speaker: str | None,
    space: str | None,
    attached: tuple[str, ...],
    **values: object,
) -> None:
    """Say TEXT (or stdin) to an agent, let it think, and print what it says to you.

    Beside TEXT stdin is not read, since it may be that of a program which goes on; without TEXT, or
    with - for it, it is what is said.

    Without --agent it is the only one of the store. It is said in a space of the two of you, which
    is made when it is needed: mind space read shows it afterwards. What you said there before and
    the agent has not taken up, since that was stopped or failed, is heard with it. Somebody new in
    the store is trusted, since whoever runs this is its operator. Where the agent sends no message,
    the text with which its cycle ended is printed, and stderr says so. --json prints one record
    instead. The exit status is that of mind think.

    --attach FILE goes along: the agent sees an image or PDF, and reads a text. What kind a file is
    is told by its bytes, whatever it is called. Where you say nothing to it, its name is said.
    """
    from mindpipe.engine.verbs.ask import SaidToAgent

    options = msgspec.convert(values, ThinkOptions)
    if options.wait_any:
        session.choose("context.wait_any", value=True)
    files = attached_files(attached)
    question = SaidToAgent(
        text=_words(text, files),
        speaker=decider(speaker, field="--as"),
        space=space,
        files=files,
    )
    answer = asked(session, options, question)
    if session.shape_asked:
        session.write([answer], columns=COLUMNS)


def asked(session: Session, options: ThinkOptions, question: "SaidToAgent") -> "AskAnswer":
    """Ask an agent, print what it answers unless records are wanted, and return that."""
    from mindpipe.engine.delivery import deliver_to
    from mindpipe.engine.verbs import ask

    preview = _preview(options)
    agent, deps, _ = thinker_of(session, options, preview=preview)
    deliver = deliver_to(session.store, session.clock, session.chance, session.settings)
    try:
        answer = ask.ask(
            deps,
            agent=agent,
            question=question,
            deliver=deliver,
            limits=lowered_limits(agent, options),
        )
    finally:
        end_preview(deps)
    session.note_made(answer.asked)
    if not session.shape_asked:
        _print(answer, seen=preview.messages if preview else ())
        output.flush()  # before stderr says what comes after it
    say_waiting(answer.tickets)
    return answer


def _words(text: str | None, files: "Sequence[Attachment]") -> str:
    """Return what is said: the argument, or stdin, or where only files are given their names.

    Raises:
        UsageError: it is nothing.
        NothingToDoError: nothing is on stdin.
    """
    if text is not None and text != "-":
        if not text.strip():
            raise UsageError("the text is empty; give it some words.")
        return text
    if text is None and output.on_terminal("stdin"):
        if files:
            return words_for(files)
        raise UsageError('say what: mind ask --agent NAME "TEXT", or pipe it in.')
    try:
        return input.words_on_stdin().decode("utf-8", "replace").rstrip("\n")
    except NothingToDoError:
        if text is None and files:
            return words_for(files)
        raise


def _preview(options: ThinkOptions) -> "TerminalPreview | None":
    """Return what shows the answer while it is written, where a person looks."""
    if options.quiet or not output.on_terminal("stderr"):
        return None
    from mindpipe_cli.preview import TerminalPreview

    return TerminalPreview(aloud_only=True)


def _print(answer: "AskAnswer", *, seen: "list[str] | tuple[str, ...]") -> None:
    """Print what was answered, but what a terminal has shown already."""
    shown = set(seen) if output.on_terminal("stdout") else set[str]()
    for post in answer.answers:
        if post.text not in shown:
            output.write_text(f"{post.text}\n")
            output.flush()
        if post.space != answer.space:
            output.say(f"({answer.agent} said that in {post.space}.)")
    if answer.answers:
        return
    if answer.closing:
        output.say(f"{answer.agent} sent no message; its cycle ended with:")
        output.write_text(f"{answer.closing}\n")
    else:
        output.say(f"{answer.agent} said nothing ({answer.outcome or 'another worker took it'}).")
