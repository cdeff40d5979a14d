.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: benchmarks help setup announce demo release install binary test test-properties test-services tsan simulate \
	simulate-push crash crash-push check check-weight first-run lint build docs docs-cli format examples measure bench \
	bench-limits bench-pull bench-push bench-live bench-macro conformance findings fuzz

# The package with the command and all tests; the one of this folder has the libraries.
COMMAND := --package-path Command
SWIFT := Sources Tests Fuzzing Snippets Package.swift Benchmarks/Sources Benchmarks/Package.swift
LIBRARIES := JSON Model CoreData Store Remote Import Sync URLSession HTTPClient Testing Macros
CASES := 5000
SCHEDULES := 12000
PUSH_SCHEDULES := 10000
KILLS := 200
PREFIX := /usr/local
SHARE = $(DESTDIR)$(PREFIX)/share
FUZZ := all
FUZZ_SECONDS := 600
DOCUMENTED := Tidemark $(addprefix Tidemark,$(LIBRARIES))

help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: ## Install missing requirements, or print what to install (every other verb runs this first)
	@scripts/setup

# The debug build is shared by `demo`, `test`, `test-services`, `docs-cli`, `examples` and `measure`.
announce: setup
	@[ -d Command/.build/debug ] || echo "The first build takes about ten minutes on two cores; later ones take seconds."

demo: announce ## Pull the films of a service that the command contains into starwars.sqlite
	swift build $(COMMAND) --product tidemark && Command/.build/debug/tidemark demo

release: setup ## Build the command with optimization: .build/release/tidemark
	swift build $(COMMAND) -c release --product tidemark
	@mkdir -p .build/release && ln -sf "$(CURDIR)/Command/.build/release/tidemark" .build/release/tidemark

# Linked statically, the command does not need the libraries of the toolchain; macOS contains them. The build has a
# folder of its own, as its flags differ.
STATIC := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
INSTALLED := .build/install/release/tidemark

binary: setup
	swift build $(COMMAND) -c release --product tidemark --scratch-path .build/install $(STATIC)

