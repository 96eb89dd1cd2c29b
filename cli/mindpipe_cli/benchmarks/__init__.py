"""What `mind bench` measures: its data, the scorers beside the project, and a table of each."""
