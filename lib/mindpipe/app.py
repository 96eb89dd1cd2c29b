"""The composition root: the one place that names SQLite, providers, clock and chance."""

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.redaction import Redactor, secrets_among

if TYPE_CHECKING:
    from pathlib import Path

    from mindpipe.agents.records import Agent, AgentChange
    from mindpipe.compaction.records import Compaction
    from mindpipe.compaction.verbs.material import MaterialPorts
    from mindpipe.context.recollection.records import RecentPast
    from mindpipe.context.records import Knowledge
    from mindpipe.core.ports import Chance, Clock, Model, Preview, Programs, Store, Tokens
    from mindpipe.engine.dependencies import (
        Dependencies,
        Holder,
        ModelAccess,
        Policy,
        RuleRecording,
    )
    from mindpipe.engine.index_files import IndexFiles
    from mindpipe.engine.worker.interrupts import StopSignal
    from mindpipe.io.open_calls import OpenCalls
    from mindpipe.knowledge.records import Consolidated, Observation
    from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions
    from mindpipe.life.verbs.recording import Recorder
    from mindpipe.model_access import ModelCatalog
    from mindpipe.monitoring.page.document import PageFiles
    from mindpipe.recall.records import FilesOf
    from mindpipe.settings import Settings
    from mindpipe.spending.records import Caps
    from mindpipe.store.address import Where
    from mindpipe.store.engine import EngineStore


class ChosenModels(msgspec.Struct, frozen=True):
    """Whom a worker asks, and whom where that one is failing."""

    model: "Model"
    fallback: "Model | None"


