"""Read how a window is divided from the settings."""

from mindpipe.context.budget.records import Allocations
from mindpipe.core.errors import UsageError
from mindpipe.wiring.settings import Settings


def allocations_of(settings: Settings) -> Allocations:
    """Return how a window is divided.

    Raises:
        UsageError: the parts take more than the window.
    """
    window = settings.whole("memory.context_window_tokens")
    parts = {name: settings.whole(f"memory.allocations.{name}") for name in Allocations().parts()}
    found = Allocations(context_window=window, **parts)
    if found.sum > window:
        listed = " + ".join(f"{name} {tokens}" for name, tokens in parts.items())
        raise UsageError(
            f"{window} is {found.sum - window} less than memory.allocations take together "
            f"({listed} = {found.sum}); raise it, or lower some of them."
        )
    return found
