# make run     the site on this machine          make test    everything that must hold
# make help    the other targets
#
# Needs Python 3.11 or newer with its venv module, and make; another Python: make run PYTHON=python3.12

export PYTHON ?= python3
SHELL := /bin/bash
BIN := .venv/bin
# Its answer must not depend on what else the machine serves as packages.
UV := env -u UV_INDEX -u UV_DEFAULT_INDEX -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS $(BIN)/python -m uv
EXPORT := $(UV) export --quiet --frozen --format requirements-txt --no-emit-project

.DEFAULT_GOAL := help
.PHONY: help run test lint format lock benchmark soak screenshots wheel install install-dev packages clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

run: install ## the site on this machine; it says its address
	@exec $(BIN)/strifebarge serve

test: packages lint ## lint, and all tests but the slow ones
	$(BIN)/python -m pytest -n 2

lint: install-dev ## style, types, layers and dependencies
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .

format: install-dev ## put the code in the one form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: install-dev ## the newest versions that pyproject.toml allows, and both requirements files from them
	$(UV) lock --upgrade
	$(EXPORT) --no-default-groups --all-extras --output-file requirements.txt
	$(EXPORT) --all-extras --output-file requirements-dev.txt

benchmark: install-dev ## how fast it is here
	$(BIN)/python -m benchmarks

soak: packages install-dev ## the slow tests, which take minutes
	$(BIN)/python -m pytest -m slow

screenshots: packages install-dev ## pictures of the pages
	$(BIN)/python -m tests.browser.screenshots

wheel: install-dev ## the package, in dist/
	$(BIN)/python -m hatchling build --target wheel

install:
	@.ci/venv requirements.txt

install-dev:
	@.ci/venv requirements-dev.txt

packages:
	@.ci/packages

clean: ## away with what was made here
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
