package git

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestBotsAreDistinguishedFromPeople(t *testing.T) {
	for _, c := range []struct {
		name, mail string
		want       bool
	}{
		{"dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", true},
		{"Dependabot", "support@dependabot.com", true},
		{"Renovate Bot", "bot@renovateapp.com", true},
		{"WhiteSource Renovate", "29139614+renovate[bot]@users.noreply.github.com", true},
		{"GitHub Actions", "action@github.com", true},
		{"github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com", true},
		{"pre-commit-ci[bot]", "66853113+pre-commit-ci[bot]@users.noreply.github.com", true},
		{"snyk-bot", "snyk-bot@snyk.io", true},
		{"k8s-ci-robot", "x@example.org", true},
		{"prombot", "prometheus-bot@example.org", true},
		{"someone's tool", "tool[bot]@example.org", true},
		{"mergify[bot]", "", true},
		{"Ada", "ada@example.org", false},
		{"Anne Talbot", "talbot@example.org", false},
		{"Abbot", "abbot@example.org", false},
		{"GitHub", "noreply@github.com", false},
		{"Dependable Dan", "renovations@example.org", false},
		{"copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com", false},
		{"claude[bot]", "209825114+claude[bot]@users.noreply.github.com", false},
		{"devin-ai-integration[bot]", "158243242+devin-ai-integration[bot]@users.noreply.github.com", false},
		{"", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := madeByBot(c.name, c.mail, "Ada", "ada@example.org"); got != c.want {
				t.Errorf("%s <%s>: got %v", c.name, c.mail, got)
			}
		})
	}
	if !madeByBot("Ada", "ada@example.org", "github-actions[bot]", "") {
		t.Error("a workflow that commits in a person's name is a bot")
	}
	if madeByBot("Ada", "ada@example.org", "mergify[bot]", "") {
		t.Error("a person's work that a bot landed is the person's")
	}
}

func TestARealCommitSaysWhetherABotMadeItAndNotWho(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "a")
	r.commit("two", []string{"GIT_AUTHOR_NAME=renovate[bot]", "GIT_AUTHOR_EMAIL=29139614+renovate[bot]@example.org"}, "b")
	r.commit("three", []string{"GIT_COMMITTER_NAME=github-actions", "GIT_COMMITTER_EMAIL=x@example.org"}, "c")
	r.commit("four", []string{"GIT_AUTHOR_NAME=A \x01\nuthor", "GIT_AUTHOR_EMAIL=deploy-bot@example.org"}, "d")
	r.write(".mailmap", "Dependabot <dependabot[bot]@example.org> <ada@example.org>\n")
	r.git("config", "log.mailmap", "true")
	r.commit("five", nil)
	got := history(t, Repo{Root: r.dir}, "")
	var bots []bool
	for _, c := range got {
		bots = append(bots, c.Bot)
	}
	if want := []bool{false, true, true, true, false}; !slices.Equal(bots, want) {
		t.Errorf("bots %v, want %v", bots, want)
	}
	if text := fmt.Sprintf("%+v", got); strings.Contains(text, "example.org") || strings.Contains(text, "Ada") {
		t.Errorf("a commit names somebody: %s", text)
	}
}
