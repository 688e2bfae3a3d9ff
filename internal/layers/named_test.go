package layers

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
)

// Each test that a page tells the reader to run is there.
func TestTheTestsThatPagesNameExist(t *testing.T) {
	command, run := regexp.MustCompile("go test ([^`\n]+)"), regexp.MustCompile(`-run '?([^' ]+)`)
	pages := must.Get(filepath.Glob("../../docs/*.md"))(t)
	for _, page := range append(pages, "../../SECURITY.md", "../../README.md", "../../CONTRIBUTING.md", "../../ARCHITECTURE.md") {
		for _, found := range command.FindAllStringSubmatch(string(must.Get(os.ReadFile(page))(t)), -1) {
			names := run.FindStringSubmatch(found[1])
			if names == nil || names[1] == "-" { // none, only benchmarks
				continue
			}
			text := ""
			for word := range strings.FieldsSeq(found[1]) {
				if strings.HasPrefix(word, "./") {
					for _, file := range must.Get(filepath.Glob(filepath.Join("../..", word, "*_test.go")))(t) {
						text += string(must.Get(os.ReadFile(file))(t))
					}
				}
			}
			for name := range strings.SplitSeq(strings.ReplaceAll(names[1], `\|`, `|`), "|") { // a table of Markdown needs the backslash
				test, _, _ := strings.Cut(strings.Trim(name, "^$"), "/")
				if !regexp.MustCompile(`(?m)^func (Test|Benchmark|Fuzz)?\w*` + test + `\w*\(`).MatchString(text) {
					t.Errorf("%s: `go test %s` runs no test called %s", filepath.Base(page), found[1], test)
				}
			}
		}
	}
}
