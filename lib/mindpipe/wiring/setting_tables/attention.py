"""Settings of attention: shares, boosts, how long anything may wait, and looking back."""

from mindpipe.wiring.setting import Setting

SETTINGS = (
    Setting(
        name="attention.primary_share",
        kind=float,
        default=0.6,
        help="Share of iterations that the primary focus gets.",
        least=0,
        most=1,
    ),
    Setting(
        name="attention.primary_boost",
        kind=int,
        default=3,
        help="Added to the score of what the primary focus is about.",
        least=0,
        most=10,
    ),
    Setting(
        name="attention.longest_wait_seconds",
        kind=float,
        default=3600.0,
        help="Age above which an event goes before all but emergencies, in seconds.",
        least=1,
    ),
    Setting(
        name="attention.patterns_every",
        kind=int,
        default=5,
        help="Iterations after which patterns over many iterations are looked for.",
        least=1,
        most=1000,
    ),
    Setting(
        name="attention.ineffective_after",
        kind=int,
        default=5,
        help="Iterations with actions of which none came to anything that are a pattern.",
        least=2,
        most=50,
    ),
    Setting(
        name="attention.overloaded_after",
        kind=int,
        default=5,
        help="Iterations in a row in which the queue grew that are a pattern.",
        least=2,
        most=49,
    ),
    Setting(
        name="attention.change_iterations",
        kind=int,
        default=5,
        help="Iterations for which holds what a pattern changed.",
        least=1,
        most=1000,
    ),
)
