package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Page is a text that people keep for their agents, about what does not follow from the work itself.
type Page string

// The pages.
const (
	PageSoul      Page = "soul"
	PageQuestions Page = "questions"
	PageContext   Page = "context"
	PageProjects  Page = "projects"
)

// Pages are all pages, in the order in which they are shown.
func Pages() []Page { return []Page{PageSoul, PageQuestions, PageContext, PageProjects} }

// ParsePage finds a page by its name, in any case, or by the name of its file.
func ParsePage(name string) (Page, error) {
	wanted := strings.ToLower(strings.TrimSpace(name))
	page := Page(strings.TrimSuffix(wanted, ".md"))
	if slices.Contains(Pages(), page) {
		return page, nil
	}
	names := make([]string, len(Pages()))
	for i, p := range Pages() {
		names[i] = string(p)
	}
	return "", fmt.Errorf("page %q: want one of %s: %w", name, strings.Join(names, ", "), memory.ErrInvalid)
}

// File is the name of the page's file.
func (p Page) File() string { return strings.ToUpper(string(p)) + ".md" }

// pageTexts say what belongs on each page, and give an example.
var pageTexts = map[Page]struct{ about, example string }{
	PageSoul: {
		"how an agent is to work and speak here: values, manner, what it must never do",
		"Say what you do not know. Never push to main. Small commits, plain words.",
	},
	PageQuestions: {
		"questions that are open, and what is known about each so far",
		"Why does the import take twice as long on Mondays? Not the backup, we moved it.",
	},
	PageContext: {
		"what is going on now: people, deadlines, decisions that no code shows",
		"Release 2.0 is on May 4. Ana decides on the API. Until then no new dependencies.",
	},
	PageProjects: {
		"the projects, what each is for and how they hang together",
		"shop: the store itself. billing: invoices, called by shop only. tools: scripts, no tests.",
	},
}

// About says in one line what belongs on the page.
func (p Page) About() string { return pageTexts[p].about }

// Template is the page before anybody wrote on it. Each line of guidance is a comment of its own, which Said removes.
func (p Page) Template() string {
	return fmt.Sprintf(`# %s

<!-- This page holds %s. -->
<!-- Write below, in your own words; a few lines do. Agents read it when a session begins. -->
<!-- For example: "%s" -->
<!-- Lines like these, and a page that holds nothing else, are not shown to anyone. -->
`, strings.ToUpper(string(p)), p.About(), pageTexts[p].example)
}

// Said is what a person wrote on a page: its text without the lines of the template. Templates of other pages count too,
// so that a page that was copied is not taken for something that was said.
func Said(text string) string {
	taught := map[string]bool{}
	for _, p := range Pages() {
		for _, line := range strings.Split(p.Template(), "\n") {
			taught[prose.TrimBlanks(line)] = true
		}
	}
	var said []string
	for _, line := range strings.Split(prose.Tidy(strings.TrimPrefix(text, "\uFEFF")), "\n") {
		if bare := prose.TrimBlanks(line); bare == "" || !taught[bare] {
			said = append(said, line)
		}
	}
	return strings.Join(prose.TrimLines(said), "\n")
}

// IsTemplate says that nobody wrote on a page yet.
func IsTemplate(text string) bool { return Said(text) == "" }

// Ages of a page, as the shelves were designed.
const (
	staleNote   = 72 * time.Hour
	staleReview = 168 * time.Hour
)

// Stale says whether a page wants a look, by the time since somebody last touched it; empty if it does not.
func Stale(age time.Duration) string {
	switch {
	case age >= staleReview:
		return "to be reviewed"
	case age >= staleNote:
		return "stale"
	}
	return ""
}
