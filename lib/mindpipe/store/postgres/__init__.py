"""One schema of a PostgreSQL server as a Store."""
