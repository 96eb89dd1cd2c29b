"""Make a store as a release leaves it on a machine that died.

`PYTHONPATH=tests python -m support.released_stores` lives a small life with the commands of a
checkout (this one, or that of a release in another folder, named as the only argument) and keeps
the store as `fixtures/stores/SCHEMA.db.gz`. Ids and times are fixed; only the boot clock in leases
and the milliseconds of cycles are of their day.
"""

import contextlib
import gzip
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from support.command import ROOT, SECONDS, clean_environment

STORES = ROOT / "fixtures" / "stores"
LIFE = r"""
mind init
mind agent new ava --name Ava --instructions "You keep a family's books." --tool pay.json
mind agent new bo --tool pay.json
mind agent new cleo
mind agent new dan --tool pay.json
mind agent set dan --trust operator 2>refused || :
mind space new family --name Family
for who in ava bo; do mind space join family $who; done
mind space join family husam --kind human --name Husam
mind goal add --agent ava "Keep the books"
mind note set --agent ava tea green
mind plan add --agent ava "Daily report" "Write it." --cron "0 9 * * 1-5" --zone Europe/Berlin
mind plan add --agent ava "Call Sarah" --after 2h
mind history import --agent ava --format openai-chat chat.json
mind space post family --as husam "Good morning, all"
mind think --agent ava
mind think --agent bo
mind compact --agent ava --keep-cycles 0
mind compact undo --agent ava
mind compact --agent ava --keep-cycles 0
mind inbox push --agent dan --text "Pay the rent" --key rent
die act.after_effect:kill mind think --agent dan
sleep 0.2
mind think --agent dan
mind inbox push --agent cleo --text "This is poison" --key poison
for try in 1 2 3 4 5; do die reserve.after_commit:kill mind think --agent cleo; sleep 0.2; done
mind think --agent cleo || :
mind inbox push --agent cleo --text "For later" --due 2027-01-01
mind inbox push --agent ava --text "Pay the gas" --key gas
die record.after_commit:kill@2 mind think --agent ava
mind inbox push --agent ava --text "Something else" --key else
mind simulate new --name Mara --seed 7 --store mind.db
mind inbox push --agent mara --text "You did well." --sender husam
mind simulate run --person mara --until 07:10 --keep-states
mind memory add --agent ava items.jsonl
mind reflection make --agent ava
mind lesson add --agent ava --text "Pay the rent first."
mind entity add --agent ava entities.jsonl
mind entity relate --agent ava husam knows sarah
mind consolidate --agent ava
echo '{"text": "I live in Oslo.", "speaker": "husam"}' | mind memory add --agent ava
mind consolidate --agent ava --review
mind memory add --agent ava --text "The gas is paid."
mind recall --agent ava "Where does Husam live?"
"""
ENTITIES = """{"name": "Husam", "aliases": ["Hus"]}
{"name": "Sarah"}
"""
ITEMS = """{"text": "I live in Porto.", "speaker": "husam", "at": "2026-02-01T08:00Z"}
{"text": "I've moved to Bergen.", "speaker": "husam", "at": "2026-02-20T08:00Z"}
{"text": "My favourite tea is oolong.", "speaker": "husam", "at": "2026-02-02T08:00Z"}
"""
_SHELL = """set -eu
export MIND_TESTING=1
die() { point=$1; shift; env MIND_FAIL=$point MIND_INBOX_LEASE_SECONDS=0.1 "$@" || :; }
"""
MODEL_NAME = "program:./answer"
MODEL = """#!/usr/bin/env python3
import json, sys
messages = json.load(sys.stdin)["messages"]
cycle = messages[-1]["cycle"]
now = [one for one in messages if one["cycle"] == cycle]
turn = sum(one["role"] == "assistant" for one in now)
paying = "Pay" in now[0]["parts"][0]["text"]
def call(tool, **arguments):
    return {"name": tool, "arguments": arguments}
steps = [
    [call("send_message", text="I am on it.", space="family"), call("set_goal", text="Answer"),
     call("set_memory", key="husam", value="says good morning")] + [call("pay")] * paying,
    [call("set_plan", title="Look again", after="3h"), call("set_memory", key="gas", value="paid"),
     call("done", summary="Answered.")],
]
print(json.dumps({"text": "", "tool_calls": steps[min(turn, 1)], "stop_reason": "tool_use",
                  "usage": {"input_tokens": 900, "output_tokens": 40}}))
"""
TOOL = '{"name": "pay", "description": "Pay.", "command": ["echo", "paid"], "effect": "unsafe"}'
CHAT = """{"messages": [{"role": "user", "content": "What is left of May?"},
{"role": "assistant", "content": "Two bills."}]}"""


def make(checkout: Path) -> Path:
    """Live the life with the commands of a checkout; return the file that keeps its store."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        equip(folder, checkout)
        died = subprocess.run(
            ["sh", "-c", _SHELL + LIFE],
            cwd=folder,
            env={
                **clean_environment(folder),
                "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
                "PYTHONPATH": os.pathsep.join(str(checkout / part) for part in ("lib", "cli")),
                "MIND_MODEL": MODEL_NAME,
            },
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        assert died.returncode == 0, died.stderr.decode()
        octets, schema = _whole(folder / "mind.db")
    STORES.mkdir(exist_ok=True)
    file = STORES / f"{schema:04}.db.gz"
    assert not file.exists(), f"{file} is kept already; remove it if its schema is not released"
    file.write_bytes(gzip.compress(octets, 9, mtime=0))
    return file


def equip(folder: Path, checkout: Path) -> None:
    """Put the programs and documents of the life into its folder."""
    assert (checkout / "lib" / "mindpipe").is_dir(), f"no checkout at {checkout}"
    folder.chmod(0o700)
    (folder / "bin").mkdir(exist_ok=True)
    start = (
        f'#!/bin/sh\nexec {sys.executable} -c "from mindpipe_cli.main import main; main()" "$@"\n'
    )
    programs = {"bin/mind": start, "answer": MODEL}
    for name, script in programs.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o700)
    (folder / "pay.json").write_text(TOOL)
    (folder / "chat.json").write_text(CHAT)
    (folder / "items.jsonl").write_text(ITEMS)
    (folder / "entities.jsonl").write_text(ENTITIES)


def _whole(store: Path) -> tuple[bytes, int]:
    """Return a store as one file, its -wal taken in, and its schema's version."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        ((schema,),) = connection.execute("PRAGMA user_version").fetchall()
    return store.read_bytes(), schema


def kept() -> list[Path]:
    """Return the kept stores, oldest schema first."""
    return sorted(STORES.glob("*.db.gz"))


def open_kept(kept: Path, folder: Path) -> Path:
    """Unpack a kept store as the folder's mind.db, with the programs of its life beside it."""
    equip(folder, ROOT)
    store = folder / "mind.db"
    store.write_bytes(gzip.decompress(kept.read_bytes()))
    store.chmod(0o600)
    return store


if __name__ == "__main__":
    made = make(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
    sys.stdout.write(f"{made} {made.stat().st_size} bytes\n")
