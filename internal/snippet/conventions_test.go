package snippet

import (
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
		{"suffix", lower(several(9, "http/%s_handler.go")), "http/login.go", "files in http end in _handler.go (9 of 9 do)"},
		{"suffix kept", lower(several(9, "http/%s_handler.go")), "http/login_handler.go", ""},
		{"suffix of classes", several(9, "web/%sController.java"), "web/Login.java", "files in web end in Controller.java (9 of 9 do)"},
		{"suffix of Angular", lower(several(9, "app/%s.service.ts")), "app/login.ts", "files in app end in .service.ts (9 of 9 do)"},
		{"style", several(9, "ui/%sView.tsx"), "ui/login-page.tsx", "files in ui end in View.tsx (9 of 9 do)"},
		{"style of a project", append(several(5, "ui/My%s.tsx"), several(5, "lib/My%s.tsx")...), "other/login-page.tsx",
			".tsx files in this project are named in PascalCase (10 of 10 are)"},
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
