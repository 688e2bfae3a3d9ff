package vocab

import (
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

func TestWhatLooksLikeATest(t *testing.T) {
	for name, want := range map[string]bool{
		"a/parser_test.go": true, "tests/x.py": true, "src/Button.test.tsx": true, "test_app.py": true, "src/__tests__/a.ts": true, "spec/user_spec.rb": true,
		"src/ParserTest.java": true, "App.Tests/ParserTests.cs": true, "Tests/Parser.swift": true, "conftest.py": true, "test-run.sh": true,
		"pkg/testing/allocs.go": false, "api-spec.yaml": false, "specs/feature.md": false, "Latest.java": false, "a/latest.go": false, "contest/a.go": false, "testdata.go": false, "a/parser.go": false,
	} {
		if IsTest(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
