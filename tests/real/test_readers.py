"""What others use to look into a life: Datasette, sqlite-utils, a browser, a trace receiver."""

import json
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from real.parts import CHROMIUM, DATASETTE, OTLP, SQLITE_UTILS, Part
from real.servers import free_port, running
from support.browser import rendered
from support.command import Mind, make_private

pytestmark = pytest.mark.real
LIFE = """
cat >answer <<'END'
#!/bin/sh
end=$(tail -c 4000)
case "${end##*'"role":"'}" in
tool*) echo '{"text":"Green, I noted it."}' ;;
*) echo '{"tool_calls":[{"name":"set_memory","arguments":{"key":"tea","value":"green"}}]}' ;;
esac
END
chmod 700 answer
mind init
mind agent new ava --model program:./answer
for n in 1 2 3; do
  mind inbox push --agent ava --text "I live in Bremen. My tea is green ($n)."
  mind think --agent ava
done
mind memory add --agent ava --text 'I live in Bremen.' --speaker husam
mind consolidate --agent ava || test $? = 3
"""
RECEIVER = """
import gzip, http.server, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as service

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        request = json_format.Parse(body, service.ExportTraceServiceRequest())
        spans = [s for r in request.resource_spans for g in r.scope_spans for s in g.spans]
        with open("spans", "a") as file:
            file.writelines(f"{span.trace_id.hex()} {span.name}\\n" for span in spans)
        answer = json_format.MessageToJson(service.ExportTraceServiceResponse()).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an agent that lived three cycles."""
    mind = Mind(make_private(tmp_path_factory.mktemp("read") / "life"))
    ran = mind.shell(LIFE)
    assert ran.status == 0, ran.words
    return mind.folder


@pytest.fixture
def lived(mind: Mind, life: Path) -> Mind:
    """Return a copy of that life."""
    return mind.like(life)


def test_sqlite_utils_reads_every_table_and_finds_words(
    lived: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(SQLITE_UTILS)

    def asked(*words: str) -> list[dict[str, object]]:
        command = [SQLITE_UTILS.program("sqlite-utils"), *words]
        done = subprocess.run(command, cwd=lived.folder, capture_output=True, check=True)
        found: list[dict[str, object]] = json.loads(done.stdout)
        return found

    tables = {str(row["table"]): row["count"] for row in asked("tables", "mind.db", "--counts")}
    assert len(tables) > 80
    assert tables["cycle"] == 3
    (row,) = asked("query", "mind.db", "SELECT count(*) AS n FROM message")
    assert row["n"] == tables["message"]
    assert lived("store", "check").status == 0
    shown(SQLITE_UTILS, "reads and counts every table of a store")


def test_datasette_serves_a_snapshot_with_its_queries(
    lived: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(DATASETTE)
    command = lived("store", "datasette", "snapshot").record()["command"].split()
    with running(
        [DATASETTE.program(command[0]), *command[1:], "--port", str(free_port())],
        ready=r"running on (http://[0-9.:]+)",
        folder=lived.folder,
        environment={},
    ) as served:
        address = f"{served.group(1)}/mind"
        with urllib.request.urlopen(f"{address}.json") as answer:
            found = json.load(answer)
        counts = {table["name"]: table["count"] for table in found["tables"]}
        assert counts["cycle"] == 3
        queries = [query["name"] for query in found["queries"]]
        for query in queries:
            given = "agent=ava&cycle=1&words=tea&_shape=array"
            with urllib.request.urlopen(f"{address}/{query}.json?{given}") as answer:
                assert json.load(answer) or query == "waiting"
    assert len(queries) > 3
    shown(DATASETTE, f"serves a snapshot and its {len(queries)} queries")


def test_a_receiver_of_the_official_types_takes_every_span(
    lived: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(OTLP)
    (lived.folder / "receiver.py").write_text(RECEIVER)
    with running(
        [OTLP.program("python"), "receiver.py"],
        ready=r"listening on (http://[0-9.:]+)",
        folder=lived.folder,
        environment={},
    ) as served:
        export = ("trace", "export", "--agent", "ava", "--endpoint", served.group(1))
        sent = lived(*export).record()
        first = (lived.folder / "spans").read_text().splitlines()
        assert (sent["cycles"], sent["spans"]) == (3, len(first))
        lived(*export)
        assert (lived.folder / "spans").read_text().splitlines() == first * 2
    shown(OTLP, f"takes 3 cycles as {sent['spans']} spans over HTTP; a second export is the same")


def test_chromium_shows_a_life_without_asking_anybody(
    lived: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(CHROMIUM)
    page = lived.folder / "life.html"
    page.write_bytes(lived("view", "--agent", "ava").stdout)
    for one in rendered(page, "/cycles", "/cycle/3", "/beliefs"):
        assert one.is_ready()
    shown(CHROMIUM, "renders the page of a life, offline")
