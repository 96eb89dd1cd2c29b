"""The one door for TOML: what a file of settings or of tools says, or what is wrong with it."""

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import MAX_DEPTH, depth_of_value


def load_toml(octets: bytes, *, source: str) -> dict[str, object]:
    """Return the tables of a TOML document, nested at most as deep as JSON may be.

    Raises:
        BadInputError: bad encoding, too deep, a number too long, or no TOML.
    """
    import tomllib

    words = f"nested deeper than {MAX_DEPTH} levels"
    try:
        tables = tomllib.loads(octets.decode("utf-8"))
        if depth_of_value(tables, limit=MAX_DEPTH) <= MAX_DEPTH:
            return tables
    except RecursionError:
        pass
    except ValueError as error:
        # A number with too many digits is a plain ValueError, with advice for programmers.
        is_number = str(error).startswith("Exceeds the limit")
        words = f"not TOML: {'a number is too long' if is_number else error}"
    raise BadInputError([Problem(source=source, message=words)])
