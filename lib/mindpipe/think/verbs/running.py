"""Run the programs of a user's tools, and say in a result how each ended."""

import functools
from base64 import b64encode
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.abreast import abreast
from mindpipe.core.errors import UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.placeholders import filled
from mindpipe.core.ports import ProgramCall, ProgramRun
from mindpipe.core.records import NO_RECORD, to_json
from mindpipe.core.text import storable_text, uncut
from mindpipe.core.tools import Effect, ToolManifest
from mindpipe.think.calls import clean_result
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call
from mindpipe.think.tools import doing

_TAIL = 2000


class Begun(NamedTuple):
    """A call that may have begun, and the tool that it calls."""

    call: Call
    tool: ToolManifest


class Output(NamedTuple):
    """What a stream said: text that can be stored and, where it was no text, its octets too."""

    text: str
    exact: dict[str, str] | None


def run_programs(means: Means, work: Work, begun: Sequence[Begun]) -> list[ResultPart]:
    """Run the tools of some calls side by side and return their answers in the same order."""
    runs = [functools.partial(_run, means, work, one) for one in begun]
    return [_answer(one, ended) for one, ended in zip(begun, abreast(runs), strict=True)]


def after_crash(means: Means, work: Work, begun: Begun) -> ResultPart:
    """Ask an unsafe tool's `verify` what became of a call; without one nobody knows."""
    call, tool = begun
    if not tool.verify:
        return result_of(call, ResultStatus.UNKNOWN, "")
    try:
        checked = means.programs.run(_program(means, work, call, tool, argv=tool.verify))
        verdict = msgspec.json.decode(checked.stdout, type=doing.Verified)
    except (UnavailableError, *NO_RECORD):
        return result_of(call, ResultStatus.UNKNOWN, "")
    if checked.status != 0 or verdict.outcome == "unknown":
        return result_of(call, ResultStatus.UNKNOWN, "")
    if verdict.outcome == "done":
        return result_of(call, ResultStatus.OK, verdict.output)
    return result_of(call, ResultStatus.ERROR, "Interrupted before it ran. Nothing was done.")


def result_of(call: Call, status: ResultStatus, text: str, found: object = None) -> ResultPart:
    """Return an answer fit to be stored."""
    return ResultPart(call=call.id, status=status, text=clean_result(text), json=found)


def _run(means: Means, work: Work, begun: Begun) -> ProgramRun | UnavailableError:
    """Run one program to its end; a program that cannot start is an answer too."""
    call, tool = begun
    try:
        return means.programs.run(_program(means, work, call, tool, argv=tool.command))
    except UnavailableError as error:
        return error


def _answer(begun: Begun, ended: ProgramRun | UnavailableError) -> ResultPart:
    """Return the answer of a program that ended."""
    call, tool = begun
    if isinstance(ended, UnavailableError):
        return result_of(call, ResultStatus.ERROR, str(ended))
    reach("act.after_effect")
    if ended.status is None or ended.status < 0:
        return _interrupted(call, ended, tool)
    said = _output(ended.stdout, cut=ended.stdout_cut)
    if ended.status == 0:
        return result_of(call, ResultStatus.OK, said.text, said.exact)
    tail = _output(ended.stderr, cut=ended.stderr_cut).text[-_TAIL:]
    return result_of(call, ResultStatus.ERROR, f"exit status {ended.status}: {tail or said.text}")


def _interrupted(call: Call, ended: ProgramRun, tool: ToolManifest) -> ResultPart:
    """Return the answer of a run that was ended by its deadline or a signal."""
    how = (
        f"no end within {tool.timeout:g} seconds"
        if ended.status is None
        else f"ended by signal {-ended.status}"
    )
    if call.effect is Effect.UNSAFE:
        return result_of(call, ResultStatus.UNKNOWN, how)
    return result_of(call, ResultStatus.ERROR, how)


def _output(octets: bytes, *, cut: bool) -> Output:
    """Return what a stream said, marked where it was cut or is no text."""
    octets = uncut(octets) if cut else octets
    text, lossy = storable_text(octets)
    text += (" [cut: too long]" if cut else "") + (" [not text: cleaned]" if lossy else "")
    exact = {"text": text, "base64": b64encode(octets).decode()} if lossy else None
    return Output(text, exact)


def _program(
    means: Means, work: Work, call: Call, manifest: ToolManifest, *, argv: tuple[str, ...]
) -> ProgramCall:
    """Return how a tool's program is run."""
    environment = {
        name: means.environment[name] for name in manifest.environment if name in means.environment
    }
    return ProgramCall(
        argv=filled(argv, call.args or {}),
        stdin=to_json(call.args),
        seconds=min(manifest.timeout, work.left(means.clock.boot().seconds)),
        output_bytes=manifest.output_bytes,
        environment={
            **environment,
            "IDEMPOTENCY_KEY": call.key,
            "MIND_FENCE": str(work.epoch),
            "MIND_AGENT": call.agent,
            "MIND_CALL": call.id,
        },
        limits=manifest.limits(),
        sandbox=manifest.shut_in(),
    )
