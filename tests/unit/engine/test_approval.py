import msgspec
import pytest

from mindpipe.agents.records import Agent
from mindpipe.core.errors import IllegalStateError
from mindpipe.core.mcp_servers import ServerQuestion
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.approval import (
    approval_hash,
    draft_of,
    event_of,
    fault_of,
    fault_of_answer,
    key_of_run,
    with_arguments,
)
from mindpipe.engine.records.journal import Ticket, TicketKind, TicketState
from mindpipe.engine.tools.versions import version_of
from mindpipe.inbox.records import MAX_BYTES
from support.tables import each_row

PAY = ToolManifest(name="pay", description="Pay.", command=("pay",))
ARGS: dict[str, object] = {"to": "Ada", "amount": 5}


def ticket(**fields: object) -> Ticket:
    version = version_of(PAY)
    told = {
        "id": "t_1",
        "agent": "ava",
        "kind": "approval",
        "state": TicketState.PENDING,
        "cycle": 1,
        "call": "c_1",
        "tool": "pay",
        "args": ARGS,
        "reason": "asked",
        "created": "2026-11-21T20:00:00Z",
        "tool_sha256": version,
        "sha256": approval_hash(version, ARGS),
    }
    return Ticket(**{**told, **fields})


def test_the_hash_holds_every_argument_and_every_field_of_the_tool() -> None:
    made = approval_hash(version_of(PAY), ARGS)
    assert made == approval_hash(version_of(PAY), dict(reversed(ARGS.items())))
    others = [
        {},
        {"to": "Ada"},
        {**ARGS, "amount": 6},
        {**ARGS, "amount": "5"},
        {**ARGS, "x": None},
    ]
    assert len({made, *(approval_hash(version_of(PAY), args) for args in others)}) == 6
    changes = {"command": ("pay", "-v"), "effect": "keyed", "timeout": 61.0, "approval": "always"}
    versions = [
        version_of(msgspec.structs.replace(PAY, **{name: value})) for name, value in changes.items()
    ]
    assert len({version_of(PAY), *versions}) == 5


def test_what_was_changed_since_may_not_run() -> None:
    ava = Agent(name="ava", tools=(PAY,))
    assert fault_of(ticket(), ava) is None
    assert fault_of(ticket(args={**ARGS, "amount": 6}), ava) is not None
    assert fault_of(ticket(args=None), ava) is not None
    assert fault_of(ticket(sha256=None), ava) is not None
    assert fault_of(ticket(), Agent(name="ava")) == "The tool pay was removed."
    changed = msgspec.structs.replace(PAY, command=("rm",))
    assert fault_of(ticket(), Agent(name="ava", tools=(changed,))) == (
        "The tool pay was changed since."
    )


def test_a_person_may_put_other_arguments_in_place_of_a_calls_own() -> None:
    ava = Agent(name="ava", tools=(PAY,))
    edited = with_arguments(ticket(person="husam"), {"to": "Ada", "amount": True})
    assert (edited.args, edited.to_run()) == (ARGS, {"to": "Ada", "amount": True})
    assert (ticket().to_run(), with_arguments(ticket(), dict(ARGS))) == (ARGS, ticket())
    assert with_arguments(edited, None).to_run() == ARGS
    assert fault_of(edited, ava) is None
    for change in ({"approved_args": {"amount": 6}}, {"approved_args": None}):
        changed = msgspec.structs.replace(edited, **change)
        assert fault_of(changed, ava) == (
            "Its arguments are not those that a person put in their place."
        )
    told = event_of(msgspec.structs.replace(edited, state=TicketState.EXECUTED)).text
    assert told is not None
    assert 'husam changed the arguments to {"to":"Ada","amount":true}. pay ran.' in told


def test_a_run_has_one_key_for_its_life() -> None:
    keys = {key_of_run(store, one) for store in ("s_1", "s_2") for one in ("t_1", "t_2")}
    assert len(keys) == 4


ENDS = [state for state in TicketState if state.value not in {"pending", "approved", "running"}]


@each_row("state", [state for state in ENDS if state.value not in {"open", "resolved"}])
def test_each_end_is_one_critical_event(state: TicketState) -> None:
    event = event_of(ticket(state=state, result="Because."), sources=("mail",))
    assert (event.key, event.priority, event.source) == (f"t_1:{state.value}", 1, "ticket")
    assert (event.agent, event.sources) == ("ava", ("mail",))
    assert event.text is not None
    assert event.text.startswith("Ticket t_1: ")
    ran = state.value in {"executed", "failed", "unknown"}
    assert event.type == ("tool_result" if ran else "decision")


def test_a_long_output_is_cut_to_what_an_event_may_hold() -> None:
    event = event_of(ticket(state=TicketState.EXECUTED, result="\x01" * 1_000_000))
    assert len(msgspec.json.encode(event)) <= MAX_BYTES
    assert event.text is not None
    assert event.text.endswith("[cut: mind ticket show t_1 has all]")


LEGAL: dict[TicketKind, dict[str, str]] = {
    "approval": {
        "pending": "approved denied expired cancelled",
        "approved": "running expired cancelled",
        "running": "executed failed unknown pending",
        "unknown": "executed failed",
    },
    "delegation": {
        "pending": "approved denied expired resolved",
        "approved": "expired resolved",
    },
    "doubt": {"open": "was_done was_not_done dismissed"},
    "account": {"open": "resolved dismissed"},
    "escalation": {"open": "resolved dismissed"},
}


@each_row("kind", LEGAL)
def test_no_ticket_goes_where_its_machine_forbids(kind: TicketKind) -> None:
    for state in TicketState:
        legal = LEGAL[kind].get(state.value, "").split()
        for other in TicketState:
            before = ticket(kind=kind, state=state)
            if other.value in legal:
                assert before.to(other).state is other
            else:
                with pytest.raises(IllegalStateError):
                    before.to(other)


NAME = {"type": "object", "properties": {"name": {"type": "string", "default": "Jo"}}}


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"name": "Ava"}, None),
        ({}, None),
        ({"name": 5}, "$.name"),
        ({"name": {"first": "Ava"}}, "$: an answer has texts"),
        ({"more": [1]}, "$: an answer has texts"),
        ({"more": ["a", "b"], "old": None, "so": True}, None),
    ],
)
def test_an_answer_fits_what_a_server_asked_for(
    fields: dict[str, object], fault: str | None
) -> None:
    found = fault_of_answer(ServerQuestion(message="Who?", schema=NAME), fields)
    assert found is None if fault is None else (found or "").startswith(fault)


def test_an_answer_begins_as_the_server_would_have_it() -> None:
    asked = ServerQuestion(message="Who?", schema=NAME)
    waits = ticket(state=TicketState.PENDING, questions=(asked,))
    assert draft_of(waits) == {"name": "Jo"}
    answered = msgspec.structs.replace(asked, fields={"name": "Eva"})
    assert draft_of(ticket(state=TicketState.PENDING, questions=(answered,))) == {"name": "Eva"}
    # Once it is decided, what is shown are the arguments again.
    assert waits.to(TicketState.DENIED).question() is None


@pytest.mark.parametrize("state", [TicketState.DENIED, TicketState.EXPIRED, TicketState.CANCELLED])
def test_of_what_ran_and_asked_nobody_says_that_nothing_has_run(state: TicketState) -> None:
    asked = ServerQuestion(message="Who?", schema=NAME)
    text = event_of(ticket(state=state, questions=(asked,))).text
    assert text is not None
    assert "asked for input" in text
    assert "Nothing has run" not in text
