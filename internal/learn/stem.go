package learn

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/vocab"
)

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
		stem := vocab.Stem(f)
		byStem[stem] = append(byStem[stem], f)
	}
	var groups [][]string
	for _, stem := range slices.Sorted(maps.Keys(byStem)) {
		found := byStem[stem]
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
	for _, home := range slices.Sorted(maps.Keys(folders)) {
		found := folders[home]
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
