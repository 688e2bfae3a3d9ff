package texts

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Each line: text → subject = value; "!" before the value: denied.
const withSubject = `
We use PostgreSQL for storage → storage = postgresql
we use redis for caching. → caching = redis
We now use pnpm for package management → package management = pnpm
Use zap for logging → logging = zap
use slog for logging because zap is unmaintained → logging = slog
We decided to use Redis for the session cache → session cache = redis
Decided to use sqlite for the job queue → job queue = sqlite
We chose Kafka for event streaming → event streaming = kafka
We went with Terraform for provisioning → provisioning = terraform
Let's go with Tailwind for styling → styling = tailwind
We're going with gRPC for internal RPC → internal rpc = grpc
We settled on Vitest for unit tests → unit test = vitest
We switched to ruff for linting → linting = ruff
We use JWT instead of sessions for authentication → authentication = jwt
We use GitHub Actions for CI → ci = github action
From now on we use esbuild for bundling → bundling = esbuild
The project uses sqlc for database access → database access = sqlc
We use sharp for resizing in the upload service → upload service resizing = sharp
We no longer use Redis for caching → caching = !redis
Do not use moment for date formatting → date formatting = !moment
Use main as the default branch → default branch = main
Use vim as my editor → my editor = vim
We use bun as our package manager → package manager = bun
The default branch is main → default branch = main
the default branch is now trunk → default branch = trunk
The default branch is called develop. → default branch = develop
Our package manager is pnpm → package manager = pnpm
The project's license is MIT → project license = mit
The license is Apache 2.0 → license = apache 2.0
The log level is debug → log level = debug
The upload timeout is 30s → upload timeout = 30s
The timeout for uploads is 30 seconds → upload timeout = 30 second
The port of the api server is 8080 → api server port = 8080
The database is PostgreSQL → database = postgresql
Our timezone is CET → timezone = cet
My editor is vim → my editor = vim
The user's editor is Emacs → user editor = emac
The staging region is eu-west-1 → staging region = eu-west-1
The Go version is 1.26 → go version = 1.26
The max line length is 120 → max line length = 120
The retry limit defaults to 5 → retry limit = 5
The cache ttl is set to 10m → cache ttl = 10m
main is the default branch → default branch = main
pnpm is our package manager → package manager = pnpm
vim is my editor → my editor = vim
default branch: main → default branch = main
Package manager: pnpm → package manager = pnpm
log level: debug → log level = debug
Timezone: Europe/Berlin → timezone = europe/berlin
DB_HOST=localhost → db_host = localhost
server.port = 8080 → server.port = 8080
Prefer tabs over spaces → space or tab = tab
prefer spaces over tabs → space or tab = space
The user prefers composition over inheritance → composition or inheritance = composition
Use tabs, not spaces → space or tab = tab
Use tabs instead of spaces in Go files → space or tab in go file = tab
We use fetch instead of axios → axio or fetch = fetch
Decision: the default branch is main → default branch = main
Remember that our package manager is pnpm → package manager = pnpm
- The default branch is main → default branch = main
`

const withoutSubject = `
The build is broken
The port is taken
The default branch is protected
The upload timeout is too short
The upload timeout is configurable
The log level is important
The staging region is unavailable
The Go version is pinned in go.mod
The parser is recursive
The function is slow
The API is down
Is the default branch main?
If the default branch is main, rebase first
The default branch should be main
Maybe the default branch is main
The default branch was master
The default branch is not main
The default branch is main. Releases are cut from it.
The default branch is either main or trunk
We also use Redis for caching
We use Redis and Postgres for storage
We sometimes use Redis for caching
We use Go for the backend
We use React for the frontend
We use pytest for testing
We use generics for performance reasons
We use constants for readability
We use it for caching
We use this for now
We use Redis for everything
We used to use Redis for caching
We used Redis for caching
We could use Redis for caching
We plan to use Redis for caching
We want to use Redis for caching
We tried Redis for caching
Should we use Redis for caching?
What do we use for caching?
Use the store for everything
Use it
Use this
use X when the cache is cold
Prefer to use tabs
Prefer tabs
The user prefers short answers
I prefer integration tests to be small
I would rather walk than run
Move fast over there
TODO: fix the parser
fix: the parser loops on empty input
feat(store): add an index
store: remove two indexes
Note: see the README
error: connection refused
http://localhost:8080 is the base url
Step 1: install
Q: what is the default branch
The problem is the timeout
utils.py is the wrong path
This is the default branch
It is our package manager
Here is the url
She is the owner
x == 3
a = b
if err != nil
Fixed a race in the drain
The hook swallows errors by contract
extractSessionData() parses transcripts multiple times
Initial fix incorrectly passed "Claude Code" string as agentType
Biome lint failed after initial implementation
The frontend Metadata interface lacks repositoryUrl
Tests, lint, and typecheck are run via bun
The cron job runs on port 80 and 443
The api runs on port 8080 when debugging
Renamed foo to bar
We migrated the data from A to B
We moved from Berlin to Munich
Changed the tests
The team is happy
Bob is the best owner
The new default branch is main
The first port is 80
The other database is MySQL
Alice likes tabs
The default branch is main except in forks
The default branch is main; hotfixes go to release
default branch: see the wiki page about branching
log level: too verbose
Version: unknown
We use Redis for caching in the api and memcached elsewhere
The name of the function is misleading
The path is relative to the root
The size of the queue is growing
The retry policy is aggressive
The owner of billing is on vacation
`

