package fault

import (
	"regexp"
	"strings"
	"sync"
)

// introductions are the words after which a person quotes what a tool printed: "please fix this:
// panic: …", "I get panic: …". Those in the first list need a colon: alone they begin a sentence as
// often as a quotation.
const (
	introducedByColon = " this these that it following error message output log help happens happened comes" +
		" broke breaks crashes crashed fails failed "
	introducedByWord = " get gets got getting see seeing saw says said saying prints printed shows with "
)

// isIntroduced reports whether what follows is a tool's line: nothing stands before it, or words
// that announce it.
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

// isThread knows how Rust begins to report a panic: thread 'main' panicked.
func isThread(before string) bool {
	start := strings.LastIndex(before, "thread '")
	return start >= 0 && isIntroduced(before[:start])
}

// pattern compiles an expression when it is first used: most runs of the program meet no error.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Complaints of Go's tools that people copy without the line before them.
var (
	goWords  = pattern("^(?:undefined|declared and not used): ([A-Za-z_]\\w*)(?:\\.[A-Za-z_]\\w*)?[?.!`\"']*$")
	goImport = pattern(`^imported and not used[?.!]*$`)
	goTest   = pattern(`^FAIL: Test[A-Z0-9_]`)
	goModule = pattern(`^go: (?:module )?[^/ :]*\.[^/ :]*/[^ :]*: .* `) // reports of progress have no second colon
)

// goWordsAt judges the complaints of the Go compiler that name one thing and nothing follows.
func goWordsAt(body string, at int) sighting {
	rest := body[at:]
	if m := goWords().FindStringSubmatch(rest); m != nil && m[1] != "undefined" && m[1] != "null" && isIntroduced(body[:at]) {
		return sighting{goKind, cause, rest}
	}
	if goImport().MatchString(rest) && strings.HasSuffix(body[:at], "\" ") {
		if start := strings.LastIndexByte(body[:at-2], '"'); start >= 0 && isIntroduced(body[:start]) {
			return sighting{goKind, cause, body[start:]}
		}
	}
	return sighting{}
}

// goTestAt judges FAIL: TestName, which is --- FAIL: TestName without its line before it.
func goTestAt(body string, at int) sighting {
	if !goTest().MatchString(body[at:]) || !isIntroduced(body[:at]) {
		return sighting{}
	}
	return sighting{testKind, tested, "--- " + body[at:]}
}

// goModuleAt judges go: example.com/x: …, what the go command says of a module.
func goModuleAt(body string, at int) sighting {
	if !goModule().MatchString(body[at:]) || !isIntroduced(body[:at]) {
		return sighting{}
	}
	return sighting{importKind, cause, body[at:]}
}

// raisers are the parts of a dotted name after which Python's exceptions stand whatever they are
// called.
const raisers = " exceptions exception errors error exc errorfactory "

// isRaised reports whether a word is the class of a dotted exception with its message:
// jinja2.exceptions.TemplateNotFound:
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

// rubyScopes are the modules under which Ruby's libraries keep exceptions whose names do not end in
// Error.
const rubyScopes = " ActiveRecord ActiveModel ActionController ActionView ActionDispatch Bundler Faraday Net RSpec Zeitwerk "

// isRubyScoped reports whether a word is the class of such an exception, with its message:
// ActiveRecord::RecordNotFound
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

// inBrackets returns what stands in brackets at the end of a line, as Ruby writes a message after
// its class. A remark of one word is none.
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

var (
	rubyError = pattern(`^rb:?\d*:in .*?': (.+) \((?:.*:)?([A-Z]\w{0,59})\)[^)]*$`)
	phpError  = pattern(`^(?:Fatal|Parse) error: +(.*?)( in .*(?: on line |\.php:)\d+)?$`)
	phpThrown = pattern(`^(?:Uncaught )?(?:[^:]*\\)?(\w{0,55}(?:Error|Exception)): (.*)$`)
)

// rubyAt judges file.rb:12:in 'method': message (Class).
func rubyAt(body string, at int) sighting {
	m := rubyError().FindStringSubmatch(body[at:])
	if m == nil || at == 0 || body[at-1] != '.' {
		return sighting{}
	}
	return sighting{exceptionKind(m[2]), named, m[2] + ": " + m[1]}
}

// phpAt judges Fatal error: and Parse error: of PHP. The log has PHP before it; the page has not,
// but names the place.
func phpAt(body string, at int) sighting {
	before, logged := strings.CutSuffix(body[:at], "PHP ")
	m := phpError().FindStringSubmatch(body[at:])
	if m == nil || m[2] == "" && !logged || !isIntroduced(before) {
		return sighting{}
	}
	kind, said := "FATAL_ERROR", strings.TrimPrefix(m[1], "Uncaught ")
	if strings.HasPrefix(body[at:], "Parse") {
		kind = aliasKind("ParseError")
	}
	if thrown := phpThrown().FindStringSubmatch(m[1]); thrown != nil && exceptionKind(thrown[1]) != statedKind {
		kind, said = exceptionKind(thrown[1]), thrown[1]+": "+thrown[2]
	}
	return sighting{kind, named, said}
}
