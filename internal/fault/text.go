package fault

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// normalise removes from a message what differs between two occurrences of an error: numbers
// (lines, columns, ports, times, durations, addresses), folders, URLs, hashes and, unless they are
// names, what stands in quotes. Normalising again changes nothing.
func normalise(message string, names bool) string {
	message = strings.ToValidUTF8(message[:min(len(message), longestRaw)], "")
	for range longestFault { // a removal can bring two ends together that are removed in turn
		next := shorten(normaliseOnce(message, names))
		if next == message {
			break
		}
		message = next
	}
	return message
}

func normaliseOnce(text string, names bool) string {
	var b strings.Builder
	lastWord := ""
	for at := 0; at < len(text); {
		rest := text[at:]
		free := at == 0 || !isWordByte(text[at-1])
		if inner, n := quoteLength(rest); n > 0 && free {
			if names {
				b.WriteString("'" + normaliseOnce(inner, names) + "'")
			} else {
				b.WriteString("<str>")
			}
			at += n
			continue
		}
		if n := foldersLength(rest); n > 0 && (at == 0 || strings.IndexByte(" \t'\"`(=:,[", text[at-1]) >= 0) {
			at += n
			continue
		}
		n := wordLength(rest)
		switch word := rest[:n]; {
		case n > 0 && strings.HasPrefix(rest[n:], "://"):
			b.WriteString("<url>")
			at += n + 3 + nextBreak(rest[n+3:])
			continue
		case isHash(word):
			b.WriteString("<n>")
			n = hashLength(rest)
		case isTemporary(word) && !isDigit(rest, 0):
			b.WriteString("<n>")
		case isDigit(rest, 0) && !(isPlainCode(word) && isKeptAfter(lastWord)):
			b.WriteString("<n>")
			n = numberLength(rest)
		case n > 0:
			b.WriteString(word)
			lastWord = word
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if r <= ' ' || r == 0x7f || r == utf8.RuneError {
				r = ' '
			}
			b.WriteRune(r)
			n = size
		}
		at += n
	}
	return b.String()
}

// shorten makes one line of the first sentence: what follows is advice, or text around a quoted error. It
// has at most longestFault bytes and is cut between words.
func shorten(message string) string {
	message = strings.Join(strings.Fields(message), " ")
	for _, passedOn := range []string{" [recovered]", " [recovered, repanicked]"} { // a test's panic is that of a program
		message = strings.TrimSuffix(message, passedOn)
	}
	for at := 0; at+2 < len(message); at++ {
		if message[at:at+2] == ". " && message[at+2] >= 'A' && message[at+2] <= 'Z' {
			message = message[:at]
		}
	}
	if len(message) > longestFault {
		cut := longestFault
		for cut > 0 && message[cut] != ' ' {
			cut--
		}
		message = message[:cut]
	}
	return strings.TrimRight(message, " .:;,-?")
}

// quoteLength measures a quoted piece and returns what is in it. Compilers quote with ', ", `, ‘’ and `'.
func quoteLength(text string) (inner string, n int) {
	_, size := utf8.DecodeRuneInString(text)
	closers := ""
	switch text[:size] {
	case "'", `"`:
		closers = text[:size]
	case "`":
		closers = "`'"
	case "‘":
		closers = "’"
	case "“":
		closers = "”"
	default:
		return "", 0
	}
	reach := text[size:min(len(text), size+longestQuote)]
	for at, r := range reach {
		end := size + at + utf8.RuneLen(r)
		if r != utf8.RuneError && strings.ContainsRune(closers, r) && (end == len(text) || !isWordByte(text[end])) {
			return reach[:at], end
		}
	}
	return "", 0
}

