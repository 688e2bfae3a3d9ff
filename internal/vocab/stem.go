package vocab

import (
	"path"
	"strings"
	"unicode/utf8"
)

// Stem is what the name of a file shares with those of its companions, in lower case: parser for parser.go and
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
	small := LowerASCII(stem)
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
	// Joined without a sign only where a capital separates them: UserTest, not latest.
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

// LowerASCII keeps every byte in its place, which strings.ToLower does not.
func LowerASCII(text string) string {
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

// IsTest reports whether a path looks like that of a test. Documents and settings are none, whatever their name.
func IsTest(name string) bool {
	whole := path.Base(name)
	ext := path.Ext(whole)
	switch LowerASCII(ext) {
	case ".md", ".rst", ".txt", ".adoc", ".html", ".yaml", ".yml", ".toml":
		return false
	}
	whole = strings.TrimSuffix(whole, ext)
	for _, mark := range [...]string{"Test", "Tests", "Spec"} { // as in ParserTest.java
		if strings.HasSuffix(whole, mark) && len(whole) > len(mark) {
			return true
		}
	}
	stem := LowerASCII(whole)
	for _, mark := range [...]string{"_test", "_tests", "_spec", ".test", ".tests", ".spec", ".e2e", "-test", "-spec"} {
		if strings.HasSuffix(stem, mark) {
			return true
		}
	}
	if strings.HasPrefix(stem, "test_") || strings.HasPrefix(stem, "test-") || stem == "conftest" {
		return true
	}
	for folder := range strings.SplitSeq(LowerASCII(path.Dir(name)), "/") {
		switch folder {
		case "test", "tests", "__tests__", "spec", "specs", "e2e":
			return true
		}
	}
	return false
}
