"""Every rule of the validator in one list, with how sure it is."""

from typing import Literal, NamedTuple

Certainty = Literal["D", "E", "C", "R", "K"]
"""D documentation, E error text from public reports, C the SDK's source, R a recorded exchange,
K common knowledge that nobody has confirmed."""

Seen = Literal["body", "pair", "behaviour"]
"""Where a breach shows: in one body, in two bodies compared, or in no body at all."""


class Rule(NamedTuple):
    """One rule: how sure (K alone is a warning, unless the rule is ours) and where it is seen."""

    sure: Certainty
    title: str
    ours: bool = False
    seen: Seen = "body"

    @property
    def is_error(self) -> bool:
        """Say whether a breach is an error rather than a warning."""
        return self.ours or self.sure != "K"


RULES: dict[str, Rule] = {
    # Anthropic Messages
    "A1": Rule("D", "messages is not empty, each has a known role and content"),
    "A2": Rule("D", "consecutive messages of one role count as one", seen="behaviour"),
    "A3": Rule("E", "the first message is from the user", ours=True),
    "A4": Rule("E", "every call is answered in the next message"),
    "A5": Rule("E", "all results of a turn stand first in one user message"),
    "A6": Rule("E", "every result names a call of the previous message"),
    "A7": Rule("E", "one result per call"),
    "A8": Rule("E", "call ids are unique in the request"),
    "A9": Rule("E", "call ids use only letters, digits, _ and -"),
    "A10": Rule("E", "the input of a call is an object"),
    "A11": Rule("E", "tool names fit the pattern and are unique"),
    "A12": Rule("E", "no empty content"),
    "A13": Rule("E", "no empty or blank text block", ours=True),
    "A14": Rule("E", "a final assistant text does not end in white space"),
    "A15": Rule("E", "the request ends with a user message where prefill is refused", ours=True),
    "A16": Rule("E", "system messages inside the list stand only where newer models take them"),
    "A17": Rule("E", "with thinking on, an open tool loop begins with thinking"),
    "A18": Rule("E", "thinking of the latest assistant message is unchanged", seen="pair"),
    "A19": Rule("E", "a signature belongs to its block", seen="pair"),
    "A20": Rule("E", "nothing before a kept thinking block has changed", seen="pair"),
    "A21": Rule("D", "thinking is kept across compaction only if the API wrote it", seen="pair"),
    "A22": Rule("E", "a server tool result has its use before it in the turn"),
    "A23": Rule("D", "stop reasons", seen="behaviour"),
    "A24": Rule("D", "the body is at most 32 MB"),
    # OpenAI Chat Completions
    "O1": Rule("E", "messages is not empty"),
    "O2": Rule("K", "roles are system, developer, user, assistant or tool"),
    "O3": Rule("E", "calls are answered before any other role speaks"),
    "O4": Rule("E", "a tool message answers a call of the assistant message before it"),
    "O5": Rule("E", "a tool message has a tool_call_id"),
    "O6": Rule("E", "one answer per call"),
    "O7": Rule("E", "call ids are at most 40 characters"),
    "O8": Rule("E", "tool_calls is left out when empty"),
    "O9": Rule("E", "content is text or a list, and there unless the message has calls"),
    "O10": Rule("E", "a content list is not empty"),
    "O11": Rule("E", "function names fit the pattern"),
    "O12": Rule("E", "arguments is a string of valid JSON", ours=True),
    "O13": Rule("E", "a cut reply's calls are not run", seen="behaviour"),
    "O14": Rule("E", "strict servers: user and assistant take turns"),
    "O15": Rule("E", "strict servers: no user after tool, as many results as calls"),
    "O16": Rule("E", "strict servers: system only at the start"),
    "O17": Rule("E", "reasoning_content is not sent"),
    # OpenAI Responses
    "R1": Rule("C", "input is text or items with known roles"),
    "R2": Rule("E", "every call has an output"),
    "R3": Rule("E", "every output has its call before it"),
    "R4": Rule("C", "calls and outputs have a call_id, outputs an output"),
    "R5": Rule("E", "item ids have the prefix of their type"),
    "R6": Rule("E", "call_id is at most 64 characters"),
    "R7": Rule("R", "reasoning and what it led to stay together"),
    "R8": Rule("E", "no item id and no call_id is used twice"),
    "R9": Rule("E", "without storage, reasoning items are sent back whole"),
    "R10": Rule("E", "encrypted reasoning belongs to its organisation", seen="behaviour"),
    "R11": Rule("E", "item ids are kept or dropped on replay", seen="behaviour"),
    "R12": Rule("E", "arguments is a string of valid JSON"),
    "R13": Rule("K", "the whole history is sent, never previous_response_id", ours=True),
    # AI SDK ModelMessage
    "V1": Rule("C", "messages match the schema"),
    "V2": Rule("C", "messages is not empty; prompt and messages are alternatives"),
    "V3": Rule("C", "version 7: system text goes to instructions"),
    "V4": Rule("C", "each role has its own kinds of content"),
    "V5": Rule("C", "tool parts have the fields of their version"),
    "V6": Rule("C", "every call has a result or an approval before the next user message"),
    "V7": Rule("C", "an empty string content is not dropped and fails at the provider"),
    "V8": Rule("C", "pairs, ids, blank text, inputs and the end are sound", ours=True),
    # the canonical history
    "H1": Rule("D", "seq has no gaps; segment, cycle and turn never go back", ours=True),
    "H2": Rule("D", "a cycle is one user message, then turns; notes after user or tool", ours=True),
    "H3": Rule("D", "a turn is an assistant message and, if it has calls, one tool", ours=True),
    "H4": Rule("D", "a tool message answers each call once, in order, files behind", ours=True),
    "H5": Rule("D", "call ids are unique; results name calls of the message before", ours=True),
    "H6": Rule("D", "closed cycles end with an assistant message without calls", ours=True),
    "H7": Rule("D", "no empty message, no blank text", ours=True),
    "H8": Rule("D", "args is an object, or null when the call is invalid", ours=True),
    "H9": Rule("D", "raw is there exactly if a model spoke, and its hash fits", ours=True),
    "H10": Rule("D", "no unfinished turn in history", ours=True),
    "H11": Rule("D", "every segment has the hash of its head", ours=True),
    "H12": Rule("D", "every cycle is either covered by the summary or sent", ours=True),
    "H13": Rule("D", "text has no NUL and no lone surrogate", ours=True),
}

UNKNOWN_FIELD = "unknown-field"
"""The rule name of notes: a field or type that this validator does not know."""
