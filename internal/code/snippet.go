package code

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

const (
	minLines        = 5   // shorter functions and types are no snippets of their own (behaviour of the seed systems)
	docLength       = 300 // how much of the comment on a definition is kept (the first sentences say what it is)
	signatureLength = 240 // how much of a signature is kept (two long lines)
	openingLength   = 500 // how much of a body is kept for search (behaviour of the seed systems)
)

// ID names a definition by what it is called and where, not by its lines: edits elsewhere in the file leave it alone.
// It is unique in its project.
type ID int64

// Snippet is one function or type of a project, or one section of a document.
type Snippet struct {
	ID   ID
	Path string // as memory.EscapePath has it
	Kind Kind
	Name string // qualified: Server.Start
	Doc  string // the beginning of its comment, without the signs of one
	// Signature is all up to the body on one line; Opening the first lines of the body.
	Signature, Opening string
	Start, End         int // lines, from 1
}

// Text is what a snippet is found by.
func (s Snippet) Text() string {
	if s.Kind == Section {
		return s.Name + "\n" + s.Opening
	}
	parts := []string{string(s.Kind) + " " + s.Name}
	for _, part := range []string{s.Doc, s.Signature, s.Opening} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n")
}

// Outline lists the snippets of a file, in order, and counts the definitions that are too short to be one.
func Outline(path string, source []byte, minLines int) (found []Snippet, short int) {
	met := map[string]int{}
	for _, d := range Definitions(path, source) {
		// The short ones are counted too, or one that grows would rename its namesakes.
		key := string(d.Kind) + " " + d.Name
		ordinal := met[key]
		met[key]++
		if d.End-d.Start+1 < minLines {
			short++
			continue
		}
		text := source[d.From:d.To]
		s := Snippet{
			ID:   ID(memory.ContentHash("snippet", path, string(d.Kind), d.Name, strconv.Itoa(ordinal))),
			Path: path, Kind: d.Kind, Name: d.Name, Start: d.Start, End: d.End,
			Doc:       comment(source, d, LanguageOf(path), docLength),
			Signature: signature(text[:d.Body-d.From], signatureLength),
			Opening:   opening(source[d.Body:d.To], openingLength),
		}
		found = append(found, s)
	}
	return found, short
}

// SymbolHash is the hash of what a file defines under a name, however short, and false if it has none. The name may be
// qualified or not, and be spelled as code or prose does: Start, Server.Start, Server::start(), (*Server).Start. Where
// several definitions have it, all of them count.
func SymbolHash(path string, source []byte, symbol string) (int64, bool) {
	symbol = plainSymbol(symbol)
	var whole, last []string
	for _, d := range Definitions(path, source) {
		text := bytes.ReplaceAll(source[d.From:d.To], []byte("\r\n"), []byte("\n"))
		hash := strconv.FormatInt(memory.ContentHash(string(text)), 16)
		if d.Name == symbol {
			whole = append(whole, hash)
		} else if strings.HasSuffix(d.Name, "."+symbol) {
			last = append(last, hash)
		}
	}
	if len(whole) == 0 {
		whole = last
	}
	if len(whole) == 0 || symbol == "" {
		return 0, false
	}
	return memory.ContentHash(whole...), true
}

func plainSymbol(symbol string) string {
	symbol, _, _ = strings.Cut(strings.NewReplacer("(*", "", ")", "", "::", ".", "#", ".", "`", "").Replace(symbol), "(")
	return strings.Trim(symbol, ". ")
}

// signature is a head on one line, without the annotations in front of it.
func signature(head []byte, limit int) string {
	lines := strings.Split(string(head), "\n")
	for len(lines) > 1 && isAnnotation(lines[0]) {
		lines = lines[1:]
	}
	return prose.Beginning(strings.Join(strings.Fields(strings.ToValidUTF8(strings.Join(lines, " "), "\uFFFD")), " "), limit)
}

// opening is as many whole lines as fit, and the beginning of the first if that is too long.
func opening(body []byte, limit int) string {
	body = bytes.TrimLeft(body, "{: \t\r\n")
	if len(body) > limit {
		body = body[:limit]
		if n := bytes.LastIndexByte(body, '\n'); n > 0 {
			body = body[:n]
		}
	}
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), " \t\n")
}
