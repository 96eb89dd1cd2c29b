"""What each row of the table measures, by subject."""
