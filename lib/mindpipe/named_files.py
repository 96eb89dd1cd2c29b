"""Which files settings, stores and files name to be run or read, so that no output is one."""

import contextlib
import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import which

from mindpipe.agents.records import Agent
from mindpipe.agents.settings import read_agent_file
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError
from mindpipe.core.tools import ToolManifest
from mindpipe.io.files import read_whole
from mindpipe.io.model_aliases import without_alias
from mindpipe.observers.adapters.threads import config_of
from mindpipe.settings import Settings
from mindpipe.store.access import open_where
from mindpipe.store.address import Where
from mindpipe.tasks.records import PROGRAM
from mindpipe.tasks.verbs import task as tasks

_OF_FILES = ("replay:", PROGRAM)


def of_settings(settings: Settings) -> Iterator[str]:
    """Yield the files that the settings name, and those that a file of observers names.

    Raises:
        MindError: a setting that names files cannot be read.
    """
    yield f"{settings.store}.reserve"
    models = (settings.model, settings.person.model)
    for model in filter(None, models):
        yield of_model(without_alias(model, os.environ))
    yield from filter(None, (settings.models, settings.observe.config, settings.recall.index))
    yield from filter(None, (settings.decisions.escalate,))
    with contextlib.suppress(ValueError):  # whoever needs the workers says what is wrong with them
        for word in shlex.split(settings.tasks.workers or ""):
            yield of_model(word.partition("=")[2])
    if settings.observe.config:
        yield from _of_observers(Path(settings.observe.config))


def of_store(path: Where) -> Iterator[str]:
    """Yield the programs and recordings that a store names, where it can be read.

    These are tools and models of agents, and programs that open tasks are for.
    """
    with contextlib.suppress(MindError), contextlib.closing(open_where(path, read_only=True)) as it:
        for agent in agents.list_(it):
            yield from _of_agent(agent)
        for task in tasks.list_(it):
            if task.to.startswith(PROGRAM):
                yield of_model(task.to)


def of_agent_file(name: str) -> Iterator[str]:
    """Yield the programs and recordings that the file of an agent names, where it can be read."""
    with contextlib.suppress(MindError):
        yield from _of_agent(read_agent_file(read_whole(Path(name)), source=name).agent)


def of_model(name: str) -> str:
    """Return the file that a model answers from, or is; another name where it has none."""
    for beginning in _OF_FILES:
        name = name.removeprefix(beginning)
    return name


def _of_agent(agent: Agent) -> Iterator[str]:
    """Yield the programs of an agent's tools, and what its models answer from."""
    yield from map(of_model, filter(None, (agent.model, agent.fallback)))
    for tool in agent.tools:
        yield from _of_tool(tool)


def _of_tool(tool: ToolManifest) -> Iterator[str]:
    """Yield the programs of a tool, and the files that its commands name whole."""
    for words in (tool.command, tool.verify):
        yield from _of_command(words)


def _of_command(words: Iterable[str], folder: Path = Path()) -> Iterator[str]:
    """Yield the program of a command, and the files that it names whole."""
    for place, word in enumerate(words):
        if place == 0:
            yield str(folder / word) if "/" in word else which(word) or word
        elif word.startswith("/"):
            yield word


def _of_observers(config: Path) -> Iterator[str]:
    """Yield the programs that a file of observers names, and the file of its secret."""
    with contextlib.suppress(MindError):
        found = config_of(config)
        folder = config.absolute().parent
        commands = [one.command or () for one in found.processes]
        for words in (*commands, *(one.command for one in found.programs)):
            yield from _of_command(words, folder)
        if found.http is not None and found.http.secret_file is not None:
            yield str(folder / found.http.secret_file)
