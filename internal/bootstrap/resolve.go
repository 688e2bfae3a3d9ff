package bootstrap

import (
	"bytes"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/outline"
)

// index knows the files of a project and finds the one that an import means. It only ever answers with files of the
// project, whatever the import says.
type index struct {
	files   map[string]bool
	named   map[string][]string // by the last part of the path, where languages search for it; notes by that in lower case without its ending
	folders map[string][]string // Go files of a package, without tests
	modules []goModule          // the deepest folder first
}

// goModule is a go.mod: the import path of a folder.
type goModule struct{ folder, path string }

const (
	// packageFiles is how many files a Go package may have to count as one thing.
	packageFiles = 8
	// namesakes is how many files of one name are looked through.
	namesakes = 200
)

func newIndex(files []string, root *os.Root) *index {
	x := &index{files: make(map[string]bool, len(files)), named: map[string][]string{}, folders: map[string][]string{}}
	for _, name := range files {
		x.files[name] = true
		folder, base := path.Split(name)
		folder = path.Clean(folder)
		switch outline.LanguageOf(name) {
		case outline.Go:
			if !strings.HasSuffix(base, "_test.go") {
				x.folders[folder] = append(x.folders[folder], name)
			}
		case outline.Markdown:
			if stem := noteName(base); len(x.named[stem]) < namesakes {
				x.named[stem] = append(x.named[stem], name)
			}
		case outline.Java, outline.Kotlin, outline.C:
			if len(x.named[base]) < namesakes {
				x.named[base] = append(x.named[base], name)
			}
		}
		if base == "go.mod" {
			x.addModule(root, folder, name)
		}
	}
	slices.SortFunc(x.modules, func(a, b goModule) int { return len(b.path) - len(a.path) })
	return x
}

func (x *index) addModule(root *os.Root, folder, name string) {
	text, err := readText(root, name, fileLimit)
	if err != nil {
		return
	}
	for line := range bytes.Lines(text) {
		if fields := strings.Fields(string(line)); len(fields) > 1 && fields[0] == "module" {
			if found := strings.Trim(fields[1], "\"`"); found != "" {
				x.modules = append(x.modules, goModule{folder, found})
			}
			return
		}
	}
}

// resolve returns the files of the project that an import in the file from means.
func (x *index) resolve(from, imported string) []string {
	switch outline.LanguageOf(from) {
	case outline.Go:
		return x.goPackage(imported)
	case outline.Script, outline.Pages:
		return x.scriptModule(from, imported)
	case outline.Python:
		return x.pythonModule(from, imported)
	case outline.Rust:
		return x.rustModule(from, imported)
	case outline.Java, outline.Kotlin:
		return x.javaClass(from, imported)
	case outline.C:
		return x.cHeader(from, imported)
	case outline.Markdown:
		return x.note(imported)
	}
	return nil
}

// noteName is the path of a note as links write it.
func noteName(name string) string {
	if outline.LanguageOf(name) == outline.Markdown {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return strings.ToLower(name)
}

// note finds the note that a link means: by the end of its path, of several the one nearest to the top, as Obsidian does.
func (x *index) note(link string) []string {
	link = strings.TrimPrefix(noteName(path.Clean("/"+link)), "/") // ../ leads nowhere above the end of a path
	var best []string
	for _, name := range x.named[path.Base(link)] {
		if own := noteName(name); own != link && !strings.HasSuffix(own, "/"+link) {
			continue
		}
		if best == nil || strings.Count(name, "/") < strings.Count(best[0], "/") {
			best = []string{name}
		}
	}
	return best
}

// first returns the first of the candidates that exists.
func (x *index) first(candidates ...string) []string {
	for _, c := range candidates {
		if x.files[c] {
			return []string{c}
		}
	}
	return nil
}

func (x *index) goPackage(imported string) []string {
	for _, m := range x.modules {
		below, inside := strings.CutPrefix(imported, m.path)
		if !inside || below != "" && below[0] != '/' {
			continue
		}
		if found := x.folders[path.Join(m.folder, below)]; len(found) <= packageFiles {
			return found
		}
		return nil
	}
	return nil
}

// scriptModule finds what a relative import means; others lie outside the project.
func (x *index) scriptModule(from, imported string) []string {
	imported, _, _ = strings.Cut(imported, "?") // ./icon.svg?raw
	if !strings.HasPrefix(imported, "./") && !strings.HasPrefix(imported, "../") && imported != "." && imported != ".." {
		return nil
	}
	target := path.Join(path.Dir(from), imported)
	candidates := []string{target}
	ext := path.Ext(target)
	for _, e := range typedEndings(ext) {
		candidates = append(candidates, strings.TrimSuffix(target, ext)+e)
	}
	endings := [...]string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".vue", ".svelte", ".json"}
	for _, e := range endings {
		candidates = append(candidates, target+e)
	}
	for _, e := range endings {
		candidates = append(candidates, path.Join(target, "index"+e))
	}
	return x.first(candidates...)
}

