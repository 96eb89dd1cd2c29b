from mindpipe.context.receipt import receipt
from mindpipe.context.records import LeftOut
from mindpipe.core.messages import Head
from mindpipe.history.rows import counted_text
from support.histories import TOOL, call, conversation, note, result, said, tool, user
from support.stores import WordTokens

SYSTEM = 'IDENTITY:\n  name: "Ava"\n\nINSTRUCTIONS:\n  - Be kind to all.'
OPENING = (
    user("INBOX (1 event):\n[Family] Husam (human): hi"),
    note("NOW: today\n\nGOALS:\n  - x"),
)


def test_every_section_and_the_history_and_the_news_are_counted_once() -> None:
    told = conversation(
        user("Hello."),
        said("Hi there."),
        *OPENING,
        head=Head(system=SYSTEM, tools=(TOOL,), summary="Earlier you met."),
    )
    shares = receipt(told, told.messages[2:], WordTokens())
    assert [share.section for share in shares] == [
        *("IDENTITY", "INSTRUCTIONS", "TOOLS", "SUMMARY", "HISTORY", "INBOX", "NOW", "GOALS")
    ]
    took = {share.section: share.tokens for share in shares}
    assert took.pop("TOOLS") > 0
    assert took == {
        "IDENTITY": 3,
        "INSTRUCTIONS": 6,
        "SUMMARY": 3,
        "HISTORY": 1 + 2,
        "INBOX": 7,
        "NOW": 2,
        "GOALS": 3,
    }


def test_the_history_counts_as_it_is_counted_when_it_is_stored() -> None:
    answered = (said(call(1, {"a": "b c"})), tool(result(1, "One two three.")), said("Done."))
    told = conversation(user("Hello."), *answered, *OPENING)
    shares = receipt(told, told.messages[4:], WordTokens())
    (history,) = (share.tokens for share in shares if share.section == "HISTORY")
    assert history == sum(len(counted_text(one).split()) for one in told.messages[:4]) == 9


def test_what_is_not_there_takes_nothing() -> None:
    told = conversation(*OPENING, head=Head(system=SYSTEM))
    took = {share.section: share.tokens for share in receipt(told, told.messages, WordTokens())}
    assert "SUMMARY" not in took
    assert took["HISTORY"] == 0


def test_a_message_counts_as_history_or_as_news_but_not_as_both() -> None:
    told = conversation(user("INBOX (1 event):\nhi"), said("Hi."), *OPENING)
    all_new = receipt(told, told.messages[2:], WordTokens())
    old = receipt(told, (), WordTokens())
    history = {share.section: share.tokens for share in old}["HISTORY"]
    assert history > {share.section: share.tokens for share in all_new}["HISTORY"] > 0
    assert [share.section for share in old][-1] == "HISTORY"


def test_the_last_share_names_whose_words_taint_a_request() -> None:
    told = conversation(*OPENING, head=Head(system=SYSTEM))
    shares = receipt(told, told.messages, WordTokens(), sources=("mail/bob",))
    assert (shares[-1].section, shares[-1].tokens, shares[-1].sources) == (
        "NOT TRUSTED",
        0,
        ("mail/bob",),
    )
    assert shares[:-1] == receipt(told, told.messages, WordTokens())


def test_what_did_not_fit_is_named_by_its_section_also_where_nothing_of_it_is_there() -> None:
    def out(block: str, place: int) -> LeftOut:
        return LeftOut(block=block, place=place, of=9, tokens=4, words="[msg:o_1] Husam …")

    system = 'SPACE HISTORY ("A: \\u005bNEW]"):\n  (a)\n\nSPACE HISTORY ("B"):\n  (b)'
    told = conversation(*OPENING, head=Head(system=system))
    first = out('SPACE HISTORY ("A: \\u005bNEW]")', 1)
    second, gone = out('SPACE HISTORY ("B")', 2), out("LESSONS", 3)
    shares = receipt(told, (), WordTokens(), left_out=(first, second, gone))
    named = [(one.section, one.left_out) for one in shares[:3]]
    assert named == [
        ("SPACE HISTORY", (first,)),
        ("SPACE HISTORY", (second,)),
        ("LESSONS", (gone,)),
    ]
    assert shares[2].tokens == 0
