"""Settings of observing."""

from mindpipe.wiring.setting import Setting

SETTINGS = (
    Setting(
        name="observe.config",
        kind=str,
        default=None,
        help="What mind run and mind observe look at: a file like mind-observe.yaml(5) describes.",
    ),
)