func TestSubjectsThatAreSure(t *testing.T) {
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(withSubject), "\n") {
		text, rest, _ := strings.Cut(line, " → ")
		subject, value, _ := strings.Cut(rest, " = ")
		value, denied := strings.CutPrefix(value, "!")
		got := readClaim(text)
		if want := (claim{subject: subject, value: value, denied: denied}); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
		n++
	}
	if n < 50 {
		t.Errorf("%d examples", n)
	}
}

func TestSubjectsThatAreNotSureAreNone(t *testing.T) {
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(withoutSubject), "\n") {
		if got := readClaim(line); got != (claim{}) {
			t.Errorf("%q: %+v, want none", line, got)
		}
		n++
	}
	if n < 60 {
		t.Errorf("%d examples", n)
	}
}

func TestSubjectsAreNormalWhateverTheText(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	words := strings.Fields("the default branch is main we use for as prefer over to , not never don't Redis port 8080 of in x's " +
		"' . = : a_b `c` from renamed port: ' '' user's my s ies \xff 数据")
	for range 20000 {
		var text []string
		for range 1 + random.IntN(9) {
			text = append(text, words[random.IntN(len(words))])
		}
		c := readClaim(strings.Join(text, " "))
		if c.subject != NormalSubject(c.subject) || c.subject != "" && c.value == "" {
			t.Fatalf("%q: %+v, normal %q", text, c, NormalSubject(c.subject))
		}
	}
}

