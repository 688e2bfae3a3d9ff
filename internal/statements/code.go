package statements

import (
	"io"
	"os"
	"path/filepath"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/snippet"
)

// ScrubbedPath is a path as events name it.
func ScrubbedPath(path string) string {
	clean, _ := scrub.Secrets(path)
	return clean
}

// codeHash is the fingerprint of a place in the code as it is now, and whether it is there.
func codeHash(root string, a memory.Anchor) (int64, bool) {
	path, err := memory.UnescapePath(a.Path)
	if err != nil || root == "" {
		return 0, false
	}
	folder, err := os.OpenRoot(filepath.FromSlash(root)) // links that lead out of the project are not followed
	if err != nil {
		return 0, false
	}
	defer func() { _ = folder.Close() }()
	if info, err := folder.Lstat(filepath.FromSlash(path)); err != nil || !info.Mode().IsRegular() {
		return 0, false // a pipe would wait for somebody to write
	}
	file, err := folder.Open(filepath.FromSlash(path))
	if err != nil {
		return 0, false
	}
	defer func() { _ = file.Close() }()
	const most = 10 << 20
	source, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return 0, false
	}
	if a.Symbol == "" {
		return memory.ContentHash(string(source)), true
	}
	return snippet.SymbolHash(path, source, a.Symbol)
}
