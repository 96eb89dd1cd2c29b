"""Every command is documented, proved, found where one expects it, and says things one way."""

import ast
from collections import defaultdict

import click

from mindpipe_cli.commands import COMMANDS, every_command
from mindpipe_cli.lazy import LazyGroup
from mindpipe_cli.pages.offers import leaves
from mindpipe_cli.pages.tree import Page, read
from running import ROOT
from sources import Source, dotted, none_of, sources

# The domain that a command's verb lives in, where it is not the plural of the command.
DOMAINS = {
    "agent": "agents",
    "goal": "agents",
    "note": "agents",
    "space": "spaces",
    "plan": "plans",
    "observation": "knowledge",
    "consolidate": "knowledge",
    "reflection": "memory",
    "lesson": "memory",
    "entity": "memory",
    "salience": "person",
    "feel": "person",
    "complete": "models",
    "feedback": "person",
    "compact": "compaction",
    "ticket": "think",
    "decide": "decisions",
    "act": "loop",
    "decision": "decisions",
    "task": "tasks",
    "run": "loop",
    "concern": "loop",
    "reflect": "loop",
    "status": "monitoring",
    "observe": "observers",
    "metrics": "monitoring",
    "alert": "monitoring",
    "simulate": "person",
}
# Verbs that stand elsewhere, or under another name than the command's.
ALIASES = {
    "mind compact": "mindpipe.compaction.verbs.applying.at_once",
    "mind compact diff": "mindpipe.compaction.plans.diff.diff",
    "mind compact list": "mindpipe.compaction.verbs.listing.changes",
    "mind concern attend": "mindpipe.loop.verbs.attending.attend",
    "mind reflect": "mindpipe.loop.verbs.reflecting.newest",
    "mind reflect day": "mindpipe.loop.verbs.developing.develop",
    "mind reflect patterns": "mindpipe.loop.verbs.reflecting.patterns_of",
    "mind observe": "mindpipe.loop.verbs.attending.attend",
    "mind observe files": "mindpipe.wiring.observers.folders.FolderObserver",
    "mind observe git": "mindpipe.wiring.observers.repositories.RepositoryObserver",
    "mind observe processes": "mindpipe.wiring.observers.programs.LifeObserver",
    "mind observe program": "mindpipe.wiring.observers.programs.ProgramObserver",
    "mind observe http": "mindpipe.wiring.observers.services.EndpointObserver",
    "mind observe plans": "mindpipe.plans.verbs.due",
    "mind observe check": "mindpipe.observers.config.read_config",
    "mind status": "mindpipe.monitoring.verbs.standing.status",
    "mind metrics": "mindpipe.monitoring.verbs.measuring.measure",
    "mind alert check": "mindpipe.monitoring.verbs.alerting.check",
    "mind alert list": "mindpipe.monitoring.verbs.alerting.list_",
    "mind salience": "mindpipe.person.verbs.salience.Watch",
    "mind decide": "mindpipe.loop.verbs.deciding.decide",
    "mind act": "mindpipe.loop.verbs.acting.act",
    "mind task recover": "mindpipe.loop.verbs.delegating.recover",
    "mind task work": "mindpipe.wiring.tasking.Shift",
    "mind context show": "mindpipe.think.verbs.show.coming",
    "mind context budget": "mindpipe.think.verbs.budgeting.coming",
    "mind history verify": "mindpipe.history.verbs.verify.Walk",
    "mind simulate tick": "mindpipe.wiring.living.tick",
    "mind simulate run": "mindpipe.wiring.living.Lives",
    "mind store recover": "mindpipe.wiring.recovery.Recovery",
    "mind recall": "mindpipe.recall.verbs.searching.search",
    "mind recall reindex": "mindpipe.recall.verbs.indexing.rebuild",
    "mind models cost": "mindpipe.spending.verbs.cost",
    "mind agent clearances": "mindpipe.context.verbs.clearing.clearances",
    "mind goal trust": "mindpipe.context.verbs.clearing.trust_memories",
    "mind history trust": "mindpipe.context.verbs.clearing.trust_cycles",
    "mind memory extract": "mindpipe.wiring.logs.read_log",
    "mind memory revoke": "mindpipe.context.verbs.memories.revoke",
    "mind observation confirm": "mindpipe.knowledge.verbs.operating.Operator",
    "mind observation correct": "mindpipe.knowledge.verbs.operating.Operator",
    "mind observation pin": "mindpipe.knowledge.verbs.operating.Operator",
    "mind knowledge marks": "mindpipe.knowledge.verbs.marking.all_marks",
    "mind knowledge verify": "mindpipe.knowledge.verbs.knowledge.Verification",
    "mind note trust": "mindpipe.context.verbs.clearing.trust_memories",
    "mind plan trust": "mindpipe.context.verbs.clearing.trust_memories",
    "mind run list": "mindpipe.runs.verbs.list_",
    "mind run mode": "mindpipe.loop.verbs.moding.change",
    "mind run timing": "mindpipe.loop.timing.pace",
    "mind run show": "mindpipe.runs.verbs.show",
    "mind run cancel": "mindpipe.runs.verbs.cancel",
}
# Commands about the program itself, which has no domain.
PROGRAM = frozenset({"init", "bench", "config", "schema", "completion", "docs"})


