"""Read how a window is divided from the settings."""

from mindpipe.context.budget.records import Allocations
from mindpipe.core.errors import BadInputError
from mindpipe.wiring.settings import Settings


def allocations_of(settings: Settings) -> Allocations:
    """Return how a window is divided.

    Raises:
        BadInputError: the parts take more than the window, at the setting that somebody gave.
    """
    window = settings.whole("memory.context_window_tokens")
    parts = {name: settings.whole(f"memory.allocations.{name}") for name in Allocations().parts()}
    found = Allocations(context_window=window, **parts)
    if found.sum > window:
        listed = " + ".join(f"{name} {tokens}" for name, tokens in parts.items())
        words = (
            f"{window} is {found.sum - window} less than memory.allocations take together "
            f"({listed} = {found.sum}); raise it, or lower some of them."
        )
        names = ("memory.context_window_tokens", *(f"memory.allocations.{name}" for name in parts))
        raise BadInputError([settings.fault(names, words)])
    return found
