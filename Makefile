# All targets except cuda-check, site-docs, paper, lock and clean first set up .venv.
# make             run the default study
# make test        run the small study in build/study, then the tests
# make test-quick  run the tests that take less than a third of a second each
# make setup       set up .venv for a run; make setup-test: for tests and checks too
# make study FILE=my.yaml   run your study in results/my (docs/first-study.md)
# make VERBOSE=1   show all of Snakemake's log
# make check       check formatting, lint, types and import layers
# make smoke       run the small study in build/smoke
# make cuda        install the CUDA backend, except the driver (docs/gpu.md)
# make device-check  compare the CUDA backend with the CPU on a device, and measure it (benchmarks/device/)
# make cuda-check  compile the CUDA kernels for sm_90, run them in an interpreter of PTX, and compare with the CPU;
#                  KERNEL_OPTIONS=--quick leaves out the largest game and two of three orders of threads
# make slurm       install what a run on a SLURM cluster needs (docs/clusters.md)
# make slurm-test  run most of the small study on a two-node SLURM cluster on this host, and kill one node
# make faults      try faults for up to 20 minutes: kills, full disks, damaged files (docs/reliability.md)
# make bench       measure the speeds that the README quotes
# make docs        run the default study, then update the tables and pictures of README.md and docs/
# make site-docs   build the documentation site in build/site, and check its links
# make paper       write paper/paper.md as build/paper.html (needs pandoc)
# make paper-scale run the study at the published scale, which takes hours, and record its tables
# make larger-games  play games of up to 10^15 codes by samples, and grow their trees (hours); record them
# make record      run the default study, then register the best weights that it found
# make release     build, check and pack a version in build/release (docs/citing.md); uploads nothing
# make schema      regenerate config/schema.json and the tables of keys in config/README.md
# make format      format all code
# make lock        pin all dependencies (needs uv)
# make clean       delete results, logs and build files
# records/README.md has the targets of the hunt for records: best-known, proofs, codemaker and test-records.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
TESTS_READY := $(VENV)/.tests-ready
CORES  ?= all

# Values that are given reach the shell as text in variables: make would run a $(shell ...) in them.
unexport FILE GAMES CORES VERBOSE
export GIVEN_FILE = $(value FILE)
export GIVEN_GAMES = $(value GAMES)
export GIVEN_CORES = $(value CORES)

# Of the scripts of the page; it loads nothing.
DENO := DENO_NO_UPDATE_CHECK=1 $(BIN)/deno

SNAKEMAKE := $(BIN)/snakemake --cores "$$GIVEN_CORES" --resources gpu=1 \
	$(if $(value VERBOSE),--logger-lines-full)
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet

.DEFAULT_GOAL := all
.PHONY: all setup setup-test test test-study test-quick check smoke study cuda device-check cuda-check slurm slurm-test bench faults docs site-docs paper paper-scale larger-games record release schema lock format clean

all: $(READY)
	$(SNAKEMAKE)

setup: $(READY)

setup-test: $(TESTS_READY)

test: $(if $(CODEBREAKER_STUDY),$(TESTS_READY),test-study)
	CODEBREAKER_STUDY=$${CODEBREAKER_STUDY:-$(abspath build/study)} $(BIN)/python -m pytest

# The small study that tests read. Before the tests it has all cores: beside them, two processes would
# compile the same loops at once, and the longer a run takes, the more time Snakemake itself needs.
# Its jobs note which files of the package they open, for a test.
test-study: $(TESTS_READY)
	rm -rf build/study && mkdir -p build/study
	CODEBREAKER_OPENED=$(abspath build/study/opened.tsv) PYTHONPATH=$(abspath tests/workflow/opened) \
		$(SNAKEMAKE) --directory build/study --configfile config/smoke.yaml

test-quick: $(TESTS_READY)
	$(BIN)/python -m pytest -m "not slow"

check: $(TESTS_READY) check-records
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy src/codebreaker tools/record*.py
	MYPYPATH=src $(BIN)/mypy --strict --config-file= --cache-dir .mypy_cache/users tests/api/users_program.py
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-cache
	$(DENO) fmt --quiet --check
	$(DENO) lint --quiet
	$(DENO) check --quiet --no-remote $(addprefix src/codebreaker/report/page/,main.js engine/worker.js theme.js)
	$(BIN)/snakefmt --check Snakefile workflow records/Snakefile records/workflow
	! git grep -nE "^(<<<<<<<|>>>>>>>) "  # left over from a merge
	! $(BIN)/snakemake --lint 2>&1 | grep '^    \* ' | grep -v 'Specify a conda environment or container'

