"""A population as two tables of DuckDB, `persons` and `readings`, and the questions to them.

The files are scanned, never loaded: of those that were found sound, a statement reads what it
names. DuckDB itself may touch no file and no network, and its settings are locked before a
statement is run.
"""

import functools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa
from pyarrow import dataset

from mindpipe.core.errors import BadInputError, InputOutputError, NothingToDoError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.person.body.columns import COPING, DISTORTIONS
from mindpipe.person.body.readouts import PHASES
from mindpipe.person.life import arrow, readings
from mindpipe.person.records.person import AGE_YEAR_US
from mindpipe.person.stats.conditions import Condition, Kind

Advance = Callable[[int, int], None]
_Some = list[tuple[object, ...]]
MEMORY = "1GB"
"""The most that DuckDB takes before it goes on in a folder on the disk, where it has one."""
SQL_SECONDS = 60
"""So long a statement that is not ours may take to the next of its rows, as any store's may."""
_ROWS = 1024
_LOOK_S = 0.1
WHO: dict[str, Kind] = {
    "person": "text",
    "seed": "number",
    "age": "number",
    **dict.fromkeys(("o", "c", "e", "a", "n"), "number"),
    "chronotype_h": "number",
    "loneliness_trait": "number",
    **dict.fromkeys((f"habit_{name}" for name in ("sleep", "meals", "drink", "toilet")), "flag"),
}
"""The columns by which persons are chosen, which do not change from one reading to another."""
WHEN: dict[str, Kind] = {
    "t_us": "number",
    "day": "number",
    "hour": "number",
    "awake": "flag",
    "isolation_phase": "text",
    **dict.fromkeys(readings.LEVELS, "number"),
}
"""The columns by which readings are chosen."""


class NamedQuestion(NamedTuple):
    """A question that has a name: what it answers, its columns, and its statement.

    In the statement `{persons}` and `{readings}` stand for those that are asked of. `of_readings`
    is whether single readings may be chosen, `kept` whether it needs any. `empty` says what it
    means that there is no row.
    """

    words: str
    columns: tuple[str, ...]
    sql: str
    of_readings: bool = False
    kept: bool = True
    empty: str = ""


_MOOD = """
    count(*) as readings, count(*) filter (awake) as awake,
    round(avg(valence) filter (awake), 6) as valence,
    round(avg(arousal) filter (awake), 6) as arousal,
    round(avg(energy) filter (awake), 6) as energy,
    round(avg(stress) filter (awake), 6) as stress
"""
# An instant stands for the span since the one before. Who turned in it did so once, at `since_us`;
# a night of which less was read than every hour is no night.
_NIGHTS = """
with instant as (
    select t_us, lag(t_us) over (order by t_us) as before_us
    from (select distinct t_us from readings)
), span as (
    select *, (t_us + 43200000000 - 1) // 86400000000 as night from instant
), whole as (
    select night from span group by night
    having sum(t_us - before_us) = 86400000000 and max(t_us - before_us) <= 3600000000
), slept as (
    select person, night, sum(
        if(awake, greatest(since_us - before_us, 0), t_us - greatest(since_us, before_us))
    ) / 3600000000 as hours
    from ({readings}) join span using (t_us) semi join whole using (night)
    group by person, night
)
"""
_NO_NIGHT = "no night was read whole, from noon to noon and at least every hour"
_LONELY = f"""
with instant as (
    select t_us, lag(t_us, 1, -1) over (order by t_us) as before_us
    from (select distinct t_us from readings)
), heard as (
    select person, event_us, t_us, phase >= {PHASES.index("loneliness")} as lonely
    from ({{readings}}) where event_us is not null
), first as (
    select person, event_us, min(t_us) as t_us from heard group by person, event_us
), begun as (
    select person, event_us from first join heard using (person, event_us, t_us)
    join instant using (t_us) where lonely and event_us > before_us
), spell as (
    select min(t_us) filter (not lonely) is not null as ended,
        cast(ceil((coalesce(min(t_us) filter (not lonely), max(t_us)) - event_us) / 3600000000)
            as bigint) as hour
    from heard semi join begun using (person, event_us) group by person, event_us
), hour as (
    select hour, count(*) filter (ended) as ended, count(*) filter (not ended) as censored
    from spell group by hour
), risk as (
    select *, sum(ended + censored) over (order by hour desc) as lonely from hour
)
"""
QUESTIONS: dict[str, NamedQuestion] = {
    "overview": NamedQuestion(
        "How many there are, how many are awake, and what was read of them.",
        ("persons", "t_us", "awake", "readings", "first_us", "last_us"),
        """
        select count(*) as persons, max(t_us) as t_us, count(*) filter (awake) as awake,
            (select count(*) from ({readings})) as readings,
            (select min(t_us) from ({readings})) as first_us,
            (select max(t_us) from ({readings})) as last_us
        from ({persons})
        """,
        kept=False,
    ),
    "mood-by-hour": NamedQuestion(
        "The mean mood of those who are awake, by the hour of the day.",
        ("hour", "readings", "awake", "valence", "arousal", "energy", "stress"),
        f"select hour, {_MOOD} from ({{readings}}) group by hour order by hour",
        of_readings=True,
    ),
    "mood-by-age-and-hour": NamedQuestion(
        "The same for each ten years of age, and for those of whom it is not known.",
        ("age", "hour", "readings", "awake", "valence", "arousal", "energy", "stress"),
        f"""
        select cast(floor((read.t_us - born_us) / {10 * AGE_YEAR_US}) * 10 as bigint) as age, hour,
            {_MOOD}
        from ({{readings}}) as read
            left join (select person, born_us from persons where born_us is not null)
            using (person)
        group by all order by age, hour
        """,
        of_readings=True,
    ),
    "sleep-by-night": NamedQuestion(
        "How long they slept from noon to noon, and how many under 6 hours.",
        ("night", "persons", "hours", "least", "most", "short"),
        _NIGHTS
        + """
        select night, count(*) as persons, round(avg(hours), 6) as hours, min(hours) as least,
            max(hours) as most, count(*) filter (hours < 6) as short
        from slept group by night order by night
        """,
        empty=f"{_NO_NIGHT}.",
    ),
    "bad-sleep": NamedQuestion(
        "Who slept under 6 hours from noon to noon, and when.",
        ("person", "night", "hours"),
        _NIGHTS
        + """
        select person, night, hours from slept where hours < 6 order by night, hours, person
        """,
        empty=f"nobody slept under 6 hours, or {_NO_NIGHT}; sleep-by-night tells which.",
    ),
    "loneliness-after-event": NamedQuestion(
        "Of those who are lonely after an event, what share still is so many hours later.",
        ("hour", "lonely", "ended", "censored", "share"),
        _LONELY
        + """
        select hour, cast(lonely as bigint) as lonely, ended, censored,
            round(product(1 - ended / lonely) over (order by hour), 6) as share
        from risk order by hour
        """,
        empty="nobody was read who is lonely after an event with words; --events give some.",
    ),
}
"""Each is asked of readings but the first. `share` is the estimate of Kaplan and Meier (1958):
whoever was read last while still lonely is censored."""


