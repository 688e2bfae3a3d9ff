package scrub

import (
	"strings"
	"unicode/utf8"
)

// The rules of this file find secrets in sentences and in the arguments of commands.

// copulas join a thing to what it is, in the languages of the triggers of findSpokenPassword.
var copulas = []string{
	" is now ", " is currently ", " is set to ", " was set to ", " was changed to ", " is: ", " is ", " was ", " to ", " = ",
	" lautet ", " ist ", " est ", " es ", " é ", " e ", " è ", " är ", " er ", " je ", " to: ", ": ", " - ", " — ", " – ", "：",
	" это ", " — это ", "是", "为", "は", "는 ", "은 ", "는", " olarak ", " :",
	" -> ", " => ", " → ", "'s ", "’s ",
}

// findSpokenPassword finds "the password for staging is hunter2!", in a dozen languages, "user bob
// and pass x7Lq2" and "hunter2! is the password".
func findSpokenPassword(text string, at, n int) span {
	noun, ok := nounAt(text, at, n)
	if !ok {
		return span{}
	}
	short := noun.end-noun.start <= len("pass")
	account := accountBefore(text, noun.start)
	if noun.end-noun.start == len("pass") && !account { // mostly a verb
		return span{}
	}
	if v := wordAfter(text, noun); v.text != "" && !placeholder(v.text) {
		switch {
		case loginBefore(text, noun.start) && len(v.text) >= 3 && v.text[0] != '{', !short && passwordShape(v.text):
			return v.span()
		case account && len(v.text) >= 5 && !codeReference(v.text) && (mixed(v.text) || strings.Count(v.text, "-") >= 2):
			return v.span()
		}
	}
	v := spokenValue(text, noun, spokenPassword)
	if v.text == "" && !short {
		v = valueBefore(text, noun)
	}
	return v.span()
}

// spokenPassword reports whether a word of a sentence that says what a password is can be one.
func spokenPassword(v value) bool {
	s := v.text
	if placeholder(s) || len(s) < 4 || strings.Contains(s, "://") || !v.quoted && codeReference(s) {
		return false
	}
	letters := run(s, isLetter, len(s)) == len(s)
	if letters && !v.quoted || v.quoted && strings.ContainsAny(s, " \t") && !passphrase(s) {
		return false
	}
	return v.quoted || mixed(s) || strings.ContainsAny(s, "!@#$%^&*+=~") || run(s, isDigit, len(s)) == len(s) && len(s) >= 6
}

// passwordShape reports whether a word that merely follows "password" can hardly be anything else.
func passwordShape(s string) bool {
	return len(s) >= 8 && mixed(s) && !codeReference(s) && !strings.Contains(strings.ToLower(s), "passw") && (transitions(s) >= 2 || strings.ContainsAny(s, "!@#$%^&*"))
}

// findSpokenSecret finds "my API key is 8f3a…" and "use token 8f3a…"; the value must look random.
func findSpokenSecret(text string, at, n int) span {
	noun, ok := nounAt(text, at, n)
	if !ok {
		return span{}
	}
	v := spokenValue(text, noun, spokenSecret)
	if v.text == "" {
		v = wordAfter(text, noun)
	}
	if v.text == "" || !spokenSecret(v) || text[at] == ' ' && !opensSomething(text, at) && (len(v.text) < 16 || uuid(v.text) || run(v.text, isHex, 65) >= 40) {
		return span{} // a key without a word for what it opens may be any: a digest, a row's
	}
	return v.span()
}

func spokenSecret(v value) bool {
	s := v.text
	return len(s) >= 12 && !placeholder(s) && !strings.ContainsAny(s, " /(){}[]") && mixed(s) &&
		(random(s) && (len(s) >= 16 || v.quoted || transitions(s) >= 4) || grouped(s))
}

// grouped reports whether a value is written as licences are: ABCD-1234-EFGH-5678.
func grouped(s string) bool {
	groups := strings.Split(s, "-")
	for _, g := range groups {
		if len(g) != len(groups[0]) || len(g) < 4 || run(g, isUpperDigit, len(g)) != len(g) {
			return false
		}
	}
	return len(groups) >= 3
}

// codeWords are the words before "code" that make it one that opens something. An exit code, a
// country code, an error code open nothing.
var codeWords = wordSet(`
	one-time onetime time otp totp sms 2fa mfa tfa verification confirmation authentication authenticator auth login sign-in
	access security door gate garage alarm entry unlock lock pin recovery activation pairing safe`)

