"""The version of the program, which a test compares with the package's."""

VERSION = "0.1.0"
