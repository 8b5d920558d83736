# Every target sets up what it needs in .venv: nothing but Python >= 3.11, a C compiler and make is assumed.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/installed
CHECKED = .venv-checked
SOURCES = pyproject.toml setup.py $(wildcard cython_core/*.pyx cython_core/*.pxd)
MODULES = $(shell find cython_core dnup_ai tournaments -name '*.py' -o -name '*.toml' -o -name '*.json')
JOBS ?= auto
SOAK_SECONDS ?= 30

.PHONY: tournament test test-slow lint types unit bench checked soak annotate clean help

help:
	@echo "make tournament  set up everything and play a small tournament"
	@echo "make test        set up everything; lint, types, tests, and a soak of the sanitizer build"
	@echo "make test-slow   the longer studies"
	@echo "make lint | types | unit   one part of make test"
	@echo "make bench       speed of the core on this machine"
	@echo "make checked     the tests on a build with address and undefined-behaviour sanitizers"
	@echo "make soak        random searches on that build, for SOAK_SECONDS (30)"
	@echo "make annotate    Cython's view of the core, as HTML in build/annotate"
	@echo "make clean       remove all that make made"

tournament: $(STAMP)
	$(BIN)/dnup-ai tournament run

test: lint types unit
	@if test -e "$$($(CC) -print-file-name=libasan.so)"; then $(MAKE) soak; \
		else echo "soak skipped: this compiler has no libasan.so"; fi

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(BIN):$$PATH" $(BIN)/cython-lint cython_core

types: $(STAMP)
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --ignore-missing-stub --ignore-disjoint-bases \
		cython_core.rng cython_core.game cython_core.dnup cython_core.pile cython_core.three_up \
		cython_core.kuhn cython_core.python_state cython_core.bench cython_core.evaluation cython_core.search cython_core.belief \
		cython_core.prover cython_core.ending_graph cython_core.solver cython_core.solution

unit: $(STAMP)
	$(BIN)/pytest -n $(JOBS)

test-slow: $(STAMP)
	$(BIN)/pytest -n $(JOBS) -m slow

bench: $(STAMP)
	$(BIN)/dnup-ai bench

# The sanitizers' runtimes must be loaded before Python itself, and Python must allocate with malloc for them to see.
SANITIZED = LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
	PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0

checked: $(CHECKED)/installed
	$(SANITIZED) $(CHECKED)/bin/pytest -n $(JOBS)

soak: $(CHECKED)/installed
	$(SANITIZED) $(CHECKED)/bin/python -P benchmarks/soak.py --seconds $(SOAK_SECONDS)

# Not editable, so that the two builds do not share a folder: it follows every module.
$(CHECKED)/installed: $(SOURCES) $(MODULES)
	test -d $(CHECKED) || $(PYTHON) -m venv $(CHECKED)
	$(CHECKED)/bin/python -m pip install -q --upgrade pip
	DNUP_CHECKED=1 $(CHECKED)/bin/python -m pip install -q ".[dev]"
	touch $@

annotate: $(STAMP)
	mkdir -p build/annotate
	for module in rng game dnup pile three_up kuhn python_state arena evaluation prover ending_graph solver belief search bench; do \
		$(BIN)/cython -3 -a -X boundscheck=False -X wraparound=False -X initializedcheck=False -X cdivision=True \
			cython_core/$$module.pyx -o build/annotate/$$module.c || exit 1; \
	done

clean:
	rm -rf build dist *.egg-info $(VENV) $(CHECKED) cython_core/*.so cython_core/*.c cython_core/*.html
	find . -name __pycache__ -prune -exec rm -rf {} +

$(STAMP): $(SOURCES)
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -e ".[dev]"
	touch $@
