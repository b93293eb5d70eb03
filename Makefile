# The targets are the continuous integration: .ci/run calls them and nothing else.
PYTHON ?= python3
UV_VERSION := 0.13.9
GENERATOR_VERSION := 1.76.0
BIN := .venv/bin
# The system's certificates: behind a company's proxy they are the ones that hold.
INSTALL := $(BIN)/uv pip install --quiet --system-certs
ROOTS := protocol referee harness leaderboards sample_bots
TYPED := $(ROOTS) tests examples benchmarks

.PHONY: help setup demo test test-slow test-pythons lint type proto proto-check bench bench-statistics

help:  ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/.ready  ## Make .venv with everything that is needed, versions pinned and hashes checked.

.venv/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
		|| { echo "Croupier needs Python 3.11 to 3.13; name one with: make setup PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(INSTALL) --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.lock
	$(INSTALL) --python $(BIN)/python --no-deps -e .
	@# Bots are started often and mayn't write: without compiled code each start takes twice the time.
	$(BIN)/python -m compileall -q $(ROOTS)
	@touch $@

demo: setup  ## Play a small tournament of the sample bots, print its leaderboards, write its pages.
	$(BIN)/croupier run examples/demo.toml --seed demo

test: setup  ## Run the tests (needs nothing that `setup` doesn't install).
	$(BIN)/pytest -m "not slow"

test-slow: setup  ## Run the long tests.
	$(BIN)/pytest -m slow

# Supported Pythons besides the one of .venv; each that is found gets an environment of its own.
OTHER_PYTHONS := python3.11 python3.12 python3.13

test-pythons: setup  ## Play a match and rate it with every other supported Python that is found.
	@for python in $(OTHER_PYTHONS); do \
		$$python -c 'import sys' 2>/dev/null || { echo "$$python: not found here"; continue; }; \
		folder=build/$$python && rm -rf $$folder && $$python -m venv $$folder && \
		$(INSTALL) --python $$folder/bin/python --require-hashes -r requirements.lock && \
		$(INSTALL) --python $$folder/bin/python --no-deps . && \
		$$folder/bin/python tests/smoke.py || exit 1; \
	done

lint: setup  ## Check style, formatting and the protocol's definition.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/buf lint

type: setup  ## Check the types of everything, tests and sample bots included.
	$(BIN)/mypy $(TYPED)

bench: setup  ## Measure, and print ratios to a bare gRPC ping-pong measured in the same run.
	$(BIN)/python benchmarks/bench.py

bench-statistics: setup  ## Measure how soon leaderboards are right, and how often a verdict is wrong (docs/statistics.md).
	nice $(BIN)/python -m benchmarks.accuracy

# An OLD generator on purpose: its code runs with every later protobuf.
.venv/generator: Makefile
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check grpcio-tools==$(GENERATOR_VERSION) \
		mypy-protobuf==5.1.0 "setuptools<81"
	@touch $@

# $(call generate,FOLDER) writes the code of all .proto files below FOLDER; record.proto has no service.
define generate
	PATH=.venv/generator/bin:$$PATH .venv/generator/bin/python -m grpc_tools.protoc -I protocol \
		--python_out=$(1) --grpc_python_out=$(1) --mypy_out=$(1) --mypy_grpc_out=$(1) \
		croupier/v1/bot.proto croupier/v1/record.proto
	rm -f $(1)/croupier/v1/record_pb2_grpc.py $(1)/croupier/v1/record_pb2_grpc.pyi
endef

proto: setup .venv/generator  ## Generate the protobuf code anew.
	$(call generate,protocol)

proto-check: setup .venv/generator  ## Find any difference between the committed protobuf code and newly generated code.
	rm -rf build/proto && mkdir -p build/proto
	$(call generate,build/proto)
	diff -r --exclude='*.proto' --exclude=py.typed --exclude=__pycache__ build/proto/croupier/v1 protocol/croupier/v1
