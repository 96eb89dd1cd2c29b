"""Every setting that exists, in the order in which they are listed."""

from mindpipe.wiring.setting import Setting
from mindpipe.wiring.setting_tables import attention, context, general, loop, monitoring

SETTINGS: tuple[Setting, ...] = (
    *general.SETTINGS,
    *context.SETTINGS,
    *loop.SETTINGS,
    *attention.SETTINGS,
    *monitoring.SETTINGS,
)
