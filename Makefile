# Everything is set up in .venv, and only once: each step leaves a stamp in
# .venv/.stamps and runs again when a file that it depends on is newer.

PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
UV := $(BIN)/uv
BENCHES := $(sort $(wildcard bench/*.py))
CODE := src scripts $(if $(wildcard tests/*.py tests/*/*.py),tests) $(if $(BENCHES),bench)

RUN_LOCKS := requirements/build.txt requirements/run.txt
DEV_LOCKS := $(RUN_LOCKS) requirements/dev.txt
WEB_FILES := $(shell find web -name node_modules -prune -o -type f -print)
CATALOGUES := $(shell find src/meldwise/i18n -name "*.po")
# What is compiled is made anew when its source changes.
COMPILED := $(shell grep -rl --include='*.py' '^SOURCE_HASH = ""' src) $(shell find src -name '*.pxd')
PROJECT := pyproject.toml src/meldwise/__init__.py hatch_build.py \
	src/meldwise/solver/sources.py $(COMPILED) $(CATALOGUES)

# An interpreter of uv's own, or one that another environment points at, is not
# what PYTHON names.
export UV_PYTHON_DOWNLOADS := never
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play test coverage check bench audit lock clean setup doctor new-venv style types layers fragments sentences \
	web web-check screenshots

help:  ## Show this list
	@sed -n 's/^\([a-z]*\):.*##  */\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-11s %s\n' "$$name" "$$text"; done

play: $(STAMPS)/run $(STAMPS)/web  ## Play in the browser (ARGS='--host 0.0.0.0' for a home network)
	@$(BIN)/meldwise serve --open $(ARGS)

test: check $(STAMPS)/web  ## Run the checks, then the tests (ARGS='-k joker' goes to pytest)
	@$(BIN)/pytest -n auto --dist worksteal $(ARGS)

coverage: $(STAMPS)/dev $(STAMPS)/web  ## Run the tests, and list the lines that none of them reaches (takes longer)
	@$(BIN)/pytest -n auto --dist worksteal --cov --cov-report term $(ARGS)

check: style types layers fragments sentences web-check  ## Check style, types, layers, translations and web/ (-k: all)

style: $(STAMPS)/dev
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --diff .

types: $(STAMPS)/dev
	@$(BIN)/mypy --no-error-summary $(CODE)

layers: $(STAMPS)/dev
	@report=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$report"; exit 1; }

fragments: $(STAMPS)/dev
	@report=$$($(BIN)/towncrier build --draft --version check 2>&1) || { echo "$$report"; exit 1; }

sentences: $(STAMPS)/dev
	@$(BIN)/python scripts/translations.py check

web-check: $(STAMPS)/node-modules
	@$(BIN)/python scripts/web.py check

web: $(STAMPS)/web  ## Build the web client

bench: $(STAMPS)/bench  ## Run every script in bench/
ifeq ($(BENCHES),)
	@echo "There is no benchmark in bench/."
else
	@for script in $(BENCHES); do echo "== $$script"; $(BIN)/python "$$script" $(ARGS) || exit 1; done
endif

audit: $(STAMPS)/audit  ## Ask the network for known weaknesses of what the locks name
	@$(BIN)/python scripts/audit.py

screenshots: $(STAMPS)/dev $(STAMPS)/web  ## Take pictures of every screen into build/screenshots
	@$(BIN)/python -m scripts.screenshots $(ARGS)

doctor:  ## Say what this machine has and lacks
	@$(PYTHON) scripts/doctor.py

setup: $(STAMPS)/dev  ## Set up .venv without running anything

clean:  ## Remove .venv and everything else that was made here
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis \
		.coverage .coverage.* .coverage-html build dist
	find src -name '_compiled_*' -type f -delete
	find src/meldwise/i18n -name '*.mo' -delete
	rm -rf web/node_modules src/meldwise/server/web
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up -----------------------------------------------------------------

# A copy of uv's lock is the stamp: a lock that is newer but the same changes nothing.
$(STAMPS)/venv: requirements/uv.txt
	@if ! cmp -s $< $@; then $(MAKE) --no-print-directory new-venv && cp $< $@; else touch $@; fi

new-venv:
	@command -v $(PYTHON) >/dev/null || { \
		echo "$(PYTHON) was not found. On Debian: apt-get install python3 python3-venv"; exit 1; }
	@$(PYTHON) scripts/doctor.py --quiet
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input \
		--require-hashes -r requirements/uv.txt
	@mkdir -p $(STAMPS)

$(STAMPS)/run: $(STAMPS)/venv $(RUN_LOCKS) $(PROJECT)
	@echo "Installing what the game needs ..."
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes $(RUN_LOCKS:%=-r %)
	@$(BIN)/python hatch_build.py
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

$(STAMPS)/dev: $(STAMPS)/venv $(DEV_LOCKS) $(PROJECT)
	@echo "Installing what the checks and tests need ..."
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements/uv.txt $(DEV_LOCKS)
	@$(BIN)/python hatch_build.py
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@ $(STAMPS)/run

$(STAMPS)/bench: $(STAMPS)/dev requirements/bench.txt
	@echo "Installing what the benchmarks compare with ..."
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/bench.txt
	@touch $@

# In an environment of its own: what it needs is not to be had by anything else.
$(STAMPS)/audit: requirements/audit.txt | $(STAMPS)/venv
	@$(UV) venv --quiet --clear --no-project --python $(BIN)/python $(VENV)/audit
	@$(UV) pip sync --quiet --python $(VENV)/audit/bin/python --require-hashes $<
	@touch $@

# --- the web client ---------------------------------------------------------

$(STAMPS)/node-modules: web/package-lock.json web/package.json requirements/node.txt | $(STAMPS)/venv
	@echo "Installing what the web client is built with ..."
	@$(BIN)/python scripts/web.py install
	@touch $@

$(STAMPS)/web: $(STAMPS)/node-modules $(WEB_FILES)
	@echo "Building the web client ..."
	@$(BIN)/python scripts/web.py build
	@touch $@

# --- locks ------------------------------------------------------------------

COMPILE = $(UV) pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--no-emit-index-url --custom-compile-command "make lock" $(ARGS)

lock: $(STAMPS)/venv  ## Lock the requirements anew (ARGS=--upgrade for newer versions)
	@$(COMPILE) requirements/uv.in -o requirements/uv.txt
	@$(COMPILE) requirements/build.in -o requirements/build.txt
	@$(COMPILE) pyproject.toml -o requirements/run.txt
	@$(COMPILE) requirements/dev.in -o requirements/dev.txt
	@$(COMPILE) requirements/bench.in -o requirements/bench.txt
	@$(COMPILE) requirements/node.in -o requirements/node.txt
	@$(COMPILE) requirements/audit.in -o requirements/audit.txt
