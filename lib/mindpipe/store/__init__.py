"""The SQLite file: opening it safely, transactions, migrations, checks, backup and queries."""
