"""Reserve before a model call, settle after it, and say what was spent."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from mindpipe.core.errors import (
    CapReachedError,
    IllegalStateError,
    RefusedError,
    UsageError,
)
from mindpipe.core.ports import Clock, Rows, Store, Tokens
from mindpipe.core.records import Record
from mindpipe.providers.prices import AS_OF, PRICES, Price
from mindpipe.spending import tables
from mindpipe.spending.records import (
    Caps,
    Cost,
    EntryState,
    FetchedModel,
    LedgerEntry,
    ModelAlias,
    ModelKey,
    NewLedgerEntry,
    Settlement,
)

_ALIAS = re.compile(r"[a-z][a-z0-9._-]{0,47}")
_KEY = re.compile(r"[!-~]{1,4096}")
_TAKEN = frozenset({"anthropic", "composed", "none", "off"})

if TYPE_CHECKING:
    from mindpipe.providers.local_models import ModelFolder
    from mindpipe.providers.model_sources import Advance, ModelSource


def reserve(store: Store, clock: Clock, *, entry: NewLedgerEntry, caps: Caps) -> None:
    """Enter the upper bound of one call, in the transaction that decides to make it.

    Raises:
        CapReachedError: settled + reserved + lost + new would pass a cap.
        RefusedError: there is a cap but the model's price is not known.
    """
    at = clock.now()
    day = at[:10]
    with store.write(entry.agent) as rows:
        if caps.store_day is not None or caps.purpose_day is not None:
            rows.hold("spending", day)
        _check(rows, entry, caps, day)
        tables.insert(rows, entry, day=day, at=at)


def _check(rows: Rows, entry: NewLedgerEntry, caps: Caps, day: str) -> None:
    """Hold one new entry against every cap."""
    limits: tuple[tuple[str, int | None, Callable[[], int]], ...] = (
        ("call", caps.call, lambda: 0),
        (
            "cycle",
            caps.cycle,
            lambda: tables.spent_in_cycle(rows, agent=entry.agent, cycle=entry.cycle),
        ),
        (
            "purpose's day",
            caps.purpose_day,
            lambda: tables.spent_on_day(rows, day=day, purpose=entry.purpose),
        ),
        (
            "agent's day",
            caps.agent_day,
            lambda: tables.spent_on_day(rows, day=day, agent=entry.agent),
        ),
        ("store's day", caps.store_day, lambda: tables.spent_on_day(rows, day=day)),
    )
    for name, cap, count in limits:
        if cap is None:
            continue
        spent = count()
        if entry.micros is None:
            raise RefusedError(
                f"the price of {entry.model} is not known, so the cap per {name} cannot be kept. "
                "Give its price in models.toml."
            )
        if spent + entry.micros > cap:
            raise CapReachedError(
                f"the cap per {name} of {dollars(cap)} would be passed: {dollars(spent)} spent or "
                f"reserved, up to {dollars(entry.micros)} more. Raise the cap or wait.",
                scope=name,
            )


def dollars(micros: int) -> str:
    """Return micro-dollars as text, e.g. $0.0123, or $0.000005 where that says more."""
    digits = 4 if micros % 100 == 0 or micros >= 10_000 else 6
    return f"${micros / 1_000_000:.{digits}f}"


def settle(store: Store, *, settlement: Settlement) -> None:
    """Replace a reservation by what the call cost."""
    with store.write() as rows:
        _step(rows, settlement.id, EntryState.SETTLED)
        tables.settle(rows, settlement)


def lose(store: Store, *, entry_id: str) -> None:
    """Count a call in full whose reply never came."""
    with store.write() as rows:
        _step(rows, entry_id, EntryState.LOST)
        tables.set_state(rows, entry_id, EntryState.LOST)


def void(store: Store, *, entry_id: str) -> None:
    """Take back the reservation of a call that is known not to have been sent."""
    with store.write() as rows:
        _step(rows, entry_id, EntryState.VOID)
        tables.set_state(rows, entry_id, EntryState.VOID)


def lose_open(store: Store, *, agent: str, cycle: int) -> int:
    """Count in full whatever was reserved in a cycle; return how many calls that were."""
    with store.write(agent) as rows:
        reserved = tables.reserved_of(rows, agent=agent, cycle=cycle)
        for entry_id in reserved:
            tables.set_state(rows, entry_id, EntryState.LOST)
    return len(reserved)


def cost(store: Store, *, agent: str | None = None, since: str | None = None) -> list[Cost]:
    """Return what was spent by agent, model and day; `since` is a date or instant."""
    with store.read() as rows:
        return tables.costs(rows, agent=agent, since=since[:10] if since else None)


def cycle_entries(store: Store, *, agent: str, cycle: int) -> list[LedgerEntry]:
    """Return the model calls of one cycle."""
    with store.read() as rows:
        return tables.cycle_entries(rows, agent=agent, cycle=cycle)


def last_request_tokens(store: Store, *, agent: str) -> int:
    """Return the input tokens of an agent's last answered request, 0 where there was none.

    The provider reported them, or else they were counted as the window of the agent is.
    """
    with store.read() as rows:
        last = tables.last_request(rows, agent)
    return last.input_tokens if last is not None else 0


def calibration(store: Store, *, agent: str, model: str) -> float | None:
    """Return how many input tokens a model reported for each one that we counted, or None.

    It is that of the agent's last settled turn with this model (its label) whose report can be
    believed, what the cache read or wrote included; None where none of its newest calls has one.
    A report of 0 tokens, or any other outside `LEAST_CALIBRATION` to `MOST_CALIBRATION`, is passed
    over.
    """
    with store.read() as rows:
        last = tables.last_reported(rows, agent=agent, model=model)
    if last is None or not last.counted_tokens:
        return None
    return last.input_tokens / last.counted_tokens


def cached(store: Store, *, agent: str, model: str) -> int:
    """Return how many tokens of an agent's last turn came from a model's cache, 0 where none did.

    It is what is known of the prefix that the provider would read from there again.
    """
    with store.read() as rows:
        last = tables.last_reported(rows, agent=agent, model=model)
    return last.cached_tokens if last else 0


def _step(rows: Rows, entry_id: str, state: EntryState) -> None:
    """Check that an entry may take this step."""
    entry = tables.find(rows, entry_id)
    if entry is None:
        raise IllegalStateError(f"the ledger has no entry {entry_id}")
    entry.state.to(state)


class Listed(Record):
    """One model with a known price, in micro-dollars per million tokens.

    `as_of` is the date of a list price, None where the price is the user's own.
    """

    model: str
    input: int
    output: int
    cache_read: int
    cache_write: int
    as_of: str | None


class Count(Record):
    """How many tokens a text has, and by which tokenizer."""

    tokenizer: str
    tokens: int


def list_(own: Mapping[str, Price]) -> Iterator[Listed]:
    """Yield the models whose price is known; the user's `own` prices come before list prices."""
    for model, price in ({**PRICES, **own}).items():
        yield Listed(
            model=model,
            input=price.input,
            output=price.output,
            cache_read=price.cache_read,
            cache_write=price.cache_write,
            as_of=None if model in own else AS_OF,
        )