// typedEndings lists the sources of a JavaScript file: TypeScript imports what it will be compiled to.
func typedEndings(ext string) []string {
	switch ext {
	case ".js":
		return []string{".ts", ".tsx"}
	case ".jsx":
		return []string{".tsx"}
	case ".mjs":
		return []string{".mts"}
	case ".cjs":
		return []string{".cts"}
	}
	return nil
}

// pythonModule finds the deepest module of a dotted name: of a.b.c, a/b/c.py before a/b.py.
func (x *index) pythonModule(from, imported string) []string {
	name := strings.TrimLeft(imported, ".")
	var parts []string
	if name != "" {
		parts = strings.Split(name, ".")
	}
	if dots := len(imported) - len(name); dots > 0 {
		folder := path.Dir(from)
		for range dots - 1 {
			if folder == "." {
				return nil
			}
			folder = path.Dir(folder)
		}
		return x.pythonBelow(folder, parts, 0)
	}
	for _, root := range [...]string{x.pythonRoot(from), ".", "src", "lib"} {
		if found := x.pythonBelow(root, parts, 1); found != nil {
			return found
		}
	}
	return nil
}

// pythonRoot is the nearest folder above a file that is no package: from there the file's own package is imported.
func (x *index) pythonRoot(from string) string {
	folder := path.Dir(from)
	for folder != "." && x.files[path.Join(folder, "__init__.py")] {
		folder = path.Dir(folder)
	}
	return folder
}

// pythonBelow tries the whole name, then one part less and so on, down to least parts.
func (x *index) pythonBelow(folder string, parts []string, least int) []string {
	for n := len(parts); n >= least; n-- {
		target := path.Join(folder, path.Join(parts[:n]...))
		if !isLocal(target) && target != "." {
			continue
		}
		candidates := []string{path.Join(target, "__init__.py")}
		if n > 0 {
			candidates = []string{target + ".py", target + ".pyi", path.Join(target, "__init__.py")}
		}
		if found := x.first(candidates...); found != nil {
			return found
		}
	}
	return nil
}

func (x *index) rustModule(from, imported string) []string {
	parts := strings.Split(imported, "::")
	var folder string
	switch parts[0] {
	case "crate":
		folder = x.crateRoot(from)
	case "self":
		folder = rustChildren(from)
	case "super":
		folder = path.Dir(rustChildren(from))
	default:
		return nil
	}
	for parts = parts[1:]; len(parts) > 0 && parts[0] == "super"; parts = parts[1:] {
		folder = path.Dir(folder)
	}
	for n := len(parts); n > 0; n-- { // the last parts may be things inside the file
		target := path.Join(folder, path.Join(parts[:n]...))
		if found := x.first(target+".rs", path.Join(target, "mod.rs")); found != nil {
			return found
		}
	}
	return nil
}

// rustChildren is the folder where the modules below a file lie.
func rustChildren(from string) string {
	folder, base := path.Split(from)
	switch base {
	case "mod.rs", "lib.rs", "main.rs":
		return path.Clean(folder)
	}
	return path.Join(folder, strings.TrimSuffix(base, ".rs"))
}

// crateRoot is the nearest folder above a file that holds the root of a crate.
func (x *index) crateRoot(from string) string {
	for folder := path.Dir(from); ; folder = path.Dir(folder) {
		if x.files[path.Join(folder, "lib.rs")] || x.files[path.Join(folder, "main.rs")] || folder == "." {
			return folder
		}
	}
}

// javaClass finds a class by its full name, whatever folder the sources are in. A static import names a member of it.
func (x *index) javaClass(from, imported string) []string {
	parts := strings.Split(imported, ".")
	for range 2 {
		if len(parts) < 2 {
			return nil
		}
		name := path.Join(parts...)
		for _, ext := range [...]string{".java", ".kt"} {
			if found := x.endingIn(from, name+ext); found != nil {
				return found
			}
		}
		parts = parts[:len(parts)-1]
	}
	return nil
}

// endingIn finds the one file whose path ends like this. Of several it takes the one that has most of its path in
// common with from, and none if two have the same.
func (x *index) endingIn(from, ending string) []string {
	var best string
	most, ties := -1, 0
	for _, name := range x.named[path.Base(ending)] {
		if name != ending && !strings.HasSuffix(name, "/"+ending) {
			continue
		}
		switch common := commonFolders(from, name); {
		case common > most:
			best, most, ties = name, common, 0
		case common == most:
			ties++
		}
	}
	if most < 0 || ties > 0 {
		return nil
	}
	return []string{best}
}

func commonFolders(a, b string) int {
	n := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// cHeader finds a header as compilers do, beside the file first, and then where projects keep them.
func (x *index) cHeader(from, imported string) []string {
	if strings.HasPrefix(imported, "<") {
		return nil
	}
	imported = strings.ReplaceAll(imported, `\`, "/")
	for _, folder := range [...]string{path.Dir(from), ".", "include", "src"} {
		if found := x.first(path.Join(folder, imported)); found != nil {
			return found
		}
	}
	if ending := path.Clean(imported); isLocal(ending) {
		return x.endingIn(from, ending)
	}
	return nil
}
