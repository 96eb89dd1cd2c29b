"""What a timeline tells an agent of its own life."""
