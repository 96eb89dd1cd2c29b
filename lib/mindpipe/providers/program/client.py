"""The Model port over any executable: request JSON on its stdin, reply JSON on its stdout."""

from collections.abc import Mapping

from mindpipe.core.errors import ExitStatus
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Limits, Preview, ProgramCall, ProgramRun, Programs
from mindpipe.providers.faults import shown
from mindpipe.providers.program.reply import read_reply
from mindpipe.providers.replay import show_whole
from mindpipe.providers.usage import with_plain_usage

REPLY_BYTES = 8 << 20
_TAIL_CHARACTERS = 400
_READ_BYTES = 4 * _TAIL_CHARACTERS


class ProgramModel:
    """Ask a program, started as an argument vector in the caller's folder, never through a shell.

    A time-out, and exit status 75 by which a program says so itself, may pass; any other failure
    is the program's own, to be mended before it is asked again.
    """

    def __init__(
        self,
        target: Target,
        *,
        path: str,
        programs: Programs,
        environment: Mapping[str, str] | None = None,
        memory_bytes: int = 1 << 30,
    ) -> None:
        self._target = target
        self._path = path
        self._programs = programs
        self._environment = dict(environment or {})
        self._limits = Limits(memory_bytes=memory_bytes)

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Run the program once and return its reply.

        Raises:
            ModelFault: it failed, was too slow, or answered against the protocol.
            UnavailableError: it cannot start.
        """
        from pathlib import Path

        run = self._programs.run(
            ProgramCall(
                argv=(str(Path(self._path).absolute()),),
                stdin=request.body,
                seconds=request.seconds,
                output_bytes=REPLY_BYTES,
                ends_when_cut=True,
                environment=self._environment,
                private_folder=False,
                limits=self._limits,
            )
        )
        trouble = self._trouble(run, request)
        if trouble is not None:
            raise trouble
        try:
            reply = read_reply(with_plain_usage(run.stdout))
        except ModelFault as fault:
            raise ModelFault(f"{fault}.{_tail(run)}", fault=fault.fault) from None
        show_whole(reply, preview)
        return reply

    def _trouble(self, run: ProgramRun, request: ModelRequest) -> ModelFault | None:
        """Return why a run is no reply, or None."""
        name = self._path.rpartition("/")[2]
        if run.outgrew:
            most = self._limits.memory_bytes
            what = f"took more memory than {most} bytes, program_memory_bytes in models.toml"
            fault = FaultClass.LOCAL
        elif run.stdout_cut or run.stderr_cut:
            stream = "stdout" if run.stdout_cut else "stderr"
            what, fault = f"wrote more than {REPLY_BYTES} bytes on {stream}", FaultClass.LOCAL
        elif run.status is None:
            what, fault = f"took longer than {request.seconds:g} s", FaultClass.TRANSIENT
        elif run.status == ExitStatus.TEMPORARY:
            what, fault = "asks to be tried again (exit status 75)", FaultClass.TRANSIENT
        elif run.status < 0:
            what, fault = f"was ended by signal {-run.status}", FaultClass.LOCAL
        elif run.status > 0:
            what, fault = f"failed with exit status {run.status}", FaultClass.LOCAL
        else:
            return None
        return ModelFault(f"the program {name} {what}.{_tail(run)}", fault=fault)


def _tail(run: ProgramRun) -> str:
    """Return the end of what the program wrote on stderr, as one line."""
    text = shown(run.stderr[-_READ_BYTES:].decode("utf-8", "replace"))
    if not text:
        return " It wrote nothing on stderr."
    tail = text if len(text) <= _TAIL_CHARACTERS else f"…{text[-_TAIL_CHARACTERS:]}"
    return f" Its stderr ends: {tail}"
