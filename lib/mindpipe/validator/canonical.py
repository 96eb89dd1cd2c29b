"""Checks canonical histories: rules H1 to H13.

A history is a list of message rows. What stands beside the rows in the store may be given too:
`{"messages": [...], "segments": [{"segment": 3, "head": "<sha256>"}], "covers": [[1, 40]],
"sent": [[41, 60]]}`, with cycles as ranges that include both ends. H11 is checked where segments
are given, H12 where covers or sent is.
"""

from collections.abc import Iterable, Mapping

from mindpipe.validator.canonical_cycles import Cycles
from mindpipe.validator.canonical_heads import check_coverage, check_segments
from mindpipe.validator.canonical_parts import check_characters, check_parts, check_raw
from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_object, as_text, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind

ROLES = frozenset({"user", "assistant", "tool", "note"})
_HISTORY_FIELDS = frozenset({"messages", "segments", "covers", "sent"})


def check_mindpipe(body: object, *, profile: Profile, kind: Kind) -> list[Finding]:
    """Return every problem of a list of canonical rows or of an object with messages.

    As a request the rows are a window: they keep the numbers that they have in the log, of which
    some are left out, and may begin with a summary that nobody answers.
    """
    del profile  # the canonical form knows no models
    whole = kind == "history"
    if isinstance(body, list):
        return check_canonical(body, whole=whole)
    history = as_object(body)
    ledger = Ledger()
    ledger.unknown("", history.keys() - _HISTORY_FIELDS)
    rows = history.get("messages")
    if not isinstance(rows, list):
        ledger.add("H1", "messages", f"messages is a list of rows, not {type_name(rows)}")
        return ledger.findings
    check_segments(rows, history.get("segments"), ledger)
    check_coverage(rows, history, ledger)
    return check_canonical(rows, whole=whole) + ledger.findings


def check_canonical(
    rows: Iterable[object],
    *,
    raw_bytes: Mapping[str, bytes] | None = None,
    whole: bool = True,
) -> list[Finding]:
    """Return every problem of canonical rows, in the order of `seq`, of one or several agents.

    With `raw_bytes`, stored replies by their hash, the hashes of raw are computed and compared.
    Rows that are not `whole` are a window.
    """
    ledger = Ledger()
    agents: dict[str, Cycles] = {}
    for index, each in enumerate(rows):
        at = f"messages[{index}]"
        if not isinstance(each, dict):
            ledger.add("H1", at, f"a row is an object, not {type_name(each)}")
            continue
        row: dict[str, object] = each
        check_characters(at, row, ledger)
        role = as_text(row.get("role"))
        if role is None or role not in ROLES:
            what = f"the role is {row.get('role')!r}; use {', '.join(sorted(ROLES))}"
            ledger.add("H2", f"{at}.role", what)
            continue
        check_parts(at, role, row, ledger)
        check_raw(at, role, row, ledger, raw_bytes=raw_bytes)
        agent = as_text(row.get("agent")) or ""
        agents.setdefault(agent, Cycles(ledger, whole=whole)).read(at, role, row)
    for cycles in agents.values():
        cycles.end()
    return ledger.findings
