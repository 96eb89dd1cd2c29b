"""The id of an entity is the slug of its name, so that the same name always means the same one."""

import re
import unicodedata

_LONGEST = 200


def slug(name: str) -> str:
    """Return a name in small letters and digits with single hyphens between its words.

    The same for a slug; empty for a name without a letter or digit. Letters of every script stay;
    forms that look alike (NFKC) are one. It has 200 characters at most, as every id: one letter of
    a name may come to eighteen.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return re.sub(r"[\W_]+", "-", folded).strip("-")[:_LONGEST].strip("-")
