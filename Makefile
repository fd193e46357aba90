# `make run` and `make test` are all a newcomer needs. Each sets up what it needs, and says what it installs before it does.

CARGO ?= cargo
DATA_DIR ?= ./countersign-demo
LISTEN ?= 127.0.0.1:8080
ROUNDS ?= 50
EXAMPLES ?= 40

CLIENTS := crates/app/tests/clients
VENV := target/clients-venv

WEB_SOURCES := $(shell find web/src web/public web/build -type f -not -name '*.test.*') web/index.html web/vite.config.ts

# Lints, tests and browser tests share one compilation: clippy compiles our own crates and checks them on the way, dependencies are
# compiled once for all three, and the browser tests run the program that the tests were built with. CLIPPY_ARGS is how `cargo clippy`
# itself passes its arguments on to the compiler.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__

# Installs Debian packages where that is possible, and names them where it isn't: $(call install,packages,what they are for)
install = echo "Installing $(1) with apt-get: $(2)"; \
	  apt-get update -qq && apt-get install -y -qq $(1) || \
	  { echo "Could not install them. Run as root: apt-get install $(1)"; exit 1; }

.DELETE_ON_ERROR:
.PHONY: help run test build-tests web clients api-fuzz lint fmt e2e screenshots types crash tamper bench bench-postgres train accuracy wordings deny setup node browser postgres

