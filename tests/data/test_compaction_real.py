"""Every recorded history is compacted by every strategy: valid arrays, calls with their answers."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.filter import CompactedConversation, over_messages, said_in
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.compaction.sizes import head_tokens
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation, Role, text_of
from mindpipe.history.rows import counted_text
from mindpipe.io.files import read_whole
from mindpipe.model_access import make_tokens
from mindpipe.providers.importer import read_documents
from mindpipe.providers.records import ImportOptions, RenderOptions
from support.command import Mind
from support.foreign_documents import encoded
from support.validation import FORMATS, errors
from support.whole_documents import export_document

SHARED = Path(__file__).parents[3] / "shared"
DATA = SHARED / "data"
SHARES = (0.10, 0.25, 0.50)
NO_MODEL: list[StrategyName] = [name for name in STRATEGIES if name != "model"]
TOKENS = make_tokens("o200k_base")
EVERYDAY_PART = 10

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the development data are not at {DATA}"),
]


def talks(form: str, octets: bytes) -> Iterator[Conversation]:
    """Yield what is said in each history of a document, repaired where it is broken itself."""
    options = ImportOptions(agent="ada", name="talk", at="2026-11-21T20:00:00Z", repair=True)
    for imported in read_documents(octets, format=form, options=options):
        assert not imported.problems
        if imported.messages:
            yield said_in(imported)


def recorded() -> Iterator[Conversation]:
    """Yield every recorded history, of whatever form."""
    for path in sorted((DATA / "tau_bench_dev").glob("*.gz")):
        yield from talks("openai-chat", read_whole(path))
    for path in sorted((DATA / "swe_agent").glob("*.traj")):
        yield from talks("openai-chat", path.read_bytes())
    for path in sorted((DATA / "claude_code").glob("*.jsonl")):
        yield from talks("claude-code", path.read_bytes())
    for path in sorted((DATA / "api_cassettes").glob("*.json")):
        for exchange in json.loads(path.read_bytes()):
            body = exchange["request"]
            if isinstance(body, dict) and {"input", "messages"} & body.keys():
                chat = "anthropic" if "anthropic" in exchange["uri"] else "openai-chat"
                yield from talks("openai-responses" if "input" in body else chat, encoded(body))


@pytest.fixture(scope="module")
def histories() -> list[Conversation]:
    """Return every recorded history that has two cycles or more."""
    return [one for one in recorded() if one.messages[0].cycle != one.messages[-1].cycle]


def windowed(
    talk: Conversation, strategy: StrategyName, share: float
) -> CompactedConversation | None:
    whole = sum(TOKENS.count(counted_text(message)) for message in talk.messages)
    budget = head_tokens(talk.head, count=TOKENS.count) + int(share * whole)
    wish = PlanOptions(agent="ada", strategy=strategy, budget=budget, keep_cycles=10)
    try:
        return over_messages(talk, wish, count=TOKENS.count, tokenizer=TOKENS.name)
    except NothingToDoError:
        return None


@pytest.mark.parametrize("part", [EVERYDAY_PART, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("strategy", NO_MODEL)
def test_every_window_is_valid_for_every_api(
    strategy: StrategyName, part: int, histories: list[Conversation]
) -> None:
    folded = 0
    # Each strategy begins at another one, so that together they have most.
    read = histories[NO_MODEL.index(strategy) % part :: part]
    for talk in read:
        for share in SHARES:
            found = windowed(talk, strategy, share)
            if found is None:
                continue
            folded += 1
            options = RenderOptions(keep_raw=False)
            for form in FORMATS:
                written = export_document(found.conversation, format=form, options=options)
                assert errors(form, json.loads(b"".join(written.chunks))) == []
    assert folded > len(read)


def figures(mind: Mind, *sets: str, wish: tuple[str, ...]) -> dict[tuple[str, float, str], dict]:
    """Return the rows of the bench over some sets of the data, by set, share and strategy."""
    folder = mind.folder / "sets"
    folder.mkdir()
    for name in sets:
        (folder / name).symlink_to(DATA / name)
    where = ("--data", str(folder), "--scorers", str(SHARED / "bench"))
    rows = mind.run("bench", "compaction", *where, *wish, seconds=600).records()
    return {(row["what"], row["share"], row["strategy"]): row for row in rows}


@pytest.mark.parametrize(
    ("sets", "strategies", "shares"),
    [
        (("tau_bench_dev",), NO_MODEL[:1], (0.25,)),
        pytest.param(("tau_bench_dev", "swe_agent"), NO_MODEL, SHARES, marks=pytest.mark.long),
    ],
)
def test_no_call_loses_its_answer_and_what_is_used_later_is_named(
    mind: Mind,
    sets: tuple[str, ...],
    strategies: list[StrategyName],
    shares: tuple[float, ...],
) -> None:
    wish = ("--shares", ",".join(map(str, shares)), *(f"--only={name}" for name in strategies))
    found = figures(mind, *sets, wish=wish)
    assert len(found) == 2 * len(sets) * len(shares) * len(strategies)
    for (name, _, _), row in found.items():
        faults = (row["orphans"], row["double"], row["invalid"])
        assert faults == ((0, 0, 0) if name in sets else (None, None, None)), row
    wanted = {(name, 0.5): 0.95 for name in sets} | {(name, 0.25): 0.85 for name in sets}
    wanted["tau_bench_dev, one life", 0.1] = 0.95
    for strategy in strategies:
        for (name, share), least in wanted.items():
            if share in shares:
                assert found[name, share, strategy]["named"] >= least, (name, share, strategy)


@pytest.mark.long
def test_a_tenth_of_a_dialogue_holds_what_is_asked_for(mind: Mind) -> None:
    wish = ("--only", "anchored", "--shares", "0.10", "--searchback")
    found = figures(mind, "locomo_dev", wish=wish)
    kept = found["locomo_dev", 0.1, "anchored"]
    assert kept["tokens"] <= 0.1
    assert kept["tokens_max"] <= 0.11
    assert kept["B"] >= 0.48
    searched = found["locomo_dev", 0.1, "anchored + search"]
    assert searched["A"] >= 0.85
    assert searched["B"] >= 0.89
    assert kept["B"] > found["locomo_dev", 0.1, "clauses"]["B"]
    assert kept["A_grounded"] >= kept["A_grounded_50"] >= kept["A_grounded_75"]


@pytest.mark.long
def test_a_tenth_of_a_chat_holds_no_less_than_the_users_newest_words(mind: Mind) -> None:
    found = figures(mind, "beam_100k_dev", wish=("--only", "anchored", "--shares", "0.10"))
    kept = found["beam_100k_dev", 0.1, "anchored"]
    users = found["beam_100k_dev", 0.1, "user-first"]
    assert kept["tokens"] <= 0.1
    assert kept["A_grounded"] >= users["A_grounded"]
    worse = {
        name: share
        for name, share in users["categories"].items()
        if kept["categories"][name] < share
    }
    assert worse == {}


NEGATION = re.compile(
    r"(?i)\b(?:no|not|never|none|nobody|nothing|neither|nor|nope|nah|without|cannot|false|wrong)\b"
    r"|n['’]t\b"
)
SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
SPOKEN = re.compile(r"\w+(?:['’]\w+)*")


NAMES_ALONE = ("- paths: ", "- ids: ", "- addresses: ")


def spoken_sentences(talk: Conversation) -> list[tuple[str, ...]]:
    """Return the words of each sentence that anybody says, in small letters."""
    texts = [text_of(message) for message in talk.messages if message.role is not Role.TOOL]
    found = (SPOKEN.findall(one.lower()) for text in texts for one in SENTENCES.split(text))
    return [tuple(words) for words in found]


@pytest.mark.parametrize("part", [EVERYDAY_PART, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("strategy", NO_MODEL)
def test_the_negations_of_a_window_are_those_of_its_source(
    strategy: StrategyName, part: int, histories: list[Conversation]
) -> None:
    denied = 0
    for talk in histories[NO_MODEL.index(strategy) % part :: part]:
        said = spoken_sentences(talk)
        own = [one for one in said if NEGATION.search(" ".join(one))]
        told_plainly = " | ".join(" ".join(one) for one in said if one not in own)
        found = windowed(talk, strategy, 0.25)
        if found is None or not own:
            continue
        summary = found.conversation.head.summary or ""
        # Names alone say nothing of anything.
        lines = [one for one in summary.split("\n") if not one.startswith(NAMES_ALONE)]
        pieces = [piece for line in lines for piece in line.split(" … ")]
        plain = [
            " ".join(SPOKEN.findall(piece.lower()))
            for piece in pieces
            if not NEGATION.search(piece)
        ]
        for words in own:
            # Six words in a row of a sentence with a negation, and none in what holds them.
            runs = {" ".join(words[at : at + 6]) for at in range(len(words) - 5)}
            for run in runs:
                denied += 1
                if any(run in piece for piece in plain):
                    assert run in told_plainly, (run, words)
    assert denied > 1000 // part
