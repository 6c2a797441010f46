# For a fresh machine: `make demo` and `make test`. They need Python 3.11+ and nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# pip would write bytecode on one processor, and for hundreds of models that nothing imports.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
OUT ?= demo-out

# What checks the types of apps/workbench/page.
TYPESCRIPT := 7.0.2
TSC := $(VENV)/typescript-$(TYPESCRIPT)/node_modules/.bin/tsc

# Tests and checks start hundreds of processes, and each would compile the whole product again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: codemirror demo docs locks pyz release-check test test-all slow-tests lint typescript generate wheel-test without-apps environments pythons torture mutants clean

# What is installed depends on pyproject.toml and the pins only; the code itself is linked.
# `make LOCKED=1 ...` installs what packaging/requirements/whole.txt pins, with hashes: so does CI.
$(VENV)/.installed: pyproject.toml scripts/constraints.txt packaging/requirements/whole.txt
	$(PYTHON) -m venv $(VENV)
	$(if $(LOCKED),$(PIP) --require-hashes --requirement packaging/requirements/whole.txt)
	$(PIP) $(if $(LOCKED),--no-deps --no-build-isolation --editable .,\
		--constraint scripts/constraints.txt --editable '.[scoring,test,dev]')
	$(BIN)/python -m compileall -q -j 0 -x '/(tests|testing|models|_inductor|onnx)/' \
		$(VENV)/lib >/dev/null || true
	touch $@

# The demo needs few of the packages; `make test` adds the others.
$(VENV)/.demo-installed: pyproject.toml scripts/constraints.txt
	@echo 'Installing evalmark and torch into $(VENV): some minutes.'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --constraint scripts/constraints.txt --editable '.[scoring]'
	touch $@

demo: $(or $(wildcard $(VENV)/.installed),$(VENV)/.$(if $(LOCKED),,demo-)installed)
	@PATH="$(BIN):$$PATH" sh scripts/demo.sh $(OUT)

# Tests wait, too, so there is one process more than there are processors.
PYTEST := $(BIN)/python -m pytest -q -n $$(( $$(nproc 2>/dev/null || echo 2) + 1 )) --dist worksteal

# What is quick; property tests take a part of their examples, or all: `make test EXAMPLES=all`.
# `make test TESTS=all` is the slow ones and those of pages, too: each worker loads torch once.
QUICK := not slow and not browser and not wheel
test: $(VENV)/.installed
	$(PYTEST) -m '$(if $(filter all,$(TESTS)),not wheel,$(QUICK))' \
		$(addprefix --hypothesis-profile ,$(EXAMPLES))

# The rest: what takes seconds, pages in a browser, the wheel, and the core alone.
test-all: slow-tests wheel-test without-apps

slow-tests: $(VENV)/.installed
	$(PYTEST) -m 'slow or browser'

# Once against what users install: the wheel, made from the sdist, without the repository.
wheel-test: $(VENV)/.installed
	$(BIN)/python -m pytest -q -s tests/house/test_wheel.py

# The core in a copy that lacks the applications: types, and the tests of what asks for plug-ins.
without-apps: $(VENV)/.installed
	$(BIN)/python -m scripts.without_apps

# Every command in an environment of each extra alone: minutes, and gigabytes for torch and Ray.
# `make environments EXTRAS="base report"` tries these only.
environments: $(VENV)/.installed
	$(BIN)/python -m scripts.environments $(EXTRAS)

# The fast tests without torch, on other versions of Python that are installed here:
# `make pythons PYTHONS="python3.12 /opt/python/bin/python3.14" CORE=tests/cli`.
PYTHONS ?= python3.12 python3.13 python3.14
CORE ?= $(addprefix tests/,schemas stats validator converters memory leaderboard reports workbench cli)
pythons:
	for python in $(PYTHONS); do \
		home=$(VENV)/$$(basename $$python); \
		$$python -m venv $$home && \
		$$home/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' && \
		$$home/bin/python -m pytest -q -n auto --dist worksteal $(CORE) \
			-m '$(QUICK)' || exit 1; \
	done

