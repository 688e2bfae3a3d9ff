# make test         every test once, with the race detector where goroutines share; lists what was skipped
#                   HEBB_TESTS=full tries every case and round of the tests that otherwise take a part
# make check        what a change must pass: format, vet, lint, test (layers among them), other systems compile
# make agents       real agents from npm with hebb, end to end; AGENTS=--all runs every one
# make windows      the real hebb.exe under Wine
# make packages     what people install: the archive with install.sh, npm packages, hebb upgrade
# make page         the page of hebb ui in a headless Chromium; make page-files makes its files from the sources
# make conformance  the Model Context Protocol's own suite and inspector against hebb mcp
# make bench        every benchmark; BENCH=--json prints one JSON object per line
# make docs         the references that are made from the program
# make release      what is published, for six systems, in dist/
# make fuzz         every fuzz target for FUZZTIME each

export CGO_ENABLED = 0
VERSION = $(shell git describe --tags --always --dirty 2>/dev/null)
BUILD = go build -trimpath -ldflags="-s -w -X github.com/hebb-memory/hebb/internal/cli.Version=$(VERSION)"
FUZZTIME = 30s

.PHONY: build build-bench test check windows agents packages page page-files conformance format vet lint cross docs bench bench-hook bench-drain bench-recall fuzz release

build:
	$(BUILD) -o bin/hebb ./cmd/hebb

# The benchmarks are a program of their own; it times the processes of the hebb beside it.
build-bench: build
	$(BUILD) -o bin/hebb-bench ./cmd/hebb-bench

test:
	scripts/with-postgres go run ./scripts/suite

check: format vet lint test cross

# Exit code 77: what the check needs could not be installed, which the script has said loudly. In CI that is a failure.
PASSABLE = [ $$? -eq 77 -a "$$CI" != true ]

windows:
	scripts/windows-check || $(PASSABLE)

agents:
	scripts/agents-e2e $(AGENTS) || $(PASSABLE)

packages:
	scripts/packages-check || $(PASSABLE)

page:
	scripts/page-check || $(PASSABLE)

# The bundler has a module of its own, so that hebb does not depend on it.
page-files:
	cd tools/page && go run .

conformance: build
	HEBB=$(CURDIR)/bin/hebb scripts/mcp-conformance || $(PASSABLE)

format:
	@unformatted=$$(gofmt -l cmd internal); [ -z "$$unformatted" ] || { echo "not gofmt-clean:"; echo "$$unformatted"; exit 1; }

# Tests that need Wine or an agent are in files of their own, which scripts build.
vet:
	go vet ./...
	go vet -tags wine,agents,packages ./cmd/hebb

# The linter has a module of its own, so that none of its dependencies becomes ours.
lint:
	cd tools && go build -o ../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	GOLANGCI_LINT_CACHE=$(CURDIR)/bin/lint-cache bin/golangci-lint run

cross:
	GOOS=darwin GOARCH=arm64 go vet ./...
	GOOS=windows GOARCH=amd64 go vet ./...

docs: build
	bin/hebb docs docs
	go test ./internal/layers -run TestTheTableOfSizesIsTrue -update

bench: bench-hook bench-drain bench-recall

bench-hook: build-bench
	@bin/hebb-bench hook $(BENCH)

bench-drain: build-bench
	@bin/hebb-bench drain $(BENCH)

bench-recall: build-bench
	@bin/hebb-bench recall $(BENCH)

fuzz:
	scripts/fuzz $(FUZZTIME)

# Archives, checksums, SBOMs, a .deb, manifests of Homebrew and Scoop, and npm packages for six systems, in dist/. Without a tag it is a snapshot; nothing
# is published. HEBB_SIGNING_KEY is the private key that signs, or a file with it. The tools have a module of their own.
release:
	cd tools/release && go build -o ../../bin/ github.com/goreleaser/goreleaser/v2 github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	bin/goreleaser release --clean --skip=publish,announce,validate $$(git describe --exact-match --tags >/dev/null 2>&1 || echo --snapshot)
	programs="linux-x64=dist/hebb_linux_amd64_v1/hebb linux-arm64=dist/hebb_linux_arm64_v8.0/hebb \
		darwin-x64=dist/hebb_darwin_amd64_v1/hebb darwin-arm64=dist/hebb_darwin_arm64_v8.0/hebb \
		win32-x64=dist/hebb_windows_amd64_v1/hebb.exe win32-arm64=dist/hebb_windows_arm64_v8.0/hebb.exe" && \
	scripts/sign-release dist/SHA256SUMS $$(printf '%s\n' $$programs | sed 's/.*=//') && \
	scripts/npm-packages "$$(sed -n 's/.*"version":"\([^"]*\)".*/\1/p' dist/metadata.json)" dist/npm $$programs
