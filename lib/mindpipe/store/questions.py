"""What a check asks the rows of a store: what deserves a look, and what always holds of them."""

from mindpipe.core.ports import Pair
from mindpipe.recall.tables.feeds import FEEDS
from mindpipe.store.records import SqlQuestion

_BEHIND = " UNION ALL ".join(
    f"SELECT count(*) || ' of {feed.table}' FROM {feed.table} WHERE number > (SELECT "
    f"coalesce(max(last), 0) FROM recall_mark WHERE source = '{feed.source}') HAVING count(*) > 0"
    for feed in FEEDS
)
_UNDECIDED = "SELECT id FROM ticket WHERE state IN ('pending', 'approved')"
_BY_EXPIRY = "ORDER BY expires, id"
QUESTIONS = (
    SqlQuestion(
        check="stale agent leases",
        table="agent_lease",
        sql="SELECT agent FROM agent_lease WHERE owner IS NOT NULL "
        "AND (boot != :boot OR seconds <= :seconds) ORDER BY 1",
        advice="The next mind think takes the agent over.",
    ),
    SqlQuestion(
        check="stale event leases",
        table="event",
        sql="SELECT id FROM event WHERE state='leased' "
        "AND (lease_boot != :boot OR lease_seconds <= :seconds) ORDER BY seq",
        advice="The next claim takes them over.",
    ),
    SqlQuestion(
        check="dead events",
        table="event",
        sql="SELECT id FROM event WHERE state='dead' ORDER BY seq",
        advice="Read why with mind inbox list --state dead, then mind inbox redrive.",
    ),
    SqlQuestion(
        check="attachments without bytes",
        table="attachment",
        sql="SELECT name || ' of ' || owner FROM attachment WHERE NOT EXISTS "
        "(SELECT 1 FROM blob WHERE blob.sha256 = attachment.sha256) ORDER BY owner, place",
        advice="They were removed; a model is told so in their place.",
    ),
    SqlQuestion(
        check="open cycles",
        table="cycle",
        sql="SELECT agent || ' ' || cycle FROM cycle WHERE state='open' ORDER BY 1",
        advice="The next mind think of that agent goes on with it.",
    ),
    SqlQuestion(
        check="unknown calls",
        table="call",
        sql="SELECT id FROM call WHERE state='unknown' AND id NOT IN "
        "(SELECT call FROM ticket WHERE state IN ('was_done', 'was_not_done', 'dismissed', "
        "'executed', 'failed') AND call IS NOT NULL) ORDER BY 1",
        advice="Find out whether it ran; its ticket names it.",
    ),
    SqlQuestion(
        check="tickets",
        table="ticket",
        sql="SELECT id FROM ticket WHERE state IN ('pending', 'open', 'unknown') "
        "ORDER BY created, id",
        advice="Somebody has to decide.",
    ),
    SqlQuestion(
        check="taint of a cycle",
        table="agent",
        sql="SELECT name FROM agent WHERE body ->> '$.taint_scope' = 'cycle' ORDER BY 1",
        advice="Weaker: what older cycles read counts no more. mind agent set NAME --unset "
        "taint-scope counts it.",
    ),
    SqlQuestion(
        check="tickets near expiry",
        table="ticket",
        sql=Pair(
            sqlite=f"{_UNDECIDED} AND julianday(expires) < julianday(:now, '+1 hour') {_BY_EXPIRY}",
            postgres=f"{_UNDECIDED} AND expires::timestamptz < "
            f"cast(:now AS timestamptz) + interval '1 hour' {_BY_EXPIRY}",
        ),
        advice="Decide within the hour, or the answer is no.",
    ),
    SqlQuestion(
        check="breakers",
        table="breaker",
        sql="SELECT model || CASE WHEN boot = :boot "
        "AND CAST(body ->> '$.opened' AS DOUBLE PRECISION) "
        "+ CAST(body ->> '$.pause' AS DOUBLE PRECISION) > :seconds "
        "THEN ' left alone' ELSE ' tried once more' END FROM breaker "
        "WHERE body ->> '$.opened' IS NOT NULL AND model NOT LIKE 'compaction of %' ORDER BY 1",
        advice="Its provider kept failing; see that it works.",
    ),
    SqlQuestion(
        check="reserved spend",
        table="ledger",
        sql="SELECT id FROM ledger WHERE state='reserved' ORDER BY at, id",
        advice="It counts in full until its cycle goes on.",
    ),
    SqlQuestion(
        check="stale consolidations",
        table="consolidation_window",
        sql="SELECT agent || ' ' || number FROM consolidation_window WHERE state='claimed' "
        "AND (boot != :boot OR seconds <= :seconds) ORDER BY 1",
        advice="The next mind consolidate of that agent goes on with it.",
    ),
    SqlQuestion(
        check="queued decisions",
        table="observation_decision",
        sql="SELECT id FROM observation_decision WHERE state='queued' ORDER BY number",
        advice="Somebody has to decide: mind observation approve, or deny.",
    ),
    SqlQuestion(
        check="recall index",
        table="recall_mark",
        sql=_BEHIND,
        advice="The next mind recall takes it in.",
    ),
    SqlQuestion(
        check="embedding models",
        table="vector_model",
        sql="SELECT name FROM vector_model WHERE (SELECT count(*) FROM vector_model) > 1 "
        "ORDER BY number",
        advice="Vectors of several; only those of embed.model are searched.",
    ),
)
"""What deserves a look; each finds a line of text for each such row."""

_RESTORE = "Nothing can mend such a row; use a backup."

INVARIANTS = (
    SqlQuestion(
        check="one result per call",
        table="message",
        sql="SELECT said.agent || ' ' || (part.value ->> '$.id') "
        "FROM message AS said, json_each(said.parts) AS part "
        "WHERE said.role='assistant' AND part.value ->> '$.type' = 'call' AND 1 != ("
        "SELECT count(*) FROM message AS answer, json_each(answer.parts) AS result "
        "WHERE answer.agent=said.agent AND answer.cycle=said.cycle AND answer.role='tool' "
        "AND result.value ->> '$.call' = part.value ->> '$.id') ORDER BY said.number",
        advice=_RESTORE,
    ),
    SqlQuestion(
        check="one open cycle",
        table="cycle",
        sql="SELECT agent || ' has ' || count(*) FROM cycle WHERE state='open' "
        "GROUP BY agent HAVING count(*) > 1 ORDER BY 1",
        advice=_RESTORE,
    ),
    SqlQuestion(
        check="owner of leased events",
        table="event",
        sql="SELECT id FROM event WHERE state='leased' AND owner IS NULL ORDER BY seq",
        advice=_RESTORE,
    ),
    SqlQuestion(
        check="sums of the ledger",
        table="ledger",
        sql="SELECT agent || ' ' || cycle FROM cycle "
        "WHERE state != 'open' AND outcome != 'imported' AND cost_micros != ("
        "SELECT coalesce(sum(micros), 0) FROM ledger WHERE ledger.agent=cycle.agent "
        "AND ledger.cycle=cycle.cycle AND ledger.purpose='think' "
        "AND ledger.state != 'void') ORDER BY 1",
        advice=_RESTORE,
    ),
)
"""What must find nothing: rows that no command can have left so."""
