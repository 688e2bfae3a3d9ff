package scrub

import "strings"

// The rules of this file find secrets by their names: password = "…", API_KEY: …, --token …, "the
// password is …".

// trust says how much the name of a value says about it.
type trust int

const (
	namesKey      trust = iota // some key: the value must look random
	namesSecret                // a secret or token, drawn by a machine
	namesPassword              // a password, chosen by a person: nearly anything
)

func findPassword(text string, at, n int) span       { return findAssigned(text, at, n, namesPassword) }
func findAssignedSecret(text string, at, n int) span { return findAssigned(text, at, n, namesSecret) }
func findAssignedKey(text string, at, n int) span    { return findAssigned(text, at, n, namesKey) }

// findAssigned finds the value given to the name in which the trigger stands.
func findAssigned(text string, at, n int, names trust) span {
	key, ok := readKey(text, at, n)
	if !ok {
		return span{}
	}
	v, ok := readAssigned(text, key)
	if !ok || !plausible(v, names) {
		return span{}
	}
	return v.span()
}

// name is the full name around a trigger.
type name struct {
	start, end int
	flag       bool // --name
	shout      bool // NAME
	firstWord  bool // nothing but blanks, "export" or a list's dash stands before it on its line
}

func isNameByte(c byte) bool { return isTokenByte(c) || c == '.' }

// readKey reads the name around the trigger, and refuses names that speak about a secret instead of
// holding it: password_file, token_type, max_tokens, bypass.
func readKey(text string, at, n int) (name, bool) {
	if isQuestionOrAmp(text[at]) || text[at] == ' ' { // the trigger has the mark before the name
		at, n = at+1, n-1
	}
	k := name{start: at - runBack(text[:at], isNameByte, 64), end: at + n + run(text[at+n:], isNameByte, 64)}
	if k.start > 0 && text[k.start-1] == '\\' { // \nNAME
		k.start = min(k.start+1, at)
	} else if k.start > 0 && text[k.start-1] == '%' { // %26name
		k.start = min(k.start+2, at)
	}
	for k.start < at && (text[k.start] == '-' || text[k.start] == '.') {
		k.flag = k.flag || text[k.start] == '-'
		k.start++
	}
	for k.end > at+n && (text[k.end-1] == '-' || text[k.end-1] == '.') {
		k.end--
	}
	trigger, head, tail := text[at:at+n], text[k.start:at], text[at+n:k.end]
	if !headAllows(trigger, head, tail) || !tailAllows(trigger, tail) {
		return k, false
	}
	whole := text[k.start:k.end]
	k.shout = strings.ToUpper(whole) == whole
	k.firstWord = firstOnLine(text, k.start)
	return k, true
}

// firstOnLine reports whether only what may introduce a setting stands before text[i] on its line.
func firstOnLine(text string, i int) bool {
	before := within(text, i-64, i)
	newline := strings.LastIndexByte(before, '\n')
	if newline < 0 && i > len(before) {
		return false
	}
	switch strings.Trim(before[newline+1:], " \t-\"'") {
	case "", "export", "set", "ENV", "ARG":
		return true
	}
	return strings.HasSuffix(before, `\n`)
}

func isQuestionOrAmp(c byte) bool { return c == '?' || c == '&' }

// joinedToPass are the words that people write together with "pass".
var joinedToPass = wordSet(`
	db user my root admin smtp mail ftp ssh key store auth http pg sql mysql wifi redis`)

// notSecretTokens are the first words of tokens that open nothing: marks of pages, parts of a text.
var notSecretTokens = wordSet(`
	max min num next page nextpage continuation sync cancellation cancel lex eos bos pad unk per`)