class StatsAnswer(NamedTuple):
    """The rows of an answer, its columns in order, and what it means where there is no row."""

    columns: tuple[str, ...]
    rows: Iterator[dict[str, object]]
    empty: str = ""


class PopulationTables:
    """The tables of a population, which can only be read."""

    def __init__(
        self, shards: Sequence[Path], read: Sequence[Path], *, t_us: int, spill: Path | None
    ) -> None:
        """Open them.

        Args:
            shards: The files of persons.
            read: The files of readings.
            t_us: The instant that the persons are at.
            spill: A folder for what does not fit into memory. A statement may write there, so that
                one that is not ours gets None.
        """
        self._connection = duckdb.connect(":memory:")
        self._kept = bool(read)
        run = self._connection.execute
        run(f"set memory_limit = '{MEMORY}'")
        run("set temp_directory = $1", [str(spill or "")])
        self._connection.register("shard", _scanned(shards, arrow.SCHEMA))
        self._connection.register("kept", _scanned(read, readings.SCHEMA))
        run(f"create view persons as {_persons(t_us)}")
        run(f"create view readings as {_READINGS}")
        for setting in _LOCKED:
            run(f"set {setting}")

    def ask(self, name: str, where: Sequence[Condition], advance: Advance) -> StatsAnswer:
        """Return the answer to a question that has a name.

        Raises:
            NothingToDoError: nothing was read of the persons, and the question is about that.
        """
        question = QUESTIONS[name]
        if question.kept and not self._kept:
            raise NothingToDoError(
                f"{name} is asked of readings, and there are none: mind simulate tick DIR --every "
                "1h keeps some."
            )
        values: list[float | bool | str] = []
        who = _where([one for one in where if one.column in WHO], values)
        when = _where([one for one in where if one.column not in WHO], values)
        persons = f"select * from persons{who}"
        chosen = f"select * from readings{when}"
        if who:
            chosen += f" {'and' if when else 'where'} person in (select person from persons{who})"
        sql = question.sql.replace("{persons}", persons).replace("{readings}", chosen)
        return self._answer(sql, values, advance)._replace(empty=question.empty)

    def query(self, sql: str, advance: Advance) -> StatsAnswer:
        """Return the answer to one statement that only reads.

        Raises:
            UsageError: it is not one, DuckDB does not take it, or it takes too long.
        """
        try:
            statements = self._connection.extract_statements(sql)
        except duckdb.Error as error:
            raise _refused(error) from None
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise UsageError("--sql takes one statement that only reads: select … from persons.")
        return self._answer(sql, [], advance, seconds=SQL_SECONDS)

    def close(self) -> None:
        """Close the tables; a statement that still runs ends."""
        self._connection.interrupt()
        self._connection.close()

    def _answer(
        self,
        sql: str,
        values: Sequence[object],
        advance: Advance,
        *,
        seconds: float = math.inf,
    ) -> StatsAnswer:
        """Run a statement, and return its rows as they are fetched."""
        first = self._awaited(functools.partial(self._begin, sql, values), advance, seconds)
        columns = tuple(str(one[0]) for one in self._connection.description or ())
        return StatsAnswer(columns, self._rows(columns, first, seconds))

    def _begin(self, sql: str, values: Sequence[object]) -> _Some:
        """Run a statement up to its first rows."""
        self._connection.execute(sql, list(values))
        return self._next()

    def _next(self) -> _Some:
        """Return the next rows."""
        return self._connection.fetchmany(_ROWS)

    def _awaited(self, run: Callable[[], _Some], advance: Advance, seconds: float) -> _Some:
        """Wait for some rows and tell how far they are; end the statement where we end."""
        until = time.monotonic() + seconds
        try:
            with ThreadPoolExecutor(1) as pool:
                running = pool.submit(run)
                try:
                    return self._watched(running, advance, until)
                except BaseException:
                    self._connection.interrupt()
                    raise
        except StillRunning:
            raise UsageError(f"--sql: it took longer than {seconds:g} seconds.") from None
        except duckdb.Error as error:
            # What we ask ourselves is sound: what cannot be answered is in the files.
            raise _refused(error, is_ours=seconds == math.inf) from None
        except pa.ArrowException as error:
            raise _broken(error) from None

    def _watched(self, running: "Future[_Some]", advance: Advance, until: float) -> _Some:
        """Return some rows once they are there; raises TimeoutError where they are not in time."""
        while True:
            try:
                return running.result(timeout=_LOOK_S)
            except StillRunning:
                if time.monotonic() > until:
                    raise
                advance(max(0, int(self._connection.query_progress())), 100)

    def _rows(
        self, columns: Sequence[str], some: _Some, seconds: float
    ) -> Iterator[dict[str, object]]:
        """Yield rows by their columns."""
        while some:
            yield from (dict(zip(columns, row, strict=True)) for row in some)
            some = self._awaited(self._next, lambda _done, _all: None, seconds)


