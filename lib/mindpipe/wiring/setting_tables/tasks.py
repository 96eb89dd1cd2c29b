"""Settings of delegated tasks: who works, and when a worker counts as stuck."""

from mindpipe.wiring.setting import Setting

SETTINGS = (
    Setting(
        name="tasks.workers",
        kind=str,
        default=None,
        help="Programs that agents may delegate to, as NAME=program:PATH words.",
    ),
    Setting(
        name="tasks.heartbeat_seconds",
        kind=float,
        default=300.0,
        help="Seconds without a line from a worker after which it counts as stuck.",
        least=1,
    ),
    Setting(
        name="tasks.most_seconds",
        kind=float,
        default=86400.0,
        help="Most seconds that a program may work on a task.",
        least=1,
        most=2592000,
    ),
)
