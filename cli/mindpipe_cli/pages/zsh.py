"""The completion script for zsh."""

from collections.abc import Iterator

from mindpipe_cli.pages.offers import leaves, options_of, quoted
from mindpipe_cli.pages.tree import Page


def zsh(program: Page) -> str:
    """Return the script for zsh."""
    groups = "".join(
        f"        {page.words[1]})\n"
        f"            if [[ $words[3] == -* ]]; then\n"
        f"                offered=(--help)\n"
        f"            elif (( CURRENT == 3 )); then\n"
        f"                offered=({_described(_verbs(page))})\n"
        f"                _describe command offered\n"
        f"                return\n"
        f"            else\n"
        f'                command="$command $words[3]"\n'
        f"            fi ;;\n"
        for page in program.verbs
        if page.verbs
    )
    cases = "".join(map(_case, leaves(program)))
    names = _described((page.words[1], page.in_short) for page in program.verbs)
    return f"""#compdef mind
# zsh completion for mind; made by `mind docs write`.
_mind() {{
    local -a offered choices
    local command=$words[2] before=$words[CURRENT-1]
    if (( CURRENT == 2 )); then
        offered=({names})
        _describe command offered
        return
    fi
    case $command in
{groups}    esac
    case $command in
{cases}    esac
    if [[ $words[CURRENT] == -* ]]; then
        _describe -o option offered
    elif (( $#choices )); then
        [[ $choices[-1] == *[=/:] ]] && compadd -S '' -a choices || compadd -a choices || _files
    else
        _files
    fi
}}
# Loaded by compinit this file is the function; by eval it only defines it.
if [[ $funcstack[1] == _mind ]]; then
    _mind "$@"
else
    compdef _mind mind
fi
"""


def _verbs(page: Page) -> Iterator[tuple[str, str]]:
    """Yield the name and the summary of each verb of a group."""
    return ((verb.words[-1], verb.summary) for verb in page.verbs)


def _described(pairs: Iterator[tuple[str, str]]) -> str:
    """Return words with what they mean, as _describe reads them."""
    return " ".join(f"{quoted(_colons(word) + ':' + _colons(help_))}" for word, help_ in pairs)


def _case(page: Page) -> str:
    """Return what zsh offers after one command."""
    pairs = ((name, option.help) for option in options_of(page) for name in option.names)
    lines = [
        f"        {quoted(' '.join(page.words[1:]))})",
        f"            offered=({_described(pairs)})",
    ]
    listed = [option for option in page.options if option.choices]
    choices = [choice for argument in page.arguments for choice in argument.choices]
    if listed or choices:
        lines.append("            case $before in")
        lines += [
            f"                {'|'.join(option.names)}) choices=({' '.join(option.choices)}) ;;"
            for option in listed
        ]
        lines += [f"                *) choices=({' '.join(choices)}) ;;"] if choices else []
        lines.append("            esac")
    return "\n".join([*lines, "            ;;\n"])


def _colons(words: str) -> str:
    """Return words whose colons zsh does not take for the end of a name."""
    return words.replace(":", "\\:")
