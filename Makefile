# Two commands are all there is to do: `make run` and `make test`. Each does its own set-up.

CARGO ?= cargo
DATA_DIR ?= ./countersign-demo
LISTEN ?= 127.0.0.1:8080
ROUNDS ?= 50

CLIENTS := crates/app/tests/clients
VENV := target/clients-venv

.PHONY: help run test clients lint fmt crash bench train deny setup node

help: ## Show what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 16

run: setup ## Build what is missing and start the demo on http://127.0.0.1:8080
	$(CARGO) build --release --package countersign
	exec ./target/release/countersign demo --listen $(LISTEN) --data-dir $(DATA_DIR)

test: lint clients ## Set up what the tests need and run all of them
	@if command -v cargo-nextest >/dev/null 2>&1; then \
	  $(CARGO) nextest run --workspace --no-fail-fast; \
	else \
	  $(CARGO) test --workspace --all-targets --no-fail-fast; \
	fi
	$(CARGO) test --workspace --doc --quiet

clients: $(CLIENTS)/node_modules/.installed $(VENV)/.installed ## Install OpenAI's own clients, which the tests run

$(CLIENTS)/node_modules/.installed: $(CLIENTS)/package.json $(CLIENTS)/package-lock.json | node
	cd $(CLIENTS) && npm ci --no-audit --no-fund
	@touch $@

# Without Python, its half of the client tests is skipped; with it, nothing is.
$(VENV)/.installed: $(CLIENTS)/requirements.txt
	@if ! command -v python3 >/dev/null 2>&1; then \
	  echo "Python is missing: OpenAI's client for it is not tested. To test it: apt-get install python3-venv"; \
	else \
	  python3 -m venv --clear $(VENV) || { \
	    echo "Python's venv is missing; installing python3-venv"; \
	    apt-get update -qq && apt-get install -y -qq python3-venv && python3 -m venv --clear $(VENV); } || \
	  { echo "Could not install it: as root, apt-get install python3-venv"; exit 1; }; \
	  $(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $< && touch $@; \
	fi

lint: setup ## Check formatting and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings

fmt: ## Format everything
	$(CARGO) fmt --all

crash: setup ## Kill the running program ROUNDS times and check that nothing was lost (ROUNDS=50)
	CRASH_ROUNDS=$(ROUNDS) $(CARGO) test --package countersign --test app -- --nocapture crash

bench: setup ## Measure, beside a plain SQLite loop on the same machine
	$(CARGO) build --release --package countersign --package countersign-fake-provider --package countersign-bench \
	  --package countersign-bench-inspect
	./target/release/countersign-bench
	./target/release/countersign-bench-inspect

TASKS := grounding injection names toxicity

train: setup ## Make the inspectors' learned weights anew, from the labelled data in DATA
	@test -d "$(DATA)" || { echo "Say where the labelled data is: make train DATA=folder"; exit 1; }
	$(CARGO) build --release --package countersign-train
	@for task in $(TASKS); do echo "# $$task"; \
	  ./target/release/countersign-train $$task "$(DATA)" --out crates/inspect/weights || exit 1; done

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

# For the client tests; the program itself doesn't need it.
node:
	@command -v npm >/dev/null 2>&1 || { \
	  echo "Node.js is missing; installing nodejs and npm"; \
	  apt-get update -qq && apt-get install -y -qq nodejs npm || \
	  { echo "Could not install it: as root, apt-get install nodejs npm"; exit 1; }; }
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { \
	  echo "Node.js $$(node --version) is too old: OpenAI's client needs 20 or newer, from https://nodejs.org"; exit 1; }
