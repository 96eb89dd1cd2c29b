"""The version of the program, which a test compares with the package's, and its day."""

VERSION = "0.1.0"
RELEASED = "2026-11-21"
