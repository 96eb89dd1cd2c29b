from mindpipe.context.receipt import chosen, may_be_stated, stems_of
from mindpipe.knowledge.records import BeliefStatus, Components, Observation
from support.tables import each_row

TEA = ("drink", "Husam prefers green tea.")
CITY = ("city", "Husam lives in Izmir.")
WORK = ("employer", "Husam works at a shipyard.")


def counted(*, against: float = 0.0, recency: float = 1.0, sources: int = 1) -> Components:
    """Return what some sources of one kind come to."""
    return Components(
        source_count=sources,
        source_diversity=min(sources, 1),
        support_weight=float(sources),
        contradiction_weight=against,
        recency_weight=recency,
        operator_confirmed_boost=0.0,
    )


def observation(slot: str, summary: str, **more: object) -> Observation:
    given = {
        "id": f"ob_{slot}",
        "kind": "operator_preference",
        "subject_type": "entity",
        "subject_id": "husam",
        "slot": slot,
        "canonical_key": f"entity:husam:operator_preference:{slot}",
        "value": "",
        "summary": summary,
        "confidence": 0.7,
        "components": counted(),
        "freshness": 0.9,
        "valid_from": "2026-11-01T00:00:00Z",
        "learnt": "2026-11-01T00:00:00Z",
        "revalidation_due_at": "2026-12-01T00:00:00Z",
    }
    return Observation(**{**given, **more})


def slots(budget: int, about: str, *known: Observation) -> list[str]:
    found = chosen(known, stems_of(about), budget=budget, cost=lambda _: 1)
    return [one.slot for one in found]


@each_row(
    ("more", "stated"),
    [
        ({}, True),
        ({"freshness": 0.5}, True),
        ({"components": counted(recency=0.1), "confidence": 0.465}, True),
        ({"components": counted(against=1.0)}, False),
        ({"components": counted(sources=0)}, False),
        ({"freshness": 0.49}, False),
        ({"freshness": 0.1, "pinned": True}, True),
        ({"status": BeliefStatus.STALE, "pinned": True}, False),
        ({"status": BeliefStatus.SUPERSEDED}, False),
        ({"status": BeliefStatus.INVALIDATED}, False),
        ({"contested": True}, True),
    ],
)
def test_only_what_is_believed_and_sure_and_fresh_is_stated(
    more: dict[str, object], *, stated: bool
) -> None:
    assert may_be_stated(observation(*TEA, **more)) is stated


def test_what_bears_on_the_present_comes_before_what_is_surer() -> None:
    known = [observation(*WORK), observation(*CITY), observation(*TEA)]
    assert slots(1, "", *known) == ["employer"]
    assert slots(1, "Which teas are there?", *known) == ["drink"]
    assert slots(1, "Is he living far from the sea?", *known) == ["city"]
    assert slots(2, "Any tea?", *known) == ["drink", "employer"]


def test_a_rare_word_says_more_than_one_that_all_share() -> None:
    known = [observation(*WORK), observation(*WORK), observation(*CITY)]
    assert slots(1, "Does Husam work in Izmir?", *known) == ["city"]


def test_what_is_pinned_comes_first() -> None:
    known = [observation(*CITY), observation(*WORK, pinned=True)]
    assert slots(1, "Izmir", *known) == ["employer"]


def test_the_same_choice_is_stated_in_the_same_order() -> None:
    known = [observation(*TEA), observation(*CITY), observation(*WORK)]
    orders = {tuple(slots(3, about, *known)) for about in ("tea", "Izmir", "shipyard", "")}
    assert orders == {("city", "drink", "employer")}


def test_what_does_not_fit_is_left_out_and_less_goes_on() -> None:
    known = [observation(*TEA), observation(*CITY), observation(*WORK)]
    costs = {"drink": 3, "city": 9, "employer": 2}
    found = chosen(known, stems_of(), budget=5, cost=lambda one: costs[one.slot])
    assert [one.slot for one in found] == ["drink", "employer"]


def test_words_that_say_nothing_of_a_subject_do_not_count() -> None:
    assert stems_of("What was that of the teas?") == {"tea"}
