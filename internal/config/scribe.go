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

// saysScribeOff reports whether a line of a text says scribe = "off" or scribe: off, in any section.
func saysScribeOff(text string) bool {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if at := strings.IndexAny(line, "=:"); at >= 0 {
			name, value := strings.TrimSpace(line[:at]), strings.Trim(line[at+1:], " \t\r\n\"'")
			if strings.TrimPrefix(name, "llm.") == "scribe" && (value == ScribeOff || value == "false") {
				return true
			}
		}
	}
	return false
}
