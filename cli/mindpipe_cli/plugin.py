"""`mind plugin`: what other installed packages add, and whether it does what its kind promises."""

import click

from mindpipe.core.errors import MindError, UsageError
from mindpipe.core.plugins import Plugin, PluginKind, plugin_of, plugins
from mindpipe.core.records import Record
from mindpipe.core.text import counted
from mindpipe_cli.command import command, group
from mindpipe_cli.session import Session

_KINDS = [kind.word for kind in PluginKind]


class FoundPlugin(Record):
    """One plugin that is installed: its kind, its name, where it is, and of which package."""

    kind: str
    name: str
    value: str
    package: str
    version: str


@command("list", example="mind plugin list")
def list_(session: Session) -> None:
    """Print every plugin that is installed; none is loaded."""
    found = [
        FoundPlugin(
            kind=one.kind.word,
            name=one.plugin,
            value=one.entry.value,
            package=one.entry.dist.name if one.entry.dist is not None else "",
            version=one.entry.dist.version if one.entry.dist is not None else "",
        )
        for one in plugins()
    ]
    session.write(found, columns=("kind", "name", "value", "package", "version"))


@command("check", example="mind plugin check models my_plugin:make small")
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("plugin")
@click.argument("name", default="")
@click.option("--sample", metavar="FILE", help="A file that the plugin reads.")
def check(session: Session, kind: str, plugin: str, name: str, sample: str | None) -> None:
    """Run the conformance suite of KIND over a plugin; status 1 if it fails anywhere.

    PLUGIN is one that is installed, as PLUGIN/NAME, or MODULE:FUNCTION of one that is being
    written, which is then asked for NAME. An importer must read the file of --sample, and refuse
    what is no such file; a reader must find a statement in some English sentences, or in the lines
    of --sample.
    """
    from mindpipe_cli import conformance

    wanted = PluginKind[kind.upper()]
    if wanted is PluginKind.IMPORTERS and sample is None:
        raise UsageError("an importer is tried with a file that it reads: --sample FILE.")
    found = conformance.check(_named(wanted, plugin, name), sample)
    session.write(found, columns=("check", "passed", "what"))
    if failed := sum(not one.passed for one in found):
        raise MindError(f"{plugin} fails {counted(failed, 'check')} of {len(found)}.")


def _named(kind: PluginKind, text: str, name: str) -> Plugin:
    """Return the plugin of that name, or the function that is named as MODULE:FUNCTION."""
    if (installed := plugin_of(kind, text)) is not None:
        return installed
    if ":" not in text:
        raise UsageError(
            f'no plugin "{text}" of {kind} is installed; name one of mind plugin list, or '
            "MODULE:FUNCTION."
        )
    from importlib.metadata import EntryPoint

    module = text.partition(":")[0]
    return Plugin(kind, module, name, EntryPoint(module, text, kind.value))


COMMAND = group("plugin", list_, check)
