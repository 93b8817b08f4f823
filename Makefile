# Needs only GNU make and Python 3.11 or 3.13, the two Pythons that Blender 4.2 to 5.2 use.

VENV := .venv
BENCH_VENV := .venv-bench

# Candidates are executed, not just looked up: a pyenv shim can exist and still not run.
# Debian's Python cannot make environments without python3-venv.
ifndef PYTHON
PYTHON := $(shell for python in python3 python3.13 python3.11 python; do \
	if $$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 13)))' 2>/dev/null; \
	then echo $$python; break; fi; done)
endif
PYTHON_FOUND := $(if $(PYTHON),$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2]); import ensurepip, venv; print("venv")' 2>/dev/null))
PYTHON_VERSION := $(filter 2.% 3.%,$(PYTHON_FOUND))
ifeq ($(PYTHON),)
PYTHON_PROBLEM := none was found
else ifeq ($(PYTHON_VERSION),)
PYTHON_PROBLEM := $(PYTHON) does not run
else ifeq ($(filter 3.11 3.13,$(PYTHON_VERSION)),)
PYTHON_PROBLEM := $(PYTHON) is Python $(PYTHON_VERSION)
else ifeq ($(filter venv,$(PYTHON_FOUND)),)
PYTHON_PROBLEM := $(PYTHON) has no venv and ensurepip (Debian: python3-venv)
endif
# Before any target but these two, so that nothing is half done.
ifneq ($(PYTHON_PROBLEM),)
ifneq ($(filter-out help clean,$(MAKECMDGOALS)),)
$(error Python 3.11 or 3.13 is needed, but $(PYTHON_PROBLEM): install one or set PYTHON=/path/to/it)
endif
endif
# The newest bpy wheel made for that Python, with the numpy of the Blender of that version.
PINS = $(shell $(PYTHON) scripts/test_matrix.py --pins)

# Processes that `make test` runs tests in, at most four; auto is one for each core. Each has a Blender
# of its own, which takes up to 1 GB.
PROCESSES := auto

# Where this is set, each process would compile all tests and the package again: 7 s of each.
unexport PYTHONDONTWRITEBYTECODE

PIP_INSTALL := -m pip --disable-pip-version-check install --quiet

.DELETE_ON_ERROR:
.PHONY: help demo test test-matrix test-blender test-gui pictures lint format coverage extension bench clean

help:
	@echo "make demo          a character walks over hills and stairs, another follows goals: before and after, in demo/out"
	@echo "make test          set up $(VENV) with the matching bpy wheel, then lint, type check and test; PROCESSES=1: one test at a time"
	@echo "make coverage      the tests, and which lines of the package none of them runs; compiled kernels count only where they run as Python"
	@echo "make test-matrix   test on the bpy wheels of Blender 4.2, 4.5, 5.0 and 5.2; on the newest for each Python lint, types and all; FULL=1: all on each"
	@echo "make test-blender  test inside a Blender executable; BLENDER=/path/to/blender"
	@echo "make test-gui      click through the sidebar in a real Blender window, pictures in build/gui; BLENDER=/path/to/blender"
	@echo "make pictures      make the pictures of the panels in docs/"
	@echo "make lint          ruff check, ruff format --check and mypy"
	@echo "make format        apply ruff's fixes and formatting"
	@echo "make extension     build the zips for each platform into dist/; PLATFORM=linux-x64: that one; WHEELS=no: a small one"
	@echo "make bench         set up $(BENCH_VENV) with the rival solvers and run the benchmarks"
	@echo "make clean         remove virtual environments, caches and build output"
	@echo "PYTHON=...         choose the Python (3.11 or 3.13); now: $(or $(PYTHON_PROBLEM),$(PYTHON))"

demo: $(VENV)/.installed
	$(VENV)/bin/python -m demo

