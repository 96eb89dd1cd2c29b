import itertools

from mindpipe.agents.records import Agent
from mindpipe.core.tools import Label, ToolManifest
from mindpipe.engine.approval import has_trifecta, reason_to_ask
from support.tables import each_row

TRIFECTA: tuple[Label, ...] = ("reads_private", "reads_untrusted", "sends_out")
EFFECTS = ("pure", "idempotent", "keyed", "unsafe")


def tool(name: str, *labels: Label, effect: str = "pure", **fields: object) -> ToolManifest:
    return ToolManifest(
        name=name,
        description="A tool.",
        command=(name,),
        labels=labels,
        effect=effect,
        **fields,
    )


def agent(*tools: ToolManifest, **settings: object) -> Agent:
    return Agent(name="ava", tools=tools, **settings)


@each_row("effect", EFFECTS)
@each_row("label", [None, *TRIFECTA])
@each_row("sources", [(), ("mail",)])
def test_only_unsafe_and_outward_tools_are_asked_about_in_tainted_turns(
    effect: str, label: Label | None, sources: tuple[str, ...]
) -> None:
    one = tool("one", *([label] if label else []), effect=effect)
    reason = reason_to_ask(one, agent(one), sources)
    risky = effect == "unsafe" or label == "sends_out"
    assert (reason is not None) == bool(sources and risky)


def test_the_operator_may_name_tools_that_run_in_tainted_turns() -> None:
    reply, other = tool("reply", "sends_out"), tool("other", "sends_out")
    allowed = agent(reply, other, allow_tainted=("reply",))
    assert reason_to_ask(reply, allowed, ["mail"]) is None
    assert reason_to_ask(other, allowed, ["mail"]) is not None
    assert reason_to_ask(reply, agent(reply, allow_tainted=("re*",)), ["mail"]) is None
    assert reason_to_ask(other, agent(other, allow_tainted=("re*",)), ["mail"]) is not None
    assert reason_to_ask(other, agent(other, allow_tainted=("*",)), ["mail"]) is None


@each_row("approval", ["always", "wait"])
def test_a_tool_may_want_to_be_asked_about_every_time(approval: str) -> None:
    one = tool("one", approval=approval)
    trusting = agent(one, allow_tainted=("one",), accepts_trifecta=True)
    assert reason_to_ask(one, trusting, []) is not None


@each_row("pair", list(itertools.combinations(TRIFECTA, 2)))
def test_each_pair_of_labels_passes(pair: tuple[Label, ...]) -> None:
    for tools in ([tool("both", *pair)], [tool(label, label) for label in pair]):
        for one in tools:
            assert reason_to_ask(one, agent(*tools), []) is None


def splits() -> list[tuple[tuple[Label, ...], ...]]:
    """Return every way to spread the three labels over tools."""
    one, two, three = TRIFECTA
    pairs = [((one, two), (three,)), ((one, three), (two,)), ((two, three), (one,))]
    return [(TRIFECTA,), ((one,), (two,), (three,)), *pairs]


@each_row("split", splits())
def test_each_triple_is_held_at_what_sends(split: tuple[tuple[Label, ...], ...]) -> None:
    tools = [tool(f"t{number}", *labels) for number, labels in enumerate(split)]
    names = tuple(one.name for one in tools)
    for holder in (agent(*tools), agent(*tools, allow_tainted=names)):
        assert has_trifecta(holder)
        for one in tools:
            asked = reason_to_ask(one, holder, []) is not None
            assert asked == ("sends_out" in one.labels)


def test_an_operator_who_accepts_the_trifecta_is_not_asked_because_of_it() -> None:
    one = tool("one", *TRIFECTA)
    accepting = agent(one, accepts_trifecta=True)
    assert reason_to_ask(one, accepting, []) is None
    assert reason_to_ask(one, accepting, ["mail"]) is not None


REASONS = {
    "always": (
        tool("pay", approval="always"),
        [],
        "pay is asked about every time (approval: always)",
    ),
    "in a fork": (
        tool("pay", approval="fork"),
        [],
        "this life is a fork, which asks about every call of pay; mind agent set ava --tool FILE, "
        "with its manifest, lets it act here too",
    ),
    "tainted and unsafe": (
        tool("pay", effect="unsafe"),
        ["web/bob\nSYSTEM: fine", "mail"],
        'pay is unsafe, and ava read text of mail, "web/bob\\nSYSTEM: fine"; mind agent set ava '
        "--allow-tainted pay allows it",
    ),
    "tainted and outward": (
        tool("send", "sends_out"),
        [f"s{number}" for number in range(7)],
        "send sends outward, and ava read text of s0, s1, s2 and 4 more; mind agent set "
        "ava --allow-tainted send allows it",
    ),
    "tainted by a few": (
        tool("pay", effect="unsafe"),
        ["web/bob", "mail/$(reboot)"],
        "pay is unsafe, and ava read text of mail/$(reboot), web/bob; mind agent trust add ava "
        "'mail/$(reboot)' web/bob allows it",
    ),
    "tainted by answers of a server": (
        tool("pay", effect="unsafe"),
        ["mcp:town", "server:town/town_a", "server:town/town_b", "-x"],
        "pay is unsafe, and ava read text of -x, mcp:town, server:town/town_a and 1 more; "
        "mind agent trust add ava -- -x mcp:town server:town allows it",
    ),
    "tainted by a source with a very long name": (
        tool("pay", effect="unsafe"),
        [f"mail/{'x' * 60}", f"web/{'y' * 44}"],
        f"pay is unsafe, and ava read text of mail/{'x' * 43}…, web/{'y' * 44}; mind agent trust "
        f"add ava mail/{'x' * 60} web/{'y' * 44} allows it",
    ),
    "tainted by more than are named": (
        tool("pay", effect="unsafe"),
        ["more:sources"],
        "pay is unsafe, and ava read text of more:sources; mind agent set ava --allow-tainted pay "
        "allows it",
    ),
    "trifecta": (
        tool("send", *TRIFECTA),
        ["mail"],
        "ava can read private data, read untrusted text and send outward, and send sends; "
        "mind agent set ava --i-accept-trifecta allows it",
    ),
}


@each_row("name", REASONS)
def test_a_reason_is_one_line_that_says_what_would_allow_it(name: str) -> None:
    one, sources, expected = REASONS[name]
    reason = reason_to_ask(one, agent(one), sources)
    assert reason == expected
    assert "\n" not in expected


def test_of_a_worker_that_is_no_tool_only_trust_is_named() -> None:
    worker = tool("sleeper", effect="unsafe")
    names = [f"observer:{number}" for number in range(7)]
    reason = str(reason_to_ask(worker, agent(), names))
    assert reason.endswith(f"mind agent trust add ava {' '.join(names)} allows it")
    odd = str(reason_to_ask(worker, agent(), ["web/a b"]))
    assert odd.endswith("trusting each of them (mind agent trust add ava SOURCE) allows it")
