package record

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// IsCommand recognises a person's commands to the agent, /compact and !ls; /src/main.go is none.
func IsCommand(text string) bool {
	if command, ok := strings.CutPrefix(text, "/"); ok {
		word, _, _ := strings.Cut(command, " ")
		return !strings.ContainsAny(word, "/.")
	}
	return strings.HasPrefix(text, "!")
}

// ShownName writes a path so that it cannot pass for more than a name: as it is where it is plain, else in quotation
// marks, with everything that could end the line or the quotation escaped.
func ShownName(path string) string {
	raw, err := memory.UnescapePath(path)
	if err != nil {
		raw = path // not written by us; the bytes as they are say most
	}
	if isPlainName(raw) {
		return raw
	}
	return "file " + scrub.Quote(strconv.Quote(raw))
}

func isPlainName(name string) bool {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+@=#%[]$", r) {
			return false
		}
	}
	return scrub.Quote(name) == name // some letters show nothing
}

const namedMost = 16 // files in a prompt: a pasted listing names none in particular

// FilesNamed are the files of a project that a text names by their path, from its root or from that of the machine; none if there are more than most.
func FilesNamed(ctx context.Context, tx *store.Tx, id memory.ProjectID, text string, most int) (paths []string, err error) {
	names := vocab.FileNames(text, 8*most)
	if slices.ContainsFunc(names, isAbsolute) {
		p, err := tx.Project(ctx, id)
		if err != nil && !errors.Is(err, memory.ErrNotFound) {
			return nil, err
		}
		for i, name := range names {
			names[i] = strings.TrimPrefix(name, filepath.ToSlash(p.Root)+"/")
		}
	}
	ids := make([]memory.NeuronID, len(names))
	for i, name := range names {
		ids[i] = memory.NewNeuronID(id, memory.FileNeuron, name)
	}
	there, err := tx.Present(ctx, ids)
	for i, name := range names {
		if there[ids[i]] && !slices.Contains(paths, name) {
			paths = append(paths, name)
		}
	}
	if len(paths) > most {
		return nil, err
	}
	return paths, err
}

func isAbsolute(name string) bool {
	return strings.HasPrefix(name, "/") || strings.Contains(name, ":/")
}

// NamedPath is a word of a text as the path it may be.
func NamedPath(word string) string {
	const signs = "\"'`“”‘’()[]{}<>,;:!?*"
	return strings.TrimPrefix(strings.TrimRight(strings.TrimLeft(word, signs), signs+"."), "./")
}