// units follow a number that measures something.
var units = wordSet(`
	ms s sec secs second seconds minute minutes min hour hours h day days digit digits char chars character characters byte
	bytes bit bits times px kb mb users rows percent items of`)

// findSpokenCode finds "the door pin is 4471", "my sms code just came, 550917" and "OTP 482913".
func findSpokenCode(text string, at, n int) span {
	noun, ok := nounAt(text, at, n)
	if !ok || !wordBegins(text, at) || noun.end < len(text) && isWord(text[noun.end]) {
		return span{}
	}
	if lower(text[at]) == 'c' {
		before := strings.ToLower(within(text, at-24, at))
		word := strings.TrimRight(before, " -")
		if len(word) == len(before) || !codeWords[word[strings.LastIndexAny(word, " \t\n\"'(,.;:")+1:]] {
			return span{}
		}
	}
	number := func(v value) bool { return isCode(v.text, text[v.start+len(v.text):]) }
	code := func(i int) span {
		v := value{start: i, text: text[i : i+codeRun(text[i:])]}
		return unless(!number(v), v.start, v.start+len(v.text))
	}
	if i := noun.end + run(text[noun.end:], isBlank, 4); i > noun.end && i < len(text) && isDigit(text[i]) {
		return code(i)
	}
	if v := spokenValue(text, noun, func(v value) bool {
		return isDigit(v.text[0]) && !strings.HasSuffix(text[:v.start], " to ") && code(v.start).end > 0 // to pin a version is something else
	}); v.text != "" {
		return code(v.start)
	}
	// after a comma only six digits or more that end what is said
	clause := within(text, noun.end, noun.end+40)
	comma := strings.IndexByte(clause, ',')
	if comma < 0 || strings.ContainsAny(clause[:comma], "\n.;0123456789") {
		return span{}
	}
	i := noun.end + comma + 1
	i += run(text[i:], isBlank, 4)
	s := code(i)
	if rest := text[max(s.end, 0):]; s.end-s.start < 6 || strings.TrimLeft(rest, " .!\r\n") != "" && run(rest, isBlank, 1) > 0 {
		return span{}
	}
	return s
}

// codeRun is the length of the number at the beginning of text, which a blank or a dash may part in
// two: 839 204.
func codeRun(text string) int {
	n := run(text, isDigit, 12)
	if n < 3 || n > 4 || n+1 >= len(text) || text[n] != ' ' && text[n] != '-' {
		return n
	}
	if second := run(text[n+1:], isDigit, 12); second == n {
		return n + 1 + second
	}
	return n
}

// isCode reports whether a number can be a code: four to ten digits, and what follows makes it no
// other number.
func isCode(s, rest string) bool {
	digits := len(s)
	if strings.ContainsAny(s, " -") {
		digits--
	}
	if digits < 4 || digits > 10 || few(s) && s[0] != '0' && strings.Trim(s, s[:1]) == "" || rest != "" && (isWord(rest[0]) || strings.IndexByte("%/:-", rest[0]) >= 0) ||
		len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
		return false
	}
	next := strings.TrimLeft(rest, " ")
	return !units[strings.ToLower(next[:run(next, isLetter, 12)])]
}

// findSpokenLogin finds the second of a name and a password in "log in as admin / hunter2" and
// "credentials are viewer:s3cret".
func findSpokenLogin(text string, at, n int) span {
	if !wordBegins(text, at) {
		return span{}
	}
	clause := within(text, at+n, at+n+100)
	if i := strings.IndexAny(clause, "\n;()<>{}"); i >= 0 {
		clause = clause[:i]
	}
	if !strings.ContainsFunc(clause, isNumber) {
		return span{}
	}
	introduced := false
	for i := 0; i < len(clause); {
		i += run(clause[i:], isBlank, len(clause))
		w := clause[i : i+run(clause[i:], func(c byte) bool { return !isBlank(c) }, len(clause))]
		if strings.HasSuffix(w, ".") || strings.Contains(w, "://") {
			break
		}
		name, password := w, ""
		cut := strings.IndexAny(w, ":/")
		switch next := clause[i+len(w):]; {
		case introduced && cut > 0:
			name, password = w[:cut], w[cut+1:]
		case introduced && (strings.HasPrefix(next, " / ") || strings.HasPrefix(next, " : ")):
			password = next[3 : 3+run(next[3:], func(c byte) bool { return !isBlank(c) }, len(next))]
			i += 3
		}
		if given := clause[i+len(w):]; introduced && password == "" && (strings.HasPrefix(given, " with ") || strings.HasPrefix(given, " using ")) {
			v := spokenWord(text, at+n+i+len(w)+strings.IndexByte(given[1:], ' ')+2)
			if isName(name) && len(v.text) >= 6 && mixed(v.text) && !placeholder(v.text) && !codeReference(v.text) && !machines[strings.ToLower(v.text)] {
				return v.span()
			}
		}
		start := at + n + i + len(w) - len(password)
		if password != "" && cut < 0 {
			start = at + n + i + len(w)
		}
		password = strings.TrimRight(password, ".,!?\"'`")
		alike := strings.TrimRight(name, "0123456789") == strings.TrimRight(password, "0123456789") // user1 / user2
		if isName(name) && !alike && len(password) >= 4 && mixed(password) && !placeholder(password) && !strings.ContainsAny(password, "/:") &&
			!codeReference(password) && !machines[strings.ToLower(password)] {
			return span{start: start, end: start + len(password)}
		}
		introduced = introducing[strings.ToLower(strings.TrimRight(w, ":,"))] || w == "is" && strings.TrimSpace(clause[:i]) == "" || strings.HasSuffix(w, ":") || w == "=" || introduced && len(w) < 3
		i += len(w)
	}
	return span{}
}

