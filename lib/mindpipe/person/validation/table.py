"""The table of validation: what the literature expects of a person, and where it is from.

Rows of group A were used to set a constant, or the model was built to satisfy them: they test the
implementation. Rows of group B were used for nothing. A row of B that is used for a change of a
constant moves to A; a row that comes out poor is published as poor.
"""

from mindpipe.person.validation.fitted import FITTED
from mindpipe.person.validation.row import Row
from mindpipe.person.validation.unfitted import UNFITTED

ROWS: tuple[Row, ...] = (*FITTED, *UNFITTED)
"""All rows, by their numbers from 1."""
