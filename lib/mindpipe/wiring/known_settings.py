"""Every setting that exists, in the order in which they are listed."""

from mindpipe.wiring.setting import Setting
from mindpipe.wiring.setting_tables import (
    attention,
    context,
    decisions,
    general,
    loop,
    memory,
    monitoring,
    observing,
    tasks,
)

SETTINGS: tuple[Setting, ...] = (
    *general.SETTINGS,
    *context.SETTINGS,
    *loop.SETTINGS,
    *memory.SETTINGS,
    *attention.SETTINGS,
    *decisions.SETTINGS,
    *tasks.SETTINGS,
    *monitoring.SETTINGS,
    *observing.SETTINGS,
)
