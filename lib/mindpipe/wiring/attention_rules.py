"""What the settings say of attention and of looking back."""

from mindpipe.loop.attention_records import Attending
from mindpipe.loop.reflection_records import Reflecting
from mindpipe.wiring.settings import Settings


def attending_of(settings: Settings) -> Attending:
    """Return what bounds attention in every mode; a mode says what else does."""
    return Attending(
        primary_share=settings.real("attention.primary_share"),
        primary_boost=settings.whole("attention.primary_boost"),
        longest_wait=settings.real("attention.longest_wait_seconds"),
    )


def reflecting_of(settings: Settings) -> Reflecting:
    """Return how an agent looks back."""
    return Reflecting(
        every=settings.whole("attention.patterns_every"),
        ineffective_after=settings.whole("attention.ineffective_after"),
        overloaded_after=settings.whole("attention.overloaded_after"),
        holds=settings.whole("attention.change_iterations"),
        attending=attending_of(settings),
    )
