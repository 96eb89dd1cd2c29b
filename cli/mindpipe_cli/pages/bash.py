"""The completion script for bash."""

from mindpipe_cli.pages.offers import leaves, options_of
from mindpipe_cli.pages.tree import Page


def bash(program: Page) -> str:
    """Return the script for bash."""
    groups = [page for page in program.verbs if page.verbs]
    verbs = "".join(
        f"        {page.words[1]}) verbs='{' '.join(verb.words[-1] for verb in page.verbs)}' ;;\n"
        for page in groups
    )
    cases = "".join(map(_case, leaves(program)))
    return f"""# bash completion for mind; made by `mind docs write`.
_mind() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local verbs='' offered='--help' choices='' command=${{COMP_WORDS[1]}}
    COMPREPLY=()
    if (( COMP_CWORD == 1 )); then
        offered='{" ".join(page.words[1] for page in program.verbs)} --help --version'
        COMPREPLY=($(compgen -W "$offered" -- "$current"))
        return
    fi
    case $command in
{verbs}    esac
    if [[ -n $verbs && ${{COMP_WORDS[2]}} != -* ]]; then
        if (( COMP_CWORD == 2 )); then
            COMPREPLY=($(compgen -W "$verbs --help" -- "$current"))
            return
        fi
        command="$command ${{COMP_WORDS[2]}}"
    fi
    case $command in
{cases}    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$offered" -- "$current"))
    elif [[ -n $choices ]]; then
        COMPREPLY=($(compgen -W "$choices" -- "$current"))
        if [[ ${{COMPREPLY[0]-}} == *[=/:] ]]; then
            compopt -o nospace 2>/dev/null
        fi
    fi
}}
complete -o default -F _mind mind
"""


def _case(page: Page) -> str:
    """Return what bash offers after one command."""
    names = " ".join(name for option in options_of(page) for name in option.names)
    lines = [f"        '{' '.join(page.words[1:])}')", f"            offered='{names}'"]
    listed = [option for option in page.options if option.choices]
    choices = [choice for argument in page.arguments for choice in argument.choices]
    if listed or choices:
        lines.append("            case $before in")
        lines += [
            f"                {'|'.join(option.names)}) choices='{' '.join(option.choices)}' ;;"
            for option in listed
        ]
        lines += [f"                *) choices='{' '.join(choices)}' ;;"] if choices else []
        lines.append("            esac")
    return "\n".join([*lines, "            ;;\n"])
