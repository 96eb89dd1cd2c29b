"""mind-mcp(7): an agent as the memory of other programs, over MCP and by hooks."""

from mindpipe_cli.manual.roff import Block, Manual, Sample, Section, Term, Text

STDIO = """\
{
  "mcpServers": {
    "mind": {
      "command": "mind",
      "args": ["mcp", "serve", "--agent", "ava", "--client", "claude-code"],
      "env": { "MIND_STORE": "/home/jo/mind.db" }
    }
  }
}"""
"""An .mcp.json that starts the server."""

_TOKEN = """\
umask 077
echo "claude-code $(openssl rand -hex 24)" > tokens
mind mcp serve --agent ava --http 8765 --token-file tokens"""

HTTP = """\
{
  "mcpServers": {
    "mind": {
      "type": "http",
      "url": "http://127.0.0.1:8765/mcp",
      "headers": { "Authorization": "Bearer ${AVA_TOKEN}" }
    }
  }
}"""
"""An .mcp.json that reaches one which runs."""

_TRUSTING = """\
mind agent trust add ava mcp-client:claude-code @mcp-claude-code
mind memory revoke --source mcp-client:claude-code --dry-run"""

HOOKS = """\
{
  "hooks": {
    "UserPromptSubmit": [
      { "hooks": [ {
        "type": "command",
        "command": "mind recall --store ~/mind.db --agent ava --hook -k 5"
      } ] }
    ],
    "SessionEnd": [
      { "hooks": [ {
        "type": "command",
        "command": "mind history import --store ~/mind.db --agent ava --format claude-code --hook"
      } ] }
    ]
  }
}"""
"""The hooks of Claude Code that recall before a prompt and keep a session."""

ANY = """\
echo "Where did we put the spare key?" | mind recall --agent ava --hook
mind history import --agent ava --format openai-chat --grown session.jsonl"""
"""The same for any other program."""

_NIGHTLY = """\
mind memory extract --agent ava
mind consolidate --agent ava"""

_BACK: tuple[Block, ...] = (
    Text(
        "mind history export writes each form that mind history import reads: claude-code (a "
        "session that its --resume goes on with), the conversations of the APIs (anthropic, "
        "openai-chat, openai-responses, ai-sdk), and the files of other applications. llm is a "
        "logs.db (LLM_USER_PATH names its folder) with a conversation that llm logs shows and "
        "llm -c goes on with; letta an agent file of one agent, which asks for its model where "
        "it is taken in, and has no tools, as those of Letta are Python source. chatgpt and "
        "claude-export are a conversations.json of one conversation: their makers take none in, "
        "but other chats (LibreChat) do. A conversation of an API or of Claude Code that was "
        "imported and not changed is given back byte for byte."
    ),
    Text(
        "mind memory list --format mem0 is a dump as get_all of mem0 returns it. mem0 takes in "
        "texts and no dump: give it each memory of it by add(..., infer=False)."
    ),
)
_SERVER: tuple[Block, ...] = (
    Text(
        "mind mcp serve lets an MCP client use the memory of an agent: Claude Code and most "
        "editors and chats are such clients. It needs the extra mcp (pip install "
        "'.[mcp]'). A client that starts servers itself gets this .mcp.json, or the same "
        "block in its own settings:"
    ),
    Sample(STDIO),
    Text(
        "A client that runs with another PATH does not find mind: write the whole path that "
        "command -v mind prints as its command. The same holds for hooks."
    ),
    Text(
        "Over HTTP one server serves several clients. It listens on this machine alone and wants "
        "a token with each request; the file holds NAME TOKEN, a line each, and is readable by you "
        "alone. MIND_MCP_TOKEN with one token does as well. No token stands on a command line."
    ),
    Sample(_TOKEN),
    Sample(HTTP),
    Text(
        "Requests for another host, and those of a web page (Origin), are refused. Clients of the "
        "handshake protocols and of the stateless one of 2026-07-28 are served alike, no request "
        "needs one before it, and a message has at most 4 MiB."
    ),
)
_TOOLS: tuple[Block, ...] = (
    Text(
        "Those that read are offered, each of the others with --with-tool NAME; --without-tool "
        "NAME takes one away. An answer is one JSON record a line, of each text 2,000 characters "
        "at most; what a verb refuses is told in one line."
    ),
    Term("recall", "What the agent remembers, holds true or lived through, best first."),
    Term("beliefs", "What it holds true, of a subject or of all, the best supported first."),
    Term("why", "Why one belief is held, down to the words that it stands on."),
    Term("history_search", "Words, or what answers a question, in all that it lived through."),
    Term("tickets", "What waits for a person. Nothing is decided here: see mind-ticket(1)."),
    Term("remember", "Adds: an item of memory, as mind memory add --source."),
    Term("push", "Adds: an event in its inbox, as mind inbox push --source."),
    Term(
        "ask",
        "Acts: says something to the agent, lets it think and returns its answer, as mind ask. "
        "That costs what the agent's model costs; its caps and limits hold.",
    ),
)
_TRUST: tuple[Block, ...] = (
    Text(
        "Whatever comes of a call is of the source mcp-client:NAME, where NAME is what --client or "
        "the token's line says. What a client calls itself is shown on stderr and counts for "
        "nothing. What it asks is said by mcp-NAME, a service, in a space of the two. Nobody "
        "trusts either unless you say so, so an unsafe tool that the agent calls on such words "
        "waits for you as a ticket; and all of it can be forgotten:"
    ),
    Sample(_TRUSTING),
    Text(
        "What is recalled goes to the client, and to whoever gives that its model. A line names "
        "whose unvouched words it holds (words_of): a client should take them as information."
    ),
)
_HOOKS: tuple[Block, ...] = (
    Text(
        "A program that has hooks needs no MCP to have a memory. In the settings of Claude Code "
        "(~/.claude/settings.json) these two read what it says on stdin:"
    ),
    Sample(HOOKS),
    Text(
        "mind recall --hook prints what bears on the prompt: at most -k things and 4,000 "
        "characters, each with its day, who said it and whose words nobody vouches for. Where "
        "nothing bears on it, nothing is printed and the status is 0. No failure ends with 2, by "
        "which a hook would take away what you typed."
    ),
    Text(
        "mind history import --hook takes what is new in the transcript that the hook names "
        "(--grown), and mends what a session left half done (--repair). Run again it changes "
        "nothing, and on a longer transcript it takes the rest. While the agent thinks it ends "
        "with 75, and the next time takes all. What was imported is tainted, until you trust it "
        "with --trust or mind history trust."
    ),
    Text("For any other program, with the prompt as plain text and the log in any form:"),
    Sample(ANY),
    Text("What was said is found at once. What follows from it comes later, e.g. nightly:"),
    Sample(_NIGHTLY),
)


def mcp_manual() -> Manual:
    """Return mind-mcp(7)."""
    name = Text("mind-mcp - an agent as the memory of other programs, over MCP and by hooks")
    see = "mind-mcp(1), mind-recall(1), mind-history(1), mind-security(7), mind-memory(7)"
    sections = (
        Section("NAME", (name,)),
        Section("THE SERVER", _SERVER),
        Section("ITS TOOLS", _TOOLS),
        Section("WHOSE WORDS", _TRUST),
        Section("HOOKS", _HOOKS),
        Section("THERE AND BACK", _BACK),
        Section("SEE ALSO", (Text(see),)),
    )
    return Manual("mind-mcp", 7, sections)
