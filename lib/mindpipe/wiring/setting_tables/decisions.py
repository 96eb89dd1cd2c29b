"""Settings of decisions: bands of confidence, bars of kinds, and who calls a person."""

from mindpipe.wiring.setting import Setting

SETTINGS = (
    Setting(
        name="decisions.act",
        kind=float,
        default=0.9,
        help="Confidence over which a proposal is done.",
        least=0,
        most=1,
    ),
    Setting(
        name="decisions.log",
        kind=float,
        default=0.7,
        help="Confidence from which a proposal is done and kept in view to be undone.",
        least=0,
        most=1,
    ),
    Setting(
        name="decisions.suggest",
        kind=float,
        default=0.5,
        help="Confidence from which a person is asked; below, the agent must know more.",
        least=0,
        most=1,
    ),
    Setting(
        name="decisions.thresholds",
        kind=str,
        default=None,
        help="Confidence below which kinds are not automatic, as KIND=NUMBER words; only raises.",
    ),
    Setting(
        name="decisions.escalate_importance",
        kind=float,
        default=0.8,
        help="Importance from which a person is called where nothing is done.",
        least=0,
        most=1,
    ),
    Setting(
        name="decisions.escalate",
        kind=str,
        default=None,
        help="The program that calls a person; the matter is on its stdin as JSON.",
    ),
    Setting(
        name="decisions.escalate_seconds",
        kind=float,
        default=30.0,
        help="Most seconds of that program.",
        least=1,
        most=600,
    ),
)
