package snippet

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

func TestAdviceFollowsTheConventionsOfAProject(t *testing.T) {
	for _, c := range []struct {
		name  string
		paths []string
		ask   string
		want  string
	}{
		{"Go tests beside", lower(several(9, "internal/store/%s.go", "internal/store/%s_test.go")), "internal/store/x.go",
			"tests of internal/store/x.go live beside it in internal/store/x_test.go (9 of 9 here do)"},
		{"from another folder", lower(several(9, "a/%s.go", "a/%s_test.go")), "b/x.go",
			"tests of b/x.go live beside it in b/x_test.go (9 of 9 in this project do)"},
		{"at the top", lower(several(9, "%s.go", "%s_test.go")), "x.go", "tests of x.go live beside it in x_test.go (9 of 9 here do)"},
		{"Maven", several(9, "src/main/java/app/%s.java", "src/test/java/app/%sTest.java"), "src/main/java/web/Page.java",
			"tests of src/main/java/web/Page.java live in src/test/java/web/PageTest.java (9 of 9 in this project do)"},
		{"Maven, outside", several(9, "src/main/java/app/%s.java", "src/test/java/app/%sTest.java"), "tools/Page.java", ""},
		{"Python in tests", lower(several(9, "pkg/%s.py", "tests/pkg/test_%s.py")), "pkg/new.py",
			"tests of pkg/new.py live in tests/pkg/test_new.py (9 of 9 here do)"},
		{"Jest", lower(several(9, "src/%s.ts", "src/__tests__/%s.test.ts")), "src/new.ts",
			"tests of src/new.ts live in src/__tests__/new.test.ts (9 of 9 here do)"},
		{"spec beside", lower(several(9, "src/%s.ts", "src/%s.spec.ts")), "src/new.ts",
			"tests of src/new.ts live beside it in src/new.spec.ts (9 of 9 here do)"},
		{"RSpec", lower(several(9, "lib/app/%s.rb", "spec/app/%s_spec.rb")), "lib/app/new.rb",
			"tests of lib/app/new.rb live in spec/app/new_spec.rb (9 of 9 here do)"},
		{"one exception", append(lower(several(9, "a/%s.go", "a/%s_test.go")), "a/odd.go", "a/tests/odd_test.go"), "a/x.go",
			"tests of a/x.go live beside it in a/x_test.go (9 of 10 here do)"},
		{"too few", lower(several(7, "a/%s.go", "a/%s_test.go")), "a/x.go", ""},
		{"two conventions", append(lower(several(9, "a/%s.ts", "a/%s.test.ts")), lower(several(9, "b/%s.ts", "b/%s.spec.ts"))...), "c/x.ts", ""},
		{"a test needs none", lower(several(9, "a/%s.go", "a/%s_test.go")), "a/x_test.go", ""},
		{"suffix", lower(several(9, "http/%s_handler.go")), "http/login.go", "9 of 9 .go files in http end in _handler.go"},
		{"suffix kept", lower(several(9, "http/%s_handler.go")), "http/login_handler.go", ""},
		{"suffix of classes", several(9, "web/%sController.java"), "web/Login.java", "9 of 9 .java files in web end in Controller.java"},
		{"suffix of Angular", lower(several(9, "app/%s.service.ts")), "app/login.ts", "9 of 9 .ts files in app end in .service.ts"},
		{"style", several(9, "ui/%sView.tsx"), "ui/login-page.tsx", "9 of 9 .tsx files in ui end in View.tsx"},
		{"style of a project", append(several(5, "ui/My%s.tsx"), several(5, "lib/My%s.tsx")...), "other/login-page.tsx",
			"10 of 10 .tsx names of several words in this project are in PascalCase"},
		{"style of another folder", append(several(10, "ui/My%s.tsx"), "tools/list-ids.tsx"), "tools/more-ids.tsx", ""},
		{"suffix elsewhere", lower(several(9, "http/%s_handler.go")), "web/login_handler.go", "9 of 9 files that end in _handler.go are in http"},
		{"one word shows no style", several(9, "ui/My%s.tsx"), "ui/index.tsx", ""},
		{"foreign files", lower(several(9, "vendor/a/%s.go", "vendor/a/%s_test.go")), "a/x.go", ""},
		{"no source", lower(several(9, "a/%s.go", "a/%s_test.go")), "a/x.txt", ""},
		{"nothing known", nil, "a/x.go", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(3) {
				paths := slices.Clone(c.paths)
				r := rand.New(rand.NewPCG(seed, 1))
				r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
				line := Learn(paths, nil).Advice(c.ask)
				if line != c.want {
					t.Errorf("got %q, want %q", line, c.want)
				}
			}
		})
	}
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
		{"its test beside it", tested, "a/new.go", "9 of 10 .go files in a have a test beside them", "a/new_test.go"},
		{"a folder without tests", tested, "b/new.go", "", ""},
		{"a folder of its own", tested, "a/sub/new.go", "", ""},
		{"a folder that git does not know", tested, "tmp/new.go", "", ""},
		{"a file of the top", tested, "new.go", "", ""},
		{"a test", tested, "a/new_test.go", "", ""},
		{"most have none", slices.Concat(tested, lower(several(9, "a/the_%s.go"))), "a/new.go", "", ""},
		{"a folder of tests", lower(several(9, "pkg/%s.py", "tests/pkg/test_%s.py")), "pkg/new.py",
			"9 of 9 .py files in pkg have a test in tests", "tests/pkg/test_new.py"},
		{"below", lower(several(9, "src/%s.ts", "src/__tests__/%s.test.ts")), "src/new.ts",
			"9 of 9 .ts files in src have a test in __tests__ below them", "src/__tests__/new.test.ts"},
		{"its name", slices.Concat(tested, lower(several(9, "http/%s_handler.go"))), "http/login.go", "9 of 9 .go files in http end in _handler.go", ""},
		{"its place", slices.Concat(tested, lower(several(9, "http/%s_handler.go"))), "b/login_handler.go", "9 of 9 files that end in _handler.go are in http", ""},
		{"its name comes first", slices.Concat(tested, lower(several(9, "a/my_%s.go"))), "a/newThing.go", "9 of 9 .go names of several words in this project are in snake_case", ""},
		{"a scratch file", several(9, "ui/My%s.tsx"), "try-this.tsx", "", ""},
	} {
		stored, err := json.Marshal(Learn(c.paths, nil).Names)
		var names Names
		if err == nil {
			err = json.Unmarshal(stored, &names)
		}
		if rule, test := names.Ahead(c.ask); err != nil || Line(rule) != c.line || test != c.test {
			t.Errorf("%s: got %q, %q, %v, want %q, %q", c.name, Line(rule), test, err, c.line, c.test)
		}
	}
}

func TestAdviceNamesTheOtherHalfOfAPair(t *testing.T) {
	var types []Snippet
	for _, name := range several(10, "%s") {
		types = append(types,
			Snippet{Kind: "interface", Name: name + "Repo", Path: "app/" + name + "Repo.java"},
			Snippet{Kind: "class", Name: name + "RepoImpl", Path: "app/impl/" + name + "RepoImpl.java"})
	}
	types = append(types, Snippet{Kind: "interface", Name: "Odd", Path: "app/Odd.java"}, Snippet{Kind: "method", Name: "x", Path: "app/x.java"})
	c := Learn(nil, types)
	pair := "OrderRepo in app/OrderRepo.java is implemented by OrderRepoImpl in app/impl/OrderRepoImpl.java (10 of 11 interfaces have such a pair)"
	for path, want := range map[string]string{
		"app/OrderRepo.java":          pair,
		"app/impl/OrderRepoImpl.java": pair,
		"app/Odd.java":                "what implements Odd is to be called OddImpl (10 of 11 interfaces have one of that name)",
		"app/Other.java":              "",
	} {
		if line := c.Advice(path); line != want {
			t.Errorf("%s: got %q, want %q", path, line, want)
		}
	}
}
