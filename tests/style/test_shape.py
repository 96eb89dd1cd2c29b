"""How files, functions and names may look."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from sources import Function, Source, none_of, sources, suites

FILE_LINES, TEST_LINES, FUNCTION_LINES, COMMAND_STATEMENTS = 400, 600, 50, 10
VAGUE = "manager handler process data info utils util helpers helper common misc"
FORBIDDEN = frozenset(VAGUE.split(" "))
# Few lines may have one comment that matters.
COMMENTS_PER_100, COMMENTS_FREE = 5, 3
# Words that are the subject's own: an exit status, a kind of URL, the name of another program.
GIVEN = frozenset({"BAD_DATA", "_DATA_URL", "sqlite_utils_plugin"})
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_IGNORE = re.compile(r"#\s*type:\s*ignore")
_REASONED_IGNORE = re.compile(r"#\s*type: ignore\[[a-z-]+(, ?[a-z-]+)*\]\s+[#–-]+ ?\w\S* \w\S*")
_FOR_TOOLS = re.compile(r"#\s*(noqa|type:)")
_NOQA = re.compile(r"#\s*noqa")
_REASONED_NOQA = re.compile(r"#\s*noqa: [A-Z]+[0-9]+(, ?[A-Z]+[0-9]+)*\s+[#–-]+ ?\w\S* \w\S*")


def test_no_file_is_over_its_cap() -> None:
    long = [
        f"{file.place} has {_lines(file)} lines" for file in sources() if _lines(file) > FILE_LINES
    ]
    long += [
        f"{file.place} has {_lines(file)} lines" for file in suites() if _lines(file) > TEST_LINES
    ]
    none_of(long)


def test_no_function_is_over_50_lines() -> None:
    long = [
        f"{file.at(node)} {node.name}"
        for file in (*sources(), *suites())
        for node in file.functions()
        if (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    ]
    none_of(long)


def test_a_command_body_has_at_most_10_statements() -> None:
    long = [
        f"{file.at(node)} {node.name}: {_statements(node)} statements"
        for file in sources()
        for node in file.functions()
        if _is_command(node) and _statements(node) > COMMAND_STATEMENTS
    ]
    none_of(long)


def test_a_package_file_holds_a_docstring_and_nothing_else() -> None:
    more = [
        file.place
        for file in sources()
        if file.path.name == "__init__.py"
        and not (len(file.tree.body) == 1 and ast.get_docstring(file.tree))
    ]
    none_of(more)


def test_a_module_opens_with_one_sentence() -> None:
    found = []
    for file in sources():
        first = (ast.get_docstring(file.tree) or "").split("\n")[0]
        if not first.rstrip().endswith("."):
            found.append(f"{file.place}: {first!r}")
    none_of(found)


def test_names_are_words_of_the_subject() -> None:
    bad = [
        f"{place} {name}"
        for file in sources()
        for place, name in _names(file)
        if name not in GIVEN
        if FORBIDDEN & {word.lower() for word in _WORDS.findall(name)}
    ]
    none_of(bad)


def test_no_verb_takes_the_world() -> None:
    found = [
        file.at(argument)
        for file in sources()
        for argument in file.nodes
        if isinstance(argument, ast.arg) and argument.arg == "world"
    ]
    none_of(found)


def test_comments_are_rare() -> None:
    many = []
    for file in sources():
        comments = _comments(file)
        allowed = max(COMMENTS_FREE, COMMENTS_PER_100 * _lines(file) // 100)
        if len(comments) > allowed:
            many.append(f"{file.place}: {len(comments)} comments in {_lines(file)} lines")
    none_of(many)


def test_every_exception_to_a_check_says_why() -> None:
    bare = []
    for file in sources():
        for number, line in enumerate(file.text.splitlines(), 1):
            if _IGNORE.search(line) and not _REASONED_IGNORE.search(line):
                bare.append(f"{file.place}:{number}: {line.strip()}")
            if _NOQA.search(line) and not _REASONED_NOQA.search(line):
                bare.append(f"{file.place}:{number}: {line.strip()}")
    none_of(bare)


def _lines(file: Source) -> int:
    return file.text.count("\n")


def _is_command(node: Function) -> bool:
    """Tell whether a function is declared by @command."""
    return any(
        isinstance(made, ast.Call) and getattr(made.func, "id", "") == "command"
        for made in node.decorator_list
    )


def _statements(node: Function) -> int:
    """Count the statements of a body, without its docstring and its imports."""
    found = [part for part in ast.walk(node) if isinstance(part, ast.stmt) and part is not node]
    counted = [part for part in found if not isinstance(part, ast.Import | ast.ImportFrom)]
    return len(counted) - (ast.get_docstring(node) is not None)


def _names(file: Source) -> Iterator[tuple[str, str]]:
    """Yield every name that a file gives, with its place."""
    yield file.place, file.path.stem
    for node in file.nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield file.at(node), name
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield file.at(node), name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield file.at(node), name


def _comments(file: Source) -> list[int]:
    """Return the lines at which comments for people begin; lines one below the other are one."""
    tokens = tokenize.generate_tokens(io.StringIO(file.text).readline)
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    told = {token.start[0] for token in comments if not _FOR_TOOLS.match(token.string)}
    return sorted(number for number in told if number - 1 not in told)