# Everything hostile at every command: files, kills, random documents.
# `make torture MINUTES=60 JOBS=4` takes longer; the figures are in benchmarks/README.md.
MINUTES ?= 10
JOBS ?= 2
torture: $(VENV)/.installed
	$(BIN)/python -m benchmarks.torture --minutes $(MINUTES) --jobs $(JOBS)

# The share of random changes of the product that tests notice: an hour on two idle cores, and
# it can be interrupted. `make mutants SEED=COMMIT` takes the changes of another commit.
COUNT ?= 200
SEED ?= HEAD
mutants: $(VENV)/.installed
	$(BIN)/python -m benchmarks.mutants --count $(COUNT) --jobs $(JOBS) --seed $(SEED)

# The rooms under their installed names, for mypy.
$(VENV)/typings: $(VENV)/.installed pyproject.toml
	$(BIN)/python scripts/link_rooms.py $@
	touch $@

# Where npm and a network are at hand; else the types of the page are not checked, and it says so.
typescript: $(VENV)/.installed
	@[ -x $(TSC) ] || ! command -v npm >/dev/null || npm install --no-save --silent --no-audit \
		--no-fund --fetch-retries 0 --fetch-timeout 20000 --prefix $(VENV)/typescript-$(TYPESCRIPT) \
		typescript@$(TYPESCRIPT) || echo "TypeScript $(TYPESCRIPT) could not be installed"

# The editor of the page: CodeMirror as one module. It needs npm and a network.
codemirror:
	rm -rf build/codemirror && mkdir -p build && cp -r scripts/codemirror build
	cd build/codemirror && npm ci --ignore-scripts --no-audit --no-fund && \
		npm run build ../../apps/workbench/page/codemirror/codemirror.js

lint: $(VENV)/.installed $(VENV)/typings typescript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@tsc=$${EVALMARK_TSC:-$$(ls $(TSC) 2>/dev/null || command -v tsc)}; \
		if [ -n "$$tsc" ] && command -v node >/dev/null; then \
			"$$tsc" --project apps/workbench/page --pretty false; \
		else echo "types of apps/workbench/page NOT CHECKED: no node, or no tsc and no npm"; fi
	$(BIN)/python -m scripts.generate --check

# The documentation as a site in build/site; Zensical has an environment of its own.
$(VENV)/docs/.installed: packaging/requirements/docs.txt
	$(PYTHON) -m venv $(VENV)/docs
	$(VENV)/docs/bin/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes --requirement packaging/requirements/docs.txt
	touch $@

# Python for browsers, which the page "Try it in the browser" needs: npm and a network.
PYODIDE := $(VENV)/pyodide/node_modules/pyodide
$(PYODIDE)/package.json: apps/workbench/static_site/pyodide_package.py
	npm install --no-save --silent --no-audit --no-fund --prefix $(VENV)/pyodide \
		pyodide@$$(sed -n 's/^TESTED = "\(.*\)"/\1/p' $<)
	touch $@

docs: $(VENV)/docs/.installed $(VENV)/.installed $(PYODIDE)/package.json
	$(BIN)/python -m scripts.generate --pages build/reference
	$(BIN)/python -c 'from pathlib import Path; from evalmark.workbench.static_site.site_build import \
		build; build(Path("build/try"), Path("$(PYODIDE)"), docs="../index.html")'
	$(VENV)/docs/bin/python scripts/docs_site.py

# Writes the validators of changed schemas, too.
generate: $(VENV)/.installed
	$(BIN)/python -m scripts.generate

# evalmark as one file that needs only Python: build/evalmark.pyz.
pyz: $(VENV)/.installed
	$(BIN)/python -m scripts.pyz

# Pinned requirements with hashes, for CI, the Action and images. It needs uv on the PATH.
locks:
	$(PYTHON) -m scripts.locks $(if $(UPGRADE),--upgrade)

# Two builds with equal bytes; the wheel in an empty environment; its hook, and that of the one file,
# on a suite; what is not ready for the tag.
release-check: $(VENV)/.installed
	$(BIN)/python -m scripts.release check

clean:
	rm -rf $(VENV) $(OUT) build dist *.egg-info
