"""All migrations in their order; the position of the last one is the schema's version."""

import importlib

from mindpipe.core.records import Migration

# Name of the migration and the module that holds it in `MIGRATIONS`; a released line never changes.
SCHEMA = (
    ("0001_store", "mindpipe.store.schema"),
    ("0002_agents", "mindpipe.agents.tables"),
    ("0003_inbox", "mindpipe.inbox.tables.events"),
    ("0004_spaces", "mindpipe.spaces.tables"),
    ("0005_plans", "mindpipe.plans.tables"),
    ("0006_history", "mindpipe.history.tables"),
    ("0007_spending", "mindpipe.spending.tables"),
    ("0008_think", "mindpipe.engine.tables.journal"),
    ("0009_agent_sources", "mindpipe.agents.tables"),
    ("0010_event_sources", "mindpipe.inbox.tables.events"),
    ("0011_post_sources", "mindpipe.spaces.tables"),
    ("0012_plan_sources", "mindpipe.plans.tables"),
    ("0013_cycle_sources", "mindpipe.context.tables"),
    ("0014_tickets", "mindpipe.engine.tables.journal"),
    ("0015_loop", "mindpipe.workers.tables"),
    ("0016_compaction", "mindpipe.compaction.tables"),
    ("0017_counted_spending", "mindpipe.spending.tables"),
    ("0018_cached_tokens", "mindpipe.history.tables"),
    ("0019_person", "mindpipe.person.tables"),
    ("0020_review", "mindpipe.review.tables"),
    ("0021_memory", "mindpipe.memory.tables.schema"),
    ("0022_knowledge", "mindpipe.knowledge.tables.schema"),
    ("0023_recall", "mindpipe.recall.tables.index"),
    ("0024_vectors", "mindpipe.recall.tables.vectors"),
    ("0025_extraction", "mindpipe.memory.tables.items"),
    ("0026_chains", "mindpipe.spaces.tables"),
    ("0027_runs", "mindpipe.trigger_runs.tables"),
    ("0028_iterations", "mindpipe.engine.tables.iterations"),
    ("0029_sessions", "mindpipe.engine.tables.iterations"),
    ("0030_concerns", "mindpipe.engine.tables.attention"),
    ("0031_decisions", "mindpipe.decisions.tables"),
    ("0032_tasks", "mindpipe.tasks.tables"),
    ("0033_observed", "mindpipe.observers.tables"),
    ("0034_alerts", "mindpipe.monitoring.tables"),
    ("0035_left_out", "mindpipe.context.tables"),
    ("0036_later_events", "mindpipe.inbox.tables.glances"),
    ("0037_goal_priority", "mindpipe.agents.tables"),
    ("0038_recall_for_all", "mindpipe.recall.tables.index"),
    ("0039_waits", "mindpipe.trigger_runs.tables"),
    ("0040_post_waits", "mindpipe.spaces.tables"),
    ("0041_memory_not_replaced", "mindpipe.memory.tables.schema"),
    ("0042_knowledge_not_replaced", "mindpipe.knowledge.tables.schema"),
    ("0043_plan_outcomes", "mindpipe.plans.tables"),
    ("0044_edited_tickets", "mindpipe.engine.tables.journal"),
    ("0045_clamped_spending", "mindpipe.spending.tables"),
    ("0046_history_not_replaced", "mindpipe.history.tables"),
    ("0047_compaction_not_replaced", "mindpipe.compaction.tables"),
    ("0048_memory_speakers", "mindpipe.memory.tables.schema"),
    ("0049_knowledge_speakers", "mindpipe.knowledge.tables.schema"),
    ("0050_trusted_speakers", "mindpipe.agents.tables"),
    ("0051_voices_and_days", "mindpipe.knowledge.tables.schema"),
    ("0052_evidence_readers", "mindpipe.knowledge.tables.schema"),
    ("0053_values_by_name", "mindpipe.knowledge.tables.schema"),
    ("0054_person_charts", "mindpipe.review.tables"),
    ("0055_attachments", "mindpipe.history.tables"),
    ("0056_tickets_that_ask", "mindpipe.engine.tables.journal"),
    ("0057_call_times", "mindpipe.engine.tables.journal"),
    ("0058_changes", "mindpipe.store.changes"),
    ("0059_carried", "mindpipe.history.tables"),
    ("0060_operations", "mindpipe.life.tables.operations"),
    ("0061_rewinds", "mindpipe.life.rewinds.tables"),
    ("0062_person_ticks", "mindpipe.person.tables"),
    ("0063_redactions", "mindpipe.history.tables"),
    ("0064_posts_taken_back", "mindpipe.spaces.tables"),
    ("0065_recorded_answers", "mindpipe.engine.tables.journal"),
    ("0066_numbers", "mindpipe.store.numbers"),
    ("0067_moves", "mindpipe.store.move_mark"),
    ("0068_next_looks", "mindpipe.workers.tables"),
    ("0069_open_in_order", "mindpipe.inbox.tables.events"),
    ("0070_heard_by_a_replica", "mindpipe.store.changes"),
    ("0071_given_back", "mindpipe.store.numbers"),
)


def migrations() -> tuple[Migration, ...]:
    """Return every migration, oldest first."""
    return tuple(_find(name, module) for name, module in SCHEMA)


def _find(name: str, module: str) -> Migration:
    """Return the migration of that name from the module that owns its tables."""
    found: tuple[Migration, ...] = importlib.import_module(module).MIGRATIONS
    return next(migration for migration in found if migration.name == name)
