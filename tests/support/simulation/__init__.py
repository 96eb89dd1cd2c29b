"""Days of a mind within minutes: processes that are real, in a time that is not."""
