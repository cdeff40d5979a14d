.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: benchmarks help setup demo test test-services simulate crash check lint build docs format bench bench-limits \
	bench-pull conformance findings fuzz

SWIFT := Sources Tests Fuzzing Snippets Package.swift Benchmarks/Sources Benchmarks/Package.swift
LIBRARIES := Model Store Remote Import Sync URLSession HTTPClient Testing FakeServer
SCHEDULES := 10000
KILLS := 200
FUZZ := all
FUZZ_SECONDS := 600
DOCUMENTED := Tidemark $(addprefix Tidemark,$(LIBRARIES))

help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: ## Install what is missing, or say what to install (every other verb does it first)
	@scripts/setup

demo: setup ## Pull a service of films, which comes with the command, into starwars.sqlite
	swift build -c release --product tidemark && .build/release/tidemark demo

test: setup ## Run all tests, with spans: the trait Tracing
	swift test --traits Tracing

test-services: setup ## Run the tests against Kinto, Django REST framework and Rails, which it installs and starts
	scripts/services run sh -c 'scripts/services check && TIDEMARK_TEST_ALONE=1 swift test --traits Tracing --filter "Services|IdleTimeoutScenario"'

check: lint build test docs ## All that must hold before a change goes in

lint: setup ## Check the format and the documentation comments
	swift format lint --strict -r $(SWIFT)

build: setup ## Build everything; a target that imports what it does not declare is an error
	swift build --build-tests --explicit-target-dependency-import-check error

docs: setup ## Build the documentation of every library; a warning is an error
	swift package generate-documentation $(addprefix --target ,$(DOCUMENTED)) --warnings-as-errors

format: setup ## Format the sources in place
	swift format -i -r $(SWIFT)

bench: benchmarks ## Compare imports with the same work by hand in C, Codable + GRDB, sqlite-utils and dlt (5 minutes)
	Benchmarks/bench

bench-limits: benchmarks ## Sizes to 3,000,000 rows, memory, walks, readers beside an import (10 minutes)
	Benchmarks/bench-limits

bench-pull: benchmarks ## A pull beside an import and beside dlt, and where little has changed (5 minutes)
	Benchmarks/bench-pull

benchmarks: setup
	swift build -c release --product tidemark
	swift build -c release --package-path Benchmarks

conformance: setup ## Run the predecessors' cases through the command
	swift build -c release --product tidemark && scripts/conformance

findings: setup ## Run the former defects that use has found, case by case, through the command
	swift build -c release --product tidemark && scripts/findings

simulate: setup ## Pull through 10,000 schedules of edits, faults and crashes; SCHEDULES and TIDEMARK_SEED choose others
	TIDEMARK_CASES=$$(( $(SCHEDULES) / 10 )) TIDEMARK_SEED=$${TIDEMARK_SEED:-0} swift test --filter SimulationTests

crash: setup ## Kill 200 pulls of 100,000 rows at random moments, and compare what the next ones make of it
	swift build -c release --product tidemark && scripts/crash --kills $(KILLS)

fuzz: setup ## Fuzz every target for ten minutes; FUZZ=json and FUZZ_SECONDS=60 choose
	scripts/fuzz $(FUZZ) $(FUZZ_SECONDS)