// headAllows judges what stands in the name before the trigger.
func headAllows(trigger, head, tail string) bool {
	low := strings.ToLower(strings.TrimRight(head, "_-."))
	last := low[strings.LastIndexAny(low, "_-.")+1:]
	switch strings.ToLower(trigger) {
	case "pass": // bypass, minipass and EXPASS are other words; dbpassword is not
		apart := len(low) < len(head) || low == "" || isUpper(trigger[0]) && isLower(head[len(head)-1])
		if tail == "" && !apart && !joinedToPass[last] {
			return false
		}
	case "pwd":
		return last != "old" // where the shell was before
	case "token":
		return !notSecretTokens[last]
	}
	return !strings.HasPrefix(low, "public")
}

// tailWords may follow the word that makes a name a secret's name.
var tailWords = wordSet(`
	word wd phrase code key access base value secret token prod production dev staging test live old new current
	primary secondary backup main admin root default b64 base64 hex raw string str plain text confirm confirmation
	again repeat pass env v eu us id data 2 string64 pw der pem`)

// tailAllows judges what stands in the name after the trigger.
func tailAllows(trigger, tail string) bool {
	low := strings.ToLower(trigger)
	if low == "credential" && (tail == "s" || tail == "") {
		return true
	}
	for tail != "" {
		word := nextWord(tail)
		tail = tail[len(word):]
		word = strings.ToLower(strings.TrimRight(strings.Trim(word, "_-."), "0123456789"))
		if word != "" && !tailWords[word] || word == "id" && !strings.HasPrefix(low, "private") {
			return false
		}
	}
	return true
}

// nextWord cuts the first word off a name written in any style: "_access_key" gives "_access",
// "KeyBase" gives "Key".
func nextWord(s string) string {
	i := run(s, func(c byte) bool { return c == '_' || c == '-' || c == '.' }, len(s))
	begin := i
	for i < len(s) && isAlnum(s[i]) {
		if i > begin && isUpper(s[i]) && isLower(s[i-1]) {
			break
		}
		i++
	}
	return s[:max(i, 1)]
}

// value is what was found after a name, and how it was written there.
type value struct {
	start  int
	text   string
	quoted bool
	loose  bool // the notation is used for values and hardly for code: .env lines, flags, XML, query strings
	alone  bool // it ends its line, and its name begins the line
	code   bool // the notation is that of calls, f("name", "value"): the value must be quoted
	list   bool // it may be another name: in a list after the first, or the argument of a call
	apart  bool // nothing but blanks stand between name and value
	flag   bool // likewise, and the name is a flag
}

func (v value) span() span { return span{start: v.start, end: v.start + len(v.text)} }

// readAssigned reads the separator after a name and the value after that.
func readAssigned(text string, key name) (value, bool) {
	sep := readSeparator(text, key)
	if !sep.ok {
		return value{}, false
	}
	v := readValue(text, sep.end, sep.encoded, key.firstWord)
	v.loose = sep.loose || !v.quoted && key.shout && sep.tight
	v.code, v.apart, v.flag = sep.code, sep.apart, sep.flag
	v.list = v.list || sep.list
	// token: string = "…" in languages that put the type after the name
	if !v.quoted && sep.typed {
		i := v.start + len(v.text)
		i += run(text[i:], isBlank, 4)
		if i+1 < len(text) && text[i] == '=' && text[i+1] != '=' {
			i += 1 + run(text[i+1:], isBlank, 4)
			v = readValue(text, i, false, false)
			v.code = true
		}
	}
	end := v.start + len(v.text)
	end += run(text[end:], func(c byte) bool { return c == '.' }, 1)
	v.alone = key.firstWord && !v.quoted && (end == len(text) || text[end] == '\r' || text[end] == '\n')
	return v, v.text != "" && (v.quoted || !v.code)
}

type separator struct {
	end                                                       int
	ok, loose, tight, code, encoded, typed, apart, list, flag bool
}

