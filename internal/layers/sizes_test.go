package layers

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Size is how large a package is and how tangled its files are.
type Size struct {
	Package string
	Lines   int // of Go, without tests; a line longer than 100 columns counts as two, three …
	Files   int
	// Cycle is the largest number of its files that depend on each other in a circle; 1: none do.
	Cycle int
}

// support is what tests share.
var support = []string{"internal/store/storetest", "internal/brain/braintest", "internal/layers", "internal/must", "scripts/suite"}

// Totals returns the lines of the product, of the tests with what they share, and of the benchmark binary.
func Totals(root string) (map[string]int, error) {
	lines := map[string]int{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		if entry.IsDir() && (dir == "tools" || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && dir != ".") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(dir, ".go") {
			return nil
		}
		part := "product"
		switch {
		case strings.HasSuffix(dir, "_test.go"), slices.ContainsFunc(support, func(s string) bool { return strings.HasPrefix(dir, s+"/") }):
			part = "tests"
		case strings.HasPrefix(dir, "cmd/hebb-bench/"):
			part = "bench"
		}
		text, err := os.ReadFile(name)
		lines[part] += wrappedLines(text)
		return err
	})
	return lines, err
}

// apart are folders that are no part of the product: the benchmark binary, tools, and what tests share.
var apart = append([]string{"cmd/hebb-bench", "tools"}, support...)

// Measure measures the packages of the product below a folder, in the order of their paths.
func Measure(root string) ([]Size, error) {
	files := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		if entry.IsDir() && (slices.Contains(apart, dir) || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && dir != ".") {
			return fs.SkipDir
		}
		if strings.HasSuffix(dir, ".go") && !strings.HasSuffix(dir, "_test.go") {
			files[filepath.ToSlash(filepath.Dir(dir))] = append(files[filepath.ToSlash(filepath.Dir(dir))], name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var sizes []Size
	for dir, names := range files {
		size, err := measure(names)
		if err != nil {
			return nil, err
		}
		size.Package = dir
		sizes = append(sizes, size)
	}
	slices.SortFunc(sizes, func(a, b Size) int { return strings.Compare(a.Package, b.Package) })
	return sizes, nil
}

func measure(names []string) (Size, error) {
	size := Size{Files: len(names)}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return size, err
		}
		size.Lines += wrappedLines(text)
		file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return size, err
		}
		parsed = append(parsed, file)
	}
	size.Cycle = largestCycle(uses(fset, parsed))
	return size, nil
}

// columns is where a line that is longer counts as one more. A tab counts as one column.
const columns = 100

func wrappedLines(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		width := utf8.RuneCount(bytes.TrimRight(line, "\n"))
		n += max(1, (width+columns-1)/columns)
	}
	return n
}

// uses returns for each file of a package which others declare what it uses. Other packages are not read: what they declare is unknown
// to the type checker, which goes on without it.
func uses(fset *token.FileSet, files []*ast.File) map[string]map[string]bool {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Error: func(error) {}, Importer: unknown{}}
	pkg, _ := conf.Check("measured", fset, files, info) // errors are what is unknown
	graph := map[string]map[string]bool{}
	for _, f := range files {
		graph[fset.Position(f.Pos()).Filename] = map[string]bool{}
	}
	for id, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		if v, ok := object.(*types.Var); ok && !v.IsField() && v.Parent() != pkg.Scope() {
			continue // local
		}
		from, to := fset.Position(id.Pos()).Filename, fset.Position(object.Pos()).Filename
		if from != to {
			graph[from][to] = true
		}
	}
	return graph
}

// unknown imports empty packages.
type unknown struct{}

func (unknown) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	pkg.MarkComplete()
	return pkg, nil
}

// largestCycle is the size of the largest strongly connected set, by Tarjan's algorithm.
func largestCycle(graph map[string]map[string]bool) int {
	var (
		stack         []string
		index, low    = map[string]int{}, map[string]int{}
		onStack       = map[string]bool{}
		largest, next = 0, 1
		visit         func(string)
	)
	visit = func(node string) {
		index[node], low[node] = next, next
		next++
		stack, onStack[node] = append(stack, node), true
		for other := range graph[node] {
			if index[other] == 0 {
				visit(other)
				low[node] = min(low[node], low[other])
			} else if onStack[other] {
				low[node] = min(low[node], index[other])
			}
		}
		if low[node] != index[node] {
			return
		}
		begin := slices.Index(stack, node)
		for _, member := range stack[begin:] {
			onStack[member] = false
		}
		largest = max(largest, len(stack)-begin)
		stack = stack[:begin]
	}
	for node := range graph {
		if index[node] == 0 {
			visit(node)
		}
	}
	return largest
}

// Table writes sizes as a Markdown table with their sum.
func Table(sizes []Size) string {
	var b strings.Builder
	b.WriteString("| package | lines | files | largest cycle of files |\n|---|--:|--:|--:|\n")
	sum := 0
	for _, s := range sizes {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", s.Package, s.Lines, s.Files, s.Cycle)
		sum += s.Lines
	}
	fmt.Fprintf(&b, "| all | %d | | |\n", sum)
	return b.String()
}

// Page is the document that holds the table, between two marks.
const (
	Page     = "ARCHITECTURE.md"
	pageFrom = "<!-- sizes -->\n"
	pageTo   = "<!-- /sizes -->\n"
)

// WithTable returns a page with the table of sizes in its place.
func WithTable(page string, sizes []Size) (string, error) {
	before, rest, ok := strings.Cut(page, pageFrom)
	_, after, ok2 := strings.Cut(rest, pageTo)
	if !ok || !ok2 {
		return "", fmt.Errorf("%s: no place for the table between %q and %q", Page, strings.TrimSpace(pageFrom), strings.TrimSpace(pageTo))
	}
	return before + pageFrom + "\n" + Table(sizes) + "\n" + pageTo + after, nil
}
