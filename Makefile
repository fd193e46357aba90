# Two commands are all there is to do: `make run` and `make test`. Each does its own set-up.

CARGO ?= cargo
DATA_DIR ?= ./countersign-data
LISTEN ?= 127.0.0.1:8080
ROUNDS ?= 50

.PHONY: help run test lint fmt crash bench deny setup

help: ## Show what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 16

run: setup ## Build what is missing and start Countersign on http://127.0.0.1:8080
	$(CARGO) build --release --package countersign
	exec ./target/release/countersign serve --listen $(LISTEN) --data-dir $(DATA_DIR)

test: lint ## Set up what the tests need and run all of them
	@if command -v cargo-nextest >/dev/null 2>&1; then \
	  $(CARGO) nextest run --workspace --no-fail-fast; \
	else \
	  $(CARGO) test --workspace --all-targets --no-fail-fast; \
	fi
	$(CARGO) test --workspace --doc --quiet

lint: setup ## Check formatting and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings

fmt: ## Format everything
	$(CARGO) fmt --all

crash: setup ## Kill the running program ROUNDS times and check that nothing was lost (ROUNDS=50)
	CRASH_ROUNDS=$(ROUNDS) $(CARGO) test --package countersign --test app -- --nocapture crash

bench: setup ## Measure, beside a plain SQLite loop on the same machine
	$(CARGO) build --release --package countersign --package countersign-bench
	./target/release/countersign-bench

deny: ## Check licences and sources of all dependencies (needs cargo-deny)
	@command -v cargo-deny >/dev/null 2>&1 || { echo "cargo-deny is missing: cargo install --locked cargo-deny"; exit 1; }
	cargo deny check licenses bans sources

# A C compiler is the one thing beside Rust that the build needs: SQLite is compiled in.
setup:
	@command -v $(CARGO) >/dev/null 2>&1 || { echo "Rust is missing: install it with rustup, from https://rustup.rs"; exit 1; }
	@command -v cc >/dev/null 2>&1 || { \
	  echo "A C compiler is missing; installing build-essential"; \
	  apt-get update -qq && apt-get install -y -qq build-essential || \
	  { echo "Could not install it: as root, apt-get install build-essential"; exit 1; }; }
