package config

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// ProjectFile is what a repository says to hebb. It is read for one setting: scribe = "off". Any value but those that say who reads is taken for it.
const ProjectFile = ".hebb.toml"

func systemFile(getenv func(string) string) string {
	if runtime.GOOS != "windows" {
		return "/etc/hebb/config.toml"
	}
	if data := getenv("ProgramData"); data != "" {
		return filepath.Join(data, "hebb", "config.toml")
	}
	return ""
}

// ScribeForbidden is the file that forbids the scribe in a project that lies in these folders, empty if none does, and what it says
// where that is no value that hebb knows. A file that cannot be read forbids it.
func (c Config) ScribeForbidden(folders []string) (file, unknown string) {
	files := []string{c.System}
	for _, folder := range folders {
		files = append(files, filepath.Join(folder, ProjectFile))
	}
	for _, file := range files {
		if file == "" {
			continue
		}
		text, err := filesys.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return file, ""
		}
		if value, off := scribeOff(string(text)); off {
			if value == ScribeOff || value == "false" {
				value = ""
			}
			return file, value
		}
	}
	return "", ""
}

// scribeOff reports whether a text says scribe = "off" or scribe: off, in any section or table, or anything else than who reads, and
// what it says.
func scribeOff(text string) (value string, off bool) {
	quotes := strings.NewReplacer("\"", "", "'", "", " ", "", "\t", "", "\r", "", "\n", "")
	on := append([]string{"on", "true", ScribeAgent, ScribeModel}, ScribeAgents...)
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("{},", r) }) {
			at := max(0, strings.IndexAny(part, "=:"))
			name := strings.ToLower(quotes.Replace(part[:at]))
			value := strings.Trim(strings.TrimSpace(part[at:]), " \t\"'=:")
			if strings.TrimPrefix(name, "llm.") == "scribe" && !slices.Contains(on, value) {
				return cmp.Or(value, "nothing"), true
			}
		}
	}
	return "", false
}
