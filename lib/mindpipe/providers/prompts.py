"""The words by which a model is asked again for an answer that its request's schema allows."""


def asked_again(fault: str) -> str:
    """Return what a model is told whose answer does not fit."""
    return (
        f"That answer does not fit the JSON Schema: {fault}. Give the whole answer again, "
        "corrected, as one JSON value and nothing else."
    )
