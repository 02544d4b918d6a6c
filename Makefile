# The two commands of the README are `make ask` and `make test`; everything else is a part of them or a benchmark.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export Q

.PHONY: help ask test check lint types imports tests bench bench-models bench-reading wiki clean

help:
	@echo 'make ask Q="your question"   set up and ask (fetches the model, 1.1 GB, once)'
	@echo 'make test                    set up and run every check and test'
	@echo 'make bench                   start-up, time a step, the embedded model'

$(VENV)/made: 
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Scout needs Python 3.11 or newer; name one with PYTHON=…'; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/ready-local: $(VENV)/made pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[local]"
	touch $@

$(VENV)/ready-dev: $(VENV)/made pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

ask: $(VENV)/ready-local
	@$(BIN)/python main.py --yes models $(FLAGS) -- "$$Q"

test: $(VENV)/ready-dev
	scripts/system-packages.sh
	$(MAKE) check

check: lint types imports tests

lint: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready-dev
	$(BIN)/mypy

imports: $(VENV)/ready-dev
	$(BIN)/lint-imports

tests: $(VENV)/ready-dev
	$(BIN)/pytest

bench: $(VENV)/ready-dev
	$(BIN)/python -m scripts.bench_startup
	$(BIN)/python -m scripts.bench_step
	$(BIN)/pytest -m slow
	$(MAKE) bench-models

bench-models: $(VENV)/ready-dev
	$(BIN)/python -m scripts.bench_models

bench-reading: $(VENV)/ready-dev
	$(BIN)/python -m scripts.bench_reading

wiki: $(VENV)/ready-dev
	scripts/system-packages.sh
	$(BIN)/python -m scripts.wiki .cache/wiki --port 8080

clean:
	rm -rf $(VENV) .cache build dist