func isNumber(r rune) bool { return '0' <= r && r <= '9' }

// introducing are the words after which a name and a password may follow.
var introducing = wordSet(`as with are using use user`)

// machines are words with digits that stand in lists with slashes.
var machines = wordSet(`amd64 arm64 x86_64 i386 i686 armv7 win32 win64 utf8 utf16 http2 http3 oauth2 base64 sha256 md5 ipv4 ipv6`)

// isName reports whether a word can be the name of an account.
func isName(w string) bool {
	return len(w) >= 2 && isAlnum(w[0]) && run(w, func(c byte) bool { return isDottedByte(c) || c == '@' }, len(w)) == len(w)
}

// noun is the word that says what kind of thing is spoken of.
type noun struct{ start, end int }

// nounAt reads the word around a trigger. A flag or a part of another name is none; the last part of a word with a dash is.
func nounAt(text string, at, n int) (noun, bool) {
	if text[at] == ' ' {
		at, n = at+1, n-1
		if at+n < len(text) && isLetter(text[at+n]) {
			return noun{}, false
		}
	}
	if at > 0 && (isWord(text[at-1]) || text[at-1] == '-' && (at == 1 || !isLetter(text[at-2]))) {
		return noun{}, false
	}
	return noun{at, at + n}, true
}

// spokenValue returns the first word after a copula in the sentence after a noun that is accepted.
func spokenValue(text string, of noun, accept func(value) bool) value {
	clause := within(text, of.end, of.end+70)
	if i := strings.IndexAny(clause, "\n.,(){}[];&<>"); i >= 0 {
		clause = clause[:i]
	}
	if !strings.ContainsFunc(within(text, of.end, of.end+200), unlikeWords) {
		return value{}
	}
	for i := 0; i < len(clause); i++ {
		if c := clause[i]; c != ' ' && c != ':' && c != '\'' && c < utf8.RuneSelf {
			continue
		}
		width := 0
		for _, c := range copulas {
			if len(c) > width && strings.HasPrefix(clause[i:], c) {
				width = len(c)
			}
		}
		if width == 0 {
			continue
		}
		if v := spokenWord(text, of.end+i+width); v.text == "" || accept(v) {
			return v
		}
		i += width - 2 // its last blank may begin another
	}
	return value{}
}

// unlikeWords holds for what no sentence of plain words has, and every value that is accepted without quotes or in them.
func unlikeWords(r rune) bool {
	return r >= utf8.RuneSelf || '0' <= r && r <= '9' || strings.IndexByte("\"'`!@#$%^&*+=~", byte(r)) >= 0
}

// givers are the verbs whose object is what is typed, takers what may stand between that and the
// password it is.
var (
	givers = wordSet(`type enter use try give put paste with`)
	takers = wordSet(`as for when if at is`)
)

