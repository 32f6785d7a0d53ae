# `make` or `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif

# Without bytecode every process would compile anew all that it imports, and tests start many.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
TRAIN_BIN := .venv-train/bin
OUT ?= out
ARGS ?=

# Crossing tables are for rules that let sets cross.
SAMPLES := $(wildcard datasets/samples/*.jpg)
CROSSING := $(filter datasets/samples/crossing%,$(SAMPLES))

# The first Python from 3.11 on; PYTHON=/path/to/python overrides it.
ifndef PYTHON
PYTHON := $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo "$$name"; break; fi; done)
endif

# A stamp carries a digest of pyproject.toml, not its date: a fresh clone has no useful dates.
DIGEST := $(shell cksum < pyproject.toml | tr ' ' '-')
RUNTIME := $(VENV)/.runtime-$(DIGEST)
DEV := $(VENV)/.dev-$(DIGEST)
TRAIN := .venv-train/.train-$(DIGEST)
TRACED := .venv-traced/.traced-$(DIGEST)

# An environment that was moved, copied or cut short, or has lost its Python, is made anew.
whole = $(shell grep -qsF "$(CURDIR)/$(1)/bin/" $(1)/bin/pip && \
	$(1)/bin/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo yes)
environment = test -n "$(call whole,$(1))" || "$(PYTHON)" -m venv --clear $(1)
.PHONY: $(if $(call whole,$(VENV)),,$(RUNTIME) $(DEV)) $(if $(call whole,.venv-train),,$(TRAIN)) \
	$(if $(call whole,.venv-traced),,$(TRACED))

.PHONY: help demo photos test lint type unit wheel type-and-wheel format train trace bench clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

demo: $(RUNTIME) ## Open the dashboard on a recorded game; without a terminal, play it once
	@if [ -t 1 ]; then $(BIN)/meldwatch serve --demo $(ARGS); \
	else $(BIN)/meldwatch serve --demo --once --no-browser $(ARGS); fi

photos: $(RUNTIME) ## Read the sample pictures, and write annotated ones to out/photos
	@$(BIN)/meldwatch read $(filter-out $(CROSSING),$(SAMPLES)) --annotated $(OUT)/photos
	@$(if $(CROSSING),$(BIN)/meldwatch read --rules runny $(CROSSING) --annotated $(OUT)/photos)
	@echo
	@echo "Annotated pictures: $(abspath $(OUT)/photos)"

test: lint type-and-wheel unit ## Everything that must pass: lint, types, wheel, tests

lint: $(DEV) ## Check style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

type: $(DEV) ## Check types
	$(BIN)/mypy

# Tests of pages wait much, so there is one process more than processors; each holds networks and a
# browser, so there are four at most.
TESTING = $(shell "$(PYTHON)" -c 'import os; print(min(4, (os.cpu_count() or 1) + 1))')
unit: $(DEV) ## Run the tests and doctests
	$(BIN)/pytest --numprocesses $(TESTING) --dist worksteal $(ARGS)

# Each of the two keeps one processor busy.
type-and-wheel: $(DEV)
	@$(MAKE) --no-print-directory --jobs 2 SIDE_BY_SIDE=yes type wheel

wheel: $(DEV) ## Build the wheel, install it elsewhere, and read a picture with it
	rm -rf build/smoke dist
	$(BIN)/python -m build --no-isolation --outdir dist . >/dev/null 2>&1 || $(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m venv --without-pip build/smoke
	$(BIN)/python -m pip --python build/smoke/bin/python install --quiet --no-compile dist/*.whl
	@sample="$(CURDIR)/$(firstword $(SAMPLES))"; \
	folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; cd "$$folder"; \
	"$(CURDIR)"/build/smoke/bin/meldwatch --version; \
	"$(CURDIR)"/build/smoke/bin/meldwatch read --json --annotated . "$$sample" \
	| "$(CURDIR)"/build/smoke/bin/python -c \
	'import json, sys; answer = json.load(sys.stdin); assert answer["tiles"], answer; \
	print("wheel:", len(answer["tiles"]), "tiles,", answer["table"])'; \
	ls ./*.annotated.jpg >/dev/null

format: $(DEV) ## Put the code into the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

train: $(TRAIN) ## Train the networks; ARGS are handed on, as in make train ARGS=--help
	$(TRAIN_BIN)/python -m vision.training $(ARGS)

trace: $(TRACED) ## Draw suites through Blender's path tracer; ARGS are handed on
	.venv-traced/bin/python -m vision.evaluation.traced $(ARGS)

bench: $(RUNTIME) ## Measure the time per picture on this machine
	$(BIN)/meldwatch bench $(ARGS)

clean: ## Remove what the targets made, the environments aside
	rm -rf build dist $(OUT) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(RUNTIME): | python-found
	@echo "Installing into $(VENV); this takes a few minutes."
	$(call environment,$(VENV))
	@$(BIN)/python -m pip install --quiet --editable . || { \
	echo "Nothing is installed yet, for the reason above. Once, it takes internet and 700 MB; then run make again." >&2; \
	exit 1; }
	@rm -f $(VENV)/.runtime-*
	@touch $@

$(DEV): | python-found
	$(call environment,$(VENV))
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	@rm -f $(VENV)/.runtime-* $(VENV)/.dev-*
	@touch $@ $(RUNTIME)

# The processor-only build of torch is a tenth of the size; where it is not offered, any will do.
$(TRAIN): | python-found
	$(call environment,.venv-train)
	$(TRAIN_BIN)/python -m pip install --quiet torch==2.13.0
	$(TRAIN_BIN)/python -m pip install --quiet --editable '.[train]'
	@rm -f .venv-train/.train-*
	@touch $@

# Blender's module asks for an older numpy than the run-time does, but needs it for sound only.
$(TRACED): | python-found
	$(call environment,.venv-traced)
	.venv-traced/bin/python -m pip install --quiet --editable .
	.venv-traced/bin/python -m pip install --quiet --no-deps bpy==5.0.1
	@rm -f .venv-traced/.traced-*
	@touch $@

.PHONY: python-found
python-found:
	@test -n "$(PYTHON)" || { \
	echo "Meldwatch needs Python 3.11 or newer; none was found. Install one, or name it: make PYTHON=/path/to/python" >&2; \
	exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	echo "$(PYTHON) is not there, or older than Python 3.11. Name another: make PYTHON=/path/to/python" >&2; \
	exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	echo "$(PYTHON) cannot make environments. On Debian or Ubuntu: sudo apt install python3-venv" >&2; \
	exit 1; }
