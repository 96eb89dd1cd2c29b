"""The fixed scorers of the evaluation, run as programs that stand beside the project."""

import sys
import tempfile
from pathlib import Path

import msgspec

from mindpipe.core.errors import MindError, UnavailableError
from mindpipe.core.ports import Limits, ProgramCall
from mindpipe.io.programs import LocalPrograms

_SECONDS = 600.0
_OUTPUT = 16 << 20
_FAULTS_FOUND = 1
STRICTER = (0.5, 0.75)
"""Shares of a turn's rare words that must be left, beside the quarter that the scorer asks for."""


def no_data(what: str, folder: object) -> UnavailableError:
    """Return the error for data that are not there: they are in no package."""
    return UnavailableError(
        f"no {what} at {folder}. mind bench scores data that stand beside the project and are in "
        "no package; name their folder with --data."
    )


class SurvivalScore(
    msgspec.Struct, rename={"covered": "A", "grounded": "A_grounded", "answers": "B"}
):
    """What the scorer of survival says of a window: shares between 0 and 1."""

    tokens: float
    tokens_max: float
    covered: float
    grounded: float
    answers: float | None
    all: float
    categories: dict[str, float] = msgspec.field(name="A_by_category")
    search_tokens: float = 0.0
    grounded50: float | None = None
    grounded75: float | None = None


def _kept(found: object) -> SurvivalScore:
    """Read what the scorer of survival says of one window."""
    return msgspec.convert(found, SurvivalScore)


class PairCount(msgspec.Struct):
    """What the counter of pairs says of histories before and after."""

    after: dict[str, int]
    compared: dict[str, float]

    @property
    def orphans(self) -> int:
        """Return how many calls and results there are without the other."""
        return self.after["orphan calls"] + self.after["orphan results"]

    @property
    def calls_kept(self) -> float:
        """Return the share of the calls that are still there, unchanged."""
        return self.compared["calls_kept"] / max(1, self.compared["calls_before"])


class RecallScore(msgspec.Struct):
    """What the scorers of recall say of one ranking: shares between 0 and 1.

    `categories` are r@10 by the kind of question. Of updates and contradictions: the share of the
    pairs whose new side stands above the old, whose old side is among the first 20, and of those
    with both sides there.
    """

    r5: float
    r10: float
    r20: float
    mrr: float
    categories: dict[str, float]
    new_above_old: float | None = None
    old20: float | None = None
    both20: float | None = None


def _found(said: dict[str, object]) -> RecallScore:
    """Read what a scorer of recall says of one ranking."""
    shares = {
        name: msgspec.convert(part, dict[str, float])
        for name, part in said.items()
        if isinstance(part, dict) and ("r10" in part or name in ("updates", "contradictions"))
    }
    overall = shares.pop("overall")
    updates = shares.pop("updates", {})
    contradictions = shares.pop("contradictions", {})
    return RecallScore(
        r5=overall["r5"],
        r10=overall["r10"],
        r20=overall["r20"],
        mrr=overall["mrr"],
        categories={name: part["r10"] for name, part in shares.items()},
        new_above_old=updates.get("new_above_old"),
        old20=updates.get("old@20"),
        both20=contradictions.get("both@20"),
    )


class MarksScore(msgspec.Struct):
    """What marks on chats are worth: shares, and of how many labelled updates."""

    detected: float
    false_supersession: float
    settled_silently: float
    updates: int


class LifeBeliefs(msgspec.Struct):
    """What the scorer of lives says of beliefs: counts, traps by their kind."""

    active: int
    right: int
    facts: int
    stated: int
    ended_facts: int
    ended_active: int
    traps: dict[str, int]
    sprung: dict[str, int]


class LifeQuestions(msgspec.Struct):
    """What the scorer of lives says of what recall found: counts of questions."""

    asked: int
    top3: int
    stale_asked: int
    stale_above: int


class LifeScore(msgspec.Struct):
    """What the scorer of lives says of one life."""

    beliefs: LifeBeliefs
    questions: LifeQuestions


