"""What calls cost."""

from mindpipe.core.models import Target, Usage
from mindpipe.providers.model_names import parse_model_name, target_of
from mindpipe.providers.prices import PRICES, Price, cost_micros, price_of, upper_bound_micros
from support.tables import each_row


def target(name: str) -> Target:
    return target_of(parse_model_name(name))


HAIKU = target("anthropic/claude-haiku-4-5")


@each_row(
    ("usage", "micros"),
    [
        (Usage(input_tokens=1_000_000), 1_000_000),
        (Usage(output_tokens=1_000_000), 5_000_000),
        (Usage(cache_read_tokens=1_000_000), 100_000),
        (Usage(cache_write_tokens=1_000_000), 1_250_000),
        (Usage(input_tokens=10, output_tokens=10), 60),
        (Usage(cache_read_tokens=1), 1),
        (Usage(), 0),
    ],
)
def test_each_kind_of_token_has_its_price_and_sums_are_rounded_up(
    usage: Usage, micros: int
) -> None:
    assert cost_micros(usage, HAIKU) == micros


@each_row(
    ("name", "tokens", "into", "out"),
    [
        ("anthropic/claude-haiku-5-5", 100_000, 10_000, 500_000),
        ("anthropic/claude-haiku-5-5", 100_001, 50_001, 2_500_000),
        ("openai/gpt-5.4", 272_000, 680_000, 15_000_000),
        ("openai/gpt-5.4", 272_001, 1_360_005, 22_500_000),
    ],
)
def test_a_long_prompt_makes_the_whole_request_dearer(
    name: str, tokens: int, into: int, out: int
) -> None:
    assert cost_micros(Usage(input_tokens=tokens), target(name)) == into
    both = Usage(input_tokens=tokens, output_tokens=1_000_000)
    assert cost_micros(both, target(name)) == into + out


def test_a_dated_name_has_the_price_of_its_family() -> None:
    dated = target("anthropic/claude-haiku-4-5-20251001")
    assert price_of(dated) == price_of(HAIKU) != None  # noqa: E711 - a chain reads best here


@each_row("name", ["openai/llama-4-local", "anthropic/claude-nobody"])
def test_an_unknown_price_is_none_and_never_zero(name: str) -> None:
    assert cost_micros(Usage(input_tokens=1), target(name)) is None
    assert upper_bound_micros(1, 1, target(name)) is None


@each_row("name", ["program:./answer", "replay:turns.jsonl"])
def test_programs_and_recordings_cost_nothing(name: str) -> None:
    assert cost_micros(Usage(input_tokens=10**9), target(name)) == 0
    assert upper_bound_micros(10**9, 10**9, target(name)) == 0


def test_a_table_of_the_users_own_comes_first() -> None:
    free = {**PRICES, "llama": Price(input=0, output=0, cache_read=0, cache_write=0)}
    assert cost_micros(Usage(input_tokens=5), target("openai/llama"), free) == 0


@each_row("name", PRICES)
def test_no_call_costs_more_than_its_bound(name: str) -> None:
    maker = "anthropic" if name.startswith("claude") else "openai"
    model = target(f"{maker}/{name}")
    for tokens in (0, 1, 99_999, 100_001, 272_001, 900_000):
        bound = upper_bound_micros(tokens, 4096, model)
        assert bound is not None
        for usage in (
            Usage(input_tokens=tokens, output_tokens=4096),
            Usage(cache_write_tokens=tokens, output_tokens=4096),
            Usage(cache_read_tokens=tokens, output_tokens=4096),
        ):
            cost = cost_micros(usage, model)
            assert cost is not None
            assert cost <= bound


@each_row("name", PRICES)
def test_every_price_is_plausible(name: str) -> None:
    price = PRICES[name]
    assert 0 < price.cache_read <= price.input <= price.cache_write < price.output
