"""Whatever bytes a reader gets: it reads them, or says in our words what is wrong with them."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindpipe.core.errors import MindError
from mindpipe.core.instants import later, normal_instant
from mindpipe.core.models import ModelFault
from mindpipe.core.text import one_line, safe_name, terminal_text, whole_text
from mindpipe.history.query import query_of
from mindpipe.inbox.rules import parse_ceilings
from mindpipe.plans.schedule import checked_line, parse_duration, zone_of
from mindpipe.providers.model_names import parse_model_name
from mindpipe.settings import SETTINGS, Settings, variable_of
from mindpipe_cli.schema import RECORDS, schema_of
from support.readers import documents_like, readers, record, sample_of

SLOW_MILLISECONDS = 60_000
LONG = pytest.param(20_000, marks=pytest.mark.long)
NAMES = sorted(readers(Path()))


def ours(read: Callable[[Any], object], given_: Any) -> bool:
    """Tell whether a reader takes something; it may only refuse it by an error of ours."""
    try:
        read(given_)
    except (MindError, ModelFault) as error:
        assert str(error).strip()
        return False
    return True


def tried(read: Callable[[Any], object], drawn: st.SearchStrategy[Any], many: int) -> int:
    """Try a reader with many inputs and return how many it refused."""
    refused = 0

    @settings(
        max_examples=many,
        deadline=SLOW_MILLISECONDS,
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn)
    def run(document: Any) -> None:
        nonlocal refused
        refused += not ours(read, document)

    run()
    return refused


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("many", [12, LONG])
def test_a_reader_refuses_in_our_words(name: str, many: int, tmp_path: Path) -> None:
    reader = readers(tmp_path)[name]
    refused = tried(reader.read, reader.documents, many)
    assert refused or name.startswith("import "), "nothing that was drawn was odd"


@pytest.mark.parametrize("name", sorted(RECORDS))
@pytest.mark.parametrize("many", [8, LONG])
def test_the_faults_of_a_record_are_all_named(name: str, many: int) -> None:
    entry = RECORDS[name]
    kind = getattr(importlib.import_module(entry.module), entry.type)
    sound = sample_of(schema_of(name))

    def read(octets: bytes) -> None:
        record(kind, octets)

    tried(read, documents_like(sound), many)
    # Of a few that are drawn all may be JSON; one that is none is refused for certain.
    assert not ours(read, b"{")


WORDS = st.text(max_size=30) | st.sampled_from(
    (
        *("2026-11-21T20:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
        *("0 9 * * *", "*/0 * * * *", "60 24 32 13 8", "@daily", "0 0 30 2 *", "L W # ?"),
        *("15m", "9" * 400 + "d", "-1s", "1e9h", "٣d", "Europe/Berlin", "../../etc/passwd", "/etc"),
        *("web=3", "web=", "=3", "a*=9", "*=1,*=2", "openai/x", "program:", "replay:\0", "\0"),
        *('"', "NEAR(", "a AND", "*", "a:b", "(", "\ud800", "\x1b]0;t\x07", "." * 65, ".."),
    )
)
PARSERS: dict[str, Callable[[str], object]] = {
    "instant": normal_instant,
    "later": lambda text: later(normal_instant(text), seconds=1e9),
    "name": safe_name,
    "line": lambda text: one_line(text, field="f", limit=20),
    "text": lambda text: whole_text(text, field="f", limit=20),
    "terminal": terminal_text,
    "query": query_of,
    "ceilings": parse_ceilings,
    "model": parse_model_name,
    "cron": checked_line,
    "zone": zone_of,
    "duration": parse_duration,
}


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.parametrize("many", [40, LONG])
def test_words_are_taken_or_refused_in_our_words(name: str, many: int) -> None:
    tried(PARSERS[name], WORDS, many)


@pytest.mark.parametrize("many", [40, LONG])
def test_variables_are_taken_or_refused_in_our_words(many: int, tmp_path: Path) -> None:
    names = st.sampled_from(list(map(variable_of, SETTINGS))) | st.text(
        st.characters(exclude_characters="=\0", codec="utf-8"), max_size=6
    ).map("MIND_".__add__)
    drawn = st.dictionaries(names, WORDS, max_size=3)

    def read(environment: dict[str, str]) -> object:
        return Settings(options={}, environment={**environment, "HOME": str(tmp_path)}).all()

    assert tried(read, drawn, many)