// valueBefore returns the word of "type VALUE when it asks for the password", "use VALUE as the
// password" and "VALUE is the password". What follows the noun must not make it a part of another:
// the password column.
func valueBefore(text string, of noun) value {
	rest := text[of.end+run(text[of.end:], isLetter, 8):]
	if next := strings.TrimLeft(rest, " "); next != "" && isLetter(next[0]) && !takers[next[:run(next, isLetter, 12)]] && !following[next[:run(next, isLetter, 12)]] {
		return value{}
	}
	from := max(0, of.start-70)
	before := text[from:of.start]
	if i := strings.LastIndexAny(before, "\n;(){}"); i >= 0 {
		from, before = from+i+1, before[i+1:]
	}
	if !strings.ContainsFunc(before, isNumber) {
		return value{}
	}
	last := ""
	for i := 0; i < len(before); {
		i += run(before[i:], isBlank, len(before))
		w := before[i : i+run(before[i:], func(c byte) bool { return !isBlank(c) }, len(before))]
		next := strings.TrimLeft(before[i+len(w):], " ")
		next = next[:run(next, isLetter, 12)]
		bare := strings.Trim(w, "\"'`")
		if len(bare) >= 6 && takers[next] && (givers[last] || next == "is") && mixed(bare) && !placeholder(bare) && !codeReference(bare) &&
			(passwordShape(bare) || strings.ContainsAny(bare, "!@#$%^&*")) {
			return value{start: from + i + strings.Index(w, bare), text: bare}
		}
		last = strings.ToLower(w)
		i += len(w)
	}
	return value{}
}

// following may come after a noun that ends its phrase.
var following = wordSet(`on of to in there here and but so please now`)

// accountBefore reports whether the sentence before the noun names an account.
func accountBefore(text string, at int) bool {
	before := within(text, at-60, at)
	if i := strings.LastIndexAny(before, "\n;"); i >= 0 {
		before = before[i+1:]
	}
	for w := range strings.FieldsSeq(strings.ToLower(before)) {
		if accountWords[strings.Trim(w, ",:.")] {
			return true
		}
	}
	return false
}

var accountWords = wordSet(`user username login logon account uid ssh sftp ftp as credentials creds`)

// wordAfter returns the word directly after a noun: "password hunter2".
func wordAfter(text string, of noun) value {
	i := of.end + run(text[of.end:], isLetter, 8)
	gap := run(text[i:], isBlank, 16)
	if gap == 0 {
		return value{}
	}
	return spokenWord(text, i+gap)
}

// loginBefore reports whether the words before the trigger are those of a .netrc entry: login NAME password.
func loginBefore(text string, at int) bool {
	words := strings.Fields(within(text, at-120, at))
	return len(words) >= 2 && (words[len(words)-2] == "login" || words[len(words)-2] == "account") && strings.Contains(within(text, at-300, at), "machine")
}

// spokenWord reads a word of a sentence, in quotes or up to the next white space.
func spokenWord(text string, i int) value {
	i += run(text[i:], func(c byte) bool { return isBlank(c) || c == '*' || c == '_' }, 6)
	if q, w := unescape(text, i); isQuote(q) {
		if v, ok := readQuoted(text, i+w, q, w); ok && len(v.text) <= 200 {
			return v
		}
	}
	for _, open := range []string{"«", "“", "„", "「", "‘"} {
		if strings.HasPrefix(text[i:], open) {
			i += len(open)
			end := strings.IndexAny(within(text, i, i+200), "»”“」’\n")
			if end > 0 {
				return value{start: i, text: text[i : i+end], quoted: true}
			}
		}
	}
	end := i
	limit := min(len(text), i+maxSpoken)
	for end < limit && !isSpace(text[end]) && !isQuote(text[end]) && text[end] != '<' && text[end] != '\\' {
		end++
	}
	word := text[i:end]
	for _, stop := range []string{"。", "，", "、", "！", "です", "입니다", "이다"} {
		word, _, _ = strings.Cut(word, stop)
	}
	return value{start: i, text: strings.TrimRight(word, ".,;:)]}_")}
}

// findCommandPassword finds passwords among the arguments of the commands that take them in a flag of one letter.
func findCommandPassword(text string, at, n int) span {
	if !wordBegins(text, at) && text[at] != '-' {
		return span{}
	}
	line := commandLine(text, at)
	command := strings.ToLower(text[at : at+n])
	if f, ok := passwordFlags[command]; ok {
		return flagValue(text, at, line, f.flag, f.apart)
	}
	switch command {
	case "curl", "wget", "httpie":
		return userAndPassword(text, at, line)
	case "htpasswd":
		return htpasswdArgument(at, line)
	case "smbclient":
		return afterMark(text, at, line, "%")
	}
	if command == "openssl" {
		for _, flag := range []string{" -k ", " -K "} {
			if s := flagValue(text, at, line, flag, true); s.end > s.start {
				return s
			}
		}
	}
	return afterMark(text, at, line, "pass:") // openssl -passin pass:…
}

