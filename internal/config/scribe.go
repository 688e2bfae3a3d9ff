package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// ProjectFile is what a repository says to hebb. It is read for one setting: scribe = "off".
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

// ScribeForbidden is the file that forbids the scribe in a project that lies in these folders, empty if none does. A file that cannot be
// read forbids it.
func (c Config) ScribeForbidden(folders []string) string {
	files := []string{c.System}
	for _, folder := range folders {
		files = append(files, filepath.Join(folder, ProjectFile))
	}
	for _, file := range files {
		if file == "" {
			continue
		}
		text, err := filesys.ReadFile(file)
		if err == nil && saysScribeOff(string(text)) || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return file
		}
	}
	return ""
}

// saysScribeOff reports whether a text says scribe = "off" or scribe: off, in any section or table.
func saysScribeOff(text string) bool {
	const quotes = " \t\r\n\"'"
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("{},", r) }) {
			at := max(0, strings.IndexAny(part, "=:"))
			name, value := strings.Trim(part[:at], quotes), strings.Trim(part[at:], quotes+"=:")
			if strings.TrimPrefix(name, "llm.") == "scribe" && (value == ScribeOff || value == "false") {
				return true
			}
		}
	}
	return false
}
