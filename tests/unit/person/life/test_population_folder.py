"""Persons in columns on disk live as those on lines do, however they are shared and broken off."""

from functools import partial
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import BadInputError, MindError, TemporaryError, UsageError
from mindpipe.core.records import to_json
from mindpipe.io.files import locked_folder
from mindpipe.person.body.bank import COLUMNS
from mindpipe.person.life.birth import Birth, first_state, new_persons
from mindpipe.person.life.lives import Lives
from mindpipe.person.life.population_folder import PopulationFolder, shared
from mindpipe.person.records.person import Habits, LearntFact, PersonSettings
from mindpipe.person.verbs import populations
from mindpipe.person.voice.composed import composed
from support.persons import aware, happening

pytest.importorskip("pyarrow", reason="persons in columns need the extra arrow")
HOUR_US = 3_600_000_000
COUNT, SHARD = 23, 5
