"""Teach sqlite-utils, and everything that stands on it, our SQL functions."""

import sqlite3

from sqlite_utils import hookimpl

from mindpipe.store.functions import FUNCTIONS, passing_null


@hookimpl
def prepare_connection(conn: sqlite3.Connection) -> None:
    """Give a connection every function of the table."""
    for made in FUNCTIONS:
        conn.create_function(
            made.name, made.arguments, passing_null(made.function), deterministic=True
        )
