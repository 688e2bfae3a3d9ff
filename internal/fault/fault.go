// Package fault recognises errors in what tools print and people paste, and makes two occurrences
// of one error equal: without line numbers, paths and values. It reads text and nothing else.
package fault

import (
	"slices"
	"strings"
)

const (
	faultHead     = 16 << 10 // of a longer text only its beginning …
	faultTail     = 64 << 10 // … and its end are read: there errors stand
	longestLine   = 2 << 10  // bytes of a line that are read
	longestTag    = 32       // bytes of a logger's [tag]
	longestClass  = 60       // bytes of an exception's name
	longestRaw    = 600      // bytes of a message before it is normalised …
	longestFault  = 160      // … and afterwards
	longestQuote  = 160      // bytes between two quotes
	mostFiles     = 10
	detailsWithin = 4 // lines in which a compiler adds the name that it could not find
)

// Fault is an error as it can be met again: without what differs between two occurrences.
type Fault struct {
	Kind      string // TYPE_ERROR, CONNECTION_REFUSED, …; ERROR where a tool says error: and nothing that is known
	Operation string // property_access, connecting, …; unknown
	Message   string // normalised, one line
}

// Fingerprint is the family of the error. It is too wide to hang a fix on: all type errors of a
// project share it.
func (f Fault) Fingerprint() string { return f.Kind + "|" + f.Operation }

// Key is the error itself: equal for two occurrences that a developer would call the same.
func (f Fault) Key() string { return f.Fingerprint() + "|" + f.Message }

// Message is the message of an error that is known by its key.
func Message(key string) string {
	parts := strings.SplitN(key, "|", 3)
	return parts[len(parts)-1]
}

