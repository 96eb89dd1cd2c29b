"""What a person says aloud, without a model: an answer drawn from how it is."""

from mindpipe.person.records.episode import Heard
from mindpipe.person.records.thought import ThoughtMoment


def spoken(moment: ThoughtMoment, heard: Heard) -> str:
    """Return what a person answers aloud to what it heard."""
    if moment.trigger == "respond-":
        return "I do not know what to say to that."
    return "Thank you for telling me." if heard.text else "Yes?"
