"""What is done by rules alone, recorded and done again: by which rules, of what it was asked."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.context.verbs import trust
from mindpipe.context.verbs.said import said
from mindpipe.core.records import Record
from mindpipe.decisions.bands import DecisionRules
from mindpipe.engine.dependencies import NoRules, RulePorts
from mindpipe.engine.records.attention import ReflectionRules
from mindpipe.engine.verbs import act, reflect
from mindpipe.engine.worker import loop_log
from mindpipe.engine.worker.phases import LoopRules
from mindpipe.knowledge.keys import SlotRules, rules_of
from mindpipe.knowledge.verbs import observation
from mindpipe.knowledge.verbs.observation import RevalidationDue
from mindpipe.language.strict import STRICT
from mindpipe.life.operations import (
    ARCHIVE,
    DUE,
    EXTRACT,
    RETRACT,
    REVALIDATE,
    REVOKE,
    ArchiveAsked,
    ExtractAsked,
    Operation,
    RetractAsked,
    RevokeAsked,
    RuleSetup,
)
from mindpipe.life.verbs.replaying import Again, ports_again
from mindpipe.life.verbs.steps import Steps
from mindpipe.memory.records import Item
from mindpipe.memory.verbs import memory
from mindpipe.memory.verbs.extract import by_rules
from mindpipe.plans import verbs as plans

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore


class Given(NamedTuple):
    """What an operation is done with: whose it is, what was asked, and what was set."""

    ports: RulePorts
    agent: str
    asked: Any
    rules: Any
    slots: SlotRules


def _end_iteration(given: Given) -> None:
    rules: LoopRules = given.rules
    loop_log.end_iteration(
        given.ports,
        given.asked,
        rules=rules,
        reflect=lambda ports, iteration, attended: (
            reflect.look_back(
                reflect.Reflector(*ports, rules.reflecting), iteration=iteration, attended=attended
            ).significance
        ),
    )


def _change_mode(given: Given) -> None:
    store = given.ports.store
    loop_log.change_mode(
        given.ports,
        given.asked,
        rules=given.rules,
        adjust=lambda session, seen, follows: reflect.adjust(store, session, seen, follows),
    )


def _trigger_idle(given: Given) -> None:
    asked: reflect.IdleAsked = given.asked
    reflector = reflect.Reflector(*given.ports, given.rules)
    reflect.trigger_idle(reflector, attended=asked.attended, session=asked.session)


def _due(given: Given) -> None:
    ports = given.ports
    plans.due_push(ports.store, ports.clock, deliver=ports.deliver, agent=given.agent)


def _decide(given: Given) -> None:
    act.decide(given.ports, agent=given.agent, rules=given.rules)


def _reflect(given: Given) -> None:
    reflect.reflect(reflect.Reflector(*given.ports, given.rules), agent=given.agent)


def _day(given: Given) -> None:
    ports = given.ports
    reflect.day(ports.store, ports.clock, ports.chance, agent=given.agent)


def _revalidate(given: Given) -> None:
    ports = given.ports
    observation.revalidate(
        ports.store, ports.clock, agent=given.agent, due=given.asked, rules=given.slots
    )


def _archive(given: Given) -> None:
    ports, asked = given.ports, given.asked
    memory.archive(ports.store, ports.clock, agent=given.agent, below=asked.below)


def extracted(ports: RulePorts, *, agent: str, asked: ExtractAsked) -> Iterator[Item]:
    """Yield the items that rules find in an agent's log and that were not kept yet."""
    found = agents.show(ports.store, name=agent)
    who = msgspec.structs.replace(found, trust=(*found.trust, *asked.trusted))
    yield from memory.extract(
        ports.store,
        ports.clock,
        ports.chance,
        agent=agent,
        pages=said(ports.store, who, since_cycle=asked.since_cycle),
        look=by_rules(STRICT),
        least=asked.least,
        reader=STRICT,
    )


def _extract(given: Given) -> None:
    for _ in extracted(given.ports, agent=given.agent, asked=given.asked):
        pass


def _revoke(given: Given) -> None:
    asked: RevokeAsked = given.asked
    trust.revoke(given.ports.store, _revoker(given), source=asked.source, agent=given.agent)


def _retract(given: Given) -> None:
    asked: RetractAsked = given.asked
    trust.retract(given.ports.store, _revoker(given), agent=given.agent, ids=asked.ids)


def _revoker(given: Given) -> trust.Revoker:
    return trust.Revoker(given.ports.clock, given.ports.chance, given.slots)


class RuleOperation(NamedTuple):
    """A kind of operation: the records of what it is asked and of its rules, and how it is done."""

    asked: type[Record]
    rules: type[Record]
    do: Callable[[Given], None]


OPERATIONS = {
    loop_log.ITERATION: RuleOperation(loop_log.IterationEnd, LoopRules, _end_iteration),
    loop_log.MODE: RuleOperation(loop_log.ModeQuestion, LoopRules, _change_mode),
    reflect.IDLE: RuleOperation(reflect.IdleAsked, ReflectionRules, _trigger_idle),
    reflect.REFLECT: RuleOperation(NoRules, ReflectionRules, _reflect),
    reflect.REFLECT_DAY: RuleOperation(NoRules, NoRules, _day),
    act.DECIDE: RuleOperation(NoRules, DecisionRules, _decide),
    DUE: RuleOperation(NoRules, NoRules, _due),
    REVALIDATE: RuleOperation(RevalidationDue, NoRules, _revalidate),
    ARCHIVE: RuleOperation(ArchiveAsked, NoRules, _archive),
    EXTRACT: RuleOperation(ExtractAsked, NoRules, _extract),
    REVOKE: RuleOperation(RevokeAsked, NoRules, _revoke),
    RETRACT: RuleOperation(RetractAsked, NoRules, _retract),
}


def rules_again(again: Again, store: "SqliteStore", steps: Steps, *, operation: Operation) -> None:
    """Do again what was done by rules, by those of today; raises whatever that does."""
    kind = OPERATIONS[operation.begun.kind]
    setup = msgspec.json.decode(operation.setup, type=RuleSetup)
    kind.do(
        Given(
            ports=ports_again(again, store, steps, setup=setup),
            agent=operation.agent,
            asked=msgspec.json.decode(operation.begun.asked, type=kind.asked),
            rules=msgspec.json.decode(setup.rules, type=kind.rules),
            slots=rules_of(slots=setup.slots, windows=setup.windows),
        )
    )
