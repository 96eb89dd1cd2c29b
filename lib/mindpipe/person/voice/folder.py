"""The folder of a language's tables: another language is another folder with the same files."""

from pathlib import Path

from mindpipe.core.toml import load_toml
from mindpipe.io.files import read_whole

ENGLISH = Path(__file__).parent / "english"


def language_table(folder: Path, name: str) -> dict[str, object]:
    """Return a table of a language.

    Raises:
        UnavailableError: there is no such folder, or it lacks the table.
        BadInputError: it is no TOML.
    """
    path = folder / f"{name}.toml"
    return load_toml(read_whole(path), source=path.name)
