"""The completion script for fish."""

from collections.abc import Iterator

from mindpipe_cli.pages.offers import everywhere, leaves, quoted
from mindpipe_cli.pages.tree import Option, Page


def fish(program: Page) -> str:
    """Return the script for fish."""
    lines = ["# fish completion for mind; made by `mind docs write`."]
    for page in program.verbs:
        name = page.words[1]
        lines.append(
            f"complete -c mind -n __fish_use_subcommand -f -a {name} -d {quoted(page.in_short)}"
        )
        others = [verb.words[-1] for verb in page.verbs]
        # mind compact plan is none of mind plan.
        others += (
            one.words[1] for one in program.verbs for verb in one.verbs if verb.words[-1] == name
        )
        for verb in page.verbs:
            lines.append(
                f"complete -c mind -n '__fish_seen_subcommand_from {name}; "
                f"and not __fish_seen_subcommand_from {' '.join(others)}' "
                f"-f -a {verb.words[-1]} -d {quoted(verb.summary)}"
            )
    lines += (_option(option, "not __fish_use_subcommand") for option in everywhere())
    for page in leaves(program):
        lines += _options(page)
    return "\n".join(lines) + "\n"


def _options(page: Page) -> Iterator[str]:
    """Yield a line per option of one command, and one for an argument with choices."""
    seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in page.words[1:])
    if page.verbs:
        verbs = " ".join(verb.words[-1] for verb in page.verbs)
        seen += f"; and not __fish_seen_subcommand_from {verbs}"
    for option in page.options:
        yield _option(option, seen)
    for argument in page.arguments:
        if argument.choices:
            alone = "" if "FILE" in argument.usage else "-f "
            offered = quoted(" ".join(argument.choices))
            yield f"complete -c mind -n {quoted(seen)} {alone}-a {offered}"


def _option(option: Option, where: str) -> str:
    """Return the line that offers one option where a condition holds."""
    words = ["complete -c mind", f"-n {quoted(where)}"]
    words += [f"-l {name[2:]}" for name in option.names if name.startswith("--")]
    words += [f"-s {name[1:]}" for name in option.names if not name.startswith("--")]
    words += ["-r"] if option.value else []
    words += [f"-f -a {quoted(' '.join(option.choices))}"] if option.choices else []
    return " ".join([*words, f"-d {quoted(option.help)}"])
