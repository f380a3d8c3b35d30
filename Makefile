# make run     the site on this machine          make test    everything that must hold
# make help    the other targets
#
# Needs Python 3.11 or newer with its venv module, and make; another Python: make run PYTHON=python3.12

export PYTHON ?= python3
SHELL := /bin/bash
BIN := .venv/bin
# Its answer must not depend on what else the machine serves as packages.
UV := env -u UV_INDEX -u UV_DEFAULT_INDEX -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS $(BIN)/python -m uv
# Each worker takes tests that stand beside each other, which share servers, and from another what is left at the end.
# One more than there are cores, for at servers and browsers a test often waits.
PYTEST := $(BIN)/python -m pytest -n 3 --dist worksteal
# Of tests that play at random: make test-all SEED=1
SEED ?= $(shell date +%s)
EXPORT := $(UV) export --quiet --frozen --format requirements-txt --no-emit-project
# What the site is made of when it runs, from the lock file: a software bill of materials.
SBOM := $(UV) export --quiet --frozen --format cyclonedx1.5 --preview-features sbom-export --no-default-groups --all-extras
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)

.DEFAULT_GOAL := help
.PHONY: help run test test-all lint format lock benchmark benchmark-peers soak screenshots wheel release clean-dist install install-dev packages clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

run: install ## the site on this machine; it says its address
	@exec $(BIN)/strifebarge serve

test: packages lint ## lint, and every test whose verdict does not depend on the machine (about ten minutes)
	$(BIN)/python -m tests.support.gate

test-all: packages install-dev ## all tests but the slow ones, with fresh seeds: kills, races, browsers (under an hour)
	STRIFEBARGE_TEST_SEED=$(SEED) $(PYTEST) -m "not slow" --hypothesis-seed=$(SEED)

lint: install-dev ## style, types, layers and dependencies
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .

format: install-dev ## put the code in the one form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: install-dev ## the newest versions that pyproject.toml allows, and the requirements files from them
	$(UV) lock --upgrade
	$(EXPORT) --only-group build --output-file requirements-build.txt
	$(EXPORT) --no-default-groups --all-extras --output-file requirements.txt
	$(EXPORT) --all-extras --output-file requirements-dev.txt

benchmark: install-dev ## how fast it is here
	$(BIN)/python -m benchmarks

benchmark-peers: install-dev ## the same game on boardgame.io, in the same run (needs Node and npm)
	$(BIN)/python -m benchmarks.peers

soak: packages install-dev ## the slow tests, which take minutes each
	$(BIN)/python -m pytest -m slow

screenshots: packages install-dev ## pictures of the pages, and those of docs/pictures.md
	$(BIN)/python -m tests.browser.screenshots
	$(BIN)/python -m tests.browser.pictures

wheel: install-dev ## the package, in dist/, and beside it what it is made of, with hashes and licences (CycloneDX)
	$(BIN)/python -m hatchling build --target wheel
	$(SBOM) --output-file dist/strifebarge-$(VERSION).cdx.json >/dev/null
	$(BIN)/python .ci/release.py licences dist/strifebarge-$(VERSION).cdx.json

release: clean-dist wheel ## all of a release in dist/: also the source archive; the wheel is tried
	$(BIN)/python -m hatchling build --target sdist
	$(BIN)/python .ci/release.py try dist/strifebarge-$(VERSION)-py3-none-any.whl
	@cd dist && sha256sum strifebarge-* | tee SHA256SUMS

clean-dist:
	@rm -rf dist

install:
	@.ci/venv requirements.txt

install-dev:
	@.ci/venv requirements-dev.txt

packages:
	@.ci/packages

clean: ## away with what was made here
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
