"""The names that a user has given to models, kept beside his settings."""

from collections.abc import Mapping

from mindpipe.io.user_files import UserFile


def aliases_of(environment: Mapping[str, str]) -> UserFile[str]:
    """Return the file of the aliases: models by the names that they were given."""
    return UserFile("aliases.json", dict[str, str], environment=environment)


def without_alias(name: str, environment: Mapping[str, str]) -> str:
    """Return the model that an alias means, and any other name as it is.

    Raises:
        RefusedError: others can read or change the file of aliases.
    """
    if "/" in name or ":" in name:
        return name
    return aliases_of(environment).read().get(name, name)
