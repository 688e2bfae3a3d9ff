package statements

import "testing"

func TestAQuoteIsAsLongAsItsMeaningNeeds(t *testing.T) {
	for _, c := range []struct{ sentence, quote, want string }{
		{"Look at the login, and we use uv for everything.", "we use uv for everything", "we use uv for everything"},
		{"Look at the login, and from here on we use uv for everything.", "we use uv for everything", "Look at the login, and from here on we use uv for everything."},
		{"Please avoid committing generated files to the repo.", "committing generated files to the repo", "avoid committing generated files to the repo."},
		{"Pushing straight to main from CI, that is forbidden.", "Pushing straight to main from CI", "Pushing straight to main from CI, that is forbidden."},
		{"All endpoints need auth, except /healthz.", "All endpoints need auth", "All endpoints need auth, except /healthz."},
		{"Never push to main.", "push to main", "Never push to main."},
		{"If it is a hotfix, commit to main directly.", "commit to main directly", "If it is a hotfix, commit to main directly."},
		{"we call it heronry now", "we call it heron", "we call it heronry now"},
	} {
		if got := quotedClause(c.sentence, c.quote); got != c.want {
			t.Errorf("%q in %q is %q, want %q", c.quote, c.sentence, got, c.want)
		}
	}
}
