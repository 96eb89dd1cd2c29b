"""What models cost: list prices in micro-dollars per million tokens, and sums made with them.

Sources: the providers' public price pages (platform.claude.com, developers.openai.com) and, where
a page was not at hand, what several projects report of them; standard tier, text, cache writes for
the shortest time a provider offers. Prices change: what a table given by the user says comes first.
"""

from collections.abc import Mapping

from mindpipe.core.models import Target, Usage
from mindpipe.core.records import Record

AS_OF = "2026-11-21"
_MILLION = 1_000_000
_PERCENT = 100


class LongPrompt(Record):
    """Other prices for the whole of a request whose prompt is longer than `over` tokens.

    They are percentages of the ordinary ones.
    """

    over: int
    input_percent: int
    output_percent: int


class Price(Record):
    """Micro-dollars per million tokens of each kind."""

    input: int
    output: int
    cache_read: int
    cache_write: int
    long: LongPrompt | None = None


Prices = Mapping[str, Price]

LONG_GPT = LongPrompt(over=272_000, input_percent=200, output_percent=150)
LONG_HAIKU = LongPrompt(over=100_000, input_percent=500, output_percent=500)
FREE = Price(input=0, output=0, cache_read=0, cache_write=0)


def _price(
    sent: int, written: int, cache_read: int, cache_write: int, long: LongPrompt | None = None
) -> Price:
    """Return a price; the order is that of the columns of the table below."""
    return Price(
        input=sent, output=written, cache_read=cache_read, cache_write=cache_write, long=long
    )


# Providers that cost nothing, whatever the model is called.
FREE_PROVIDERS = frozenset({"composed", "program", "replay"})

# model: input, output, cache read, cache write
PRICES: dict[str, Price] = {
    "claude-fable-5-1": _price(10_000_000, 50_000_000, 250_000, 12_500_000),
    "claude-mythos-5-1": _price(10_000_000, 50_000_000, 250_000, 12_500_000),
    "claude-fable-5": _price(10_000_000, 50_000_000, 1_000_000, 12_500_000),
    "claude-mythos-5": _price(10_000_000, 50_000_000, 1_000_000, 12_500_000),
    "claude-opus-5-5": _price(4_000_000, 20_000_000, 200_000, 5_000_000),
    "claude-opus-5": _price(5_000_000, 25_000_000, 500_000, 6_250_000),
    "claude-opus-4-8": _price(5_000_000, 25_000_000, 500_000, 6_250_000),
    "claude-opus-4-7": _price(5_000_000, 25_000_000, 500_000, 6_250_000),
    "claude-opus-4-6": _price(5_000_000, 25_000_000, 500_000, 6_250_000),
    "claude-opus-4-5": _price(5_000_000, 25_000_000, 500_000, 6_250_000),
    "claude-opus-4-1": _price(15_000_000, 75_000_000, 1_500_000, 18_750_000),
    "claude-sonnet-5-5": _price(2_000_000, 10_000_000, 100_000, 2_500_000),
    "claude-sonnet-5": _price(2_000_000, 10_000_000, 200_000, 2_500_000),
    "claude-sonnet-4-6": _price(3_000_000, 15_000_000, 300_000, 3_750_000),
    "claude-sonnet-4-5": _price(3_000_000, 15_000_000, 300_000, 3_750_000),
    "claude-haiku-5-5": _price(100_000, 500_000, 10_000, 125_000, LONG_HAIKU),
    "claude-haiku-4-5": _price(1_000_000, 5_000_000, 100_000, 1_250_000),
    "gpt-6.2-astra": _price(8_000_000, 40_000_000, 400_000, 10_000_000, LONG_GPT),
    "gpt-6.1-sol": _price(2_000_000, 10_000_000, 100_000, 2_500_000, LONG_GPT),
    "gpt-6.1-terra": _price(1_000_000, 5_000_000, 50_000, 1_250_000, LONG_GPT),
    "gpt-6-astra": _price(10_000_000, 50_000_000, 1_000_000, 12_500_000, LONG_GPT),
    "gpt-6-sol": _price(2_000_000, 10_000_000, 200_000, 2_500_000, LONG_GPT),
    "gpt-6-luna": _price(100_000, 500_000, 10_000, 125_000, LONG_GPT),
    "gpt-5.6-sol": _price(4_000_000, 20_000_000, 400_000, 5_000_000, LONG_GPT),
    "gpt-5.6-terra": _price(2_000_000, 12_000_000, 200_000, 2_500_000, LONG_GPT),
    "gpt-5.6-luna": _price(200_000, 1_200_000, 20_000, 250_000, LONG_GPT),
    "gpt-5.5": _price(5_000_000, 30_000_000, 500_000, 5_000_000, LONG_GPT),
    "gpt-5.4": _price(2_500_000, 15_000_000, 250_000, 2_500_000, LONG_GPT),
    "gpt-5.4-mini": _price(750_000, 4_500_000, 75_000, 750_000),
    "gpt-5.4-nano": _price(200_000, 1_250_000, 20_000, 200_000),
    "gpt-5.2": _price(1_750_000, 14_000_000, 175_000, 1_750_000),
    "gpt-5.1": _price(1_250_000, 10_000_000, 125_000, 1_250_000),
    "gpt-5": _price(1_250_000, 10_000_000, 125_000, 1_250_000),
    "gpt-5-mini": _price(250_000, 2_000_000, 25_000, 250_000),
    "gpt-5-nano": _price(50_000, 400_000, 5_000, 50_000),
    "gpt-4.1": _price(2_000_000, 8_000_000, 500_000, 2_000_000),
    "gpt-4.1-mini": _price(400_000, 1_600_000, 100_000, 400_000),
    "gpt-4.1-nano": _price(100_000, 400_000, 25_000, 100_000),
    "gpt-4o": _price(2_500_000, 10_000_000, 1_250_000, 2_500_000),
    "gpt-4o-mini": _price(150_000, 600_000, 75_000, 150_000),
    "o3": _price(2_000_000, 8_000_000, 500_000, 2_000_000),
    "o3-mini": _price(1_100_000, 4_400_000, 550_000, 1_100_000),
    "o4-mini": _price(1_100_000, 4_400_000, 275_000, 1_100_000),
}


