"""Named places where a test may make the program fail; without a hook they do nothing."""

from collections.abc import Callable

FAILPOINTS = (
    "push.before_commit",
    "push.after_commit",
    "reply.before_commit",
    "claim.before_commit",
    "claim.after_commit",
    "join.before_commit",
    "join.after_commit",
    "reserve.after_commit",
    "ask.before_send",
    "ask.mid_stream",
    "ask.after_reply",
    "record.before_commit",
    "record.after_commit",
    "act.before_started",
    "act.after_started",
    "act.after_effect",
    "act.before_done",
    "act.after_done",
    "store_tool.before_commit",
    "store_tool.after_commit",
    "ticket.after_commit",
    "decide.before_commit",
    "decide.after_commit",
    "judge.before_commit",
    "judge.after_commit",
    "decision.before_commit",
    "decision.after_commit",
    "settle.before_commit",
    "settle.after_commit",
    "escalate.before_call",
    "escalate.after_call",
    "ticket_run.before_running",
    "ticket_run.after_running",
    "ticket_run.before_outcome",
    "ticket_run.after_outcome",
    "task.before_send",
    "task.after_send",
    "task.after_start",
    "task.before_begin",
    "task.after_begin",
    "task.after_report",
    "task.before_outcome",
    "task.after_outcome",
    "task.before_escalate",
    "turn.before_commit",
    "turn.after_commit",
    "compact.before_publish",
    "compact.after_publish",
    "consolidate.before_publish",
    "consolidate.after_publish",
    "fork.before_published",
    "export.after_leaving",
    "import.before_commit",
    "import.after_commit",
    "rewind.before_commit",
    "rewind.after_commit",
    "redact.before_commit",
    "redact.after_commit",
    "live.before_commit",
    "live.after_commit",
    "observe.before_commit",
    "observe.after_commit",
    "print.before_flush",
    "checkpoint.before_commit",
    "init.before_commit",
    "migrate.mid",
    "migrate.after_commit",
    "backup.mid",
    "restore.mid",
    "move.after_leaving",
    "move.after_arriving",
    "move.mid",
    "move.after_rows",
    "move.after_left",
    "move.after_arrived",
    "move.after_staying",
    "recover.after_check",
    "recover.mid",
)


def _nothing(_name: str) -> None:
    """Pass."""


_hooks: list[Callable[[str], None]] = [_nothing]


def install(hook: Callable[[str], None]) -> None:
    """Make every failpoint call `hook` with its name; only wiring does this, only under test."""
    _hooks[0] = hook


def reach(name: str) -> None:
    """Tell the hook that the program stands at this failpoint."""
    _hooks[0](name)
