"""Hold a configuration of observers against what is there: folders, programs, secrets, agents."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from mindpipe.core.errors import BadInputError, MindError
from mindpipe.core.problems import Problem
from mindpipe.core.yaml import load_yaml
from mindpipe.io.files import read_whole
from mindpipe.observers.adapters.http import secret_of
from mindpipe.observers.config import read_config
from mindpipe.observers.records import Endpoint, ObserverConfig

_Fault = tuple[str, str]

Unknown = Callable[[str], str | None]
"""Say in words that there is no such agent, or return None for one that is there."""


def surveyed(file: Path, environment: Mapping[str, str], unknown: Unknown) -> ObserverConfig:
    """Return a configuration of which everything that it names is there.

    Raises:
        BadInputError: every fault and everything that is missing, with its line.
        UnavailableError: there is no such file.
    """
    source = str(file)
    document = load_yaml(read_whole(file), source=source)
    config = read_config(document, source=source)
    folder = file.resolve().parent
    faults = [
        *((at, words) for at, name in named_agents(config).items() if (words := unknown(name))),
        *_folder_faults(config, folder),
        *_program_faults(config),
        *(() if config.http is None else _secret_faults(config.http, folder, environment)),
    ]
    problems = [
        Problem(source=source, line=document.line_of(path), field=path, message=words)
        for path, words in faults
    ]
    if problems:
        raise BadInputError(sorted(problems, key=lambda one: one.line or 0))
    return config


def named_agents(config: ObserverConfig) -> dict[str, str]:
    """Return whom a configuration names, by the place where it does."""
    named: dict[str, str | None] = {"$": config.agent}
    for group, points in config.observation_points.items():
        for place, point in enumerate(points):
            named[f"$.observation_points.{group}[{place}]"] = point.agent
    named |= {f"$.git[{place}]": one.agent for place, one in enumerate(config.git)}
    named |= {f"$.processes[{place}]": one.agent for place, one in enumerate(config.processes)}
    named |= {f"$.programs[{place}]": one.agent for place, one in enumerate(config.programs)}
    if config.http is not None:
        named["$.http"] = config.http.agent
    return {f"{at}.agent": agent for at, agent in named.items() if agent is not None}


def _folder_faults(config: ObserverConfig, folder: Path) -> Iterator[_Fault]:
    """Yield folders that are not there, and those that are no repository."""
    root = folder / config.root
    if config.points() and not root.is_dir():
        yield "$.root", f"there is no folder {root}"
    for place, entry in enumerate(config.git):
        path = folder / entry.path
        if not path.is_dir():
            yield f"$.git[{place}].path", f"there is no folder {path}"
        elif not _is_repository(path.resolve()):
            yield f"$.git[{place}].path", f"{path} is no git repository"


def _is_repository(path: Path) -> bool:
    """Tell whether a folder is one of a repository, or a bare one."""
    is_bare = (path / "HEAD").is_file() and (path / "objects").is_dir()
    return is_bare or any((one / ".git").exists() for one in (path, *path.parents))


def _program_faults(config: ObserverConfig) -> Iterator[_Fault]:
    """Yield programs that cannot be started from here."""
    commands = {f"$.processes[{place}]": one.command for place, one in enumerate(config.processes)}
    commands |= {f"$.programs[{place}]": one.command for place, one in enumerate(config.programs)}
    for at, command in commands.items():
        if command is not None and shutil.which(command[0]) is None:
            yield f"{at}.command", f"there is no program {command[0]} that could be started"


def _secret_faults(
    entry: Endpoint, folder: Path, environment: Mapping[str, str]
) -> Iterator[_Fault]:
    """Yield what is wrong with the secret of an endpoint."""
    try:
        secret_of(entry, folder, environment)
    except MindError as error:
        name = "secret_env" if entry.secret_env is not None else "secret_file"
        yield f"$.http.{name}", str(error).removesuffix(".")
