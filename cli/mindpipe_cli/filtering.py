"""Fold messages that come from outside, document by document, with no store."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.compaction.filter.over_documents import CANONICAL, Written, over_document, said_in
from mindpipe.compaction.filter.over_messages import Windowed, over_messages
from mindpipe.compaction.plans.unfolded import UnfoldedError
from mindpipe.compaction.records import WindowPlan
from mindpipe.core.errors import UsageError
from mindpipe.core.messages import Conversation, Role, text_of
from mindpipe.formats.recognising import recognised
from mindpipe.formats.records import Imported, ImportOptions, Loss, RenderOptions
from mindpipe.history.adoption import Foreign, read
from mindpipe.history.records import LossCount
from mindpipe.history.verbs.check import check
from mindpipe.stream.files import write_whole
from mindpipe.validator.records import Question
from mindpipe_cli import documents, output, telling
from mindpipe_cli.asked import Asked
from mindpipe_cli.history_import import NOBODY
from mindpipe_cli.progress import progress
from mindpipe_cli.session import Session

# Logs of a program, which no API takes and nobody could write back.
_LOGS = frozenset({"claude-code"})


class _Given(NamedTuple):
    """What came in: its name, its form, and its conversations."""

    name: str
    form: str
    conversations: Sequence[Imported]


def fold(session: Session, asked: Asked) -> None:
    """Write every document with its window in the place of its messages: all of them or none.

    Raises:
        BadInputError: what was read is no document, or breaks its form.
        NothingToDoError: there is no input.
    """
    given = _given(session, asked)
    options = RenderOptions(sdk=asked.sdk, strict_roles=asked.strict_roles)
    lost = Counter[tuple[str, str]]()
    written: list[Written] = []
    whole: list[UnfoldedError] = []
    with progress(f"folding {given.name}") as advance:
        for number, imported in enumerate(given.conversations, 1):
            done = over_document(
                imported,
                _folder(session, asked, name=_name(given, imported), unfolded=whole.append),
                format=given.form,
                options=options,
                is_sound=_judge(given, options),
                report=_counting(lost),
            )
            written.append(done)
            advance(number, len(given.conversations))
    octets = b"".join(_ended(one.octets) for one in written)
    if asked.output is None:
        output.write_bytes([octets])
    else:
        write_whole(documents.path_of(asked.output), [octets])
    _tell(given, written, lost, whole)
    _warn(given, written, whole, budget=asked.wish(Agent(name=given.name)).budget)


def plan(session: Session, asked: Asked) -> WindowPlan:
    """Return the plan for the one conversation that is given.

    Raises:
        BadInputError: what was read is no document, or breaks its form.
        NothingToDoError: there is no input, or nothing to be folded.
        UsageError: there are several conversations.
    """
    given = _given(session, asked)
    if (count := len(given.conversations)) != 1:
        raise UsageError(f"{given.name} holds {count} conversations; a plan is for one of them.")
    (imported,) = given.conversations
    return _folder(session, asked, name=_name(given, imported))(said_in(imported)).planned


def _given(session: Session, asked: Asked) -> _Given:
    """Read what is to be folded, in the form that it is given in or seems to have."""
    found = documents.whole(asked.file)
    form = asked.format or recognised(found.octets, source=found.name)
    if form in _LOGS:
        raise UsageError(
            f"{form} is a log and no request. "
            f"Try mind history import --format {form} | mind compact."
        )
    options = ImportOptions(
        agent="" if form == CANONICAL else NOBODY,
        name=found.name,
        at="",
        repair=asked.repair,
    )
    return _Given(
        found.name, form, read(Foreign(octets=found.octets, format=form, options=options))
    )


def _name(given: _Given, imported: Imported) -> str:
    """Return what a conversation is called in its plan: by itself, or like its file."""
    return imported.name or given.name


def _folder(
    session: Session,
    asked: Asked,
    *,
    name: str,
    unfolded: Callable[[UnfoldedError], None] = lambda _: None,
) -> Callable[[Conversation], Windowed]:
    """Return what makes the window of one conversation, and tells why one stays as it is."""
    tokens = session.tokens
    wish = asked.wish(Agent(name=name))
    write = None
    if wish.strategy == "model":
        from mindpipe_cli.summarising import write_of

        write = write_of(session, asked)
    embed = None
    if wish.strategy == "semantic":
        from mindpipe_cli.embedding import embed_of

        embed = embed_of(session)

    def folded(said: Conversation) -> Windowed:
        waiting = wish._replace(inbox=wish.inbox or asked_last(said))
        try:
            made = over_messages(
                said, waiting, count=tokens.count, tokenizer=tokens.name, write=write, embed=embed
            )
        except UnfoldedError as error:
            unfolded(error)
            raise
        telling.fallback(made.planned)
        return made

    return folded


def asked_last(said: Conversation) -> str:
    """Return the words that were said to the model last."""
    heard = (text_of(one) for one in reversed(said.messages) if one.role is Role.USER)
    return next((words for words in heard if words), "")


def _judge(given: _Given, options: RenderOptions) -> Callable[[bytes], bool]:
    """Return what tells whether a document is one that its API would take."""
    question = Question(
        format=given.form, sdk=options.sdk, strict_roles=options.strict_roles, kind="history"
    )

    def is_sound(octets: bytes) -> bool:
        found = check(octets, source=given.name, question=question)
        return all(finding.severity != "error" for finding in found)

    return is_sound


def _counting(lost: Counter[tuple[str, str]]) -> Callable[[Loss], None]:
    """Return what counts losses by part and reason."""

    def hear(loss: Loss) -> None:
        lost[loss.part, loss.why] += 1

    return hear


def _ended(octets: bytes) -> bytes:
    """Return a document that ends its line."""
    return octets if octets.endswith(b"\n") else octets + b"\n"


def _tell(
    given: _Given,
    written: Sequence[Written],
    lost: Counter[tuple[str, str]],
    whole: Sequence[UnfoldedError],
) -> None:
    """Say what was folded, why if that is asked, and what could not be written."""
    for imported, done in zip(given.conversations, written, strict=True):
        rewritten = done.planned is not None and done.anew and given.form != CANONICAL
        left_out = imported.left_out if rewritten else ()
        telling.changes(given.name, imported.repairs, left_out)
        for reason in done.planned.reasons if done.planned else ():
            output.say(f"cycle {reason.cycle}: {reason.to}: {reason.why}")
    plans = [done.planned.plan for done in written if done.planned]
    before = sum(sum(one.before.values()) for one in plans)
    after = sum(sum(one.after.values()) for one in plans)
    output.say(
        f"{given.name}: {len(plans)} of {len(written)} folded: {before} -> {after} tokens"
        if plans
        else f"{given.name}: {_unfolded(whole, of=len(written))}"
    )
    if given.form != CANONICAL:
        counts = sorted(lost.items())
        telling.losses(LossCount(part=part, why=why, times=n) for (part, why), n in counts)


def _unfolded(whole: Sequence[UnfoldedError], *, of: int) -> str:
    """Say that nothing was folded; of one window why, in its own words."""
    if (of, len(whole)) != (1, 1):
        return "nothing to fold"
    return f"nothing to fold: {str(whole[0]).removeprefix('nothing to fold: ')}"


def _warn(
    given: _Given, written: Sequence[Written], whole: Sequence[UnfoldedError], *, budget: int
) -> None:
    """Say how many windows are over the budget all the same, how far, and why."""
    sizes = [sum(done.planned.plan.after.values()) for done in written if done.planned]
    if over := [size for size in [*sizes, *(one.tokens for one in whole)] if size > budget]:
        most = f"{max(over)}" if len(over) == 1 else f"up to {max(over)}"
        output.say(
            f"{given.name}: {len(over)} over the budget of {budget} tokens even so ({most}): "
            "what stands before the messages stays, and a single cycle cannot be cut"
        )
