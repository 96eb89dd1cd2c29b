"""Words that are said again, with the name of who said them first."""


class Said(str):
    """Words that a recording gives again; `model` is the one that found them, as people write it.

    So what is made of a replay is what was made of the model itself.
    """

    __slots__ = ("model",)
    model: str

    def __new__(cls, words: str, model: str) -> "Said":
        """Return words with who found them."""
        said = super().__new__(cls, words)
        said.model = model
        return said
