"""The SQL of lives: which rows they are, what is recorded of them, the steps they are taken by."""
