package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheReferencesInDocsAreWhatTheProgramSays(t *testing.T) {
	for name, want := range references((&app{}).root(nil)) {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil || string(got) != want {
			t.Errorf("docs/%s is out of date (%v): run make docs", name, err)
		}
	}
}
