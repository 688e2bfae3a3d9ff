package fault

import "strings"

// introductions are the words after which a person quotes what a tool printed: "please mend this: panic: …", "I get
// panic: …". Those in the first list need a colon: alone they begin a sentence as often as a quotation.
const (
	introducedByColon = " this these that it following error message output log help happens happened comes" +
		" broke breaks crashes crashed fails failed "
	introducedByWord = " get gets got getting see seeing saw says said saying prints printed shows with "
)

// isIntroduced reports whether what follows is a tool's line: nothing stands before it, or words that announce it.
func isIntroduced(before string) bool {
	if before == "" {
		return true
	}
	before = strings.TrimRight(before, " \t\"'`“‘")
	lead := strings.TrimSuffix(before, ":")
	from := len(lead)
	for from > 0 && isWordByte(lead[from-1]) {
		from--
	}
	word := " " + strings.ToLower(lead[from:]) + " "
	if lead == before {
		return strings.Contains(introducedByWord, word)
	}
	return strings.Contains(introducedByColon, word) || strings.Contains(introducedByWord, word)
}

// isThread knows how Rust begins to tell of a panic: thread 'main' panicked.
func isThread(before string) bool {
	start := strings.LastIndex(before, "thread '")
	return start >= 0 && isIntroduced(before[:start])
}

// goWordsAt judges the complaints of the Go compiler that people copy without the place: they name one thing and
// nothing follows.
func goWordsAt(body string, at int) sighting {
	rest := body[at:]
	for _, lead := range []string{"undefined: ", "declared and not used: "} {
		if name, ok := strings.CutPrefix(rest, lead); ok && isGoName(strings.TrimRight(name, "?.!`\"'")) && isIntroduced(body[:at]) {
			return sighting{goKind, cause, rest}
		}
	}
	if strings.TrimRight(rest, "?.!") == "imported and not used" && strings.HasSuffix(body[:at], "\" ") {
		if start := strings.LastIndexByte(body[:at-2], '"'); start >= 0 && isIntroduced(body[:start]) {
			return sighting{goKind, cause, body[start:]}
		}
	}
	return sighting{}
}

// isGoName knows foo, foo.Bar and nothing that has a blank. The word itself is not named: "undefined: undefined" is
// another language's value.
func isGoName(name string) bool {
	base, member, dotted := strings.Cut(name, ".")
	plain := func(part string) bool { return part != "" && wordLength(part) == len(part) && !isDigit(part, 0) }
	return plain(base) && (!dotted || plain(member)) && base != "undefined" && base != "null"
}

// goTestAt judges FAIL: TestName, which is --- FAIL: TestName without its line before it.
func goTestAt(body string, at int) sighting {
	name, ok := strings.CutPrefix(body[at:], "FAIL: Test")
	if !ok || name == "" || name[0] >= 'a' && name[0] <= 'z' || !isWordByte(name[0]) || !isIntroduced(body[:at]) {
		return sighting{}
	}
	return sighting{testKind, tested, "--- " + body[at:]}
}

// goModuleAt judges go: example.com/x: …, what the go command says of a module. Its reports of progress have no second
// colon.
func goModuleAt(body string, at int) sighting {
	said, ok := strings.CutPrefix(body[at:], "go: ")
	if !ok || !isIntroduced(body[:at]) {
		return sighting{}
	}
	module, complaint, ok := strings.Cut(strings.TrimPrefix(said, "module "), ": ")
	host, _, isPath := strings.Cut(module, "/")
	if !ok || !isPath || !strings.Contains(host, ".") || strings.Contains(module, " ") || !strings.Contains(complaint, " ") {
		return sighting{}
	}
	return sighting{importKind, cause, body[at:]}
}

// raisers are the parts of a dotted name after which Python's exceptions stand whatever they are called.
const raisers = " exceptions exception errors error exc errorfactory "

// isRaised reports whether a word is the class of a dotted exception with its message: jinja2.exceptions.TemplateNotFound:
func isRaised(body string, at, n int) bool {
	if body[at] < 'A' || body[at] > 'Z' || !strings.HasPrefix(body[at+n:], ": ") {
		return false
	}
	from := at - 1
	for from > 0 && isWordByte(body[from-1]) {
		from--
	}
	part := body[from : at-1]
	return from > 0 && body[from-1] == '.' && strings.Contains(raisers, " "+part+" ") || isKnownRaise(body[at:at+n])
}

