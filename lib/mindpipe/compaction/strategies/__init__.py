"""The strategies of compaction, one pure function in each file, listed in `table.py`."""
