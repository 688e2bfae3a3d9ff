package statements

import (
	"strings"
	"testing"
)

func TestThePointOfAStatementCanBeUnderstoodAlone(t *testing.T) {
	t.Parallel()
	const dangling = "-"
	for _, c := range []struct{ prompt, quote, want string }{
		{"Never push to main.", "Never push to main.", "Never push to main."},
		// Words that say nothing.
		{"hm, no, please never mock the database in tests", "hm, no, please never mock the database in tests", "never mock the database in tests"},
		{"no wait, sorry, the staging server has its own account", "no wait, sorry, the staging server has its own account", "the staging server has its own account"},
		{"No tests may touch the network", "No tests may touch the network", "No tests may touch the network"},
		{"(we use pnpm in every package)", "(we use pnpm in every package)", "we use pnpm in every package"},
		{"we drop the docker image, thanks!", "we drop the docker image, thanks!", "we drop the docker image"},
		// The whole sentence, and the lead of a list.
		{"Hardly ever add comments; only where the code is surprising.", "only where the code is surprising.",
			"Hardly ever add comments; only where the code is surprising."},
		{"Never do this:\n- squash the release branch\n- delete a tag\n", "squash the release branch", "Never do this: squash the release branch"},
		{"Use tabs in Go files. is that hard?", "Use tabs in Go files.", "Use tabs in Go files."},
		// What a word refers to.
		{"oh yeah we don't need any of that any more", "oh yeah we don't need any of that any more", dangling},
		{"The Phoenix exporter is slow. we don't need that any more", "we don't need that any more", "The Phoenix exporter is slow. we don't need that any more"},
		{"Is the Phoenix exporter slow? we don't need that any more", "we don't need that any more", dangling},
		{"it should live below the header from now on", "it should live below the header from now on", dangling},
		{"we don't need the watch command, just remove it", "we don't need the watch command, just remove it", "we don't need the watch command, just remove it"},
		{"let's go with option 1", "let's go with option 1", dangling},
	} {
		start := strings.Index(c.prompt, c.quote)
		got, refers := pointOf(c.prompt, Statement{Start: start, End: start + len(c.quote), Quote: c.quote})
		if refers {
			got = dangling
		}
		if got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.quote, c.prompt, got, c.want)
		}
	}
}

func TestOfALongSentenceTheClauseThatDecidesIsKept(t *testing.T) {
	t.Parallel()
	long := "I was looking at the numbers of yesterday evening with my colleague, who sits next to me and who had made himself a cup of tea before that, " +
		"and while we were talking about the weather (rain, mostly), we decided that from now on every migration must be reversible, except those of the audit table"
	got := deciding(long)
	if !strings.Contains(got, "every migration must be reversible, except those of the audit table") || len(got) > pointLength || !strings.Contains(long, got) {
		t.Errorf("%q of %q", got, long)
	}
}