def _listed(names: Sequence[str]) -> str:
    """Return names of our own as a list of SQL."""
    quoted = (f"'{name}'" for name in names)
    return f"[{', '.join(quoted)}]"


_LOCKED = (
    "python_enable_replacements = false",
    "autoinstall_known_extensions = false",
    "autoload_known_extensions = false",
    "allow_community_extensions = false",
    "enable_external_access = false",
    "lock_configuration = true",
)
_TEXTS = ("who", "meal_slots", "acts", "mind")
_OWN = ("coping_1", "coping_2", "distortions", *_TEXTS)
_READINGS = f"""
select t_us, t_us // 86400000000 as day, t_us // 3600000000 % 24 as hour, person, awake, since_us,
    phase,
    {_listed(PHASES)}[phase + 1] as isolation_phase, event_us,
    {", ".join(readings.LEVELS)}
from kept
"""


def _persons(t_us: int) -> str:
    """Return what the table of persons is: the columns of shards, codes and octets as words."""
    plain = [name for name in arrow.SCHEMA.names if name not in _OWN]
    coping, bent = _listed(COPING), _listed(DISTORTIONS)
    return f"""
    select {t_us} as t_us, cast(json_extract(decode(who), '$.born_us') as bigint) as born_us,
        ({t_us} - born_us) / {AGE_YEAR_US} as age,
        {", ".join(f'"{name}"' for name in plain)},
        {coping}[coping_1 + 1] as coping_1, {coping}[coping_2 + 1] as coping_2,
        list_filter({bent}, lambda name, place: (distortions >> (place - 1)) & 1 = 1)
            as distortions,
        {", ".join(f"decode({name}) as {name}" for name in _TEXTS)}
    from shard
    """


def _scanned(files: Sequence[Path], schema: pa.Schema) -> object:
    """Return what scans some files, or nothing, with these columns."""
    if not files:
        return schema.empty_table()
    return dataset.dataset([str(path) for path in files], schema=schema, format="ipc")


def _where(conditions: Sequence[Condition], values: list[float | bool | str]) -> str:
    """Return conditions as a clause, empty without any, and add their values to the others."""
    parts = []
    for column, sign, value in conditions:
        values.append(value)
        parts.append(f'"{column}" {sign} ${len(values)}')
    return f" where {' and '.join(parts)}" if parts else ""


def _refused(
    error: duckdb.Error, *, is_ours: bool = False
) -> UsageError | InputOutputError | BadInputError:
    """Return what DuckDB says of a statement, in one line."""
    words = str(error).split("\n", 1)[0].strip()
    if isinstance(error, duckdb.OutOfMemoryException):
        return InputOutputError(f"the answer needs more than {MEMORY} of memory: {words}")
    if isinstance(error, duckdb.IOException):
        return InputOutputError(f"the answer cannot be made: {words}")
    of_arrow = isinstance(error, duckdb.InvalidInputException) and "arrow" in words.lower()
    if is_ours or of_arrow:
        return _broken(error)
    return UsageError(words)


def _broken(error: Exception) -> BadInputError:
    """Return that a file is no shard, or no readings."""
    words = str(error).split("\n", 1)[0].strip()
    return BadInputError([Problem(source="population", message=words)])
