# Two commands are all there is to do: `make run` and `make test`. Each does its own set-up.

CARGO ?= cargo
DATA_DIR ?= ./countersign-demo
LISTEN ?= 127.0.0.1:8080
ROUNDS ?= 50
EXAMPLES ?= 40

CLIENTS := crates/app/tests/clients
VENV := target/clients-venv

WEB_SOURCES := $(shell find web/src web/public web/build -type f -not -name '*.test.*') web/index.html web/vite.config.ts

.DELETE_ON_ERROR:
.PHONY: help run test web clients api-fuzz lint fmt e2e screenshots types crash tamper bench train accuracy wordings deny setup node browser

help: ## Show what can be made
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):[^#]*## /  make \1\t/' | expand -t 20

run: setup web ## Build what is missing and start the demo on http://127.0.0.1:8080
	$(CARGO) build --release --package countersign
	exec ./target/release/countersign demo --listen $(LISTEN) --data-dir $(DATA_DIR)

test: lint web clients browser ## Set up what the tests need and run all of them
	@if command -v cargo-nextest >/dev/null 2>&1; then \
	  $(CARGO) nextest run --workspace --no-fail-fast; \
	else \
	  $(CARGO) test --workspace --all-targets --no-fail-fast; \
	fi
	$(CARGO) test --workspace --doc --quiet
	cd web && npm test
	@$(MAKE) --no-print-directory e2e

web: web/dist/index.html ## Build the dashboard, which the next build of the program holds

web/dist/index.html: web/node_modules/.installed $(WEB_SOURCES)
	cd web && npm run build

# Not `npm ci`: it refuses a lock without the optional packages of every other platform, which not every registry has. The
# versions are the lock's all the same, and nothing is written to it.
web/node_modules/.installed: web/package.json web/package-lock.json | node
	cd web && npm install --no-save --no-audit --no-fund
	@touch $@

e2e: setup web browser ## Run the real program in a real browser
	$(CARGO) build --package countersign
	cd web && npm run e2e

screenshots: setup web browser ## Make a picture of every page in web/screenshots
	$(CARGO) build --package countersign
	cd web && npm run screenshots

types: setup web/node_modules/.installed ## Write the dashboard's types from the API's own document
	$(CARGO) build --package countersign
	cd web && npm run types -- ../target/debug/countersign

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

lint: setup web/node_modules/.installed ## Check formatting, lints and types
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	cd web && npm run --silent check

fmt: web/node_modules/.installed ## Format everything
	$(CARGO) fmt --all
	cd web && npm run --silent fmt

crash: setup ## Kill the running program ROUNDS times and check that nothing was lost (ROUNDS=50)
	CRASH_ROUNDS=$(ROUNDS) $(CARGO) test --package countersign --test app -- --nocapture crash

tamper: ROUNDS = 1000
tamper: setup ## Change a populated store at random ROUNDS times and check that verify finds each change (ROUNDS=1000)
	TAMPER_ROUNDS=$(ROUNDS) $(CARGO) test --package countersign-store --test store -- --nocapture no_random_change

API_FUZZ := crates/app/tests/api-fuzz
FUZZ_VENV := target/api-fuzz-venv

api-fuzz: setup $(FUZZ_VENV)/.installed ## Try the API by its own document with schemathesis (EXAMPLES=40 for each operation)
	$(CARGO) build --package countersign
	$(API_FUZZ)/run.sh $${CARGO_TARGET_DIR:-target}/debug/countersign $(FUZZ_VENV)/bin/schemathesis --max-examples $(EXAMPLES)

$(FUZZ_VENV)/.installed: $(API_FUZZ)/requirements.txt
	@mkdir -p $(@D)
	@python3 -m venv --clear $(FUZZ_VENV) || { \
	  echo "Python's venv is missing; installing python3-venv"; \
	  apt-get update -qq && apt-get install -y -qq python3-venv && python3 -m venv --clear $(FUZZ_VENV); } || \
	  { echo "Could not install it: as root, apt-get install python3-venv"; exit 1; }
	$(FUZZ_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

bench: setup ## Measure, beside a plain SQLite loop on the same machine
	$(CARGO) build --release --package countersign --package countersign-fake-provider --package countersign-bench \
	  --package countersign-bench-inspect
	./target/release/countersign-bench
	./target/release/countersign-bench-inspect

accuracy: ## Regenerate the figures in docs/accuracy/supervisor.md
	$(CARGO) build --release --package countersign
	./target/release/countersign eval supervisor --format markdown > target/supervisor-figures.md
	awk 'FNR == NR { figures = figures $$0 "\n"; next } \
	  /<!-- figures -->/ { print; printf "%s", figures; inside = 1 } /<!-- end of figures -->/ { inside = 0 } !inside' \
	  target/supervisor-figures.md docs/accuracy/supervisor.md > target/supervisor.md
	mv target/supervisor.md docs/accuracy/supervisor.md

WORDINGS := crates/factcheck/src/licence/wordings

wordings: ## Regenerate the wordings that a model may use, from the corpus's true texts
	$(CARGO) run --quiet --package countersign-corpus --example wordings > target/wordings.txt
	mv target/wordings.txt $(WORDINGS)/own.txt

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

# For the dashboard and the client tests. The program builds without it, and then says at / that it has no dashboard.
node:
	@command -v npm >/dev/null 2>&1 || { \
	  echo "Node.js is missing; installing nodejs and npm"; \
	  apt-get update -qq && apt-get install -y -qq nodejs npm || \
	  { echo "Could not install it: as root, apt-get install nodejs npm"; exit 1; }; }
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(+major > 20 || (+major === 20 && +minor >= 19) ? 0 : 1)' || { \
	  echo "Node.js $$(node --version) is too old: the dashboard needs 20.19 or newer, from https://nodejs.org"; \
	  echo "Without the dashboard: cargo run --release -- demo"; exit 1; }

# For the browser tests.
browser:
	@command -v $(or $(CHROMIUM),chromium) >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  echo "Chromium is missing; installing it"; \
	  apt-get update -qq && apt-get install -y -qq chromium || \
	  { echo "Could not install it: as root, apt-get install chromium, or give its path: CHROMIUM=…"; exit 1; }; }