// foldersLength measures the folders of an absolute path: the machine differs, the file's name stays.
func foldersLength(text string) int {
	text = text[:nextBreak(text)]
	start := len(text) - len(strings.TrimPrefix(text, "file://"))
	drive := len(text) > 2 && text[1] == ':' && isWordByte(text[0]) && (text[2] == '\\' || text[2] == '/')
	if !drive && !strings.HasPrefix(text[start:], "/") {
		return 0
	}
	return strings.LastIndexAny(strings.TrimRight(text, `/\`), `/\`) + 1
}

// nextBreak returns where a path or an address ends.
func nextBreak(text string) int {
	if end := strings.IndexAny(text, " \t'\"`()<>,;|"); end >= 0 {
		return end
	}
	return len(text)
}

// numberLength measures a number with all that hangs on it: 127.0.0.1:5432, 2026-01-02T03:04:05.6Z,
// 0x1f, 1.5s, 12:5.
func numberLength(text string) int {
	n := wordLength(text)
	for n+1 < len(text) && strings.IndexByte(".:-/+,", text[n]) >= 0 && isDigit(text, n+1) {
		n += 1 + wordLength(text[n+1:])
	}
	return n
}

// isPlainCode and isKeptAfter save the numbers that are the error: exit status 3, HTTP 404, [Errno
// 13], SQLSTATE 42P01.
func isPlainCode(word string) bool { return len(word) <= 5 }

func isKeptAfter(word string) bool {
	switch strings.ToLower(word) {
	case "code", "status", "errno", "http", "sqlstate":
		return true
	}
	return false
}

// isHash knows commits, digests and the beginning of a UUID: eight or more hexadecimal digits,
// letters and figures.
func isHash(word string) bool {
	return len(word) >= 8 && strings.Trim(word, "0123456789abcdefABCDEF") == "" && strings.ContainsAny(word, "0123456789")
}

// isTemporary knows names that a program made up for the moment: tmp8x7yq2, and others in which
// letters and figures alternate.
func isTemporary(word string) bool {
	changes := 0
	for i := 1; i < len(word); i++ {
		if word[i] != '_' && word[i-1] != '_' && isDigit(word, i) != isDigit(word, i-1) {
			changes++
		}
	}
	const made = 4 // v1beta1, x86_64 and i18n have fewer
	return changes >= made || changes > 0 && len(word) >= len("tmp123") && (strings.HasPrefix(word, "tmp") || strings.HasPrefix(word, "temp"))
}

// conditions are faults of the surroundings, in the words of the system. What was going on when
// they were met matters only if it names something.
var conditions = map[string]string{
	"ADDRESS_IN_USE": "address already in use", "DISK_FULL": "no space left on device", "CONNECTION_REFUSED": "connection refused",
	"CONNECTION_RESET": "connection reset by peer", "DATABASE_LOCKED": "database is locked", "DEADLOCK": "deadlock detected",
}

// means are words that say how something was tried, not what: system calls, protocols, the own
// machine, and what programs put around an error.
const means = " listen bind dial connect accept read write open get post put tcp tcp4 tcp6 udp unix http https localhost port address addr host errno error err" +
	" failed failure fatal panic oserror connectionerror exception n str url eaddrinuse econnrefused econnreset enospc sqlite sqlite_busy server" +
	" could cannot couldn t not to on at in the a an is while attempting trying starting start after ms s from with "

// essence is the message of a condition without the means by which it was met. An address in use or
// a full disk is the same whatever was going on.
func essence(kind, message string) string {
	condition := conditions[kind]
	if condition == "" {
		return message
	}
	if kind == "ADDRESS_IN_USE" || kind == "DISK_FULL" {
		return condition
	}
	for rest := message; ; {
		if onlyMeans(rest, condition) {
			return condition
		}
		first, after, found := strings.Cut(rest, ": ")
		if !found || !onlyMeans(first, "") {
			return rest
		}
		rest = after
	}
}

// onlyMeans reports whether a text has no words but means and those of a condition.
func onlyMeans(text, condition string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r < utf8.RuneSelf && !isWordByte(byte(r)) && r != '.' && r != '/' && r != '-'
	}) {
		if !strings.Contains(means, " "+word+" ") && !strings.Contains(" "+condition+" ", " "+word+" ") {
			return false
		}
	}
	return true
}

