package braintest

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
)

// HowTo writes a file into the folder of procedures, as if at the moment of the lab's clock.
func (l *Library) HowTo(name, text string) string {
	l.T.Helper()
	file := filepath.Join(l.Config.Procedures(), name)
	must.Do(l.T, os.MkdirAll(filepath.Dir(file), 0o700))
	WriteFile(l.T, file, []byte(text))
	must.Do(l.T, os.Chtimes(file, l.Clock, l.Clock))
	return file
}
