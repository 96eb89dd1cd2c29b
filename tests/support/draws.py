"""How often a property is tried: in full at night, with fewer examples every day."""

from hypothesis import settings

EVERYDAY_SHARE = 4


def tries(many: int) -> int:
    """Return so many where examples are new each time, and a quarter where they are the same."""
    return max(1, many // EVERYDAY_SHARE) if settings.default.derandomize else many
