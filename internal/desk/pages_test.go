package desk

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestPagesAreFoundByName(t *testing.T) {
	t.Parallel()
	for _, page := range Pages() {
		for _, name := range []string{string(page), " " + strings.ToUpper(string(page)), page.File(), strings.ToLower(page.File())} {
			if got, err := ParsePage(name); got != page || err != nil {
				t.Errorf("%q is %q, %v", name, got, err)
			}
		}
		if page.About() == "" || strings.Contains(page.About(), "\n") {
			t.Errorf("%s: %q", page, page.About())
		}
	}
	if got := PageSoul.File(); got != "SOUL.md" {
		t.Error(got)
	}
	for _, name := range []string{"", "souls", "../soul", "md", ".md"} {
		_, err := ParsePage(name)
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "soul, questions, context, projects") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAPageIsShownOnceSomebodyWroteOnIt(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, page := range Pages() {
		template := page.Template()
		all.WriteString(template + "\n")
		for _, text := range []string{
			template, "", "\n\n", strings.ReplaceAll(template, "\n", "\r\n"), "\uFEFF" + template, template + "\n\n  ",
			strings.SplitAfter(template, "\n")[0], strings.Join(strings.Split(template, "\n")[3:], "\n"),
		} {
			if !IsTemplate(text) {
				t.Errorf("%s: nobody wrote %q", page, text)
			}
		}
		for _, said := range []string{"Be plain.", "# Rules\n\n- one\n\n- two", "<!-- a comment of mine -->", "    code"} {
			for _, text := range []string{template + "\n" + said + "\n", said + "\n\n" + template, said} {
				if IsTemplate(text) || Said(text) != said {
					t.Errorf("%s: said %q of %q", page, Said(text), text)
				}
			}
		}
		if edited := strings.Replace(template, "Write below", "Write above", 1); IsTemplate(edited) {
			t.Errorf("%s: a line of the template that was changed is lost", page)
		}
	}
	shelfGolden(t, "pages.golden", all.String())
}

func TestAPageGrowsStale(t *testing.T) {
	t.Parallel()
	for hours, want := range map[float64]string{-5: "", 71.99: "", 72: "stale", 167.99: "stale", 168: "to be reviewed", 9000: "to be reviewed"} {
		if got := Stale(time.Duration(hours * float64(time.Hour))); got != want {
			t.Errorf("%v h: %q, want %q", hours, got, want)
		}
	}
}
