package texts_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// smallMemory is a store with a few texts, and its project.
func smallMemory(t testing.TB) (*brain.Brain, brain.Scope) {
	t.Helper()
	dir := t.TempDir()
	c, err := config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] })
	if err != nil {
		t.Fatal(err)
	}
	b, err := brain.Open(t.Context(), c, func() time.Time { return braintest.Start })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	for _, text := range []string{
		"we chose WAL mode because two hooks may write at once", "the staging database is db1", "the staging database is db2", "日本語のテキスト",
		"NEAR AND OR NOT", "a \"quoted\" word", strings.Repeat("long text ", 500),
	} {
		if _, err := steward.Run(t.Context(), b, statements.Remember, statements.RememberInput{Scope: brain.Scope{Dir: dir}, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	return b, brain.Scope{Dir: dir}
}

// canBeAsked wants an answer to any text, with marks that lie inside what they mark.
func canBeAsked(t *testing.T, b *brain.Brain, scope brain.Scope, query string) {
	t.Helper()
	for _, in := range []texts.SearchInput{{Query: query, Limit: 5}, {Query: query, History: true, Sessions: true}, {Query: query, Kinds: []string{"fact"}}} {
		in.Scope = scope
		out, err := steward.Run(t.Context(), b, answer.SearchTexts, in)
		if strings.TrimSpace(query) == "" { // a question that says nothing is an error
			continue
		}
		if err != nil {
			t.Fatalf("%.200q: %v", query, err)
		}
		for _, found := range out.Found {
			for _, span := range found.Excerpt.Spans {
				if span[0] < 0 || span[1] < span[0] || span[1] > len(found.Excerpt.Text) {
					t.Fatalf("%.200q: span %v of %d bytes", query, span, len(found.Excerpt.Text))
				}
			}
			if found.Origin != memory.OriginUser {
				t.Fatalf("%.200q finds %+v", query, found)
			}
		}
	}
}

func TestHugeQuestionsAreAnswered(t *testing.T) {
	b, scope := smallMemory(t)
	for _, query := range []string{
		strings.Repeat("a", 1<<20), strings.Repeat("word ", 200_000), strings.Repeat(`"`, 10_000), strings.Repeat("(", 10_000), strings.Repeat("a OR ", 5_000),
		strings.Repeat("kind:fact ", 1_000), strings.Repeat("path:a ", 1_000), strings.Repeat("\xff", 100_000), strings.Repeat("日本語 ", 10_000),
		strings.Repeat("\x00", 100_000), strings.Repeat(`"a b" `, 1_000), strings.Repeat("last week ", 10_000),
	} {
		canBeAsked(t, b, scope, query)
	}
}

// FuzzSearchTexts asks anything of a small memory: no text is an error. The seeds run with every test; to look for long:
//
//	go test ./internal/brain -run '^$' -fuzz FuzzSearchTexts -fuzztime 10m
func FuzzSearchTexts(f *testing.F) {
	b, scope := smallMemory(f)
	for _, seed := range []string{
		"WAL", "x", "\x00", "\xff\xfe", "WAL\x00mode", "caf\xe9 WAL", `"`, `""`, `"""`, `"unclosed`, `'; DROP TABLE document; --`, "*", "WAL*", "(", ")", "((((", "a:b",
		"title:WAL", "{words}: x", "^WAL", "NEAR(WAL mode)", "WAL AND", "OR", "NOT WAL", "-WAL", "+WAL", "WAL NOT NOT mode", "kind:", "kind:fact", "kind:nothing",
		"kind:fact,lesson WAL", "project:", "path:", `path:"a b`, "path:/", "path:\xff WAL", "path:a\x00b", "project:\xff", "after:\xff", "WAL path:..", "since:",
		"since:yesterday", "until:99999-99-99", "asof:0001-01-01", "before:v1.2", "after:", "last week", "in March", "3 days ago", "99999999999999999999 days ago",
		"is:history", "is:unsure", "is:pinned", "is:session", "we discussed WAL", "staging database", "日本", "日", "👩‍👩‍👧‍👦", "\u202e", "é", "e\u0301", "%", "_", `\`, `\\`,
		"$1", "?", "?1", ":a", "@a", "&", "|", "!", "<->", "a & b", "' & '", "a:*",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) { canBeAsked(t, b, scope, query) })
}

// TestAnyQuestionIsAnswered asks questions put together at random out of what full text, filters and times are made of, and of
// any bytes. The suite asks a few thousand; the long run is
//
//	HEBB_FUZZ_QUERIES=1000000 go test ./internal/brain -run TestAnyQuestionIsAnswered -timeout 0
func TestAnyQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	many := 2000
	if text := os.Getenv("HEBB_FUZZ_QUERIES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		many = n
	}
	seed := uint64(20261115)
	if text := os.Getenv("HEBB_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	t.Logf("HEBB_SEED=%d", seed)
	b, scope := smallMemory(t)
	r := rand.New(rand.NewPCG(seed, seed))
	parts := strings.Fields(`WAL mode staging database db1 kind: kind:fact kind:banana type:lesson,commit project: project:x path: path:a/* path:**/*.go path:" " ""
		"two hooks" ( ) * ^ NEAR( AND OR NOT - + : ; ' ' '' \ \\ % _ ? ?1 $1 @a :a {words}: since: since:2d since:v1 until:99999-99-99 before:release after:\xff asof:now
		last week in March 2026 yesterday ago 3 days before the release is: is:history is:pinned in:session 日本語 é ` + "` ``` \u202e \u0000 👩‍👩‍👧‍👦")
	for i := range many {
		var query strings.Builder
		for range r.IntN(12) {
			switch r.IntN(8) {
			case 0:
				noise := make([]byte, r.IntN(12))
				for j := range noise {
					noise[j] = byte(r.IntN(256))
				}
				query.Write(noise)
			case 1:
				query.WriteRune(rune(r.IntN(0x10ffff)))
			default:
				query.WriteString(parts[r.IntN(len(parts))])
			}
			if r.IntN(4) > 0 {
				query.WriteByte(' ')
			}
		}
		canBeAsked(t, b, scope, query.String())
		if many > 10_000 && i%100_000 == 0 {
			t.Logf("%d of %d", i, many)
		}
	}
}