class App:
    """What one command runs with; each part is loaded and made when it is first asked for.

    `options` are the common ones of the command, by the names of settings.
    """

    def __init__(
        self, options: Mapping[str, str | int | None], environment: Mapping[str, str]
    ) -> None:
        self._options = options
        self.environment = environment
        self._calls: OpenCalls | None = None
        self._at_hand: IndexFiles | None = None

    def stoppable(self, stop: "StopSignal") -> "App":
        """Return the same, but with pauses and model calls that a stop ends."""
        from mindpipe.engine.worker.interrupts import EndableClock

        made = App(self._options, self.environment)
        made.settings, made.chance = self.settings, self.chance
        made.redactor = self.redactor
        made.clock = EndableClock(self.clock, stop)
        made._calls = stop.calls
        return made

    @cached_property
    def settings(self) -> "Settings":
        """Return the settings."""
        from mindpipe.settings import Settings

        return Settings(
            options=self._options, environment=self.environment, person_settings=_person_settings
        )

    @cached_property
    def clock(self) -> "Clock":
        """Return the clock of the machine, or a server's; it stands still under --now."""
        from pathlib import Path

        from mindpipe.io.clock import make_clock

        clock, where = make_clock(self.settings.now), self.where
        if isinstance(where, Path):
            return clock
        from mindpipe.store.postgres.clock import ServerClock

        return ServerClock(where, clock, stands=bool(self.settings.now))

    @cached_property
    def chance(self) -> "Chance":
        """Return chance, which is reproducible under --seed."""
        from mindpipe.io.chance import make_chance

        return make_chance(self.settings.seed)

    @cached_property
    def tokens(self) -> "Tokens":
        """Return the counter whose figures are stored."""
        from mindpipe.model_access import make_tokens

        return make_tokens(self.settings.tokenizer or "o200k_base")

    @property
    def store_path(self) -> "Path":
        """Return the file in which the store is.

        Raises:
            UnavailableError: it is on a server.
        """
        from mindpipe.store.address import file_of

        return file_of(self.where)

    @cached_property
    def where(self) -> "Where":
        """Return where the store is: a file, or a schema of a server.

        Raises:
            UsageError: it is the address of a server with a password in it.
        """
        from mindpipe.store.address import where_of

        return where_of(self.settings.store or "mind.db")

    @property
    def is_there(self) -> bool:
        """Tell whether there is a store; what is on a server is found out by whoever opens it."""
        from mindpipe.store.address import is_there

        return is_there(self.where)

    @cached_property
    def store(self) -> "EngineStore":
        """Return the open store."""
        return self.open_store()

    def open_store(self) -> "EngineStore":
        """Open the store once more, for a thread of its own; the caller closes it."""
        from mindpipe.store.access import open_where

        store = open_where(self.where)
        store.redactor = self.redactor
        return store

    @cached_property
    def redactor(self) -> "Redactor":
        """Return what takes secrets out of the words that come into a store."""
        # It knows nothing of this, so that a store is closed as soon as nobody has it.
        return Redactor(functools.partial(_secrets, self.settings, self.environment))

    @cached_property
    def models(self) -> "ModelCatalog":
        """Return any model by its name, with what it costs; models.toml is read."""
        from mindpipe.model_access import ModelCatalog

        return ModelCatalog(
            settings=self.settings,
            environment=self.environment,
            clock=self.clock,
            calls=self._calls,
        )

    def models_of(
        self, agent: "Agent", name: str | None, *, record: "Path | None", asks: bool = True
    ) -> ChosenModels:
        """Return the model that is asked for alone, or the agent's own or the configured one.

        The agent's fallback stands beside these, unless it is the same. Without `asks` it is one
        that requests are only written for, for which no key is needed.
        """
        if not asks:
            return ChosenModels(self.models.unasked(name or agent.model), None)
        model = self.models.model(name or agent.model, record=record)
        if name or not agent.fallback:
            return ChosenModels(model, None)
        other = self.models.model(agent.fallback, record=record)
        return ChosenModels(model, None if other.target == model.target else other)

    def change_of_agent(self, change: "AgentChange") -> "AgentChange":
        """Return a change of an agent, with models that mean the same in any folder.

        Raises:
            UsageError: a model is none of a provider or a plugin, and no alias.
        """
        models = {"model": change.model, "fallback": change.fallback}
        given = {name: model for name, model in models.items() if isinstance(model, str)}
        if not given:
            return change
        from mindpipe.model_access import kept_name

        kept = {name: kept_name(model, self.environment) for name, model in given.items()}
        return msgspec.structs.replace(change, **kept)

    def new_agent(self, change: "AgentChange") -> "AgentChange":
        """Return what an agent is made with: with the usual tools where no others are chosen."""
        change = self.change_of_agent(change)
        tools = self.settings.agents.tools
        if change.preset is not msgspec.UNSET or tools == "all":
            return change
        return msgspec.structs.replace(change, preset=tools)

    def knowledge(self, given: "tuple[Observation, ...] | None" = None) -> "Knowledge":
        """Return the rules of what is held true, and all of that where it is given."""
        from mindpipe.context.records import Knowledge
        from mindpipe.knowledge.keys import rules_of

        rules = rules_of(
            slots=self.settings.knowledge.slots,
            windows=self.settings.knowledge.windows,
        )
        return Knowledge(rules, given)

    def dependencies(
        self,
        store: "EngineStore",
        models: ChosenModels,
        agent: "Agent",
        preview: "Preview | None",
        *,
        tell: Callable[[str], None],
        cycle_micros: int | None = None,
        asks: bool = False,
        programs: "Programs | None" = None,
    ) -> "Dependencies":
        """Return what one worker needs; `cycle_micros` may lower the cap of its cycle.

        With `asks` what waits for a person outlives also a store that does not last. `programs`
        run the agent's tools, where the worker has its own.
        """
        from mindpipe.context.budget.records import allocations_of
        from mindpipe.engine.delivery import announce_to
        from mindpipe.engine.dependencies import (
            Dependencies,
            PromptAccess,
            ToolAccess,
            unrecorded,
        )
        from mindpipe.engine.redacted_ports import RedactedModel, RedactedPrograms
        from mindpipe.io.files import last_written
        from mindpipe.io.programs import LocalPrograms

        models = ChosenModels(
            RedactedModel(models.model, store.redactor),
            models.fallback and RedactedModel(models.fallback, store.redactor),
        )
        # No tool sees a key, whatever its manifest names.
        keys = self.models.key_variables()
        return Dependencies(
            store=store,
            clock=self.clock,
            chance=self.chance,
            models=self._model_access(models, preview, self._caps(agent, cycle_micros)),
            prompts=PromptAccess(
                knowledge=self.knowledge(),
                budget=allocations_of(self.settings),
                recent=_recent_past,
                files=self._files(tell),
            ),
            tools=ToolAccess(
                programs=RedactedPrograms(
                    programs or self.with_servers(agent, LocalPrograms(), tell=tell),
                    store.redactor,
                ),
                environment={name: it for name, it in self.environment.items() if name not in keys},
                workers=self._workers(),
                deliver=announce_to(store, self.clock, self.chance, self.settings),
                written=functools.partial(last_written, folders=self.settings.plans.granted()),
                folders=self.settings.plans.granted(),
            ),
            policy=self._policy(lasting=store.lasts, asks=asks),
            holder=self._holder(store, tell),
            recording=self._recorder(store) if store.lasts else unrecorded,
        )

    def consolidate(
        self, store: "EngineStore", *, agent: str, options: "ConsolidateOptions"
    ) -> "Iterator[Consolidated]":
        """Return the consolidation of an agent's memory, recorded as cycles are."""
        from mindpipe.life.verbs.consolidating import consolidate_recorded

        recorder = self._recorder(store)
        return consolidate_recorded(recorder, self.clock, agent=agent, options=options)

    def apply_plan(
        self, ports: "MaterialPorts", *, agent: str, octets: bytes, source: str
    ) -> "Compaction":
        """Put the plan of a window in force in the app's store, recorded as cycles are."""
        from mindpipe.life.verbs.folds import apply_recorded

        recorder = self._recorder(self.store)
        return apply_recorded(recorder, ports, agent=agent, octets=octets, source=source)

    def undo_plan(self, ports: "MaterialPorts", *, agent: str) -> "Compaction":
        """Undo the last change of a window in the app's store, recorded as cycles are."""
        from mindpipe.life.verbs.folds import undo_recorded

        return undo_recorded(self._recorder(self.store), ports, agent=agent)

    def page_files(self) -> "PageFiles":
        """Return the texts of every page of a life."""
        from mindpipe.io.files import read_whole
        from mindpipe.monitoring.page.document import FRAME, SCRIPTS, STYLE, PageFiles

        frame, style, *scripts = (read_whole(path).decode() for path in (FRAME, STYLE, *SCRIPTS))
        return PageFiles(frame=frame, style=style, script="\n".join(scripts))

    def rule_recording(self, store: "EngineStore") -> "RuleRecording":
        """Return what records in a store what is done there by rules alone."""
        from mindpipe.engine.dependencies import unrecorded_rules

        return self._recorder(store).by_rules if store.lasts else unrecorded_rules

    def _recorder(self, store: "EngineStore") -> "Recorder":
        """Return what records operations in a store."""
        from mindpipe.engine.delivery import announced_bounds
        from mindpipe.life.verbs.recording import Recorder

        knowledge = self.settings.knowledge
        return Recorder(
            store,
            bounds=announced_bounds(self.settings),
            slots=knowledge.slots,
            windows=knowledge.windows,
            max_depth=self.settings.context.max_chain_depth,
        )

    def with_servers(
        self,
        agent: "Agent",
        programs: "Programs",
        *,
        sooner: "Callable[[], float | None] | None" = None,
        calls: "OpenCalls | None" = None,
        tell: Callable[[str], None],
    ) -> "Programs":
        """Return programs of which the MCP servers of an agent, where it has any, are kept.

        `tell` is told how far their calls are.
        """
        if not any(tool.server for tool in agent.tools):
            return programs
        from mindpipe.io.mcp_sessions import KeptServers

        return KeptServers(programs, sooner=sooner, calls=calls, tell=tell)

    def dependencies_to_think(
        self,
        agent: "Agent",
        *,
        tell: Callable[[str], None],
        model: str | None = None,
        record: "Path | None" = None,
        preview: "Preview | None" = None,
        cycle_micros: int | None = None,
        asks: bool = True,
    ) -> "Dependencies":
        """Return what a worker needs that thinks for an agent of the store.

        `model` stands for its own. Without `asks` its request is only shown.

        Raises:
            RefusedError: it is a simulated person.
            UsageError: no model is configured for it.
            UnavailableError: its model is a program that is not there.
        """
        from mindpipe.person.verbs import refusal

        refusal.require_none(self.store, agent=agent.name)
        models = self.models_of(agent, model, record=record, asks=asks)
        if asks:
            self.models.require_program(model or agent.model)
        return self.dependencies(
            self.store, models, agent, preview, tell=tell, cycle_micros=cycle_micros
        )

    def dependencies_to_act(
        self, store: "EngineStore", *, agent: str, tell: Callable[[str], None]
    ) -> "Dependencies":
        """Return what a worker needs that acts and asks no model."""
        from mindpipe.agents.verbs import agent as agents
        from mindpipe.engine.verbs.act import NO_MODEL
        from mindpipe.providers.unasked import UnaskedModel

        who = agents.show(store, name=agent)
        models = ChosenModels(UnaskedModel(NO_MODEL), None)
        return self.dependencies(store, models, who, None, tell=tell, asks=True)

    def _model_access(
        self, models: ChosenModels, preview: "Preview | None", caps: "Caps"
    ) -> "ModelAccess":
        """Return whom a worker asks, and what that may cost."""
        from mindpipe.engine.dependencies import ModelAccess

        return ModelAccess(
            model=models.model,
            fallback=models.fallback,
            embedder=self.models.embedder(),
            prices=self.models.prices(),
            caps=caps,
            preview=preview,
            tokens=self.models.tokens,
        )

    def _policy(self, *, lasting: bool, asks: bool) -> "Policy":
        """Return what the operator set of cycles."""
        from mindpipe.agents.records import ContextStyle
        from mindpipe.core.tools import APPROVAL_HOURS
        from mindpipe.engine.dependencies import Policy

        settings = self.settings
        return Policy(
            trust=tuple(settings.security.sources()),
            approval_hours=float(settings.approvals.hours or APPROVAL_HOURS),
            style=msgspec.convert(settings.context.style, ContextStyle),
            space_messages=settings.context.space_messages,
            wait_seconds=settings.context.wait_seconds,
            wait_any=settings.context.wait_any,
            max_depth=settings.context.max_chain_depth,
            lasting=lasting,
            asks=lasting or asks,
        )

    def _holder(self, store: "EngineStore", tell: Callable[[str], None]) -> "Holder":
        """Return who holds agents in this process."""
        import os
        import secrets

        from mindpipe.engine.dependencies import Holder

        lease = self.settings.inbox.lease_seconds
        where = store.where if store.lasts else None
        return Holder(
            owner=f"{os.getpid()}-{secrets.token_hex(8)}",
            lease=lease,
            keep_alive=functools.partial(_keep_alive, where, lease / 3),
            tell=tell,
        )

    def _files(self, tell: Callable[[str], None]) -> "FilesOf":
        """Return what answers from files, if an index leads to some."""
        from mindpipe.recall.records import no_files

        index = self.settings.recall.index
        if not index:
            return no_files
        if self._at_hand is None:
            from mindpipe.engine.index_files import IndexFiles

            self._at_hand = IndexFiles(index, tell=tell)
        return self._at_hand

    def _workers(self) -> tuple[str, ...]:
        """Return the names of the programs that take tasks."""
        if not self.settings.tasks.workers:
            return ()
        from mindpipe.engine.worker.task_programs import programs_of

        return tuple(programs_of(self.settings))

    def _caps(self, agent: "Agent", cycle_micros: int | None) -> "Caps":
        """Return the caps of settings, agent and command, whichever is lowest."""
        from mindpipe.spending.records import Caps, lowest

        caps = self.settings.caps
        return Caps(
            call=caps.call_micros,
            cycle=lowest(caps.cycle_micros, agent.cycle_micros, cycle_micros),
            purpose_day=caps.think_day_micros,
            agent_day=lowest(caps.agent_day_micros, agent.day_micros),
            store_day=caps.store_day_micros,
        )