# First what compiles the kernels, on all cores: otherwise each process would compile what it needs.
# Tests of a file stay together, because what they share is made once; the longest files come first (see
# tests/conftest.py). A file whose test crashes Blender is begun again by another process: twice is enough.
test: lint
	$(VENV)/bin/python -m pytest -m compiles tests/test_warm_up.py
	$(VENV)/bin/python -m pytest -m 'not compiles' --numprocesses=$(PROCESSES) --maxprocesses=4 --dist=loadfile --no-loadscope-reorder --max-worker-restart=2

# Without a stop at a failed test's exit code: the report is wanted then too.
coverage: $(VENV)/.installed
	$(VENV)/bin/python -m coverage erase
	-$(VENV)/bin/python -m coverage run -m pytest -q
	$(VENV)/bin/python -m coverage combine --quiet
	$(VENV)/bin/python -m coverage report

# VERSIONS="4.2 5.2" for some of them, OTHERS=1 without the one that `make test` runs on, JOBS=2 at a time.
test-matrix:
	$(PYTHON) scripts/test_matrix.py $(if $(FULL),--full) $(if $(OTHERS),--others) $(if $(JOBS),--jobs $(JOBS)) $(VERSIONS)

# TESTS="tests/rig -x" for some of them.
test-blender: $(VENV)/.installed
	@test -n "$(BLENDER)" || { echo "Which Blender? make test-blender BLENDER=/path/to/blender" >&2; exit 1; }
	$(VENV)/bin/python scripts/test_blender.py "$(BLENDER)" $(TESTS)

# Not run, and said so, where there is no Blender or no screen for it.
test-gui: $(VENV)/.installed
	$(VENV)/bin/python -m gui test

pictures: $(VENV)/.installed
	$(VENV)/bin/python -m gui pictures

lint: $(VENV)/.installed
	$(VENV)/bin/python -m ruff check .
	$(VENV)/bin/python -m ruff format --check .
	$(VENV)/bin/python -m mypy

format: $(VENV)/.installed
	$(VENV)/bin/python -m ruff check --fix .
	$(VENV)/bin/python -m ruff format .

extension: $(VENV)/.installed
	$(VENV)/bin/python scripts/build_extension.py $(if $(filter no,$(WHEELS)),--no-wheels) $(addprefix --platform=,$(PLATFORM))

# The whole bakes run in $(VENV), where bpy is.
bench: $(BENCH_VENV)/.installed $(VENV)/.installed
	$(BENCH_VENV)/bin/python -m benchmarks

# The stamp's name carries the version and --clear removes its siblings,
# so changing PYTHON rebuilds the environment instead of mixing two Pythons in it.
%/.python-$(PYTHON_VERSION):
	$(PYTHON) -m venv --clear $*
	@touch $@

# The stamp records what was asked for; tests/test_package.py compares it with what is there.
$(VENV)/.installed: $(VENV)/.python-$(PYTHON_VERSION) pyproject.toml Makefile scripts/test_matrix.py
	@echo "Installing $(PINS) and the development tools into $(VENV) (about 500 MB the first time)"
	$(VENV)/bin/python $(PIP_INSTALL) -e '.[dev]' $(PINS)
	@printf '%s\n' $(PINS) > $@

# No bpy here: rivals may need another numpy. Each is resolved together with this package,
# so that none of them can replace our scipy or numba by a version we do not support.
$(BENCH_VENV)/.installed: $(BENCH_VENV)/.python-$(PYTHON_VERSION) pyproject.toml Makefile
	$(BENCH_VENV)/bin/python $(PIP_INSTALL) -e .
	@for rival in $$($(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench"])'); do \
		echo "Installing $$rival"; \
		$(BENCH_VENV)/bin/python $(PIP_INSTALL) -e . "$$rival" || echo "Not available here: $$rival"; \
	done
	@touch $@

clean:
	rm -rf demo/out $(VENV) $(BENCH_VENV) .venv-bpy-* build dist *.egg-info .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find blender_bioik benchmarks examples gui scripts tests zoo -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