def count(tokens: Tokens, *, text: str) -> Count:
    """Return how many tokens a text has."""
    return Count(tokenizer=tokens.name, tokens=tokens.count(text))


def fetch(
    folder: "ModelFolder",
    source: "Callable[[], AbstractContextManager[ModelSource]]",
    *,
    advance: "Advance",
) -> FetchedModel:
    """Fetch what a folder lacks of a published model; where it lacks nothing, nobody is asked.

    Raises:
        UnavailableError: the source is not there, or has not all of it.
        RefusedError: a file of the source is not the published one; those before it are kept.
    """
    model = folder.model
    lacking = folder.lacking()
    if lacking:
        total = sum(file.octets for file in lacking)
        done = 0
        with source() as opened:
            for file in lacking:
                folder.keep(file, opened.pieces(file), source=opened.name)
                done += file.octets
                advance(done, total)
    return FetchedModel(
        model=model.name, folder=str(folder.path), fetched=len(lacking), octets=model.octets
    )


class KeyStore(Protocol):
    """Where the keys of providers are kept."""

    def places(self) -> dict[str, str]:
        """Return where each stored key is, by its name."""
        ...

    def set(self, name: str, key: str) -> str:
        """Keep a key and return where."""
        ...

    def remove(self, name: str) -> bool:
        """Forget a key; tell whether there was one."""
        ...


def key(
    keys: KeyStore,
    action: str,
    *,
    name: str | None,
    given: str | None,
    variables: Mapping[str, str],
) -> list[ModelKey]:
    """Keep (`set`) or forget (`remove`) the key of a provider, and list which there are.

    `variables` are the names that a key may have, with the variable of each that is set or "";
    what the environment has goes before what is stored. No key is ever returned.

    Raises:
        UsageError: there is no such provider, the key is none, or there is none to be forgotten.
    """
    if action != "list":
        if name is None or name not in variables:
            known = ", ".join(variables)
            raise UsageError(f"whose key? Name one of {known}, or give the server in models.toml.")
        if action == "set":
            if given is None or not _KEY.fullmatch(given):
                raise UsageError("that is no key: a key is one word of plain characters.")
            keys.set(name, given)
        elif not keys.remove(name):
            raise UsageError(f"no key of {name} is stored; mind models key list shows which are.")
    stored = keys.places()
    sources = {**stored, **{one: f"${it}" for one, it in variables.items() if it}}
    return [ModelKey(name=one, source=sources[one]) for one in sorted(sources)]


def alias(
    aliases: dict[str, str], action: str, *, name: str | None, model: str | None
) -> list[ModelAlias]:
    """Give a model another name (`set`) or take that away (`remove`), and list those there are.

    `aliases` is changed. `model` is a model's own name, which the caller has checked.

    Raises:
        UsageError: the name is none that an alias may have, or there is no such alias.
    """
    if action == "set":
        if name is None or model is None or not _ALIAS.fullmatch(name) or name in _TAKEN:
            raise UsageError(
                "write set NAME MODEL; NAME begins with a small letter, then letters, digits, dots "
                f"and dashes, and is none of {', '.join(sorted(_TAKEN))}."
            )
        aliases[name] = model
    elif action == "remove" and aliases.pop(name or "", None) is None:
        raise UsageError(
            f'no alias "{name}"; mind models alias list shows them.' if name else "which alias?"
        )
    return [ModelAlias(name=one, model=aliases[one]) for one in sorted(aliases)]