// readSeparator recognises the ways in which a name is given its value.
func readSeparator(text string, key name) separator {
	i := key.end
	keyQuoted := false
	if c, w := unescape(text, i); isQuote(c) {
		i, keyQuoted = i+w, true
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	afterKey := i
	i += run(text[i:], isBlank, 32)
	tight := i == afterKey
	c, w := unescape(text, i)
	s := separator{end: i + w, ok: true, encoded: w > 1}
	switch {
	case c == '=':
		s.tight = tight && (s.end >= len(text) || !isBlank(text[s.end]))
		s.end += run(text[s.end:], func(c byte) bool { return c == '=' || c == '>' || c == '~' }, 2)
		s.loose = s.encoded || key.flag || s.tight && key.start > 0 && strings.IndexByte("?&;", text[key.start-1]) >= 0
	case c == ':' && text[key.start:key.end] == "PASS": // the verdict of a test
		return separator{}
	case c == ':' && !strings.HasPrefix(text[i:], "::"):
		s.typed = true
		if s.end < len(text) && text[s.end] == '=' {
			s.end++
		}
		s.end = skipYAMLBlock(text, s.end)
	case c == ',' && keyQuoted:
		s.code, s.list = true, true
	case c == '(' && tight && !keyQuoted:
		s.code = true
	case c == '>' && tight && key.start > 0 && (text[key.start-1] == '<' || keyQuoted): // <name> and <x name="name">
		s.loose = true
	case c == '|' && !tight:
		s.loose = true
	case key.flag && !tight && !keyQuoted:
		return separator{end: i, ok: true, loose: true, flag: true}
	case !tight && !keyQuoted && (c == '"' || c == '\'') && key.end-key.start > len("pass"): // SQL: PASSWORD 'x'
		return separator{end: i, ok: true, code: true}
	default:
		if f := valueField(text, afterKey); f.ok || tight || keyQuoted {
			return f
		}
		return separator{end: i, ok: true, apart: true} // ENV NAME value, config set name value
	}
	if s.code || c == ',' || keyQuoted && c == '>' {
		if f := valueField(text, afterKey); f.ok {
			return f
		}
	}
	s.end += run(text[s.end:], isBlank, 32)
	return s
}

// skipYAMLBlock passes over the mark of a folded or literal block, whose text begins on the next
// line.
func skipYAMLBlock(text string, i int) int {
	j := i + run(text[i:], isBlank, 8)
	if j >= len(text) || text[j] != '|' && text[j] != '>' {
		return i
	}
	j++
	j += run(text[j:], func(c byte) bool { return c == '-' || c == '+' }, 1)
	if j >= len(text) || text[j] != '\n' && text[j] != '\r' {
		return i
	}
	return j + run(text[j:], isSpace, 64)
}

// valueField recognises name: X, value: Y over one or two lines, <key>X</key><string>Y, and key="X"
// value="Y".
func valueField(text string, i int) separator {
	rest := within(text, i, i+80)
	trimmed := strings.TrimLeft(rest, " \t\r\n,\"'\\")
	for _, lead := range []string{"value", "</key>", "</name>"} {
		if !hasPrefixFold(trimmed, lead) || len(trimmed) == len(rest) && lead == "value" {
			continue
		}
		after := strings.TrimLeft(trimmed[len(lead):], " \t\r\n\"'\\:=")
		if lead != "value" {
			_, inner, ok := strings.Cut(after, ">")
			if !ok {
				return separator{}
			}
			return separator{end: i + len(rest) - len(inner), ok: true, loose: true}
		}
		if len(after) == len(trimmed)-len(lead) {
			return separator{}
		}
		end := i + len(rest) - len(after)
		if end > 0 && isQuote(text[end-1]) {
			end--
			if end > 0 && text[end-1] == '\\' {
				end--
			}
		}
		return separator{end: end, ok: true, loose: true}
	}
	return separator{}
}

// unescape reads one byte that may be written as %3D, \", \u0022, &quot; or &#34; and returns it
// with its width.
func unescape(text string, i int) (c byte, width int) {
	if i >= len(text) {
		return 0, 0
	}
	rest, slashes := text[i:], 0
	switch text[i] {
	default:
		return text[i], 1
	case '\\':
		n := run(rest, func(c byte) bool { return c == '\\' }, 8)
		if n < len(rest) && isQuote(rest[n]) {
			return rest[n], n + 1
		}
		slashes = n - 1
	case '%', '&':
	}
	for _, e := range escapes {
		if hasPrefixFold(rest[slashes:], e.text) {
			return e.byte, slashes + len(e.text)
		}
	}
	return text[i], 1
}

var escapes = []struct {
	text string
	byte byte
}{
	{"%3d", '='}, {"%3a", ':'}, {"%22", '"'}, {"%27", '\''}, {"%26", '&'}, {"%20", ' '}, {"%2c", ','}, {"%7d", '}'},
	{`\u0022`, '"'}, {`\u0027`, '\''}, {`\u003d`, '='}, {`\u0026`, '&'}, {`\u003e`, '>'}, {`\u003c`, '<'},
	{"&quot;", '"'}, {"&#34;", '"'}, {"&#39;", '\''}, {"&apos;", '\''},
}

// readValue reads the value at text[i]. When the separator was written as an escape, an escaped
// delimiter ends the value too. A value that has its line for itself may hold punctuation.
func readValue(text string, i int, encoded, ownLine bool) value {
	if call := run(text[i:], isCallByte, 24); call > 0 && i+call+1 < len(text) && text[i+call] == '(' && isQuote(text[i+call+1]) {
		if v, ok := readQuoted(text, i+call+2, text[i+call+1], 1); ok { // []byte("…"), String::from("…")
			v.list = true
			return v
		}
	}
	if p := run(text[i:], func(c byte) bool { return strings.IndexByte("rbfuRBFU@$", c) >= 0 }, 2); p > 0 && i+p < len(text) && isQuote(text[i+p]) {
		i += p // r"…", b'…'
	}
	if quote, w := unescape(text, i); isQuote(quote) {
		if v, ok := readQuoted(text, i+w, quote, w); ok {
			return v
		}
		if w == 1 {
			i++ // never closed: it may have been cut off
		}
	}
	end := i
	limit := min(len(text), i+maxValue)
	for end < limit && !endsValue(text, end, encoded, ownLine) {
		if end-i > maxPlain && (!isBase64Any(text[end]) || text[end-1] == '=' && text[end] != '=') {
			break
		}
		end++
	}
	return value{start: i, text: strings.TrimRight(text[i:end], ",;.")}
}

func readQuoted(text string, i int, quote byte, width int) (value, bool) {
	limit := min(len(text), i+maxValue)
	for j := i; j < limit; j++ {
		c, w := unescape(text, j)
		switch {
		case c == quote && w == width:
			return value{start: i, text: text[i:j], quoted: true}, true
		case c == quote && w < width: // an outer quote ends first
			return value{start: i, text: strings.TrimRight(text[i:j], `\`), quoted: true}, true
		case text[j] == '\n' && quote != '`':
			return value{}, false
		}
		if w > 1 {
			j += w - 1
		}
	}
	return value{}, false
}

func endsValue(text string, i int, encoded, ownLine bool) bool {
	c := text[i]
	switch {
	case isSpace(c) || isQuote(c) || c == '<':
		return true
	case c == '\\' && i+1 < len(text) && strings.IndexByte("nrt\"'\\", text[i+1]) >= 0:
		return true
	case encoded:
		e, w := unescape(text, i)
		return w > 1 && strings.IndexByte("&\"', }", e) >= 0 || c == '&'
	case ownLine: // a=1&b=2 and A=1;B=2 are many settings on one line
		return (c == '&' || c == ';') && followedByName(text[i+1:])
	}
	return strings.IndexByte(",;&|)}]>", c) >= 0
}

func isCallByte(c byte) bool { return isWord(c) || c == ':' || c == '.' || c == '[' || c == ']' }

// followedByName reports whether text begins with "name=".
func followedByName(text string) bool {
	n := run(text, func(c byte) bool { return isNameByte(c) || c == ' ' }, 40)
	return n > 1 && n < len(text) && text[n] == '='
}

// plausible decides whether a value is a secret, given its name's word for it and the way it was written.
func plausible(v value, names trust) bool {
	s := v.text
	if names != namesPassword && awsSecret(s) { // though it ends in EXAMPLEKEY
		return true
	}
	if len(s) < 4 || placeholder(s) || strings.HasPrefix(s, "[private") {
		return false
	}
	if !v.quoted && dottedName(s) {
		return false
	}
	if !v.quoted && codeReference(s) && !(v.loose && names == namesPassword && mixed(s)) && !(mixed(s) && random(s)) {
		return false
	}
	if strings.ContainsAny(s, " \t\n") {
		return names == namesPassword && passphrase(s)
	}
	switch {
	case v.apart:
		return names != namesPassword && len(s) >= 16 && mixed(s) && random(s)
	case names == namesPassword:
		return plausiblePassword(v)
	case names == namesSecret:
		return plausibleSecret(v)
	}
	return len(s) >= 20 && mixed(s) && random(s) && !v.code && !uuid(s)
}

// awsSecret reports whether a value has the looks of an AWS secret key, which no other value with such a name has.
func awsSecret(s string) bool {
	return len(s) == 40 && run(s, isKeyByte, len(s)) == len(s) && s[39] != '=' && caseChanges(s) > 0 && random(s)
}

func plausiblePassword(v value) bool {
	s := v.text
	low := strings.ToLower(s)
	letters := run(s, isLetter, len(s)) == len(s)
	digits := run(s, isDigit, len(s)) == len(s)
	symbols := strings.ContainsAny(s, "!@#$%^&*+=?~|;,")
	talk := strings.Contains(low, "passw") || strings.Contains(low, "passphrase") || strings.Contains(low, "secret") || strings.Contains(low, "token")
	switch {
	case hasAnyPrefix(s, "/", "./", "~/") || strings.Contains(s, "://"):
		return false
	case v.list:
		return mixed(s) && !talk && (symbols || transitions(s) >= 2)
	case v.flag && !mixed(s) && !symbols: // --password options
		return false
	case digits:
		return len(s) >= 6 && (v.quoted || v.loose || v.alone)
	case mixed(s):
		return len(s) >= 6 && (v.quoted && !v.code || v.loose || v.alone || len(s) >= 8 && transitions(s) >= 2 || symbols || v.code && random(s) || v.code && !talk)
	case talk:
		return false
	case letters:
		return (v.quoted && !v.code && len(s) >= 6 && low == s) || v.loose && len(s) >= 6 && (low == s || len(s) >= 12) ||
			v.alone && len(s) >= 8 && low == s
	}
	return symbols && len(s) >= 6 && (v.quoted || v.loose || v.alone) || strings.Count(s, "-") >= 3 && low == s && len(s) >= 15 && (v.quoted || v.loose || v.alone)
}

func plausibleSecret(v value) bool {
	s := v.text
	if hasAnyPrefix(s, "./", "~/") || strings.Contains(s, "://") || len(s) < 8 {
		return false
	}
	if random(s) && (v.quoted || mixed(s)) {
		return len(s) >= 16 || v.quoted && !v.code && !v.list || v.loose || v.alone
	}
	if v.quoted && !v.code && !v.list || v.loose {
		return mixed(s) && transitions(s) >= 2 && len(s) >= 10 && !codeReference(s)
	}
	return false
}

// passphrase reports whether several words are a passphrase and no sentence: four to ten short words in lower case.
func passphrase(s string) bool {
	words := strings.Fields(s)
	if len(words) < 4 || len(words) > 10 {
		return false
	}
	for _, w := range words {
		if len(w) < 3 || len(w) > 9 || run(w, isLower, len(w)) != len(w) || sentenceWords[w] {
			return false
		}
	}
	return true
}

var sentenceWords = wordSet(`
	the and for not must with are was your you has have from password this that least should enter please can cannot
	when`)
