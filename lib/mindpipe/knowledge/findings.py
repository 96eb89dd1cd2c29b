"""Something that is found at an observation, by verification or by an audit."""

from mindpipe.knowledge.records import Check, Checked, Observation


def finding(
    check: Check, observation: Observation, why: str, *, other: str | None = None
) -> Checked:
    """Return one finding at an observation; `other` is another one that it has to do with."""
    return Checked(
        check=check,
        observation=observation.id,
        canonical_key=observation.canonical_key,
        summary=observation.summary,
        other=other,
        why=why,
    )
