package code

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// several makes n names from a form with one %s or %d of a word that counts up.
func several(n int, forms ...string) (paths []string) {
	words := []string{"Order", "User", "Cart", "Price", "Stock", "Mail", "Login", "Route", "Store", "Queue", "Cache", "Event"}
	for i := range n {
		for _, form := range forms {
			paths = append(paths, fmt.Sprintf(form, words[i%len(words)]))
		}
	}
	return paths
}

func lower(paths []string) []string {
	for i, p := range paths {
		b := []byte(p)
		for j := range b {
			if b[j] >= 'A' && b[j] <= 'Z' {
				b[j] |= 0x20
			}
		}
		paths[i] = string(b)
	}
	return paths
}

// TestANewFileIsToldOfStrongConventions goes through what is stored of the conventions, as the moment before an edit does.
func TestANewFileIsToldOfStrongConventions(t *testing.T) {
	tested := append(lower(several(9, "a/%s.go", "a/%s_test.go")), "a/doc.go", "b/one.go")
	for _, c := range []struct {
		name       string
		paths      []string
		ask        string
		line, test string
	}{
		{"its test beside it", tested, "a/new.go", "9 of 10 .go files in a have a test", "a/new_test.go"},
		{"a folder without tests", tested, "b/new.go", "", ""},
		{"a folder of its own", tested, "a/sub/new.go", "", ""},
		{"a folder that git does not know", tested, "tmp/new.go", "", ""},
		{"a file of the top", tested, "new.go", "", ""},
		{"a test", tested, "a/new_test.go", "", ""},
		{"most have none", slices.Concat(tested, lower(several(9, "a/the_%s.go"))), "a/new.go", "", ""},
		{"a folder of tests", lower(several(9, "pkg/%s.py", "tests/pkg/test_%s.py")), "pkg/new.py",
			"9 of 9 .py files in pkg have a test", "tests/pkg/test_new.py"},
		{"below", lower(several(9, "src/%s.ts", "src/__tests__/%s.test.ts")), "src/new.ts",
			"9 of 9 .ts files in src have a test", "src/__tests__/new.test.ts"},
		{"its name", slices.Concat(tested, lower(several(9, "http/%s_handler.go"))), "http/login.go", "9 of 9 .go files in http end in _handler.go", ""},
		{"its name comes first", slices.Concat(tested, lower(several(9, "a/my_%s.go"))), "a/newThing.go", "9 of 9 .go names of several words in a are in snake_case", ""},
		{"a scratch file", several(9, "ui/My%s.tsx"), "try-this.tsx", "", ""},
		{"at the top", lower(several(9, "%s.go", "%s_test.go")), "x.go", "9 of 9 .go files in the top folder have a test", "x_test.go"},
		{"Maven", several(9, "src/main/java/app/%s.java", "src/test/java/app/%sTest.java"), "src/main/java/app/Page.java",
			"9 of 9 .java files in src/main/java/app have a test", "src/test/java/app/PageTest.java"},
		{"RSpec", lower(several(9, "lib/app/%s.rb", "spec/app/%s_spec.rb")), "lib/app/new.rb",
			"9 of 9 .rb files in lib/app have a test", "spec/app/new_spec.rb"},
		{"too few", lower(several(7, "a/%s.go", "a/%s_test.go")), "a/x.go", "", ""},
		{"suffix kept", lower(several(9, "http/%s_handler.go")), "http/login_handler.go", "", ""},
		{"suffix of classes", several(9, "web/%sController.java"), "web/Login.java", "9 of 9 .java files in web end in Controller.java", ""},
		{"suffix of Angular", lower(several(9, "app/%s.service.ts")), "app/login.ts", "9 of 9 .ts files in app end in .service.ts", ""},
		{"style of another folder", append(several(10, "ui/My%s.tsx"), "tools/list-ids.tsx"), "tools/more-ids.tsx", "", ""},
		{"one word shows no style", several(9, "ui/My%s.tsx"), "ui/index.tsx", "", ""},
		{"foreign files", lower(several(9, "vendor/a/%s.go", "vendor/a/%s_test.go")), "a/x.go", "", ""},
		{"no source", lower(several(9, "a/%s.go", "a/%s_test.go")), "a/x.txt", "", ""},
		{"nothing known", nil, "a/x.go", "", ""},
	} {
		paths := slices.Clone(c.paths)
		rand.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		stored, err := json.Marshal(Learn(paths))
		var names Conventions
		if err == nil {
			err = json.Unmarshal(stored, &names)
		}
		if rule, test := names.Ahead(c.ask); err != nil || Line(rule) != c.line || test != c.test {
			t.Errorf("%s: got %q, %q, %v, want %q, %q", c.name, Line(rule), test, err, c.line, c.test)
		}
	}
}
