package texts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// smallMemory is a store with a few texts, and its project.
func smallMemory(t testing.TB) (*brain.Brain, brain.Scope) {
	t.Helper()
	dir := t.TempDir()
	c := must.Get(config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] }))(t)
	b := must.Get(brain.Open(t.Context(), c, func() time.Time { return braintest.Start }))(t)
	t.Cleanup(func() { _ = b.Close() })
	for _, text := range []string{
		"we chose WAL mode because two hooks may write at once", "the staging database is db1", "the staging database is db2", "日本語のテキスト",
		"NEAR AND OR NOT", "a \"quoted\" word", strings.Repeat("long text ", 500),
	} {
		must.Get(steward.Run(t.Context(), b, statements.Remember, statements.RememberInput{Scope: brain.Scope{Dir: dir}, Text: text}))(t)
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

// FuzzSearchTexts asks anything of a small memory: no text is an error. The seeds run with every test; to look for long:
//
//	go test ./internal/texts -run '^$' -fuzz FuzzSearchTexts -fuzztime 10m
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
	f.Add(strings.Repeat("WAL mode ", 1<<14))
	f.Fuzz(func(t *testing.T, query string) { canBeAsked(t, b, scope, query) })
}