def program() -> click.Group:
    """Return the root, with every command below it."""
    return LazyGroup("mind")


def commands() -> list[Page]:
    """Return every command that does something."""
    return list(leaves(read(program(), "mind")))


def test_the_table_names_the_verbs_of_every_group() -> None:
    tops = {page.words[1]: page for page in read(program(), "mind").verbs}
    found = {name: tuple(verb.words[-1] for verb in page.verbs) for name, page in tops.items()}
    assert found == {name: entry.verbs for name, entry in COMMANDS.items()}
    assert [page.words[1:] for page in commands()] == every_command()


def test_every_command_and_option_has_help_and_every_command_an_example() -> None:
    missing = []
    for page in commands():
        if not page.summary.endswith("."):
            missing.append(f"{page.name}: no sentence says what it does")
        if page.name not in page.example:
            missing.append(f"{page.name}: its example is {page.example!r}")
        missing += [f"{page.name}: {part.names[0]}" for part in page.options if not part.help]
    none_of(missing)


# Fixed by what the commands promise: who says it, and as what a body is read; whom an agent
# trusts, and that an import is trusted; every form, and those that a window can be written in; how
# often states are told, and that settled tickets are; when a life ends, and when a worker does; by
# which clock; one inbox, and all that happens to persons; that persons find words without a model;
# what somebody in a space is, and of which kind something remembered is; which states there are;
# that an observer looks once, and a worker drains; how urgent an event is, how much a goal matters.
TWO_MEANINGS = frozenset(
    {"--as", "--at", "--events", "--every", "--format", "--history", "--kind", "--model"}
    | {"--once", "--priority", "--since", "--state", "--trust", "--until"}
)


def test_an_option_means_the_same_everywhere() -> None:
    meanings: dict[str, dict[tuple[str | None, str], str]] = defaultdict(dict)
    for page in commands():
        for option in page.options:
            words = option.help.split(" Default: ")[0]
            meanings[option.names[-1]][option.value, words] = page.name
    none_of(
        [
            f"{name}: {found}"
            for name, found in meanings.items()
            if len(found) > 1 and name not in TWO_MEANINGS
        ]
    )


def test_an_option_of_several_commands_is_declared_in_one_place() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in sources():
        for node in file.nodes:
            if isinstance(node, ast.Call) and dotted(node.func) in ("click.option", "click.Option"):
                for name in _long_names(node):
                    places[name].append(file.at(node))
    none_of(
        [
            f"{name}: {', '.join(found)}"
            for name, found in places.items()
            if _scattered(found) and name not in TWO_MEANINGS
        ]
    )


def test_every_command_has_a_golden_case() -> None:
    folders = [ROOT.joinpath("fixtures", "cases", *words) for words in every_command()]
    none_of(
        [
            f"no case below {path.relative_to(ROOT)}"
            for path in folders
            if not any(path.rglob("cmd"))
        ]
    )


def test_a_newcomer_guesses_the_file_from_the_command() -> None:
    made = {f"{file.module}.{name}" for file in sources() for name in _defined(file)}
    lost = []
    for page in commands():
        group, verb = page.words[1], page.words[-1].replace("-", "_")
        if group in PROGRAM:
            continue
        found = made & _guesses(f"mindpipe.{DOMAINS.get(group, group)}", group, verb)
        if not found and ALIASES.get(page.name) not in made:
            lost.append(f"{page.name}: no verb {verb} where one would look")
    none_of(lost)


def test_manual_pages_are_installed() -> None:
    settings = (ROOT / "pyproject.toml").read_text()
    pages = ["man/mind.1", *(f"man/mind-{name}.1" for name in COMMANDS), "man/mind-records.5"]
    pages.append("man/mind-security.7")
    none_of([f"{page} is not in shared-data" for page in pages if f'"{page}" = ' not in settings])


def _scattered(places: list[str]) -> bool:
    """Tell whether an option is declared twice, other than in variants in options.py."""
    return len(places) > 1 and any("/options.py:" not in place for place in places)


def _long_names(declared: ast.Call) -> list[str]:
    """Return the long names of one click.option."""
    texts = [node.value for node in ast.walk(declared) if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and text.startswith("--")]


def _guesses(domain: str, group: str, verb: str) -> set[str]:
    """Return the functions among which one would look for the verb of a command."""
    modules = [f"{domain}.verbs"]
    modules += [file.module for file in sources() if file.module.startswith(f"{domain}.verbs.")]
    names = {verb, f"{verb}_", f"{group}_{verb}"}
    # The store is an adapter: its commands are files, not verbs of a domain.
    return {f"{module}.{name}" for module in modules for name in names} | {
        f"{domain}.{verb}.{verb}"
    }


def _defined(file: Source) -> list[str]:
    """Return the functions and classes of a file."""
    return [
        node.name for node in file.tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