// hashLength measures a hash, or a whole UUID.
func hashLength(text string) int {
	n := wordLength(text)
	for n+4 < len(text) && text[n] == '-' && wordLength(text[n+1:]) >= 4 &&
		strings.Trim(text[n+1:n+5], "0123456789abcdefABCDEF") == "" {
		n += 1 + wordLength(text[n+1:])
	}
	return n
}

// Files returns the files that an error text names with a line or a test in them, as they are
// written, in order. What is installed (packages, the language's own library) is left out: it is
// not what has to be fixed.
func Files(text string) []string {
	var files []string
	for _, line := range readableLines(text) {
		line = line[:min(len(line), longestLine)]
		for at := 0; at < len(line) && len(files) < mostFiles; {
			n := pathLength(line[at:])
			if file := line[at : at+n]; n > 0 && isPlace(line[at+n:]) && isProjectFile(line[:at], file) {
				if file = strings.TrimPrefix(file, "//"); !slices.Contains(files, file) { // file:///home
					files = append(files, file)
				}
			}
			at += max(n, 1)
		}
	}
	return files
}

// pathLength measures a path of the kinds that tools print before a line number.
func pathLength(text string) int {
	n := 0
	if len(text) > 2 && isWordByte(text[0]) && text[1] == ':' && text[2] == '\\' { // C:\
		n = 2
	}
	end := strings.IndexFunc(text[n:], func(r rune) bool {
		return r < utf8.RuneSelf && !isWordByte(byte(r)) && !strings.ContainsRune(`./\-@+~[]$`, r)
	})
	if end < 0 {
		return len(text)
	}
	return n + end
}

// isPlace reports whether a line number, or the name of a test, follows a path.
func isPlace(after string) bool {
	for _, lead := range []string{":", ":[", "(", `", line `, "::"} {
		if rest, ok := strings.CutPrefix(after, lead); ok && (isDigit(rest, 0) || lead == "::" && wordLength(rest) > 0) {
			return true
		}
	}
	return false
}

// notOurs are the parts of paths under which installed code lies.
var notOurs = []string{"node_modules/", "site-packages/", "dist-packages/", "/usr/lib/", "/usr/local/go/",
	"/go/pkg/mod/", ".cargo/registry/", "/rustc/", "/lib/python"}

func isProjectFile(before, file string) bool {
	extension := extensionOf(file)
	switch extension {
	case "":
		return false
	case "com", "org", "net", "io", "local", "internal": // a host and its port
		return strings.ContainsAny(file, `/\`) && !strings.HasPrefix(file, "//")
	}
	isURL := strings.HasPrefix(file, "//") && !strings.HasSuffix(before, "file:") || strings.HasSuffix(before, "node:")
	return !isURL && !slices.ContainsFunc(notOurs, func(part string) bool { return strings.Contains(file, part) })
}

// extensionOf returns the letters after the last point of a file's name.
func extensionOf(file string) string {
	extension := file[strings.LastIndexByte(file, '.')+1:]
	if n := len(extension); n == len(file) || n > 6 || wordLength(extension) < n || isDigit(extension, 0) {
		return ""
	}
	return extension
}

// untilQuote cuts a message that somebody quoted, as JSON or in a sentence, where the quote ends.
func untilQuote(before, message string) string {
	for _, quote := range []string{`"`, "`"} {
		if strings.Count(before, quote)%2 == 1 {
			message, _, _ = strings.Cut(message, quote)
		}
	}
	return message
}

// inLiteral reports whether the text ends within a literal of a program: after a quote that follows ( = , [ or +.
func inLiteral(before string) bool {
	at := strings.LastIndexAny(before, "\"'`")
	if at < 0 {
		return false
	}
	outside := strings.TrimRight(before[:at], " frb") // f"…"
	return outside != "" && strings.IndexByte("(=,[+", outside[len(outside)-1]) >= 0
}

// wordLength counts the letters, figures and underlines at the start.
func wordLength(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

// signsBefore counts what stands before the first word.
func signsBefore(text string) int {
	n := 0
	for n < len(text) && !isWordByte(text[n]) {
		n++
	}
	return n
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isDigit(text string, at int) bool {
	return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9'
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
