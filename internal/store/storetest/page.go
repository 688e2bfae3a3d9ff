package storetest

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
)

// Page is docs/store.md: the classes of each column, "table.column", and of each fact, and the operations by which things are said.
type Page struct {
	Columns, Facts map[string][]string
	Operations     []string
}

var inCode = regexp.MustCompile("`([^`]+)`")

func codeOf(cell string) (list []string) {
	for _, found := range inCode.FindAllStringSubmatch(cell, -1) {
		list = append(list, found[1])
	}
	return list
}

// ReadPage reads docs/store.md.
func ReadPage(t *testing.T, file string) Page {
	t.Helper()
	p := Page{map[string][]string{}, map[string][]string{}, nil}
	text := must.Get(os.ReadFile(file))(t)
	if lines := bytes.Count(text, []byte("\n")); lines > 120 {
		t.Errorf("docs/store.md has %d lines; group more columns in one row", lines)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		into, keys := p.Facts, codeOf(cells[0])
		if len(cells) == 4 {
			into, keys = p.Columns, nil
			for _, name := range codeOf(cells[1]) {
				keys = append(keys, codeOf(cells[0])[0]+"."+name)
			}
		}
		class := strings.TrimSpace(cells[len(cells)-2])
		if !slices.Contains([]string{"event", "rebuilt", "said", "again", "by name"}, class) {
			t.Errorf("%s has the class %q", keys, class)
		}
		for _, key := range keys {
			into[key] = append(into[key], class)
		}
		if _, said, ok := strings.Cut(cells[len(cells)-1], "["); ok {
			said, _, _ = strings.Cut(said, "]")
			p.Operations = append(p.Operations, codeOf(said)...)
		}
	}
	return p
}