class Scorers:
    """The programs in one folder, each of which ends with one line of JSON.

    Raises UnavailableError where there is no such folder, MindError where one of them fails.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UnavailableError(
                f"no scorers at {folder}: they are in no package; name them with --scorers."
            )
        self._folder = folder.resolve()

    def prepare(self, dialogues: Path, into: Path) -> None:
        """Write the turns of each conversation, and what is asked of it, into a folder each."""
        script = "recall_beam.py" if dialogues.is_dir() else "recall_locomo.py"
        self._run(script, "prepare", str(dialogues.resolve()), str(into))

    def floor(self, dialogues: Path, share: float, *, search: bool) -> dict[str, SurvivalScore]:
        """Return what simple ways of keeping that share of the tokens keep, by their name.

        With `search` each stands there once more, with a search for each question.
        """
        more = ("--searchback", "fts") if search else ()
        way = ("--budget", str(share), *more)
        found = self._score("survival.py", str(dialogues.resolve()), *way)
        kept = {name: one for name, one in found.items() if isinstance(one, dict) and "A" in one}
        return {name.replace(f" {share:.0%}", ""): _kept(one) for name, one in kept.items()}

    def survival(self, dialogues: Path, window: bytes, hits: Path | None) -> list[SurvivalScore]:
        """Return what lines of windows keep, and what they do together with hits."""
        more = ("--searchback", str(hits)) if hits else ()
        way = (str(dialogues.resolve()), "-", *more)
        found = self._score("survival.py", *way, stdin=window)
        stricter = [self._stricter(share, *way, stdin=window) for share in STRICTER]
        return [
            msgspec.structs.replace(
                _kept(found[name]),
                grounded50=_kept(stricter[0][name]).grounded,
                grounded75=_kept(stricter[1][name]).grounded,
            )
            for name in ("window", "window + search")
            if name in found
        ]

    def _stricter(self, share: float, *words: str, stdin: bytes) -> dict[str, object]:
        """Run the scorer of survival, which asks for more of a turn before it is grounded."""
        program = (
            "import sys; sys.path.insert(0, sys.argv.pop(1)); import benchcommon, survival; "
            f"survival.GROUNDED = {share}; benchcommon.run(survival.main)"
        )
        argv = ("-c", program, str(self._folder), *words, "--json")
        return msgspec.json.decode(self._ran("survival.py", argv, stdin), type=dict[str, object])

    def recall_floor(self, dialogues: Path) -> dict[str, RecallScore]:
        """Return what simple full-text rankings find, by their name."""
        found = self._score("baseline_fts.py", str(dialogues.resolve()))
        rankings = {name: one for name, one in found.items() if isinstance(one, dict)}
        return {name: _found(one) for name, one in rankings.items() if "overall" in one}

    def recalled(self, dialogues: Path, hits: bytes) -> RecallScore:
        """Return what lines of hits find."""
        script = "recall_beam.py" if dialogues.is_dir() else "recall_locomo.py"
        return _found(self._score(script, "score", str(dialogues.resolve()), "-", stdin=hits))

    def verdicts(self, dialogues: Path) -> bytes:
        """Return the labelled updates and contradictions of a folder of chats, a line each."""
        return self._run("recall_beam.py", "labels", str(dialogues.resolve()))

    def judged(self, dialogues: Path, marks: bytes) -> MarksScore:
        """Return what lines of marks are worth: which message supersedes which."""
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            file.write(marks)
            file.flush()
            found = self._score("recall_beam.py", "marks", str(dialogues.resolve()), file.name)
        updates = msgspec.convert(found["updates"], dict[str, float])
        negatives = msgspec.convert(found["negatives"], dict[str, float])
        contradictions = msgspec.convert(found["contradictions"], dict[str, float])
        return MarksScore(
            detected=updates["detected"],
            false_supersession=negatives["false_supersession"],
            settled_silently=contradictions["settled_silently"],
            updates=int(updates["n"]),
        )

    def lived(
        self, life: Path, style: str, *, programs: Path, work: Path, environment: dict[str, str]
    ) -> LifeScore:
        """Return what is believed of a life, and found again, that was fed in one style.

        `programs` holds the commands that it is fed through, `environment` is theirs.
        """
        way = (str(life.resolve()), "--bin", str(programs), "--work", str(work), "--style", style)
        script = str(self._folder / "lives.py")
        words = (script, "run", *way, "--json")
        return msgspec.json.decode(
            self._ran("lives.py", words, b"", environment=environment), type=LifeScore
        )

    def pairs(self, before: Path, after: Path, *, plain: bool) -> PairCount:
        """Return the faults of the message arrays in a folder, and what they kept of those before.

        `plain` says that those before are chat messages already.
        """
        shape = () if plain else ("--swe",)
        old = str(before.resolve())
        found = self._score("pairs.py", *shape, "--before", old, "--after", str(after))
        return msgspec.convert(found, PairCount)

    def _score(self, script: str, *words: str, stdin: bytes = b"") -> dict[str, object]:
        """Run a scorer and return its line of JSON."""
        printed = self._run(script, *words, "--json", stdin=stdin)
        return msgspec.json.decode(printed, type=dict[str, object])

    def _run(self, script: str, *words: str, stdin: bytes = b"") -> bytes:
        """Run a scorer and return its stdout."""
        return self._ran(script, (str(self._folder / script), *words), stdin)

    def _ran(
        self,
        script: str,
        words: tuple[str, ...],
        stdin: bytes,
        *,
        environment: dict[str, str] | None = None,
    ) -> bytes:
        """Run words with the interpreter and return what they print."""
        ran = LocalPrograms().run(
            ProgramCall(
                argv=(sys.executable, *words),
                stdin=stdin,
                seconds=_SECONDS,
                output_bytes=_OUTPUT,
                environment=environment or {},
                limits=Limits(memory_bytes=4 << 30),
            )
        )
        if ran.status not in (0, _FAULTS_FOUND) or not ran.stdout:
            words_said = ran.stderr.decode("utf-8", "replace").strip()
            raise MindError(f"{script} ended with {ran.status}: {words_said or 'it said nothing'}")
        return ran.stdout
