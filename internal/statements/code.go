package statements

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/snippet"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// ConventionsFact are a project's conventions for the names of files and the places of tests, as they were when its code was last read.
func ConventionsFact(id memory.ProjectID) store.Fact[snippet.Names] {
	return store.NewFact[snippet.Names]("conventions").Of(id)
}

// ScrubbedPath is a path as events name it.
func ScrubbedPath(path string) string {
	clean, _ := scrub.Secrets(path)
	return clean
}

// codeHash is the fingerprint of a place in the code as it is now, and whether it is there.
func codeHash(root string, a memory.Anchor) (int64, bool) {
	name, err := memory.UnescapePath(a.Path)
	if err != nil || root == "" {
		return 0, false
	}
	folder, err := os.OpenRoot(filepath.FromSlash(root)) // links that lead out of the project are not followed
	if err != nil {
		return 0, false
	}
	defer func() { _ = folder.Close() }()
	if info, err := folder.Lstat(filepath.FromSlash(name)); err != nil || !info.Mode().IsRegular() {
		return 0, false // a link is not followed
	}
	const most = 10 << 20
	source, err := filesys.ReadIn(folder, filepath.FromSlash(name), most)
	if err != nil {
		return 0, false
	}
	if a.Symbol == "" {
		return memory.ContentHash(string(source)), true
	}
	return snippet.SymbolHash(name, source, a.Symbol)
}

// SpeaksOf reports whether a text names a file, a folder above it, or a symbol that it defines, as people write them. The base name alone is enough
// if no other file has it.
func SpeaksOf(text, file string, alone bool, symbols []string) bool {
	for word := range strings.FieldsSeq(text) {
		name := record.NamedPath(word)
		folder := strings.TrimSuffix(name, "/")
		switch {
		case name == "":
		case name == file, alone && name == path.Base(file) && (strings.Contains(name, ".") || name != strings.ToLower(name)):
			return true
		case strings.Contains(name, "/") && strings.HasSuffix(file, "/"+name):
			return true
		case strings.Contains(name, "/") && folder != "" && strings.Contains("/"+file, "/"+folder+"/"):
			return true
		case slices.Contains(symbols, strings.TrimSuffix(name, "()")):
			return true
		}
	}
	return false
}

// IsIdentifier reports whether a name can only be one of code: a word of prose has no capital or underline inside.
func IsIdentifier(name string) bool {
	return len(name) > 3 && strings.ContainsFunc(name[1:], func(r rune) bool { return unicode.IsUpper(r) || r == '_' }) && strings.ToUpper(name) != name
}

// InForce reports whether a memory may be shown to an agent that did not ask: it holds, it was surely understood, and it is no order in another's
// name. What an agent concluded from code that has changed since is not sure; what the person said holds until the person says otherwise.
func InForce(c memory.Crystal) bool {
	whoever := c
	whoever.Origin, whoever.Kind = memory.OriginUser, memory.Rule
	return brain.BySomebody(c.Origin) && dream.IsStatement(whoever) && !workmem.Withheld(c.Origin, c.Text) && (!c.Unsure || c.Origin == memory.OriginUser)
}
