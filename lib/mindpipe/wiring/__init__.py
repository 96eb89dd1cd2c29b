"""The composition root: the one place that names SQLite, providers, the clock and chance."""
