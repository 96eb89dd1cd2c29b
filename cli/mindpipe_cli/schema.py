"""`mind schema`: the JSON Schema of any record."""

import click
import msgspec

from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.session import Session
from mindpipe_cli.travelling import RECORDS, schema_of


@command("schema", example="mind schema event")
@click.argument("record", required=False)
def COMMAND(session: Session, record: str | None) -> None:
    """Print the JSON Schema of a record, or without RECORD the list of all records."""
    if record is None:
        listed = [{"record": name, "summary": entry.summary} for name, entry in RECORDS.items()]
        session.write(listed, columns=("record", "summary"))
        return
    pretty = msgspec.json.format(msgspec.json.encode(schema_of(record)), indent=2)
    output.write_text(f"{pretty.decode()}\n")
