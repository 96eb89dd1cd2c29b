"""What people ask of a population: its states and its readings as tables of DuckDB."""
