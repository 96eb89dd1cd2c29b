"""Make a model from its name: keys from environment or keyring, servers, prices, aliases."""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from mindpipe.core.addresses import is_http, shown_address
from mindpipe.core.errors import (
    BadInputError,
    CapReachedError,
    RefusedError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.models import ModelRequest, Target, Usage
from mindpipe.core.ports import Clock, Embedder, Model, ProgramCall, ProgramRun, Tokens
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import Record
from mindpipe.core.redaction import Redactor
from mindpipe.core.tools import PROVIDER_KEYS
from mindpipe.io.files import is_same, locked_append, read_if_there, read_whole
from mindpipe.io.model_aliases import without_alias
from mindpipe.io.open_calls import OpenCalls
from mindpipe.io.stored_keys import StoredKeys
from mindpipe.providers.file_tokens import message_file_tokens, words_of_body
from mindpipe.providers.model_names import CHOICES, ModelName, parse_model_name, target_of
from mindpipe.providers.prices import FREE_PROVIDERS, PRICES, Price, cost_micros, upper_bound_micros
from mindpipe.providers.tokens import RsBpeTokens, TiktokenTokens
from mindpipe.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from mindpipe.person.voice.models import VoiceModel
    from mindpipe.providers.http import SdkModel

# A count by another tokenizer than the model's own may be off by this much.
_MARGIN_PERCENT = 115
_EMBEDDERS = "openai/"
_LOCAL_EMBEDDERS = "local/"
# What models.toml calls a server for embeddings alone.
_EMBED = "embed"
_PROGRAM, _REPLAY = "program:", "replay:"
_OF_FILES = ("program", "replay")
_PROVIDERS = ("anthropic", "openai")


class Server(Record):
    """A compatible server: where it is, which variable holds its key, and which API it speaks."""

    base_url: str | None = None
    key_variable: str | None = None


class ModelsFile(Record):
    """What models.toml may say: servers by name, prices by model, the memory of a program."""

    servers: dict[str, Server] = {}
    prices: dict[str, Price] = {}
    program_memory_bytes: Annotated[int, msgspec.Meta(ge=1 << 20)] = 1 << 30

    def key_variables(self) -> frozenset[str]:
        """Return the variables that hold keys of providers and of configured servers."""
        return frozenset((*PROVIDER_KEYS, *map(self.key_variable, self.servers)))

    def key_variable(self, name: str) -> str:
        """Return the variable that holds the key of a provider or server."""
        server = self.servers.get(name) or Server()
        return server.key_variable or f"{name.upper()}_API_KEY"

    def key_names(self) -> tuple[str, ...]:
        """Return the providers and servers that a key may be of."""
        return tuple(dict.fromkeys((*_PROVIDERS, *self.servers)))

    def key_variables_set(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return each name that a key may be of, with its variable if that is set, else empty."""
        return {
            name: variable if environment.get(variable := self.key_variable(name)) else ""
            for name in self.key_names()
        }


def models_file_of(settings: Settings) -> ModelsFile:
    """Read the models.toml that the settings name, or nothing where there is none."""
    return read_models_file(settings.models or "models.toml")


def read_models_file(name: str) -> ModelsFile:
    """Read models.toml, or nothing where there is none.

    Raises:
        BadInputError: every fault, as `FILE:LINE: $.prices.MODEL.field: fault`.
    """
    octets = read_if_there(name)
    if octets is None:
        return ModelsFile()
    from mindpipe.core.toml import line_of, load_toml

    tables = load_toml(octets, source=name)
    problems = [
        msgspec.structs.replace(
            problem, line=line_of(octets, (problem.field or "").removeprefix("$."))
        )
        for problem in _faults(tables, source=name)
    ]
    if problems:
        raise BadInputError(problems)
    return msgspec.convert(tables, ModelsFile)


def _faults(tables: dict[str, object], *, source: str) -> Iterator[Problem]:
    """Yield every fault, entry by entry, so that each names its server or model."""
    kinds: dict[str, type[Server | Price]] = {"servers": Server, "prices": Price}
    for kind, into in kinds.items():
        entries = tables.get(kind)
        if not isinstance(entries, dict):
            continue
        for name, entry in entries.items():
            yield from problems_of(entry, into, source=source, at=f"$.{kind}.{name}")
        tables = {**tables, kind: {}}
    yield from problems_of(tables, ModelsFile, source=source)


class PriceList:
    """The list prices, with those of models.toml before them."""

    def __init__(self, prices: Mapping[str, Price], tokens: Tokens) -> None:
        self._prices = {**PRICES, **prices}
        self._tokens = tokens

    def of(self, usage: Usage, target: Target) -> int | None:
        """Return what a reply cost in micro-dollars; None where the price is not known."""
        return cost_micros(usage, target, self._prices)

    def at_most(self, request: ModelRequest) -> int | None:
        """Return the most that a request can cost; its input is counted, its output at its cap.

        Images and PDFs cost what their provider says they do, not what their base64 would.
        """
        bound = upper_bound_micros(0, 0, request.target, self._prices)
        if bound is None or request.target.provider in FREE_PROVIDERS:
            return bound
        counted = self._tokens.count(words_of_body(request).decode("utf-8", "replace"))
        if request.target.provider == "anthropic":
            counted = counted * _MARGIN_PERCENT // 100
        counted += message_file_tokens(
            request.conversation.messages,
            provider=request.target.provider,
            model=request.target.model,
            blobs=request.conversation.blobs,
        )
        return upper_bound_micros(counted, request.options.max_tokens, request.target, self._prices)


def refuse_above(
    cap: int, request: ModelRequest, prices: PriceList, *, place: str, scope: str = "call"
) -> None:
    """Refuse a request that may cost more than `cap` micro-dollars, or nobody knows how much.

    The cap is one of each call, or what is left of one for a whole run, by its `scope`.

    Raises:
        RefusedError: the price of its model is not known.
        CapReachedError: the most that it can cost is above the cap.
    """
    most = prices.at_most(request)
    if most is None:
        raise RefusedError(
            f"{place}: the price of {request.target.label()} is not known, so the cap per call "
            "cannot be kept. Give its price in models.toml."
        )
    if most > cap and scope == "budget":
        words = f"{cap} micro-dollars of the budget are left, and this may cost up to {most}"
        raise CapReachedError(f"{place}: {words}.", scope=scope)
    if most > cap:
        raise CapReachedError(
            f"{place}: the cap per call of {cap} micro-dollars would be passed: up to {most}. "
            "Lower max_tokens, shorten the request or raise caps.call_micros.",
            scope=scope,
        )


TOKENIZERS: dict[str, Callable[[], Tokens]] = {
    "o200k_base": lambda: RsBpeTokens("o200k_base"),
    "cl100k_base": lambda: RsBpeTokens("cl100k_base"),
    "tiktoken:o200k_base": lambda: TiktokenTokens("o200k_base"),
    "tiktoken:cl100k_base": lambda: TiktokenTokens("cl100k_base"),
}


def make_tokens(name: str) -> Tokens:
    """Return the counter of that name; raises UsageError for an unknown one."""
    if name not in TOKENIZERS:
        raise UsageError(f'"{name}" is no tokenizer; write one of {", ".join(TOKENIZERS)}.')
    return TOKENIZERS[name]()


class _Programs:
    """The Programs port, which is loaded when a program is started."""

    def __init__(self, calls: OpenCalls | None) -> None:
        self._calls = calls

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program to its end or deadline; raises UnavailableError if it cannot start."""
        from mindpipe.io.programs import LocalPrograms

        return LocalPrograms(calls=self._calls).run(call)


class ModelFactory:
    """Make models; secrets come from the environment, or are stored, and are no part of a name.

    Calls of a model that are under way end when `calls` are closed.
    """

    def __init__(
        self,
        *,
        environment: Mapping[str, str],
        clock: Clock,
        file: ModelsFile,
        calls: OpenCalls | None = None,
    ) -> None:
        self._calls = calls
        self._environment = environment
        self._keys = StoredKeys(environment)
        self._clock = clock
        self._file = file

    def make(self, name: str | None, *, record: "Path | None" = None) -> Model:
        """Return the model of that name, which writes its turns to `record` if that is given.

        Raises:
            UsageError: no name, or one that is none.
            UnavailableError: its key is missing, or its file.
            RefusedError: its turns would be written to the very file that it answers from, or is.
        """
        wanted = named_model(name, self._environment)
        if record is not None and wanted.provider in _OF_FILES and is_same(record, wanted.name):
            raise RefusedError(f"--record {record}: {wanted.text()} reads that file; name another.")
        return self.recorded(self._make(wanted), record=record)

    def recorded(self, model: Model, *, record: "Path | None") -> Model:
        """Return a model that writes its turns to `record`, or itself where that is not given."""
        if record is None:
            return model
        from mindpipe.providers.replay import Recording

        def append(line: bytes) -> None:
            with locked_append(record) as lines:
                lines.append(line)

        return Recording(model, append=append, secrets=self._secrets())

    def _secrets(self) -> tuple[str, ...]:
        """Return the keys that are known here, which no recording may hold."""
        given = map(self._environment.get, self._file.key_variables())
        return (*filter(None, given), *self._keys.known())

    def _make(self, name: ModelName) -> Model:
        """Return the adapter of one model."""
        if name.provider == "plugin":
            from mindpipe.providers.plugins import plugin_model

            return plugin_model(name.name)
        target = target_of(name)
        if name.provider == "program":
            from mindpipe.providers.program.client import ProgramModel

            withheld = {*self._file.key_variables(), "MIND_FAIL"}
            environment = {
                key: value for key, value in self._environment.items() if key not in withheld
            }
            return ProgramModel(
                target,
                path=name.name,
                programs=_Programs(self._calls),
                environment=environment,
                memory_bytes=self._file.program_memory_bytes,
            )
        if name.provider == "replay":
            from pathlib import Path

            from mindpipe.providers.replay import Replay

            return Replay(target, recording=read_whole(Path(name.name)), source=name.name)
        return self._remote(name, target)

    def _remote(self, name: ModelName, target: Target) -> Model:
        """Return an adapter that speaks to a server."""
        return self._sdk_model(target, self._place(name.provider, wanted=name.text()))

    def _sdk_model(self, target: Target, place: "_Place") -> "SdkModel":
        """Return what speaks the API of a target to a server."""
        kind: type[SdkModel]
        if target.api == "messages":
            from mindpipe.providers.anthropic.client import AnthropicMessages as kind
        elif target.api == "responses":
            from mindpipe.providers.openai_responses.client import OpenAIResponses as kind
        else:
            from mindpipe.providers.openai_chat.client import OpenAIChat as kind
        return kind(
            target,
            api_key=place.key,
            clock=self._clock,
            base_url=place.base_url,
            calls=self._calls,
        )

    def require(self, name: str) -> None:
        """Raise what making a model would, without loading what asks it.

        Raises:
            UsageError: it is no model's name.
            UnavailableError: its key, its file or its program is not there, or its plugin fails.
        """
        wanted = named_model(name, self._environment)
        if wanted.provider == "program":
            require_program(wanted)
        elif wanted.provider in ("plugin", "replay"):
            self._make(wanted)
        else:
            self._place(wanted.provider, wanted=wanted.text())

    def servers(self) -> Iterator[str]:
        """Yield the providers and servers for which there is a key, or an address of one's own."""
        for name in self._file.key_names():
            with contextlib.suppress(UnavailableError):
                self._place(name, wanted=name)
                yield name

    def models_at(self, server: str) -> int:
        """Ask a provider or server which models it has, which costs nothing; return how many.

        Raises:
            UnavailableError: its key and its address are missing.
            ModelFault: it cannot be reached, does not know the key, or answers anything else.
        """
        api = "anthropic/" if server == "anthropic" else "openai/"
        target = target_of(parse_model_name(f"{api}{server}"))
        return self._sdk_model(target, self._place(server, wanted=server)).count_models()

    def embedder(self, name: str) -> Embedder:
        """Return the embedding model of that name: on this machine, or at a server.

        That is the server `embed`, or else where models are.

        Raises:
            UsageError: it is not written as `openai/NAME` or `local/NAME` or `local/FOLDER`, and
                is no plugin's.
            UnavailableError: its key is missing, or its plugin fails.
        """
        where = name.removeprefix(_LOCAL_EMBEDDERS)
        if where and where != name:
            return self._local_embedder(where, name=name)
        if not name.startswith(_EMBEDDERS):
            from mindpipe.providers.plugins import plugin_embedder

            return plugin_embedder(name, f"write {_EMBEDDERS}NAME or {_LOCAL_EMBEDDERS}NAME")
        from mindpipe.providers.embeddings import OpenAIEmbeddings

        own = parse_model_name(name).name
        server = _EMBED if _EMBED in self._file.servers else "openai"
        place = self._place(server, wanted=name)
        return OpenAIEmbeddings(own, api_key=place.key, clock=self._clock, base_url=place.base_url)

    def _local_embedder(self, where: str, *, name: str) -> Embedder:
        """Return a fetched model by its name, else that of a folder."""
        from pathlib import Path

        from mindpipe.providers.local_embeddings import LocalEmbeddings
        from mindpipe.providers.local_models import PUBLISHED, fetched_folder

        if where in PUBLISHED:
            folder = fetched_folder(where, self._environment)
            absent = f"it is not in {folder}; run mind models fetch"
        else:
            folder = Path(where)
            absent = f"there is no folder {where}; give one, or one of {', '.join(PUBLISHED)}"
        return LocalEmbeddings(folder, name=name, absent=absent)

    def _place(self, name: str, *, wanted: str) -> "_Place":
        """Return where a server is and its key; raises UnavailableError where both are missing."""
        prefix = name.upper()
        server = self._file.servers.get(name, Server())
        base_url = self._environment.get(f"{prefix}_BASE_URL") or server.base_url
        if base_url and not is_http(base_url):
            where = shown_address(base_url)
            raise UnavailableError(
                f"the address of {name} ({prefix}_BASE_URL, or base_url in models.toml) is no http "
                f"or https URL{where and f': {where}'}; write it like http://127.0.0.1:8080/v1."
            )
        variable = self._file.key_variable(name)
        key = self._environment.get(variable) or self._keys.get(name)
        if not key and not base_url:
            raise UnavailableError(
                f"no key for {wanted}. Set {variable}, keep it with mind models key set {name}, "
                f"or set {prefix}_BASE_URL for a server of your own."
            )
        return _Place(base_url, key)


def require_program(model: ModelName) -> None:
    """Raise UnavailableError for a program that cannot be started here."""
    program = model.name
    if not os.path.isfile(program) or not os.access(program, os.X_OK):  # noqa: PTH113 - loads no pathlib
        raise UnavailableError(f"{program} is no program that can be started; check the name.")


def named_model(name: str | None, environment: Mapping[str, str]) -> ModelName:
    """Return the parts of a model's name or alias; raises UsageError where none is configured."""
    if not name:
        raise UsageError(
            f"no model is configured. Give --model or set MIND_MODEL: {', '.join(CHOICES)}."
        )
    return parse_model_name(without_alias(name, environment))


def kept_name(name: str, environment: Mapping[str, str]) -> str:
    """Return a model's name or alias as it is kept, to mean the same model in any folder.

    Raises:
        UsageError: it is no model of a provider or a plugin, and no alias.
    """
    from pathlib import Path

    meant = named_model(name, environment)
    if meant.provider not in _OF_FILES:
        return without_alias(name, environment)
    file = msgspec.structs.replace(meant, name=str(Path(meant.name).absolute()))
    return file.text()


class _Place(NamedTuple):
    """Where a server is, None for the provider's own, and the key for it."""

    base_url: str | None
    key: str | None


class ModelCatalog:
    """What models are asked with: a tokenizer, models.toml, and any model by its name."""

    def __init__(
        self,
        *,
        settings: Settings,
        environment: Mapping[str, str],
        clock: Clock,
        calls: OpenCalls | None = None,
    ) -> None:
        self.tokens = make_tokens(settings.tokenizer or "o200k_base")
        self._file = models_file_of(settings)
        self._maker = ModelFactory(
            environment=environment, clock=clock, file=self._file, calls=calls
        )
        self._settings = settings
        self._environment = environment

    def model(self, name: str | None, *, record: "Path | None") -> Model:
        """Return the model that is asked for, else the configured one."""
        return self._maker.make(name or self._settings.model, record=record)

    def require_program(self, name: str | None) -> None:
        """Raise UnavailableError for a model that is a program which cannot be started here."""
        wanted = named_model(name or self._settings.model, self._environment)
        if wanted.provider == "program":
            require_program(wanted)

    def named(self) -> Iterator[str]:
        """Yield the models that the settings name, each once."""
        yield from dict.fromkeys(filter(None, (self._settings.model, self._settings.person.model)))

    def require(self, name: str) -> None:
        """Raise what asking a model would for want of its key, file or program; asks nobody."""
        self._maker.require(name)

    def servers(self) -> Iterator[str]:
        """Yield the providers and servers for which there is a key, or an address of one's own."""
        return self._maker.servers()

    def models_at(self, server: str) -> int:
        """Return how many models a provider or server lists, which is asked and costs nothing."""
        return self._maker.models_at(server)

    def unasked(self, name: str | None) -> Model:
        """Return what only says whom requests are written for; where nobody is named, a program.

        Raises:
            UsageError: the name is none.
        """
        from mindpipe.providers.unasked import UnaskedModel

        if not name and not self._settings.model:
            return UnaskedModel(target_of(ModelName(provider="program", name="", api="program")))
        wanted = named_model(name or self._settings.model, self._environment)
        if wanted.provider == "plugin":
            # Only the plugin knows what requests for it are written for.
            return UnaskedModel(self._maker.make(wanted.name).target)
        return UnaskedModel(target_of(wanted))

    def recorded(self, model: Model, *, record: "Path | None") -> Model:
        """Return a model that writes its turns to `record`, or itself where that is not given."""
        return self._maker.recorded(model, record=record)

    def embedder(self) -> Embedder | None:
        """Return the embedding model that is configured, or None."""
        name = self._settings.embed.model
        return self._maker.embedder(name) if name else None

    def key_variables(self) -> frozenset[str]:
        """Return the variables that hold keys of providers and of configured servers."""
        return self._file.key_variables()

    def prices(self) -> PriceList:
        """Return what models cost."""
        return PriceList(self._file.prices, self.tokens)


class VoiceAccess:
    """The models that persons and their observers speak with, made when they are first needed.

    Their turns are written to `record` where that is given; `cap` is the most that one call may
    cost in micro-dollars, `budget` the most that all of them may, each counted as the most that it
    may cost. `reserve` is told of each call, before it is made, how much of the budget that is.
    `redactor` takes secrets out of what they say.
    """

    def __init__(
        self,
        shop: Callable[[], ModelCatalog],
        *,
        record: "Path | None",
        cap: int | None,
        budget: int | None = None,
        reserve: Callable[[int], None] | None = None,
        redactor: Redactor | None = None,
    ) -> None:
        self._shop = shop
        self._redactor = redactor or Redactor()
        self._record = record
        self._cap = cap
        self._left = budget
        self._reserve = reserve

    @property
    def records(self) -> bool:
        """Tell whether turns are written down."""
        return self._record is not None

    def recorded(self, model: Model) -> Model:
        """Return a model that writes its turns down where that is asked, or itself."""
        return self._shop().recorded(model, record=self._record)

    def open(self, name: str) -> "VoiceModel":
        """Return a model, which writes its turns down where that is asked.

        Raises:
            UnavailableError: its key, its file or its program is missing.
        """
        from mindpipe.engine.redacted_ports import RedactedModel
        from mindpipe.person.voice.models import VoiceModel

        shop = self._shop()
        shop.require_program(name)
        prices = shop.prices()

        def refuse(request: ModelRequest, place: str) -> None:
            most = 0
            if self._cap is not None:
                refuse_above(self._cap, request, prices, place=place)
            if self._left is not None:
                refuse_above(self._left, request, prices, place=place, scope="budget")
                most = prices.at_most(request) or 0
                self._left -= most
            if self._reserve is not None:
                self._reserve(most)

        model = RedactedModel(shop.model(name, record=self._record), self._redactor)
        return VoiceModel(model, refuse, _answered(name))


def _answered(name: str) -> dict[str, str]:
    """Return by whom each request of a recording was answered; nothing of any other model."""
    from pathlib import Path

    from mindpipe.providers.replay import read_recording

    if not name.startswith(_REPLAY):
        return {}
    file = name.removeprefix(_REPLAY)
    turns = read_recording(read_whole(Path(file)), source=file)
    return {one.request_sha256: one.target.label() for one in turns if one.target is not None}
