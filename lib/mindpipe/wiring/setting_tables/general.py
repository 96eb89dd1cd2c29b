"""Settings of the store, models, inboxes, security and spending."""

from mindpipe.wiring.setting import Setting

SETTINGS = (
    Setting(name="store", kind=str, default="mind.db", help="The store file."),
    Setting(name="model", kind=str, default=None, help="Model for agents that name none."),
    Setting(
        name="person.model", kind=str, default=None, help="Voice of all persons, not their own."
    ),
    Setting(name="tokenizer", kind=str, default="o200k_base", help="Counts the stored tokens."),
    Setting(name="now", kind=str, default=None, help="A standing wall clock, for golden files."),
    Setting(name="seed", kind=int, default=None, help="Makes ids and chance reproducible."),
    Setting(name="models", kind=str, default="models.toml", help="Compatible servers and prices."),
    Setting(
        name="embed.model",
        kind=str,
        default=None,
        help="Embedding model, as openai/NAME, local/NAME or local/FOLDER, or none.",
    ),
    Setting(
        name="knowledge.slots",
        kind=str,
        default=None,
        help="More slots of observations, as KIND.SLOT; spaces or commas between.",
    ),
    Setting(
        name="knowledge.windows",
        kind=str,
        default=None,
        help="Days after which a kind of observation is due, as KIND=DAYS.",
    ),
    Setting(name="inbox.max_bytes", kind=int, default=1 << 20, help="Size limit of one event."),
    Setting(name="inbox.max_open", kind=int, default=10_000, help="Open events an inbox may hold."),
    Setting(
        name="inbox.max_open_per_source", kind=int, default=10_000, help="The same, per source."
    ),
    Setting(
        name="inbox.ceilings",
        kind=str,
        default="tool:*=2",
        help="The most urgent priority of each source, as SOURCE=PRIORITY; * at the end.",
    ),
    Setting(name="inbox.lease_seconds", kind=float, default=60.0, help="How long a claim holds."),
    Setting(
        name="security.trust",
        kind=str,
        default=None,
        help="Sources on whose words every agent may act; spaces or commas between.",
    ),
    Setting(
        name="approvals.hours", kind=float, default=24.0, help="How long a call waits for a person."
    ),
    Setting(name="import.max_bytes", kind=int, default=64 << 20, help="Size limit of one line."),
    Setting(name="caps.call_micros", kind=int, default=None, help="Most one model call may cost."),
    Setting(name="caps.cycle_micros", kind=int, default=None, help="Most one cycle may cost."),
    Setting(
        name="caps.agent_day_micros", kind=int, default=None, help="Most an agent may spend a day."
    ),
    Setting(
        name="caps.think_day_micros", kind=int, default=None, help="Most a day's thinking may."
    ),
    Setting(name="caps.store_day_micros", kind=int, default=None, help="Most the whole day may."),
)
