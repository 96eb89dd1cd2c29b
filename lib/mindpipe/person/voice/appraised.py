"""How what happened is felt: what kind of thing it is to the tables, and which feeling it gives."""

from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import EventType
from mindpipe.person.voice.language import Language

GOOD, LOW = 0.2, -0.15
"""From which valence on something is good, or low."""
KINDS: dict[EventType, str] = {
    "speech": "speech",
    "action": "act",
    "touch": "act",
    "contact": "together",
    "news": "news",
    "task": "work",
    "food": "meal",
    "drink": "meal",
    "drug": "dose",
    "injury": "hurt",
    "pain": "hurt",
    "illness": "hurt",
    "threat": "threat",
    "goal": "aimed",
    "goal_done": "done",
    "concern": "worry",
    "exercise": "effort",
    "climate": "weather",
}
"""What kind of thing each type of event is to the tables; the others are happenings."""
DARK = frozenset(("grief", "sad", "anger", "fear", "worry", "shame", "hurting", "waiting"))
STRONG, SMALL = frozenset(("joy", "touched", "love", "proud_of")), 0.4
"""Feelings that a small good thing does not give, and below which importance one is small."""
TRIED = frozenset(("work", "threat", "effort"))
"""The kinds of what one does at which one can fail."""
GLAD = frozenset(("joy", "proud_of", "content"))
"""What nobody feels unmixed on the day on which somebody died."""
LIGHT = frozenset(("joy", "proud_of", "content", "relief", "touched", "love"))
SMALL_TALK = "small_talk"
_BY_KIND = {
    "work": "busy",
    "hurt": "hurting",
    "threat": "fear",
    "aimed": "set",
    "done": "relief",
    "worry": "worry",
    "effort": "content",
    "together": "content",
}


def is_failure(episode: Episode, language: Language) -> bool:
    """Tell whether somebody failed at a task or a trial, by the words of it; no joy is that."""
    kind, manners = kind_of(episode), language.manners
    if kind not in TRIED or episode.valence > 0 or not manners.tells_failure(episode.text):
        return False
    return kind == "work" or episode.topic == "exam" or manners.tells_trial(episode.text)


def kind_of(episode: Episode) -> str:
    """Return what kind of thing happened."""
    if episode.ended and not episode.is_over_well:
        return "done" if episode.ended == "done" else "missed"
    return KINDS.get(episode.type, "happening")


WEATHER_WORDS, WEIGHTY = 3, 0.6
"""By how many words news of the weather is known, and from which importance on it is more."""


def told_as(episode: Episode, language: Language) -> str:
    """Return as what kind of thing it is told: little words are told by what they mean."""
    kind = kind_of(episode)
    if kind == "together" and language.manners.tells_funeral(episode.text):
        return "happening"
    if _tells_weather(episode, language):
        return "weather"
    if kind != "speech" or not language.manners.is_small_talk(episode.text):
        return kind
    words = language.reader.read(episode.text, spoken=True, aimed=False)
    return kind if words.deeds or words.things or words.asked else SMALL_TALK


def _tells_weather(episode: Episode, language: Language) -> bool:
    """Tell whether news begins with the weather, and little hangs on it."""
    begins = " ".join(episode.text.split()[:WEATHER_WORDS])
    is_news = kind_of(episode) == "news" and episode.importance < WEIGHTY
    return is_news and bool(language.manners.weather_tags(begins))


def feeling(episode: Episode, language: Language) -> str:
    """Return how what happened is felt, as one of the feelings of the tables."""
    felt = _felt_of(episode, language)
    if felt in GLAD and language.manners.tells_defeat(episode.text):
        return "plain"
    if felt in LIGHT and language.manners.tells_funeral(episode.text):
        return "sad"
    if felt == "sad" and _tells_weather(episode, language):
        return "plain"
    small = episode.importance < SMALL and episode.valence < 3 * GOOD
    return "content" if felt in STRONG and small else felt


def _felt_of(episode: Episode, language: Language) -> str:
    """Return how what happened is felt, whatever it weighs."""
    manners, kind = language.manners, kind_of(episode)
    if is_failure(episode, language):
        return "shame"
    by_class = manners.feelings.get(episode.emotion, "")
    dark = episode.valence < LOW or by_class in DARK
    of_death = episode.topic == "bereavement" or manners.tells_death(episode.text)
    if dark and of_death and episode.topic != "death":
        return "grief"
    if by_class:
        return by_class
    tried = episode.topic == "exam" or manners.tells_trial(episode.text)
    if kind in ("work", "threat") and tried:
        return "fear"
    topic = manners.topics.get(episode.topic, "")
    if topic and topic != "grief" and (topic in DARK) == (episode.valence < 0):
        return topic
    return _by_valence(episode, kind)


def _by_valence(episode: Episode, kind: str) -> str:
    """Return how something is felt that has no class, by its kind and its valence."""
    if kind in _BY_KIND and (kind != "together" or episode.valence >= 0.0):
        return _BY_KIND[kind]
    if episode.valence >= 2 * GOOD:
        return "joy" if kind == "news" else "touched"
    if episode.valence >= GOOD:
        return "content"
    return "sad" if episode.valence < LOW else "plain"


def mood_of_memory(episode: Episode, language: Language) -> str:
    """Return whether a memory is good, bad or neither."""
    return f"m_{tone(episode, language)}"


def tone(episode: Episode, language: Language) -> str:
    """Return whether something that happened is `good`, `bad` or `plain`."""
    felt = feeling(episode, language)
    if felt in DARK:
        return "bad"
    return "good" if felt in LIGHT else "plain"
