"""The person against the literature: a table of targets, protocols that measure, one judge."""
