"""Read a file of observers: a parsed YAML document becomes a configuration, faults name lines."""

from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import BadInputError, MindError
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.text import breaks_a_line, safe_name
from mindpipe.core.yaml import Yaml, record_of
from mindpipe.observers.records import ObserverConfig, Point, Repository, Speaking, Watched
from mindpipe.observers.rules import meaning_of

_Fault = tuple[str, str]


def read_config(document: Yaml, *, source: str) -> ObserverConfig:
    """Return what a document configures.

    Raises:
        BadInputError: every fault with its line and path.
    """
    found = [
        msgspec.structs.replace(one, line=document.line_of(one.field or "$"))
        for one in _shape_problems(document.value, source)
    ]
    if found:
        raise BadInputError(sorted(found, key=lambda one: one.line or 0))
    config = record_of(document, ObserverConfig, source=source)
    problems = [
        Problem(source=source, line=document.line_of(path), field=path, message=words)
        for path, words in _faults(config)
    ]
    if problems:
        raise BadInputError(problems)
    return config


def _shape_problems(value: object, source: str) -> list[Problem]:
    """Return what is wrong with the shape of a document in which points are, in their order."""
    found = list(_point_problems(value, source))
    if found and isinstance(value, dict):
        rest = {name: one for name, one in value.items() if name != "observation_points"}
        found += problems_of(rest, ObserverConfig, source=source)
    return found


def _point_problems(value: object, source: str) -> Iterator[Problem]:
    """Yield what is wrong with the shape of single points, each under the name of its list."""
    groups = value.get("observation_points") if isinstance(value, dict) else None
    for group, points in groups.items() if isinstance(groups, dict) else ():
        for place, point in enumerate(points) if isinstance(points, list) else ():
            at = f"$.observation_points.{group}[{place}]"
            yield from problems_of(point, Point, source=source, at=at)


def _faults(config: ObserverConfig) -> Iterator[_Fault]:
    """Yield path and words of all that has the right shape but no sense."""
    yield from _agent_faults("$", config.agent)
    for group, points in config.observation_points.items():
        for place, point in enumerate(points):
            yield from _point_faults(f"$.observation_points.{group}[{place}]", point)
    yield from _list_faults(config)
    if config.http is not None:
        yield from _name_faults("$.http", config.http.observer)
        yield from _agent_faults("$.http", config.http.agent)
        if (config.http.secret_env is None) == (config.http.secret_file is None):
            yield "$.http", "needs a secret_env or a secret_file, not both"
    if not (config.points() or config.git or config.processes or config.programs or config.http):
        yield "$", "observes nothing; add observation_points, git, processes, programs or http"


def _point_faults(at: str, point: Point) -> Iterator[_Fault]:
    """Yield what is wrong with an observation point."""
    yield from _name_faults(at, point.observer)
    yield from _agent_faults(at, point.agent)
    if point.path.startswith("/") or ".." in point.path.split("/"):
        yield f"{at}.path", "leaves the root; write a pattern below it"
    for place, named in enumerate(point.events):
        for name, meaning in meaning_of(named):
            where = f"{at}.events[{place}]"
            if not name or breaks_a_line(name):
                yield where, "a name is one line of plain characters"
            elif meaning is None:
                words = f'"{name}" says no kind of change; write {name}: modified'
                yield where, f"{words} (or created, moved, deleted)"
            elif meaning.is_ is not None and meaning.field is None:
                yield f"{where}.{name}", "is: stands beside field:"


def _list_faults(config: ObserverConfig) -> Iterator[_Fault]:
    """Yield what is wrong with repositories, processes and programs."""
    named: dict[str, str] = {}
    lists: dict[str, tuple[Repository | Watched | Speaking, ...]] = {
        "git": config.git,
        "processes": config.processes,
        "programs": config.programs,
    }
    for kind, entries in lists.items():
        for place, entry in enumerate(entries):
            at = f"$.{kind}[{place}]"
            yield from _name_faults(at, entry.observer)
            yield from _agent_faults(at, entry.agent)
            if entry.observer in named:
                yield f"{at}.observer", f"the same name as {named[entry.observer]}; use another"
            named.setdefault(entry.observer, at)
    for place, watched in enumerate(config.processes):
        if (watched.pid is None) == (watched.command is None):
            yield f"$.processes[{place}]", "needs a pid or a command, not both"


def _name_faults(at: str, name: str) -> Iterator[_Fault]:
    """Yield what is wrong with the name of an observer."""
    if breaks_a_line(name) or name != name.strip():
        yield f"{at}.observer", "a name is one line of plain characters"


def _agent_faults(at: str, agent: str | None) -> Iterator[_Fault]:
    """Yield what is wrong with the name of an agent."""
    if agent is None:
        return
    try:
        safe_name(agent)
    except MindError as error:
        yield f"{at}.agent", str(error)