def _secrets(settings: "Settings", environment: Mapping[str, str]) -> list[str]:
    """Return the keys that are known here: those of variables, and those stored in a file."""
    import re

    from mindpipe.core.errors import MindError
    from mindpipe.io.files import read_if_there
    from mindpipe.io.stored_keys import StoredKeys

    # Not read as a whole: what is wrong with it is told to whoever asks a model.
    models = read_if_there(settings.models or "models.toml") or b""
    named = re.findall(r"""key_variable\s*=\s*["'](\w+)""", models.decode("utf-8", "replace"))
    found = secrets_among(environment, named)
    with contextlib.suppress(MindError):
        found += StoredKeys(environment).in_file()
    return found


def _recent_past(store: "Store", agent: str) -> "RecentPast":
    """Return what the loop knows of an agent; only a timeline asks, so nothing is loaded before."""
    from mindpipe.engine.recent_past import recent_past_of

    return recent_past_of(store, agent)


def _keep_alive(
    where: "Where | None", interval: float, renew: "Callable[[Store], None]", seconds: float
) -> contextlib.AbstractContextManager[None]:
    """Renew a lease from a thread with a connection of its own; in memory nobody else asks."""
    if where is None:
        return contextlib.nullcontext()
    from mindpipe.engine.worker.heartbeat import renewing
    from mindpipe.store.access import open_where

    return renewing(lambda: open_where(where), renew, interval=interval, seconds=seconds)


def _person_settings() -> tuple[str, ...]:
    """Return the names of what variables may change of persons."""
    from mindpipe.person.records.person import PersonSettings

    return PersonSettings.__struct_fields__
