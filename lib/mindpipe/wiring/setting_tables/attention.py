"""Settings of attention: shares, boosts, and how long anything may wait."""

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
)