// rubyScopes are the modules under which Ruby's libraries keep exceptions whose names do not end in Error.
const rubyScopes = " ActiveRecord ActiveModel ActionController ActionView ActionDispatch Bundler Faraday Net RSpec Zeitwerk "

// isRubyScoped reports whether a word is the class of such an exception, with its message: ActiveRecord::RecordNotFound
func isRubyScoped(body string, at, n int) bool {
	scopes, ok := strings.CutSuffix(body[:at], "::")
	if !ok || body[at] < 'A' || body[at] > 'Z' {
		return false
	}
	from := len(withoutScope(body[:at]))
	root, _, _ := strings.Cut(scopes[min(from, len(scopes)):], ":")
	_, bracketed := inBrackets(body[at+n:])
	return strings.Contains(rubyScopes, " "+root+" ") && root != "" && (bracketed || strings.HasPrefix(body[at+n:], ": "))
}

// isKnownRaise knows classes of Python that everybody meets and whose names do not end in Error.
func isKnownRaise(class string) bool { return class == "DoesNotExist" || class == "TimeoutExpired" }

// inBrackets returns what stands in brackets at the end of a line, as Ruby writes a message behind its class. A remark
// of one word is none.
func inBrackets(after string) (string, bool) {
	said, ok := strings.CutPrefix(after, " (")
	if !ok {
		return "", false
	}
	said, ok = strings.CutSuffix(strings.TrimRight(said, ":. "), ")")
	return said, ok && strings.Contains(said, " ")
}

// withoutScope takes the modules off that stand before a class of Ruby: ActiveRecord::
func withoutScope(before string) string {
	for strings.HasSuffix(before, "::") {
		before = strings.TrimSuffix(before, "::")
		for before != "" && isWordByte(before[len(before)-1]) {
			before = before[:len(before)-1]
		}
	}
	return before
}

// rubyAt judges file.rb:12:in 'method': message (Class).
func rubyAt(body string, at int) sighting {
	place := strings.TrimLeft(strings.TrimPrefix(body[at+len("rb"):], ":"), "0123456789")
	rest, ok := strings.CutPrefix(place, ":in ")
	if at == 0 || body[at-1] != '.' || !ok {
		return sighting{}
	}
	_, said, ok := strings.Cut(rest, "': ")
	open := strings.LastIndex(said, " (")
	if !ok || open <= 0 {
		return sighting{}
	}
	class := said[open+len(" ("):]
	class = class[:max(strings.LastIndexByte(class, ')'), 0)]
	class = class[strings.LastIndexByte(class, ':')+1:]
	if class == "" || class[0] < 'A' || class[0] > 'Z' || len(class) > longestClass || wordLength(class) < len(class) {
		return sighting{}
	}
	return sighting{exceptionKind(class), named, class + ": " + said[:open]}
}

// phpAt judges Fatal error: and Parse error: of PHP. The log has PHP before it; the page has not, but names the place.
func phpAt(body string, at int) sighting {
	kind, word := "FATAL_ERROR", "Fatal"
	if strings.HasPrefix(body[at:], "Parse") {
		kind, word = aliasKind("ParseError"), "Parse"
	}
	said, ok := strings.CutPrefix(body[at+len(word):], " error: ")
	before, logged := strings.CutSuffix(body[:at], "PHP ")
	if !ok || !isIntroduced(before) {
		return sighting{}
	}
	said, placed := withoutPHPPlace(said)
	if !placed && !logged {
		return sighting{}
	}
	said = strings.TrimPrefix(strings.TrimSpace(said), "Uncaught ")
	class, message, thrown := strings.Cut(said, ": ")
	class = class[strings.LastIndexByte(class, '\\')+1:] // without its namespace
	if thrown && (strings.HasSuffix(class, "Error") || strings.HasSuffix(class, "Exception")) && len(class) <= longestClass &&
		wordLength(class) == len(class) && exceptionKind(class) != statedKind {
		kind, said = exceptionKind(class), class+": "+message
	}
	return sighting{kind, named, said}
}

// withoutPHPPlace takes " in /srv/x.php:12" and " in /srv/x.php on line 12" off.
func withoutPHPPlace(said string) (string, bool) {
	at := strings.LastIndex(said, " in ")
	if at < 0 {
		return said, false
	}
	file := strings.TrimRight(said[at:], "0123456789")
	if len(file) == len(said[at:]) || !strings.HasSuffix(file, " on line ") && !strings.HasSuffix(file, ".php:") {
		return said, false
	}
	return said[:at], true
}
