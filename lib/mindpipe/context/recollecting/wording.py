"""Texts made short without cutting a word, and numbers of things."""


def cut(text: str, most: int) -> str:
    """Return at most `most` characters of text on one line, whole words, with a mark of more.

    A single word that is longer stands as the mark alone.
    """
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    kept = line[:most]
    return f"{kept[: kept.rfind(' ')].rstrip()} …" if " " in kept else "…"


def counted(count: int, name: str) -> str:
    """Return so many of something."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
