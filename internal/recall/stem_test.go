package recall

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
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

func TestTextWordsKeepNumbersLettersAndUnspacedScripts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"the admin port is 8080":  {"admin", "port", "8080"},
		"use C++ or R, not v2":    {"c", "r", "v", "2", "v2"},
		"検索する":                    {"検索", "索す", "する"},
		"字":                       {"字"},
		"Ann's don't we’ll I'd":   {"ann", "don"},
		"it's 'quoted' O'Neil s":  {"quot", "o", "neil", "s"},
		"movies, a movie":         {"movy", "movy"},
		"she chose, he ran 99쪪":   {"she", "choos", "he", "run", "99", "쪪", "99쪪"},
		"HTTPServer2 in a.go, 3x": {"http", "serv", "2", "httpserver2", "go", "3", "x", "3x"},
	} {
		if got := TextWords(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNoWordIsCutWithinACharacter(t *testing.T) {
	t.Parallel()
	for r := range rune(0x30000) {
		for _, word := range slices.Concat(TextWords("99"+string(r)), Words("ab"+string(r)+string(r))) {
			if !utf8.ValidString(word) {
				t.Fatalf("%q becomes %q", string(r), word)
			}
		}
	}
}