help: ## List the commands
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):[^#]*## /  make \1\t/' | expand -t 20

run: setup web ## Build what is missing and start the demo on http://127.0.0.1:8080
	$(CARGO) build --release --package countersign
	exec ./target/release/countersign demo --listen $(LISTEN) --data-dir $(DATA_DIR)

# Runs a command with a Postgres server of its own.
WITH_POSTGRES := crates/test-store/with-postgres.sh
# The tests that depend on the store's database, except `rewrites`, which forges SQLite's file itself.
ON_POSTGRES := binary_id(countersign-store::store) & test(/^(contract|on_postgres)::/) \
  | binary_id(countersign-agents::agents) | binary_id(countersign::app) & not test(/^(rewrites|architecture)::/)

test: setup web clients browser postgres ## Set up what the tests need, lint everything and run all tests
	$(CARGO) fmt --all --check
	cd web && npm run --silent check
	@if command -v cargo-nextest >/dev/null 2>&1; then \
	  $(LINTED) $(CARGO) nextest run --workspace --no-fail-fast -E 'not test(/^on_postgres::/)' && \
	  echo "Running the tests of the store, the agents and the server again, on Postgres" && \
	  $(LINTED) $(WITH_POSTGRES) $(CARGO) nextest run --workspace --no-fail-fast -E '$(ON_POSTGRES)'; \
	else \
	  $(LINTED) $(CARGO) test --workspace --all-targets --no-fail-fast -- --skip on_postgres:: && \
	  echo "Running the tests of the store, the agents and the server again, on Postgres" && \
	  $(LINTED) $(WITH_POSTGRES) $(CARGO) test --package countersign-store --test store --no-fail-fast -- contract:: on_postgres:: && \
	  $(LINTED) $(WITH_POSTGRES) $(CARGO) test --package countersign-agents --package countersign --tests --no-fail-fast; \
	fi
	$(LINTED) $(CARGO) test --workspace --doc --quiet
	cd web && npm test
	cd web && npm run e2e

# The same build as in `make test`, without running anything; the program is in target/debug.
build-tests: setup web
	$(LINTED) $(CARGO) test --workspace --all-targets --no-run --quiet

web: web/dist/index.html ## Build the dashboard, which the next release build embeds

web/dist/index.html: web/node_modules/.installed $(WEB_SOURCES)
	cd web && npm run build

# Not `npm ci`: it refuses a lock file without the optional packages of every other platform, which not every registry has. The
# versions still come from the lock file, and it is not changed.
web/node_modules/.installed: web/package.json web/package-lock.json | node
	@echo "Installing the dashboard's npm packages into web/node_modules"
	cd web && npm install --no-save --no-audit --no-fund
	@touch $@

# Without a server of its own: the tests start one where they need it.
postgres:
	@[ -n "$$(find /usr/lib/postgresql -name initdb 2>/dev/null)" ] || command -v initdb >/dev/null 2>&1 || \
	  { $(call install,postgresql,the database that the tests of the store run on); }

e2e: build-tests browser ## Run the real program in a real browser
	cd web && npm run e2e

screenshots: build-tests browser ## Take a picture of every page, in web/screenshots
	cd web && npm run screenshots

types: build-tests web/node_modules/.installed ## Write the dashboard's types from the API's own document
	cd web && npm run types -- ../target/debug/countersign

clients: $(CLIENTS)/node_modules/.installed $(VENV)/.installed ## Install OpenAI's own clients, which the tests use

$(CLIENTS)/node_modules/.installed: $(CLIENTS)/package.json $(CLIENTS)/package-lock.json | node
	@echo "Installing OpenAI's client for Node into $(CLIENTS)/node_modules"
	cd $(CLIENTS) && npm ci --no-audit --no-fund
	@touch $@

# Without Python, its half of the client tests is skipped.
$(VENV)/.installed: $(CLIENTS)/requirements.txt
	@if ! command -v python3 >/dev/null 2>&1; then \
	  echo "Python is missing, so OpenAI's Python client is not tested. To test it: apt-get install python3-venv"; \
	else \
	  echo "Creating a virtual environment in $(VENV) and installing OpenAI's client for Python into it"; \
	  python3 -m venv --clear $(VENV) || { $(call install,python3-venv,virtual environments for Python) && \
	    python3 -m venv --clear $(VENV); } || exit 1; \
	  $(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $< && touch $@; \
	fi

lint: setup web/node_modules/.installed ## Check formatting, lints and types, without running tests
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	cd web && npm run --silent check

fmt: web/node_modules/.installed ## Format everything
	$(CARGO) fmt --all
	cd web && npm run --silent fmt

crash: setup ## Kill the running program ROUNDS times and check that nothing was lost (ROUNDS=50)
	CRASH_ROUNDS=$(ROUNDS) $(LINTED) $(CARGO) test --package countersign --test app -- --nocapture crash

tamper: ROUNDS = 1000
tamper: setup ## Change a populated store at random ROUNDS times and check that verify finds each change (ROUNDS=1000)
	TAMPER_ROUNDS=$(ROUNDS) $(LINTED) $(CARGO) test --package countersign-store --test store -- --nocapture no_random_change

API_FUZZ := crates/app/tests/api-fuzz
FUZZ_VENV := target/api-fuzz-venv

api-fuzz: setup $(FUZZ_VENV)/.installed ## Fuzz the API from its own OpenAPI document with schemathesis (EXAMPLES=40 for each operation)
	$(LINTED) $(CARGO) build --package countersign
	$(API_FUZZ)/run.sh $${CARGO_TARGET_DIR:-target}/debug/countersign $(FUZZ_VENV)/bin/schemathesis --max-examples $(EXAMPLES)

$(FUZZ_VENV)/.installed: $(API_FUZZ)/requirements.txt
	@mkdir -p $(@D)
	@echo "Creating a virtual environment in $(FUZZ_VENV) and installing schemathesis into it"
	@python3 -m venv --clear $(FUZZ_VENV) || { $(call install,python3-venv,virtual environments for Python) && \
	  python3 -m venv --clear $(FUZZ_VENV); } || exit 1
	$(FUZZ_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

bench: setup ## Run the benchmarks, each compared with something measured in the same run
	$(CARGO) build --release --package countersign --package countersign-fake-provider --package countersign-bench \
	  --package countersign-bench-inspect
	./target/release/countersign-bench
	./target/release/countersign-bench-inspect

bench-postgres: setup postgres ## Compare the store on Postgres with plain inserts, on a server that waits for the disk
	$(CARGO) build --release --package countersign-bench
	FSYNC=on $(WITH_POSTGRES) ./target/release/countersign-bench postgres

accuracy: ## Regenerate the figures in docs/accuracy/supervisor.md
	$(CARGO) build --release --package countersign
	./target/release/countersign eval supervisor --format markdown > target/supervisor-figures.md
	awk 'FNR == NR { figures = figures $$0 "\n"; next } \
	  /<!-- figures -->/ { print; printf "%s", figures; inside = 1 } /<!-- end of figures -->/ { inside = 0 } !inside' \
	  target/supervisor-figures.md docs/accuracy/supervisor.md > target/supervisor.md
	mv target/supervisor.md docs/accuracy/supervisor.md

WORDINGS := crates/factcheck/src/licence/wordings

wordings: ## Regenerate the known wordings from the corpus's true texts
	$(CARGO) run --quiet --package countersign-corpus --example wordings > target/wordings.txt
	mv target/wordings.txt $(WORDINGS)/own.txt

TASKS := grounding injection names toxicity

train: setup ## Train the inspectors' weights again, from the labelled data in DATA
	@test -d "$(DATA)" || { echo "Name the folder of labelled data: make train DATA=folder"; exit 1; }
	$(CARGO) build --release --package countersign-train
	@for task in $(TASKS); do echo "# $$task"; \
	  ./target/release/countersign-train $$task "$(DATA)" --out crates/inspect/weights || exit 1; done

deny: ## Check licences and sources of all dependencies (installs cargo-deny if it is missing)
	@command -v cargo-deny >/dev/null 2>&1 || { \
	  echo "Installing cargo-deny with cargo install: it checks licences and sources"; \
	  $(CARGO) install --locked cargo-deny || { echo "Could not install it. See https://embarkstudios.github.io/cargo-deny"; exit 1; }; }
	$(CARGO) deny check licenses bans sources

# Besides Rust, the build needs only a C compiler: SQLite is compiled in.
setup:
	@command -v $(CARGO) >/dev/null 2>&1 || { echo "Rust is missing: install it with rustup, from https://rustup.rs"; exit 1; }
	@channel=$$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml); \
	if command -v rustup >/dev/null 2>&1 && ! rustup toolchain list | grep -q "^$$channel"; then \
	  echo "Cargo will install Rust $$channel with rustup, as rust-toolchain.toml says"; fi
	@command -v cc >/dev/null 2>&1 || { $(call install,build-essential,a C compiler for SQLite); }

# For the dashboard and the client tests. Without it the program still builds, and says at / that it has no dashboard.
node:
	@command -v npm >/dev/null 2>&1 || { $(call install,nodejs npm,Node.js for the dashboard); }
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(+major > 20 || (+major === 20 && +minor >= 19) ? 0 : 1)' || { \
	  echo "Node.js $$(node --version) is too old: the dashboard needs 20.19 or newer, from https://nodejs.org"; \
	  echo "Without the dashboard: cargo run --release -- demo"; exit 1; }

# For the browser tests.
browser:
	@command -v $(or $(CHROMIUM),chromium) >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  echo "If Chromium is elsewhere, name it: make CHROMIUM=/path/to/chromium …"; \
	  $(call install,chromium,the browser tests); }