// Summary is what a text says went wrong, in one line: its error, or else its first line.
func Summary(text string) string {
	if found, ok := Find(text); ok && !found.Vague() {
		return found.Message
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first
}

// FailedTest is the name of the test that a message says failed; empty if it names none, or one that is no plain name.
func FailedTest(message string) string {
	message = strings.TrimPrefix(message, "--- ")
	for _, head := range []string{"FAIL: ", "FAIL ", "FAILED ", "test "} {
		rest, ok := strings.CutPrefix(message, head)
		if !ok {
			continue
		}
		name, after, _ := strings.Cut(rest, " ")
		if head == "test " && after != "... FAILED" || len(name) > testNameMost || strings.Trim(name, testNameSigns) != "" {
			return ""
		}
		return name
	}
	return ""
}

// testNameMost and testNameSigns are the length and the signs of a test's name: what is longer or has others may be a sentence.
const (
	testNameMost  = 80
	testNameSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:"
)

// Vague reports that the text says only that something failed, not what. No fix should hang on it.
func (f Fault) Vague() bool { return f.Kind == exitStatusKind }

// OfCode reports whether the error is about the text of a program: a test, an assertion, what a
// compiler or linter says. How the command was called has no part in it.
func (f Fault) OfCode() bool {
	return f.Kind == testKind || f.Kind == assertionKind || f.Kind == lintKind || strings.HasSuffix(f.Kind, "COMPILE_ERROR")
}

// Bare reports whether the message names nothing of its own: the same words stand for a thousand
// different faults, distinguished only by where they happen.
func (f Fault) Bare() bool {
	if f.Kind == assertionKind {
		return true
	}
	for _, words := range bareMessages {
		if strings.Contains(f.Message, words) {
			return true
		}
	}
	return false
}

var bareMessages = []string{
	"nil pointer dereference", "NullPointerException", "Segmentation fault", "segmentation fault", "index out of range",
	"list index out of range", "Maximum call stack size exceeded", "stack overflow", "assertion failed", "broken pipe",
	"Cannot read propert", "Cannot set propert", "'NoneType' object",
}

// Find returns the most telling error in what a tool printed or a person pasted. An error must have
// the shape in which tools report it: an exception with its message, a code beside its system call,
// a phrase between colons. What is merely spoken of ("fix the TypeError handling", "retry on
// connection refused") is none.
func Find(text string) (Fault, bool) {
	lines := readableLines(text)
	var best sighting
	inTrace, supersede := false, false
	for i, line := range lines {
		later := supersede || strings.HasPrefix(line, "Caused by: ")
		switch {
		case isFrame(line):
			inTrace = !strings.HasPrefix(strings.TrimSpace(line), "at ") // Python's, which ends with the exception
		case strings.HasPrefix(line, "During handling of the above exception"):
			supersede = true // the exception that follows is the one that nobody caught
		case later || best.weight < named:
			seen := withDetail(inspect(line, inTrace), lines[i+1:])
			rank, bestRank := min(seen.weight, named), min(best.weight, named)
			if rank > bestRank || later && rank == bestRank && rank > nothing {
				best, supersede = seen, false
			}
			inTrace = inTrace && isBlank(line[0])
		}
	}
	message := essence(best.kind, normalise(best.message, keepsNames(best.kind) || saysMissing(best.message)))
	if best.weight == nothing || message == "" {
		return Fault{}, false
	}
	return Fault{Kind: best.kind, Operation: operationOf(best.kind, message), Message: message}, true
}

// readableLines cuts the parts of the text that are read into lines without colours.
func readableLines(text string) []string {
	if len(text) > faultHead+faultTail {
		head, tail := text[:faultHead], text[len(text)-faultTail:]
		text = head[:strings.LastIndexByte(head, '\n')+1] + tail[strings.IndexByte(tail, '\n')+1:]
	}
	return strings.FieldsFunc(withoutColours(text), func(r rune) bool { return r == '\n' || r == '\r' })
}

// withoutColours removes what terminals understand: ESC [ … letter.
func withoutColours(text string) string {
	first, rest, found := strings.Cut(text, "\x1b[")
	if !found {
		return text
	}
	var b strings.Builder
	for ; found; first, rest, found = strings.Cut(rest, "\x1b[") {
		b.WriteString(first)
		rest = strings.TrimLeft(rest, "0123456789;:?")
		rest = rest[min(len(rest), 1):]
	}
	return b.String() + first
}

// isFrame knows the lines of stack traces: they name places, not errors.
func isFrame(line string) bool {
	body := strings.TrimLeft(line, " \t")
	return len(body) < len(line) && (strings.HasPrefix(body, "at ") || strings.HasPrefix(body, `File "`)) ||
		strings.HasPrefix(line, "Traceback (most recent call last)")
}

// sighting is an error seen in a line.
type sighting struct {
	kind    string
	weight  weight
	message string
}

func heavier(a, b sighting) sighting {
	if b.weight > a.weight {
		return b
	}
	return a
}

// decorations stand before what a tool says: frames of boxes, quote marks, the words of consoles
// and loggers.
var decorations = []string{" ", "\t", "│", "┃", "|", "> ", "❌", "✘", "✖", "×", "⨯", "Uncaught ", "(in promise) ",
	"Unhandled rejection ", "Unhandled error: ", "Caused by: ", "<tool_use_error>", "remote: ", "ERROR in ", "E  ",
	"vet: "}

// decorationLength measures what stands before the error proper: decorations, [tags], the time of a
// log.
func decorationLength(line string) int {
	at := 0
	for before := -1; before < at; {
		before = at
		for _, d := range decorations {
			if strings.HasPrefix(line[at:], d) {
				at += len(d)
			}
		}
		if end := strings.IndexByte(line[at:], ']'); end > 0 && end < longestTag && line[at] == '[' {
			at += end + 1
		}
		if n := numberLength(line[at:]); n >= len("12:00:00") && isDigit(line, at) && strings.HasPrefix(line[at+n:], " ") {
			at += n
		}
	}
	return at
}

// inspect returns the most telling error of one line.
func inspect(line string, inTrace bool) sighting {
	line = line[:min(len(line), longestLine)]
	body := strings.TrimRight(line[decorationLength(line):], " \t")
	if strings.HasPrefix(body, "//") || strings.HasPrefix(body, "# ") || strings.HasPrefix(body, "* ") { // comments
		return sighting{}
	}
	best := inspectWhole(strings.TrimSpace(line))
	endsTrace := inTrace && !isBlank(line[0])
	for at := 0; at < len(body); {
		n := wordLength(body[at:])
		best = heavier(best, inspectWord(body, at, n, endsTrace))
		at += max(n, 1)
	}
	if best.kind == statedKind && (isBlank(line[0]) || !isStatement(best.message)) {
		return sighting{}
	}
	return best
}

// inspectWhole judges what only a whole line shows: an exit status, the title of a failed test of
// jest, what pytest found.
func inspectWhole(body string) sighting {
	switch {
	case strings.HasPrefix(body, "● ") && strings.Contains(body, " › "):
		return sighting{testKind, tested, body}
	case strings.HasPrefix(body, "E  ") && strings.HasPrefix(strings.TrimLeft(body[1:], " "), "assert "):
		return sighting{assertionKind, asserted, strings.TrimLeft(body[1:], " ")}
	case body == "Killed":
		return sighting{exitStatusKind, vague, body}
	}
	if trimmed := strings.Trim(body, "[]<>().! "); len(trimmed) < longestClass {
		words := strings.TrimRight(trimmed, "0123456789")
		status, low := trimmed[len(words):], strings.ToLower(strings.TrimRight(words, ": "))
		if status != "" && strings.Trim(status, "0") != "" && isExit(low) {
			return sighting{exitStatusKind, vague, "exit status " + status}
		}
	}
	return sighting{}
}

// isExit knows how shells, test runners and coding agents begin a line that ends in an exit status.
func isExit(low string) bool {
	switch low {
	case "exit code", "exit status", "exited with code", "command exited with code", "process exited with code",
		"process finished with exit code", "command failed with exit code", "error: process completed with exit code":
		return true
	}
	return strings.HasPrefix(low, "shellid") && strings.HasSuffix(low, "completed with exit code")
}

// inspectWord judges the word of n bytes at a place in a line. Where a stack trace ends, a class
// may have any name and need not have a message.
func inspectWord(body string, at, n int, endsTrace bool) sighting {
	word := body[at : at+n]
	var best sighting
	for _, m := range markersByWord()[strings.ToLower(word)] {
		if from := at - signsBefore(m.text); m.fits(body, from) {
			if m.where == asSegment {
				from = 0 // what it happened to stands before it
			}
			best = heavier(best, sighting{m.kind, m.weight, untilQuote(body[:from], body[from:])})
		}
	}
	switch {
	case n == 0:
	case strings.EqualFold(word, "error"):
		best = heavier(best, errorAt(body, at))
	case strings.HasSuffix(word, "Error"), strings.HasSuffix(word, "Exception"),
		at > 0 && (body[at-1] == '.' && isRaised(body, at, n) || body[at-1] == ':' && isRubyScoped(body, at, n)),
		endsTrace && strings.HasPrefix(body[at+n:], ": ") && !strings.Contains(body[:at], " "):
		best = heavier(best, exceptionAt(body, at, n, endsTrace))
	case word == "go":
		best = heavier(heavier(best, goErrorAt(body, at)), goModuleAt(body, at))
	case word == "undefined", word == "declared", word == "imported":
		best = heavier(best, goWordsAt(body, at))
	case word == "FAIL":
		best = heavier(best, goTestAt(body, at))
	case word == "rb":
		best = heavier(best, rubyAt(body, at))
	case word == "Fatal", word == "Parse":
		best = heavier(best, phpAt(body, at))
	case word == "panicked" && isThread(body[:at]):
		best = sighting{panicKind, named, strings.TrimPrefix(body[at+n:], " at ")}
	case n > 4 && word[0] == 'E' && aliasKind(word) != "":
		best = heavier(best, errnoAt(body, at, n))
	}
	return best
}

// fits reports whether the marker stands at a place in a line, in the way it must stand.
func (m marker) fits(body string, from int) bool {
	end := from + len(m.text)
	if from < 0 || end > len(body) {
		return false
	}
	found, after := body[from:end], body[end:]
	if found != m.text && (m.where != asSegment || !strings.EqualFold(found, m.text)) {
		return false
	}
	if m.where == asSegment {
		before := strings.TrimRight(body[:from], " ")
		after = strings.TrimLeft(after, " )")
		return (before == "" || strings.IndexByte(":]()", before[len(before)-1]) >= 0) &&
			(after == "" || strings.IndexByte(":.,;([", after[0]) >= 0)
	}
	return strings.Contains(after, m.also) && (m.where != atStart || isIntroduced(body[:from])) && !inLiteral(body[:from])
}

// errorAt judges the word error: after a place in a file it is a compiler's, at the start of a line
// a tool's.
func errorAt(body string, at int) sighting {
	after := body[at+len("error"):]
	extension, placed := placeBefore(body[:at])
	code := strings.TrimSpace(after[:max(strings.IndexByte(after, ':'), 0)])
	switch {
	case strings.HasPrefix(after, "[E") && isIntroduced(body[:at]):
		return sighting{compileKind("rs"), cause, body[at:]}
	case (at == 0 || placed) && isErrorCode(code):
		return sighting{compileKind(strings.ToLower(strings.TrimRight(code, "0123456789"))), cause, body[at:]}
	case placed && extension == "" && strings.HasPrefix(after, "  "):
		return sighting{lintKind, cause, body[at:]}
	case placed && extension != "" && strings.HasPrefix(after, ": "):
		return sighting{compileKind(extension), cause, body[at:]}
	case at == 0 && (strings.HasPrefix(after, ": ") || strings.HasPrefix(after, " [ERR_")):
		return sighting{statedKind, stated, body}
	}
	return sighting{}
}

// isErrorCode knows TS2345, CS0103, C2065.
func isErrorCode(code string) bool {
	letters := strings.TrimRight(code, "0123456789")
	return letters == "TS" || letters == "CS" || letters == "C" && len(code) == 5
}

// placeBefore reports whether the text ends with a place in a file ("x.c:3:4: ", "x.ts(3,4): ",
// "3:4 "), and the extension of the file.
func placeBefore(text string) (extension string, ok bool) {
	text = strings.TrimSuffix(strings.TrimRight(strings.TrimSuffix(text, "fatal "), " -:"), ")")
	file := strings.TrimRight(text, "0123456789,:(")
	if len(file) == len(text) || isDigit(file, len(file)-1) {
		return "", false
	}
	return extensionOf(file), true
}

// exceptionAt judges a class name that ends in Error or Exception.
func exceptionAt(body string, at, n int, endsTrace bool) sighting {
	class, after, from := body[at:at+n], body[at+n:], at
	for from > 0 && (isWordByte(body[from-1]) || body[from-1] == '.') {
		from--
	}
	if code, rest, ok := strings.Cut(after, "]"); ok && strings.HasPrefix(code, " [") { // TypeError [ERR_INVALID_ARG]: …
		after = rest
	}
	seen := sighting{exceptionKind(class), named, body[at:]}
	generic, dotted := seen.kind == statedKind, from < at
	if said, ok := inBrackets(after); ok && !generic && isIntroduced(withoutScope(body[:at])) { // Ruby
		return sighting{seen.kind, named, class + ": " + said}
	}
	switch {
	case n > longestClass || class[0] > 'Z' || generic && from > 0:
		return sighting{}
	case after == "" && (from == 0 && (dotted || endsTrace) || strings.HasPrefix(body, "Exception in thread ")):
	case !strings.HasPrefix(after, ": ") || isCode(body[:from], after[2:]):
		return sighting{}
	}
	seen.message = untilQuote(body[:from], seen.message)
	if generic {
		seen.weight = stated
	} else if seen.kind == assertionKind {
		seen.weight = asserted
	}
	return seen
}

// isCode reports whether an exception's name stands in a program or its documentation: caught,
// declared, in a literal.
func isCode(before, message string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(message), " ")
	switch first {
	case "", "If", "if", "When", "when", "Raised", "raised", "pass", "return", "continue", "raise":
		return true
	}
	if last := message[len(message)-1]; last == ',' || last == '{' || strings.IndexByte("{$%", first[0]) >= 0 {
		return true
	}
	switch before[strings.LastIndexAny(strings.TrimRight(before, " "), " :\t(")+1:] {
	case "except ", "raises ", "raise ", "throws ", "throw ", "catch ", "new ", "class ", "case ", "enum ", "struct ",
		"extends ", "or ":
		return true
	}
	return inLiteral(before)
}

