# Everything a developer or CI types; `make` alone says what there is.
.SUFFIXES:
.PHONY: help setup test test-heavy test-long setup-real test-real promises month soak demo bench structure lock man clean

VENV = .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
NEWEST = python3 python3.14 python3.13 python3.12 python3.11
IS_NEW = -c 'import sys; print(sys.argv[1] if sys.version_info >= (3, 11) else "")'
PYTHON = $(firstword $(foreach name,$(NEWEST),$(shell $(name) $(IS_NEW) $(name) 2>/dev/null)))

help:
	@echo 'make setup      make .venv and install all that tests need into it (1.7 GB)'
	@echo 'make demo       watch a small life, and a day of a person, in .venv: offline, no key'
	@echo 'make test       format, lint, types, layers, docs, and the light tests'
	@echo 'make test-heavy the heavy tests; CI runs make test, and then these'
	@echo 'make test-long  the nightly tier of the tests, and new generated examples'
	@echo 'make test-real  run it with real parts of others; RECORD=1 keeps the table for the README'
	@echo 'make promises   prove what mindpipe promises, on this machine; SUITE=storm for one suite'
	@echo 'make month      live a simulated month with everything switched on; out/month.md tells of it'
	@echo 'make soak       a long life under kills; HOURS=24 [1]'
	@echo 'make bench      a table of speeds, as ratios to a baseline'
	@echo 'make structure  count the code and the way of a push and a cycle through it; TREE=PATH'
	@echo 'make lock       renew requirements.lock from pyproject.toml'
	@echo 'make man        how to read the manual pages'
	@echo 'make clean      remove .venv and everything that was made'

setup: $(READY)

# The venv is kept as long as no file changes. The last package holds only weights (84 MB), not what
# they need elsewhere: most tests do without it, so that it need not be there for ever. The lock names
# all there is, so that nothing has to be resolved; a module is compiled when it is first imported.
PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile

$(READY): requirements.lock requirements-embed.lock pyproject.toml
	$(if $(PYTHON),,$(error mindpipe needs Python 3.11 or newer; install it, e.g. apt install python3))
	$(if $(shell $(PYTHON) -c 'import ensurepip, venv; print(1)' 2>/dev/null),,$(error $(PYTHON) cannot make a venv; install that part of it, e.g. apt install python3-venv))
	@echo 'making $(VENV) with $(PYTHON); this takes a minute'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@$(PIP_INSTALL) --no-build-isolation --editable .
	@$(PIP_INSTALL) --require-hashes -r requirements-embed.lock \
	  || echo 'the embedding model for tests was not fetched; tests that need it are skipped'
	@touch $(READY)

test: $(READY)
	@tests/check

test-heavy: $(READY)
	@tests/check heavy

test-long: $(READY)
	@$(BIN)/pytest -q -n 2 -m 'long or hypothesis' --hypothesis-profile=random

# Programs and packages of others, below .venv-real; what cannot be had is named, and left out.
REAL = $(CURDIR)/out/real_parts.jsonl

setup-real: $(READY)
	@$(BIN)/python tests/real/parts.py

test-real: setup-real
	@mkdir -p out && rm -f $(REAL)
	@MINDPIPE_REAL_PARTS=$(REAL) $(BIN)/pytest -q -rs -m real tests/real; \
	  said=$$?; \
	  $(BIN)/python tests/real/report.py $(REAL) $(if $(RECORD),--record fixtures/real_parts.jsonl) \
	  $(if $(RECORD),&& $(BIN)/mind docs write) && exit $$said

# TIER=long takes the long tier; RECORD=1 keeps the figures for the README.
SUITE =
TIER = everyday
HOURS = 1
PROOFS = $(CURDIR)/out/proofs.jsonl
# What can have its stores on a server, and what starts servers itself.
THERE = tests/promises tests/conformance
OWN = $(wildcard tests/store/test_server_*.py)
ONLY = $(if $(SUITE),$(wildcard tests/promises/test_$(SUITE).py tests/promises/test_$(SUITE)_*.py tests/$(SUITE)),$(THERE) tests/lives $(OWN))
SHARED = $(if $(SUITE),$(filter tests/promises/%,$(ONLY)),$(THERE))
# Where no programs of a server are installed, nothing is run on one, which is said.
HOW = -q -n 2 $(if $(filter long,$(TIER)),,-m 'not long')

promises: $(READY)
	$(if $(ONLY),,$(error no suite $(SUITE); look into tests/promises))
	$(if $(and $(RECORD),$(SUITE)),$(error RECORD=1 keeps the figures of all suites; leave SUITE out))
	@mkdir -p out && rm -f $(PROOFS)
	MINDPIPE_PROOFS=$(PROOFS) $(BIN)/pytest $(HOW) $(ONLY)
	$(if $(SHARED),MINDPIPE_PROOFS=$(PROOFS) $(BIN)/python tests/on_a_server whole $(HOW) $(SHARED))
	@$(BIN)/python tests/promises/report.py $(PROOFS) --tier $(TIER) \
	  $(if $(SUITE),--suite $(SUITE)) $(if $(RECORD),--record fixtures/promises.jsonl)
	@$(if $(RECORD),$(BIN)/mind docs write)

month: $(READY)
	@mkdir -p out
	MIND_MONTH_PAGE=$(CURDIR)/out/month.md $(BIN)/pytest -q -s -m long tests/promises/test_month.py
	@cat out/month.md

soak: $(READY)
	MIND_SOAK_SECONDS=$$(($(HOURS) * 3600)) $(BIN)/pytest -q -s -m long tests/promises/test_soak.py

demo: $(READY)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh fixtures/demo/run

bench: $(READY)
	@$(BIN)/python tests/bench/run.py

TREE = $(CURDIR)

structure: $(READY)
	@$(BIN)/python tests/bench/structure.py --tree $(TREE)

# Only the public index counts: what this machine adds to it would not be there elsewhere.
lock: $(READY)
	env -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL -u PIP_FIND_LINKS PIP_CONFIG_FILE=/dev/null \
	  $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --extra dev --strip-extras \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
	  --no-header --no-annotate --output-file requirements.lock pyproject.toml
	@sed -i '1i # Made by `make lock` from pyproject.toml: every version, every file by its hash.' requirements.lock

man:
	@echo 'man -l man/mind.1              the program'
	@echo 'man -l man/mind-inbox.1        one of its commands'
	@echo 'man -l man/mind-records.5      the records they read and write'

clean:
	rm -rf $(VENV) .venv-real build dist out .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find lib cli tests -name __pycache__ -type d -prune -exec rm -rf {} +