// passwordFlags are the flags in which commands take a password, and whether blanks may stand before the value.
var passwordFlags = map[string]struct {
	flag  string
	apart bool
}{
	"sshpass": {" -p", true}, "mysql": {" -p", false}, "mariadb": {" -p", false}, "login": {" -p ", true}, "mongo": {" -p ", true},
	"redis-cli": {" -a ", true}, "ldap": {" -w ", true}, "7z ": {" -p", false}, "zip ": {" -P ", true},
	"psexec": {" -p ", true}, "sqlcmd": {" -P ", true}, "nmcli": {" password ", true},
}

// commandLine returns the rest of the command, over lines joined by a backslash.
func commandLine(text string, at int) string {
	line := within(text, at, at+maxCommand)
	for i := 0; i < len(line); i++ {
		if line[i] == '\n' && (i == 0 || line[i-1] != '\\' && !(line[i-1] == '\r' && i > 1 && line[i-2] == '\\')) {
			return line[:i]
		}
	}
	return line
}

// flagValue finds the value of a flag; with apart, white space may stand between the two.
func flagValue(text string, at int, line, flag string, apart bool) span {
	i := strings.Index(line, flag)
	if i < 0 {
		return span{}
	}
	i += len(flag)
	if apart {
		i += run(line[i:], isBlank, 8)
	}
	if i >= len(line) || line[i] == '-' || line[i] == '|' || isSpace(line[i]) {
		return span{}
	}
	v := readValue(text[:at+len(line)], at+i, false, true)
	if len(v.text) < 3 || placeholder(v.text) || run(v.text, isDigit, len(v.text)) == len(v.text) && len(v.text) < 6 ||
		!apart && !v.quoted && strings.HasPrefix(v.text, "rotocol") || strings.HasPrefix(v.text, "/") || digitsAndColon(v.text) {
		return span{}
	}
	return v.span()
}

// digitsAndColon reports whether a value is a port or a mapping of ports, which -p means elsewhere.
func digitsAndColon(v string) bool {
	return strings.Contains(v, ":") && run(v, func(c byte) bool { return isDigit(c) || c == ':' || c == '.' }, len(v)) == len(v)
}

// userAndPassword finds the password in -u name:password and its long forms, and a session in -b.
func userAndPassword(text string, at int, line string) span {
	for _, flag := range []string{" -u", " --user", " --proxy-user", " -U", " -a", " --auth"} {
		i := strings.Index(line, flag)
		if i < 0 {
			continue
		}
		i += len(flag)
		i += run(line[i:], func(c byte) bool { return isBlank(c) || c == '=' }, 4)
		if i >= len(line) {
			continue
		}
		v := readValue(text[:at+len(line)], at+i, false, true)
		user, password, ok := strings.Cut(v.text, ":")
		if !ok || len(password) < 2 || strings.HasPrefix(password, "//") || placeholder(password) {
			continue
		}
		start := v.start + len(user) + 1
		return span{kind: "basic-auth", start: start, end: start + len(password)}
	}
	if i := strings.Index(line, " -b "); i >= 0 {
		v := readValue(text[:at+len(line)], at+i+len(" -b "), false, true)
		if _, session, ok := strings.Cut(v.text, "="); ok && len(session) >= 12 && random(session) {
			return span{kind: "cookie", start: v.start, end: v.start + len(v.text)}
		}
	}
	return span{}
}

// htpasswdArgument finds the last argument of htpasswd -b file name password.
func htpasswdArgument(at int, line string) span {
	words := strings.Fields(line)
	if len(words) < 4 || !strings.HasPrefix(words[1], "-") || !strings.Contains(words[1], "b") {
		return span{}
	}
	password := words[len(words)-1]
	for i, w := range words {
		if (w == "|" || w == "&&" || w == ">" || w == ";") && i > 3 {
			password = words[i-1]
			break
		}
	}
	start := at + strings.LastIndex(line, password)
	if bare := strings.Trim(password, `"'`); len(bare) >= 4 && !placeholder(bare) {
		start += strings.Index(password, bare)
		return span{start: start, end: start + len(bare)}
	}
	return span{}
}

// afterMark finds the word after a mark in the arguments, as in pass:SECRET and name%SECRET.
func afterMark(text string, at int, line, mark string) span {
	i := strings.Index(line, mark)
	if i < 0 {
		return span{}
	}
	v := readValue(text[:at+len(line)], at+i+len(mark), false, true)
	return unless(len(v.text) < 4 || placeholder(v.text) || codeReference(v.text) && !mixed(v.text), v.start, v.start+len(v.text))
}