// isStatement distinguishes "error: failed to parse manifest" from "error: 0 warnings" and from a
// field called error.
func isStatement(message string) bool {
	_, said, _ := strings.Cut(message, ": ")
	low := strings.ToLower(strings.TrimSpace(said))
	for _, no := range []string{"no error", "no such tool", "if ", "when ", "null", "none", "nil", "false",
		"undefined", "process completed with exit code"} {
		if strings.HasPrefix(low, no) {
			return false
		}
	}
	return strings.Contains(low, " ") && !isDigit(low, 0) && strings.IndexByte("{[(=|&%$", low[0]) < 0 &&
		strings.IndexByte(",;{([|=", low[len(low)-1]) < 0 && !strings.Contains(low, " = ") && !strings.Contains(low, " | ")
}

// goErrorAt judges what follows file.go:12:5:, or file.go:12: where the complaint can be nothing
// else.
func goErrorAt(body string, at int) sighting {
	place, complaint, ok := strings.Cut(body[at+len("go"):], ": ")
	if at == 0 || body[at-1] != '.' || !ok || strings.Trim(place, ":0123456789") != "" {
		return sighting{}
	}
	switch strings.Count(place, ":") {
	case 1:
		return goWordsAt(complaint, 0)
	case 2:
		if slices.ContainsFunc(goComplaints, func(c string) bool { return strings.Contains(complaint, c) }) {
			return sighting{goKind, cause, complaint}
		}
	}
	return sighting{}
}

