"""The settings that exist, one table for each part of the program."""
