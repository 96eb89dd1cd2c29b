"""Every command is documented, proved, found where one expects it, and says things one way."""

import ast
from collections import defaultdict

import click

from mindpipe_cli.commands import COMMANDS, every_command, grouped
from mindpipe_cli.manual.tree import Page, leaves, read
from mindpipe_cli.root import LazyGroup
from support.command import ROOT
from support.source_tree import Source, dotted, none_of, sources


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


def test_the_table_stands_in_the_order_of_its_groups() -> None:
    assert [name for entries in grouped().values() for name in entries] == list(COMMANDS)
    assert all(grouped().values()), "a group without a command"


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
# that an observer looks once, and a worker drains; how urgent an event is, how much a goal matters;
# that events are pushed, or that an answer is printed, as they come; which tools an agent has, and
# which of its own are offered to others; to which cycle a life goes back, to when a person lives,
# and to where a store moves; from where that comes, and from where a model; which part a file, and
# which source a fork, is without; which cluster shares the work, and which is looked at; a server
# of tools, and one of databases.
TWO_MEANINGS = frozenset(
    {
        "--after",
        "--as",
        "--at",
        "--cluster",
        "--events",
        "--every",
        "--file",
        "--format",
        "--history",
    }
    | {"--kind", "--model"}
    | {"--once", "--priority", "--since", "--state", "--stream", "--trust", "--until"}
    | {"--from", "--to", "--with-tool", "--without", "--without-tool"}
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
    made = {f"{file.module}.{name}" for file in sources() for name in _functions(file)}
    lost = []
    for page in commands():
        group, verb = page.words[1], page.words[-1].replace("-", "_")
        if (domain := COMMANDS[group].domain) is None:
            continue
        # A verb that loads what its group does not may have a file of its own beside the group's.
        places = [f"mindpipe.{domain}.verbs{below}" for below in ("", f".{group}", f".{verb}")]
        if not made & {f"{place}.{name}" for place in places for name in (verb, f"{verb}_")}:
            lost.append(f"{page.name}: no function {verb} in {' or '.join(places)}")
    none_of(lost)


def test_every_command_stands_in_the_file_of_its_name() -> None:
    none_of([name for name, entry in COMMANDS.items() if entry.module != f"mindpipe_cli.{name}"])


def test_manual_pages_are_installed() -> None:
    settings = (ROOT / "pyproject.toml").read_text()
    pages = [f"man/{page.name}" for page in (ROOT / "man").iterdir()]
    assert len(pages) > len(COMMANDS)
    none_of([f"{page} is not in shared-data" for page in pages if f'"{page}" = ' not in settings])


def _scattered(places: list[str]) -> bool:
    """Tell whether an option is declared twice, other than in variants in options.py."""
    return len(places) > 1 and any("/options.py:" not in place for place in places)


def _long_names(declared: ast.Call) -> list[str]:
    """Return the long names of one click.option."""
    texts = [node.value for node in ast.walk(declared) if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and text.startswith("--")]


def _functions(file: Source) -> list[str]:
    """Return the functions of a file."""
    return [node.name for node in file.tree.body if isinstance(node, ast.FunctionDef)]