// systemCalls stand before the code of their failure.
const systemCalls = " connect read write listen bind open spawn getaddrinfo mkdir rmdir scandir stat lstat unlink" +
	" rename access accept copyfile queryA watch fsync "

// errnoAt judges a code of the system: it counts where it is reported, not where it is spoken of.
func errnoAt(body string, at, n int) sighting {
	before, after := strings.TrimRight(body[:at], " "), body[at+n:]
	from := len(before)
	for from > 0 && isWordByte(before[from-1]) {
		from--
	}
	if inLiteral(before[:from]) {
		return sighting{}
	}
	if call := before[from:]; call == "" || !strings.Contains(systemCalls, " "+call+" ") {
		if spawn := strings.LastIndex(before, "spawn "); spawn >= 0 { // spawn git ENOENT
			from = spawn
		} else if from = at; !strings.HasPrefix(after, ": ") && !strings.HasPrefix(after, "]: ") &&
			!(strings.HasPrefix(after, " ") && isDigit(after, 1)) {
			return sighting{}
		}
	}
	return sighting{aliasKind(body[at : at+n]), cause, untilQuote(body[:from], body[from:])}
}

// withDetail adds what some tools say in the lines that follow, and removes what differs each time.
func withDetail(seen sighting, following []string) sighting {
	switch {
	case seen.kind == testKind: // its name, without the time it took and what it found
		seen.message, _, _ = strings.Cut(seen.message, " (")
		seen.message, _, _ = strings.Cut(seen.message, " - ")
	case seen.kind == panicKind: // the message, since Rust 1.73; before, it stood in quotes before the place
		if quoted, _, old := strings.Cut(seen.message, "', "); old {
			seen.message = strings.TrimPrefix(quoted, "'")
		} else if _, said, inLine := strings.Cut(seen.message, ": "); inLine { // pasted as one line
			seen.message = said
		} else if len(following) > 0 {
			seen.message = following[0]
		}
		if strings.HasPrefix(seen.message, "assertion ") {
			seen.weight = asserted
		}
		seen.message = "panicked: " + seen.message
	case seen.kind == statedKind: // Terraform says where in the line after, and what in the paragraph after that
		if at := slices.IndexFunc(following[:min(len(following), detailsWithin)], func(l string) bool { return strings.HasPrefix(strings.TrimLeft(l, " │"), "on ") }); at >= 0 {
			for _, line := range following[at+1 : min(len(following), at+1+detailsWithin)] {
				if said := strings.TrimLeft(line, " │"); said != "" && !isDigit(said, 0) {
					seen.message += ": " + said
					break
				}
			}
		}
	case strings.HasSuffix(seen.message, "cannot find symbol"): // javac
		for _, line := range following[:min(len(following), detailsWithin)] {
			if _, symbol, ok := strings.Cut(line, "symbol:"); ok {
				seen.message += ": " + symbol
				break
			}
		}
	}
	return seen
}
