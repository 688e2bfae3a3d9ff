package braintest

import (
	"os"
	"path/filepath"
)

// HowTo writes a file into the folder of procedures, as if at the moment of the lab's clock.
func (l *Library) HowTo(name, text string) string {
	l.T.Helper()
	file := filepath.Join(l.Config.Procedures(), name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		l.T.Fatal(err)
	}
	WriteFile(l.T, file, []byte(text))
	if err := os.Chtimes(file, l.Clock, l.Clock); err != nil {
		l.T.Fatal(err)
	}
	return file
}