smoke: $(READY)
	$(SNAKEMAKE) --directory build/smoke --configfile config/smoke.yaml

study: $(READY)
	@options=$$($(BIN)/python workflow/choose_study.py "$$GIVEN_FILE") && eval "set -- $$options" && \
		$(SNAKEMAKE) "$$@"

cuda: $(READY)
	$(PIP) --require-hashes -r envs/lock-cuda.txt

device-check: cuda
	$(BIN)/python benchmarks/check_device.py

cuda-check:
	$(PYTHON) -m venv build/venv-cuda
	build/venv-cuda/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes \
		-r envs/lock-cuda.txt
	PYTHONPATH=src build/venv-cuda/bin/python cuda-interpreter/check_kernels.py $(KERNEL_OPTIONS)

slurm: $(READY)
	$(PIP) --require-hashes -r envs/lock-slurm.txt

slurm-test: slurm smoke
	tests/slurm/run.sh build/smoke build/slurm

faults: $(TESTS_READY) $(RECORDS_READY)
	rm -rf build/faults && mkdir -p build/faults
	FAULTS=$(abspath build/faults) $(BIN)/python -m pytest tests/faults tests/report tests/games/test_long_words.py \
		tests/workflow
	$(RECORDS_PYTEST) records/tests
	$(BIN)/python tests/faults/outcomes.py build/faults

bench: $(READY)
	$(BIN)/python benchmarks/grow_trees.py
	$(BIN)/python benchmarks/grow_large.py
	$(BIN)/python benchmarks/optimise.py
	$(BIN)/python benchmarks/solve.py

docs: all $(TESTS_READY)
	$(BIN)/python tools/update_docs.py

site-docs: build/venv-docs/.ready
	NO_MKDOCS_2_WARNING=1 build/venv-docs/bin/mkdocs build
	@echo "open build/site/index.html; for its search, python3 -m http.server --directory build/site"

build/venv-docs/.ready: envs/lock-docs.txt
	$(PYTHON) -m venv build/venv-docs
	build/venv-docs/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes \
		-r envs/lock-docs.txt
	@touch $@

paper:
	mkdir -p build
	cd paper && pandoc --citeproc --standalone --metadata link-citations=true paper.md -o ../build/paper.html

paper-scale: $(READY)
	$(SNAKEMAKE) --directory build/paper-scale --configfile config/config.yaml config/paper.yaml -- \
		optimise weights families transfer players results/tables/cotta-2010-seeds.csv results/tables/machine.csv
	$(BIN)/python tools/record_paper_scale.py build/paper-scale/results

larger-games: $(READY)
	$(BIN)/python tools/record_larger_games.py
	$(BIN)/python tools/record_larger_trees.py

record: all
	$(BIN)/python tools/record_weights.py

release: $(READY)
	$(BIN)/python tools/make_release.py

schema: $(READY)
	$(BIN)/python tools/describe_config.py

format: $(TESTS_READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/snakefmt Snakefile workflow records/Snakefile records/workflow

include records/records.mk

# Bytecode is compiled on all cores, but not that of the packages' own tests.
$(READY): envs/lock-build.txt envs/lock.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "error: $(PYTHON) is older than 3.11: choose a newer one, as in make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile --require-hashes -r envs/lock-build.txt
	$(PIP) --no-compile --require-hashes -r envs/lock.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -qq -j 0 -x 'site-packages/(pip|.*/tests?)/' $(VENV)/lib src || true
	@touch $@

$(TESTS_READY): $(READY) envs/lock-test.txt
	$(PIP) --require-hashes -r envs/lock-test.txt
	@touch $@

PIN := uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

lock:
	$(PIN) pyproject.toml --extra cli --extra report --extra workflow -o envs/lock.txt
	$(PIN) --group build --constraint envs/lock.txt -o envs/lock-build.txt
	$(PIN) --group test --constraint envs/lock.txt -o envs/lock-test.txt
	$(PIN) --group docs --constraint envs/lock.txt --constraint envs/lock-test.txt -o envs/lock-docs.txt
	$(PIN) --group record --constraint envs/lock.txt -o envs/lock-record.txt
	$(PIN) envs/cuda.in --constraint envs/lock.txt -o envs/lock-cuda.txt
	$(PIN) envs/slurm.in --constraint envs/lock.txt -o envs/lock-slurm.txt

clean:
	rm -rf results/* logs build .snakemake
