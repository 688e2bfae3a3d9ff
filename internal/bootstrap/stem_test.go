package bootstrap

import (
	"slices"
	"strings"
	"testing"
)

func TestCompanionsShareAStem(t *testing.T) {
	for stem, names := range map[string]string{
		"parser":         "parser.go parser_test.go internal/parser_bench_test.go parser_windows.go parser_linux_test.go Parser.java",
		"button":         "src/Button.tsx src/Button.test.tsx Button.css Button.module.css Button.stories.tsx __tests__/button.spec.js",
		"x":              "x.c x.h x.d.ts x-inl.h x_impl.h",
		"flask":          "tests/test_flask.py src/flask.py",
		"userservice":    "UserService.java UserServiceTest.java UserServiceTests.cs UserServiceSpec.kt UserServiceIT.java",
		"user":           "user.rb user_spec.rb user-test.js",
		"latest":         "latest.py",
		"contest":        "Contest.java",
		"test":           "test.go",
		"makefile":       "Makefile",
		".gitignore":     "a/.gitignore",
		".eslintrc":      ".eslintrc.json",
		"hero.component": "hero.component.ts hero.component.html hero.component.spec.ts",
		"windows":        "windows.go",
		"parser_linux":   "parser_linux.c",
		"\xff":           "\xff.go \xff_test.go",
		"übung":          "Übung.py test_übung.py",
		"test_":          "test_.py",
		"integration":    "integration_tests integration.test.tests.js",
	} {
		for name := range strings.FieldsSeq(names) {
			if got := Stem(name); got != stem {
				t.Errorf("Stem(%q) = %q, want %q", name, got, stem)
			}
		}
	}
	if got := Stem(""); got != "" {
		t.Errorf("the stem of nothing is %q", got)
	}
}

func TestStemGroupsAreSmallAndSaySomething(t *testing.T) {
	for _, c := range []struct{ name, files, want string }{
		{"across folders", "src/flask.py tests/test_flask.py", "src/flask.py+tests/test_flask.py"},
		{"one alone", "a.go b.go", ""},
		{"a common name in two places", "a/utils.py b/utils.py", ""},
		{"a common name with its test", "a/utils.py b/utils.py tests/a/test_utils.py", "a/utils.py+tests/a/test_utils.py"},
		{
			"Java's folders", "src/main/java/a/Main.java src/test/java/a/MainTest.java src/main/java/b/Main.java",
			"src/main/java/a/Main.java+src/test/java/a/MainTest.java",
		},
		{"eight", "a/x b/x c/x d/x e/x f/x g/x h/x", "a/x+b/x+c/x+d/x+e/x+f/x+g/x+h/x"},
		{"nine, of which two are at home together", "a/x.c a/x.h c/x d/x e/x f/x g/x h/x i/x", "a/x.c+a/x.h"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, group := range stemGroups(strings.Fields(c.files)) {
				got = append(got, strings.Join(group, "+"))
			}
			slices.Sort(got)
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
