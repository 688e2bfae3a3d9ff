package bootstrap

import (
	"path"
	"strings"
	"unicode/utf8"
)

// Stem is what the name of a file shares with those of its companions, in small letters: parser for parser.go and
// parser_test.go, button for Button.tsx, Button.test.tsx and Button.module.css, list for list.c and list.h. Endings and
// what marks a test, a declaration or an operating system are taken off. It is empty only for an empty name.
func Stem(name string) string {
	base := path.Base(name)
	if name == "" {
		return ""
	}
	ext := path.Ext(base)
	if ext == base {
		ext = "" // .gitignore
	}
	stem := strings.TrimSuffix(base, ext)
	for shorter := withoutAffix(stem, ext); shorter != stem; shorter = withoutAffix(stem, ext) {
		stem = shorter
	}
	if utf8.ValidString(stem) { // or else other bytes would become the same
		return strings.ToLower(stem)
	}
	return stem
}

// withoutAffix takes one mark off a name, unless nothing would be left.
func withoutAffix(stem, ext string) string {
	small := lowerASCII(stem)
	for _, prefix := range [...]string{"test_", "tests_", "spec_", "test-"} {
		if len(small) > len(prefix) && strings.HasPrefix(small, prefix) {
			return stem[len(prefix):]
		}
	}
	for _, suffix := range [...]string{
		"_test", "_tests", "_spec", "_unittest", "_bench", "_benchmark", ".test", ".tests", ".spec", ".e2e",
		".bench", "-test",
		"-tests", "-spec", ".stories", ".story", ".module", ".d", "-inl", "_impl", "_fwd",
	} {
		if len(small) > len(suffix) && strings.HasSuffix(small, suffix) {
			return stem[:len(stem)-len(suffix)]
		}
	}
	// Joined without a sign only where a capital tells them apart: UserTest, not latest.
	for _, suffix := range [...]string{"Test", "Tests", "TestCase", "Spec", "IT"} {
		if n := len(stem) - len(suffix); n > 0 && strings.HasSuffix(stem, suffix) && stem[n-1] >= 'a' && stem[n-1] <= 'z' {
			return stem[:n]
		}
	}
	if ext == ".go" {
		return withoutSystem(stem)
	}
	return stem
}

// lowerASCII keeps every byte in its place, which strings.ToLower does not.
func lowerASCII(text string) string {
	small := []byte(text)
	for i, b := range small {
		if b >= 'A' && b <= 'Z' {
			small[i] = b + 'a' - 'A'
		}
	}
	return string(small)
}

// withoutSystem takes off the systems that Go's build knows by file name.
func withoutSystem(stem string) string {
	for _, system := range [...]string{"_unix", "_linux", "_darwin", "_windows", "_other", "_amd64", "_arm64"} {
		if len(stem) > len(system) && strings.HasSuffix(stem, system) {
			return strings.TrimSuffix(stem, system)
		}
	}
	return stem
}

// isCommonStem knows names that say nothing about what is in the file: they are shared by strangers.
func isCommonStem(stem string) bool {
	switch stem {
	case "index", "main", "mod", "lib", "app", "__init__", "__main__", "init", "util", "utils", "helper", "helpers",
		"common",
		"types", "type", "constants", "const", "config", "settings", "errors", "error", "models", "model", "views",
		"view", "urls",
		"admin", "apps", "tests", "test", "setup", "conftest", "base", "core", "api", "doc", "docs", "readme",
		"license",
		"changelog", "contributing", "makefile", "dockerfile", "package", "package-info", "module-info", "styles",
		"style", "page",
		"layout", "route", "routes", "server", "client", "default", "example", "build", "cargo", "go", "pyproject",
		".gitignore":
		return true
	}
	return false
}

const (
	stemFewest = 2
	stemMost   = 8
)

// stemGroups puts files with the same stem together, two to eight each. A stem that says nothing, or that more share,
// counts only within a folder, where the folders of sources and tests are the same (homeFolder).
func stemGroups(files []string) [][]string {
	byStem := map[string][]string{}
	for _, f := range files {
		stem := Stem(f)
		byStem[stem] = append(byStem[stem], f)
	}
	var groups [][]string
	for stem, found := range byStem {
		if len(found) < stemFewest {
			continue
		}
		if len(found) <= stemMost && !isCommonStem(stem) {
			groups = append(groups, found)
			continue
		}
		groups = append(groups, byFolder(found)...)
	}
	return groups
}

func byFolder(files []string) [][]string {
	folders := map[string][]string{}
	for _, f := range files {
		home := homeFolder(f)
		folders[home] = append(folders[home], f)
	}
	var groups [][]string
	for _, found := range folders {
		if len(found) >= stemFewest && len(found) <= stemMost {
			groups = append(groups, found)
		}
	}
	return groups
}

// homeFolder is a file's folder without those that only part sources from tests and headers: pkg/a for src/pkg/a/x.py,
// tests/pkg/a/test_x.py and include/pkg/a/x.h.
func homeFolder(name string) string {
	var kept []string
	for i, part := range strings.Split(path.Dir(name), "/") {
		switch part {
		case ".", "src", "test", "tests", "__tests__", "spec", "specs", "main", "java", "kotlin", "unit":
			continue
		case "lib", "include": // deeper down these are folders like others
			if i == 0 {
				continue
			}
		}
		kept = append(kept, part)
	}
	return strings.Join(kept, "/")
}
