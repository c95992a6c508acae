# The targets of the hunt for records, part of the Makefile in the folder above; README.md says what they do.

RECORDS_READY := $(VENV)/.records-ready
RECORDS_PYTEST := $(BIN)/python -m pytest -c records/pyproject.toml --rootdir records
# What its programs share with those of the main project.
WITH_TOOLS := PYTHONPATH=tools:benchmarks

# What CI runs on each push: the package, the module, configurations, and what is compiled again. A weekly job runs all tests.
RECORDS_SAMPLE := $(patsubst %,records/tests/test_%.py,compiled config readme revise workflow)

.PHONY: best-known proofs codemaker within bench-records test-records sample-records check-records

best-known: $(RECORDS_READY)
	$(SNAKEMAKE) -s records/Snakefile --profile records/profile --directory build/best-known \
		--configfile records/config/best-known.yaml -- \
		results/tables/machine.csv $(if $(strip $(value GAMES)), \
		$$(printf 'results/best-known/%s.csv ' $$GIVEN_GAMES) \
		$$(printf 'results/best-known/%s.first-guesses.csv ' $$GIVEN_GAMES),records)
	$(PIP) --require-hashes -r envs/lock-record.txt
	$(WITH_TOOLS) $(BIN)/python records/record/record_best_known.py build/best-known/results $$GIVEN_GAMES

proofs: $(RECORDS_READY)
	$(SNAKEMAKE) --directory build/proofs --configfile config/config.yaml config/paper.yaml -- \
		results/weights/mm-4-6/guided-stage/bound.json results/bounds/mm-4-6/one-row.json
	$(WITH_TOOLS) $(BIN)/python records/record/record_proofs.py
	$(BIN)/python records/checkers/check_solved.py
	$(BIN)/python tools/record_evidence.py

codemaker: $(RECORDS_READY)
	$(WITH_TOOLS) $(BIN)/python records/record/record_codemaker.py

within: $(RECORDS_READY)
	$(WITH_TOOLS) $(BIN)/python records/record/record_within.py

bench-records: $(RECORDS_READY)
	$(WITH_TOOLS) $(BIN)/python records/benchmarks/rollout.py

test-records: $(TESTS_READY) $(RECORDS_READY)
	$(RECORDS_PYTEST) records/tests

sample-records: $(TESTS_READY) $(RECORDS_READY)
	$(RECORDS_PYTEST) $(RECORDS_SAMPLE)

check-records: $(TESTS_READY) $(RECORDS_READY)
	MYPYPATH=tools $(BIN)/mypy --config-file records/pyproject.toml records/src/codebreaker_records records/record
	$(BIN)/lint-imports --no-cache --config records/pyproject.toml

$(RECORDS_READY): $(READY) records/pyproject.toml
	$(PIP) --no-deps --no-build-isolation -e records
	@touch $@
