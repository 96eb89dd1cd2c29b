"""Let a model put claims into words, of the evidence that it cites; what it may not say is told."""

from collections.abc import Callable, Sequence

from mindpipe.core.models import TextRequest, Write
from mindpipe.knowledge import prompts
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.files import Word


def worded_by(write: Write, *, tell: Callable[[str], object]) -> Word:
    """Return what lets a model word the claims on a subject.

    A line of its answer that is refused, and a model that cannot be asked, are told in one line
    each: the claims stand as rules made them. After a model has failed it is asked no more.
    """
    failed = False

    def word(subject: str, claims: Sequence[Claim]) -> Sequence[Claim]:
        nonlocal failed
        said: dict[int, str] = {}
        for batch in () if failed else prompts.batches(claims):
            asked = TextRequest(prompts.SYSTEM, prompts.question_of(batch), prompts.ANSWER_TOKENS)
            written = write(asked)
            if written.fault:
                tell(f"from {subject} on claims stand as rules made them: {written.fault}.")
                failed = True
                break
            for one in prompts.wordings_of(written.text, batch):
                if isinstance(one, prompts.RefusedWording):
                    tell(f"{subject}: answer line {one.line} is refused: {one.why}; rules word it.")
                else:
                    said |= {id(claim): one.summary for claim in one.group.claims}
        return [claim._replace(summary=said.get(id(claim), claim.summary)) for claim in claims]

    return word
