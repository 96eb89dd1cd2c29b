"""What always holds of a sound store's rows; recovery names the rows that break it."""

from mindpipe.store.records import Question

_RESTORE = "Nothing can mend such a row; use a backup."

INVARIANTS = (
    Question(
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
    Question(
        check="one open cycle",
        table="cycle",
        sql="SELECT agent || ' has ' || count(*) FROM cycle WHERE state='open' "
        "GROUP BY agent HAVING count(*) > 1 ORDER BY 1",
        advice=_RESTORE,
    ),
    Question(
        check="owner of leased events",
        table="event",
        sql="SELECT id FROM event WHERE state='leased' AND owner IS NULL ORDER BY seq",
        advice=_RESTORE,
    ),
    Question(
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