def price_of(target: Target, prices: Prices = PRICES) -> Price | None:
    """Return the price of a model, by its name or its family; None where it is not known.

    A server of the user's own has the price that the user's table gives it, 0 included.
    """
    if target.provider in FREE_PROVIDERS:
        return FREE
    return prices.get(target.model) or prices.get(target.family)


def cost_micros(usage: Usage, target: Target, prices: Prices = PRICES) -> int | None:
    """Return what a reply cost in micro-dollars, rounded up; None where the price is not known.

    Counts that the provider did not report are taken as 0: whoever needs a bound asks
    `upper_bound_micros`.
    """
    price = price_of(target, prices)
    if price is None:
        return None
    counts = (
        usage.input_tokens or 0,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
    )
    into, out = _percentages(price, sum(counts))
    rates = (price.input, price.cache_read, price.cache_write)
    sent = sum(count * rate for count, rate in zip(counts, rates, strict=True))
    written = (usage.output_tokens or 0) * price.output
    return _rounded_up(sent * into + written * out)


def upper_bound_micros(
    input_tokens: int, output_limit: int, target: Target, prices: Prices = PRICES
) -> int | None:
    """Return the most that a call can cost in micro-dollars; None where the price is not known.

    All input is taken at the dearest input rate, and the output as long as its limit.
    """
    price = price_of(target, prices)
    if price is None:
        return None
    into, out = _percentages(price, input_tokens)
    dearest = max(price.input, price.cache_write, price.cache_read)
    return _rounded_up(input_tokens * dearest * into + output_limit * price.output * out)


def _percentages(price: Price, prompt_tokens: int) -> tuple[int, int]:
    """Return the percentages for input and output at this length of the prompt."""
    if price.long is None or prompt_tokens <= price.long.over:
        return _PERCENT, _PERCENT
    return price.long.input_percent, price.long.output_percent


def _rounded_up(micros_times: int) -> int:
    """Return micro-dollars from a product of tokens, micro-dollars per million and percent."""
    return -(-micros_times // (_MILLION * _PERCENT))
