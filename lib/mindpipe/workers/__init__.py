"""Workers: the processes of mind run, each life of which is a worker session."""
