package shell

import "testing"

func TestWhatALineDoesWithTheWork(t *testing.T) {
	for line, want := range map[string]Deed{
		"go build ./...": Builds, "cd x && go test ./... | tail -3": Tests, "go vet ./...": Checks, "go run .": Starts, "go mod tidy": Alters, "gofmt -l .": Lints, "gofmt -w .": Alters,
		"cargo check": Checks, "cargo clippy -- -D warnings": Lints, "cargo build": Builds, "cargo nextest run": Tests, "npm run build": Builds, "npm test": Tests, "npm ci": Alters,
		"npm run dev": Starts, "yarn test": Tests, "npx tsc --noEmit": Checks, "npx --yes vitest run src": Tests, "pnpm exec eslint src": Lints, "yarn lint --fix": Alters,
		"python -m pytest -q": Tests, "python manage.py test": Tests, "python -c 'import x'": Looks, "python a.py": Starts, "poetry run mypy src": Checks, "uv run ruff check .": Lints,
		"make": Builds, "make check": Tests, "make lint": Lints, "just test": Tests, "./gradlew build": Tests, "mvn -q verify": Tests, "mvn compile": Builds, "bundle exec rspec a": Tests,
		"bundle exec rake": Tests, "php vendor/bin/phpunit": Tests, "composer test": Tests, "composer install": Alters, "dotnet test --nologo": Tests, "mix credo": Lints,
		"docker compose exec -T web pytest": Tests, "docker compose up -d": Alters, "./scripts/run-tests.sh": Tests, "./deploy.sh": Alters, "git status": Looks, "git stash pop": Alters,
		"git commit -m 'fix test'": Looks, "grep -rn test .": Looks, "rm a": Alters, "ls; cat b": Looks, "node --test": Tests, "node -e 'test()'": Looks, "go version": Looks, "npm ls react": Looks, "docker build .": Builds, "node --version": Looks, "pip install -q ruff": Alters,
	} {
		if got := Try(line, false, "").Deed(); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}

func TestHowFarASuccessShowsThatAFailureIsOver(t *testing.T) {
	for _, c := range []struct {
		passed, failed, printed string
		want                    Proof
	}{
		{"go test ./...", "go build ./...", "", Sure},
		{"make test", "go vet ./...", "", Maybe},
		{"cargo test -q", "cargo check", "", Sure},
		{"go build ./... && gofmt -l .", "go test ./store", "", None},
		{"npm test", "npm run build", "", Maybe},
		{"npm run build", "npx tsc --noEmit", "", Maybe},
		{"npx vitest run", "npx tsc --noEmit", "", None},
		{"yarn test", "npx vitest run src/cart.test.ts", "", Sure},
		{"npm run lint", "npx jest src/Form.test.jsx", "", None},
		{"npm run lint && npm test", "npx eslint src", "", Sure},
		{"npm test", "npm run lint && npm test", "", Maybe},
		{"pytest -q", "pytest tests/a.py::test_x -x", "", Sure},
		{"pytest tests/test_dist.py", "pytest", "FAILED tests/test_names.py::test_plain", None},
		{"pytest tests/test_names.py", "pytest", "FAILED tests/test_names.py::test_plain", Maybe},
		{"go test ./... | tail -20", "go test ./q -run TestPop -v", "", Maybe},
		{"npm --prefix web test", "cd web && npm test", "", Sure},
		{"npm test", "cd web && npm test", "", Maybe},
		{"cd api && npm test", "cd web && npm test", "", None},
		{"pytest", "npm test", "", None},
		{"make lint", "mypy src/a.py", "", Maybe},
		{"pytest", "mypy src", "", None},
		{"bundle exec rake", "bin/rspec spec/a_spec.rb:14", "", Sure},
		{"mvn -q verify", "mvn -q test -Dtest=MonthsTest", "", Sure},
		{"composer test", "vendor/bin/phpunit --filter testX", "", Sure},
		{"docker compose exec web pytest", "pytest", "", Sure},
		{"make -j4 && ./build/run_tests", "make", "", Maybe},
		{"go test -run TestOther ./pay", "go test -run TestRefund ./pay", "--- FAIL: TestRefund", None},
		{"go test -run 'TestOther|TestRefund' ./...", "go test ./pay", "--- FAIL: TestRefund", Maybe},
		{"tox", "pytest", "", Maybe},
		{"black --check .", "ruff check .", "", None},
		{"grep -n x a.go", "go test ./...", "", None},
		{"go test ./...", "node scripts/sync.js", "", None},
	} {
		if got := Try(c.passed, false, "").Shows(Try(c.failed, true, c.printed)); got != c.want {
			t.Errorf("%q after %q: %d, want %d", c.passed, c.failed, got, c.want)
		}
	}
}