install: binary ## Install the command, its completions and its manual page below PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
		$(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	install -s -m 755 $(INSTALLED) $(DESTDIR)$(PREFIX)/bin/tidemark
	$(INSTALLED) reference --format man >$(SHARE)/man/man1/tidemark.1
	$(INSTALLED) --generate-completion-script bash >$(SHARE)/bash-completion/completions/tidemark
	$(INSTALLED) --generate-completion-script zsh >$(SHARE)/zsh/site-functions/_tidemark
	$(INSTALLED) --generate-completion-script fish >$(SHARE)/fish/vendor_completions.d/tidemark.fish

# All tests at once would open so many files that Foundation reads beyond its list of them when it
# starts a process (`findMaximumOpenFromProcSelfFD`), and would not be faster.
test: announce ## Run all tests
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=32 swift test $(COMMAND)

# The build is that of `make simulate`: with optimization, for which it has a folder of its own.
test-properties: setup ## Test each property on 5,000 random samples; CASES and TIDEMARK_SEED select others
	@echo "Testing $(CASES) samples of each property, with the seeds from $${TIDEMARK_SEED:-0} on."
	TIDEMARK_CASES=$(CASES) TIDEMARK_SEED=$${TIDEMARK_SEED:-0} \
		swift test $(COMMAND) -c release -Xswiftc -enable-testing --scratch-path .build/simulate --filter "PropertyTests|PushConfirmationTests"

# The build has a folder of its own, as its flags differ. The store is where threads meet.
tsan: setup ## Test live results and transactions with the thread sanitizer
	swift test --sanitize=thread --scratch-path .build/tsan --filter 'TidemarkStoreTests.*(Live|Concurrent|Transaction|Feed)'

test-services: announce ## Run the tests against Kinto, Django REST framework and Rails, which it installs and starts
	scripts/services run sh -c 'scripts/services check && TIDEMARK_TEST_ALONE=1 swift test $(COMMAND) --filter "Services|IdleTimeoutScenario"'

check: lint build test docs check-weight first-run ## Run everything that a change must pass

check-weight: setup ## Print the packages that an app downloads with Tidemark, and fail if they are more than ten
	scripts/check-weight 10

first-run: setup ## Follow the first sample of README in a new package, and count the lines that are typed
	scripts/first-run

lint: setup ## Check the format and the documentation comments
	swift format lint --strict -r $(SWIFT)

# Both packages have the same tests: they are built with the command alone.
build: announce ## Build both packages; a target that imports what it does not declare is an error
	swift build --explicit-target-dependency-import-check error
	swift build $(COMMAND) --build-tests --explicit-target-dependency-import-check error

docs: setup ## Build the documentation of every library; a warning is an error
	swift package $(COMMAND) generate-documentation $(addprefix --target ,$(DOCUMENTED)) --warnings-as-errors

docs-cli: announce ## Write the commands into docs/cli.md, as the parser describes them
	swift build $(COMMAND) --product tidemark
	scripts/docs-cli Command/.build/debug/tidemark

format: setup ## Format the sources in place
	swift format -i -r $(SWIFT)

examples: announce ## Extract the examples of documentation comments, which the build compiles
	swift run $(COMMAND) --quiet Tidy examples

measure: announce ## Print by target what the rules about the sources limit
	scripts/measure

bench: benchmarks ## Compare imports with hand-written C, Codable + GRDB, sqlite-utils and dlt (5 minutes)
	Benchmarks/bench

bench-limits: benchmarks ## Measure sizes to 3,000,000 rows, memory, import sessions, concurrent readers (10 minutes)
	Benchmarks/bench-limits

bench-pull: benchmarks ## Compare a pull with an import and with dlt, and measure small changes (5 minutes)
	Benchmarks/bench-pull

bench-push: benchmarks ## Measure what it costs to record local changes and to push them (10 minutes)
	Benchmarks/bench-push

bench-live: benchmarks ## Compare typed records and live results with GRDB alone (3 minutes)
	Benchmarks/bench-live

bench-macro: announce ## Measure what the macro adds to the time of a compilation (1 minute)
	swift build $(COMMAND) --product tidemark
	swift build $(COMMAND) --target TidemarkMacros
	Benchmarks/bench-macro

benchmarks: release
	swift build -c release --package-path Benchmarks

conformance: release ## Run the conformance cases of the predecessors through the command
	scripts/conformance

findings: release ## Run the regression cases of former defects through the command
	scripts/findings

# Each of the fifteen dialects executes the same number of schedules. With optimization they take 40 % of the time. The
# build has a folder of its own, as its flags differ.
simulate: setup ## Execute 12,000 schedules of edits, faults and crashes; SCHEDULES and TIDEMARK_SEED select others
	TIDEMARK_CASES=$$(( ($(SCHEDULES) + 14) / 15 )) TIDEMARK_SEED=$${TIDEMARK_SEED:-0} \
		swift test $(COMMAND) -c release -Xswiftc -enable-testing --scratch-path .build/simulate --filter '\.SimulationTests'

simulate-push: setup ## Execute 10,000 schedules of devices that push; PUSH_SCHEDULES and TIDEMARK_SEED select others
	TIDEMARK_CASES=$$(( ($(PUSH_SCHEDULES) + 4) / 5 )) TIDEMARK_SEED=$${TIDEMARK_SEED:-0} \
		swift test $(COMMAND) -c release -Xswiftc -enable-testing --scratch-path .build/simulate --filter PushSimulationTests

crash: release ## Kill 200 pulls of 100,000 rows at random moments, and check that the next ones recover
	scripts/crash --kills $(KILLS)

crash-push: release ## Kill 200 syncs while sqlite3 edits the store, and check that no edit is lost or doubled
	scripts/crash-push --kills $(KILLS)

fuzz: setup ## Fuzz every target for ten minutes; FUZZ=json and FUZZ_SECONDS=60 select others
	scripts/fuzz $(FUZZ) $(FUZZ_SECONDS)
