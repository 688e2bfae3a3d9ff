package git

import (
	"github.com/hebb-memory/hebb/internal/must"
	"slices"
	"strings"
	"testing"
)

func messagesOf(t *testing.T, r *repo, most int) (found []Message) {
	t.Helper()
	must.Do(t, Repo{Root: r.dir}.Messages(t.Context(), most, func(m Message) error {
		found = append(found, m)
		return nil
	}))
	return found
}

func TestMessagesAreWhatPeopleExplained(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	if got := messagesOf(t, r, 10); got != nil {
		t.Errorf("of no commit: %v", got)
	}
	r.write("a.go", "package a\n")
	r.git("add", ".")
	r.git("commit", "-qm", "till: count coins\n\nThe drawer was counted twice.\n\n    x := 1\n\nSigned-off-by: Ada <ada@example.org>\nReviewed-by: Bob")
	r.git("commit", "-qm", "no body", "--allow-empty")
	r.git("-c", "user.name=dependabot[bot]", "commit", "-qm", "bump\n\nA list of changes.", "--allow-empty", "--author=dependabot[bot] <x@users.noreply.github.com>")
	r.git("commit", "-qm", "last\n\nSays why.\nTwo lines.", "--allow-empty")
	got := messagesOf(t, r, 10)
	texts := make([]string, len(got))
	for i, m := range got {
		texts[i] = m.Subject + "|" + m.Body
	}
	want := []string{"last|Says why.\nTwo lines.", "till: count coins|The drawer was counted twice."}
	if !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
	if !isHash(got[0].Hash) || got[0].Hash != strings.TrimSpace(r.git("rev-parse", "HEAD")) {
		t.Errorf("hash %q", got[0].Hash)
	}
	if got := messagesOf(t, r, 1); len(got) != 1 {
		t.Errorf("one at most: %v", got)
	}
}
