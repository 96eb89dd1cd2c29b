"""The summary of a window as a message, for where there is no head that could hold it."""

from mindpipe.compaction.records import Overlay, Summary
from mindpipe.core.messages import Message, Role, TextPart
from mindpipe.formats.import_ids import import_id


def opening_message(
    text: str, parts: Overlay, *, agent: str, segment: int, tainted: bool
) -> Message:
    """Return the summary `text` of a window as the first of its messages.

    It stands at the place of the first cycle and message that are covered; `tainted` if anything
    covered is. Its id is made from the agent and the text.
    """
    folded = [part for part in parts if isinstance(part, Summary)]
    return Message(
        id=import_id("m", agent, "summary", text),
        agent=agent,
        seq=folded[0].first_seq,
        segment=segment,
        cycle=folded[0].first,
        turn=0,
        role=Role.USER,
        parts=(TextPart(text=text),),
        taint=tainted,
        at=folded[-1].ended,
    )