func TestANewerStatementReplacesTheOlder(t *testing.T) {
	later := noon.Add(time.Hour)
	said := func(text string, at time.Time) memory.Crystal {
		c := note(text)
		c.SaidAt, c.LastAt = at, at
		c.Subject = Subject(c)
		return c
	}
	agent := func(newer, _ *memory.Crystal) { newer.Origin = memory.OriginAgent }
	for _, c := range []struct {
		name, newer, older string
		but                func(newer, older *memory.Crystal)
		want               bool
	}{
		{"another value", "The default branch is main", "The default branch is master", nil, true},
		{"in other words", "trunk is the default branch", "default branch: master", nil, true},
		{"a preference turned round", "Prefer spaces over tabs", "Prefer tabs over spaces", nil, true},
		{"no longer that", "We no longer use Redis for caching", "We use Redis for caching", nil, true},
		{"no longer another", "We no longer use Redis for caching", "We use memcached for caching", nil, false},
		{"the same again", "main is the default branch", "The default branch is main", nil, false},
		{"another subject", "The log level is info", "The default branch is master", nil, false},
		{"no subject", "The build is red", "The build is green", nil, false},
		{"a decision over a fact", "We use Kafka for events", "We use NATS for events", func(newer, _ *memory.Crystal) {
			newer.Kind = memory.Decision
		}, true},
		{"an episode", "We use Kafka for events", "We use NATS for events", func(newer, _ *memory.Crystal) {
			newer.Kind = memory.Episode
		}, false},
		{"an older one", "The default branch is main", "The default branch is master", func(newer, _ *memory.Crystal) {
			newer.SaidAt = noon.Add(-time.Hour)
		}, false},
		{"another project", "The default branch is main", "The default branch is master", func(newer, _ *memory.Crystal) {
			newer.Project = 7
		}, false},
		{"other places", "The log level is info", "The log level is debug", func(newer, older *memory.Crystal) {
			newer.Anchors, older.Anchors = []memory.Anchor{{Path: "a.go"}}, []memory.Anchor{{Path: "b.go"}}
		}, false},
		{"an agent over a user", "The default branch is main", "The default branch is master", agent, false},
		{"a user over an agent", "The default branch is main", "The default branch is master", func(_, older *memory.Crystal) {
			older.Origin = memory.OriginAgent
		}, true},
		{"over a frozen one", "The default branch is main", "The default branch is master", func(_, older *memory.Crystal) {
			older.Lifecycle = memory.Frozen
		}, false},
		{"over history", "The default branch is main", "The default branch is master", func(_, older *memory.Crystal) {
			older.ValidTo = noon
		}, false},
		{"a subject given by hand", "Ship on Fridays.", "Never ship on Fridays.", func(newer, older *memory.Crystal) {
			newer.Kind, older.Kind = memory.Lesson, memory.Lesson
			newer.Subject, older.Subject = "The Release Days", "release day"
		}, true},
	} {
		newer, older := said(c.newer, later), said(c.older, noon)
		if c.but != nil {
			c.but(&newer, &older)
		}
		if got := Supersedes(newer, older); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	newer, older := Supersede(said("The default branch is main", later), said("The default branch is master", noon))
	if !older.ValidTo.Equal(later) || !older.Lifecycle.Living() || !slices.Contains(newer.Parents, older.ID) {
		t.Errorf("%+v, %+v", newer, older)
	}
}

// Each line: the older ⇒ the newer.
const superseding = `
the port is 8080 ⇒ the port is 9090
The port is 8080. ⇒ port: 9090
Our timeout is 30s ⇒ The timeout is 1 minute
The version is 1.2.3 ⇒ the version is 1.3.0
The version is v2 ⇒ The version is now v3
The retry limit is 3 ⇒ The retry limit is 5
port: 8080 ⇒ port: 9090
max_retries = 5 ⇒ max_retries = 7
max_retries: 5 ⇒ max_retries: 7
server.port = 8080 ⇒ server.port=9090
log.level.verbose = true ⇒ log.level.verbose = false
cache-ttl = 10m ⇒ cache-ttl = 20m
DB_HOST=localhost ⇒ DB_HOST=db.internal
DATA_DIR=/var/lib/shop ⇒ DATA_DIR=/srv/shop
The staging url is https://stage.example.com ⇒ The staging url is https://stage2.example.com
The health endpoint is /healthz ⇒ The health endpoint is /livez
The api base url is http://localhost:8080 ⇒ The api base url is http://localhost:9000
The data folder is var/lib/shop ⇒ The data folder is srv/shop
The config path is etc/shop.toml ⇒ The config path is config/shop.toml
The config file path is etc/shop.toml ⇒ The config file path is config/shop.toml
Use port 8080 for metrics ⇒ use port 9100 for metrics
We use version 1.25 for the builder ⇒ We use version 1.26 for the builder
We use redis for caching ⇒ We use memcached for caching
We use PostgreSQL for storage ⇒ We switched to SQLite for storage
The default branch is master ⇒ The default branch is main
log level: debug ⇒ log level: info
The upload timeout is 30s ⇒ The timeout for uploads is 60s
The max line length is 100 ⇒ The max line length is 120
The worker queue capacity is 100 ⇒ The worker queue capacity is 500
The session ttl is 30 minutes ⇒ The session ttl is 2 hours
The request rate limit is 100 rps ⇒ The request rate limit is 50 rps
Prefer tabs over spaces ⇒ Prefer spaces over tabs
Package manager: npm ⇒ Package manager: pnpm
The staging region is eu-west-1 ⇒ The staging region is eu-central-1
- Default branch: master ⇒ - Default branch: main
- License: MIT ⇒ - License: Apache 2.0
- max_retries: 5 ⇒ - max_retries: 7
- The upload timeout is 30s ⇒ - The upload timeout is 60s
Use GitHub Actions for CI ⇒ Use Jenkins for CI
`

// Both of these hold.
const notSuperseding = `
The api port is 8080 ⇒ The metrics port is 9090
The port is 8080 ⇒ The port is taken
The port is 8080 ⇒ The port is configurable
The parser is 200 lines ⇒ The parser is 3 years
The build is 5 minutes ⇒ The build is 200 MB
The bug is in src/a.go ⇒ The bug is in src/b.go
The bug lives in src/a.go ⇒ The bug lives in src/b.go
The fix lives in src/a.go ⇒ The fix lives in src/b.go
The error is defined in src/a.go ⇒ The error is defined in src/b.go
The function is defined in src/a.go ⇒ The function is defined in src/b.go
Tests live in internal/store ⇒ Tests live in internal/brain
The handlers live in api/ ⇒ The handlers live in web/
The migrations are stored in db/a ⇒ The migrations are stored in db/b
Handlers are documented in docs/a.md ⇒ Handlers are documented in docs/b.md
The login test lives in tests/login.py ⇒ The logout test lives in tests/logout.py
issue: 42 ⇒ issue: 43
PR: 12 ⇒ PR: 13
step 1: 5 ⇒ step 1: 6
line 3: 42 ⇒ line 3: 43
see: docs/a.md ⇒ see: docs/b.md
fix: 3 ⇒ fix: 4
store: 2 ⇒ store: 3
x = 3 ⇒ x = 4
i = 0 ⇒ i = 1
self.count = 0 ⇒ self.count = 1
this.size = 0 ⇒ this.size = 2
err.code = 4 ⇒ err.code = 5
a.b = 1 ⇒ a.b = 2
n = len(list) ⇒ n = len(other)
The count is 5 ⇒ The count is 7
The total is 5 ⇒ The total is 7
The score is 5 ⇒ The score is 7
The answer is 42 ⇒ The answer is 43
The difference is 3% ⇒ The difference is 4%
The first limit is 5 ⇒ The first limit is 6
Alice is 30 ⇒ Alice is 31
Chapter 3 is 12 ⇒ Chapter 3 is 13
The meeting is 3 ⇒ The meeting is 4
The test coverage is 80% ⇒ The test coverage is 85%
The p50 latency is 3 ms ⇒ The p99 latency is 30 ms
The p50 latency is 3 ms ⇒ The p50 latency is 4 ms
The price is 5 usd ⇒ The price is 6 usd
We use port 8080 for the api ⇒ We use port 9090 for the admin page
We use redis for caching ⇒ We use redis for sessions
We use Go for the backend ⇒ We use Rust for the backend
The timeout was 30s ⇒ The timeout was 60s
If the port is 8080 then stop ⇒ If the port is 9090 then stop
Is the port 8080 ⇒ Is the port 9090
The port should be 8080 ⇒ The port should be 9090
The port is 8080 or 8081 ⇒ The port is 9090 or 9091
The port is 8080 in production ⇒ The port is 9090 in staging
The timeout is 30s for uploads ⇒ The timeout is 60s for downloads
The config is etc/a.toml and etc/b.toml ⇒ The config is etc/c.toml and etc/d.toml
https://a.example.com is slow ⇒ https://b.example.com is slow
See https://a.example.com ⇒ See https://b.example.com
The docs are at https://a.example.com ⇒ The docs are at https://b.example.com
It lives in src/a.go ⇒ It lives in src/b.go
This lives in src/a.go ⇒ This lives in src/b.go
The cat lives in Berlin ⇒ The cat lives in Munich
She lives in and/or ⇒ She lives in either/or
The file is src/a.go ⇒ The file is src/b.go
The culprit is src/a.go ⇒ The culprit is src/b.go
The path is src/a.go ⇒ The path is src/b.go
The value is true ⇒ The value is false
The flag is on ⇒ The flag is off
The door is closed ⇒ The door is open
error: 404 ⇒ error: 500
status: 200 ⇒ status: 404
exit code: 1 ⇒ exit code: 2
TODO: 5 ⇒ TODO: 6
The new port is 8080 ⇒ The other port is 9090
Reduced the timeout ⇒ Raised the timeout
- Start Date: May 2 ⇒ - Start Date: May 9
Start date: May 2 ⇒ Start date: May 9
- **End Date:** June 1 ⇒ - **End Date:** June 20
**End Date:** June 1 ⇒ **End Date:** June 20
- Revised Deadline: 3 days ⇒ - Revised Deadline: 8 days
- **Total Lunch Budget:** $30 (of $80) ⇒ - **Total Lunch Budget:** $50 (of $80)
Remaining budget: $90 ⇒ Remaining budget: $70
- Reply Rate: 40% ⇒ - Reply Rate: 50%
- Viewer Retention: 70% ⇒ - Viewer Retention: 80%
- Author Name: Ann Lee ⇒ - Author Name: Bob Ray
- Timeout: 30s ⇒ - Timeout: 60s
- Backup Email: [Address] ⇒ - Backup Email: [Your Address]
reply rate: [fill in]% ⇒ reply rate: 40%
Signer name: ________ ⇒ Signer name: Jane Roe
MAPS_API_KEY=your_key_here ⇒ MAPS_API_KEY=YOUR_KEY
- Use Asana for note keeping. ⇒ **Use Paper Tools for Note Keeping**
Use Asana for note keeping ⇒ Use paper tools for note keeping:
Use Folders for Sorting ⇒ Use Labels for Sorting
`

func TestPairsThatSupersedeAndPairsThatDoNot(t *testing.T) {
	for _, table := range []struct {
		name, pairs string
		want        bool
	}{{"superseding", superseding, true}, {"not superseding", notSuperseding, false}} {
		n := 0
		for line := range strings.SplitSeq(strings.TrimSpace(table.pairs), "\n") {
			before, after, _ := strings.Cut(line, " ⇒ ")
			said := func(text string, at time.Time) memory.Crystal {
				c := note(text)
				c.ID, c.SaidAt, c.LastAt = memory.CrystalID(text), at, at
				c.Subject = Subject(c)
				return c
			}
			older, newer := said(before, noon), said(after, noon.Add(time.Hour))
			if got := Supersedes(newer, older); got != table.want {
				t.Errorf("%s: %q (about %q) then %q (about %q): %v", table.name, before, older.Subject, after, newer.Subject, got)
			}
			n++
		}
		if n < 35 {
			t.Errorf("%s: %d pairs", table.name, n)
		}
	}
}
