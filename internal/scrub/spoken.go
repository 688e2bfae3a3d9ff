package scrub

import "strings"

// The rules of this file find secrets in sentences and in the arguments of commands.

// copulas join a thing to what it is, in the languages of the triggers of findSpokenPassword.
var copulas = []string{
	" is now ", " is currently ", " is set to ", " was set to ", " was changed to ", " is: ", " is ", " was ", " to ", " = ",
	" lautet ", " ist ", " est ", " es ", " é ", " e ", " è ", " är ", " er ", " je ", " to: ", ": ", " - ", " — ", " – ", "：",
	" это ", " — это ", "是", "为", "は", "는 ", "은 ", "는", "wort lautet ", " olarak ", " :",
}

// findSpokenPassword finds "the password for staging is hunter2!", in a dozen languages.
func findSpokenPassword(text string, at, n int) span {
	if v := wordAfter(text, at, n); v.text != "" && !placeholder(v.text) {
		if loginBefore(text, at) && len(v.text) >= 3 && v.text[0] != '{' || passwordShape(v.text) {
			return v.span()
		}
	}
	v := spokenValue(text, at, n)
	s := v.text
	if placeholder(s) || len(s) < 4 || strings.Contains(s, "://") || !v.quoted && codeReference(s) {
		return span{}
	}
	letters := run(s, isLetter, len(s)) == len(s)
	if letters && !v.quoted || v.quoted && strings.ContainsAny(s, " \t") && !passphrase(s) {
		return span{}
	}
	if !v.quoted && !mixed(s) && !strings.ContainsAny(s, "!@#$%^&*+=~") && !(run(s, isDigit, len(s)) == len(s) && len(s) >= 6) {
		return span{}
	}
	return v.span()
}

// passwordShape reports whether a word that merely follows "password" can hardly be anything else.
func passwordShape(s string) bool {
	return len(s) >= 8 && mixed(s) && !codeReference(s) && !strings.Contains(strings.ToLower(s), "passw") && (transitions(s) >= 2 || strings.ContainsAny(s, "!@#$%^&*"))
}

// findSpokenSecret finds "my API key is 8f3a…" and "use token 8f3a…"; the value must look random.
func findSpokenSecret(text string, at, n int) span {
	v := spokenValue(text, at, n)
	if v.text == "" {
		v = wordAfter(text, at, n)
	}
	if len(v.text) < 12 || placeholder(v.text) || strings.ContainsAny(v.text, " /(){}[]") || !mixed(v.text) || !random(v.text) || len(v.text) < 16 && !v.quoted && transitions(v.text) < 4 {
		return span{}
	}
	return v.span()
}

// spokenValue returns the word after the first copula in the sentence after the trigger.
func spokenValue(text string, at, n int) value {
	if at > 0 && (isWord(text[at-1]) || text[at-1] == '-') {
		return value{}
	}
	clause := within(text, at+n, at+n+70)
	if i := strings.IndexAny(clause, "\n.,(){}[];&<>"); i >= 0 {
		clause = clause[:i]
	}
	best, width := -1, 0
	for _, c := range copulas {
		if i := strings.Index(clause, c); i >= 0 && (best < 0 || i < best || i == best && len(c) > width) {
			best, width = i, len(c)
		}
	}
	if best < 0 {
		return value{}
	}
	return spokenWord(text, at+n+best+width)
}

// wordAfter returns the word directly after the trigger's word: "password hunter2".
func wordAfter(text string, at, n int) value {
	i := at + n + run(text[at+n:], isLetter, 8)
	gap := run(text[i:], isBlank, 16)
	if gap == 0 || at > 0 && isWord(text[at-1]) {
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
	return afterMark(text, at, line, "pass:") // openssl -passin pass:…
}

// passwordFlags are the flags in which commands take a password, and whether blanks may stand before the value.
var passwordFlags = map[string]struct {
	flag  string
	apart bool
}{
	"sshpass": {" -p", true}, "mysql": {" -p", false}, "mariadb": {" -p", false}, "login": {" -p ", true}, "mongo": {" -p ", true},
	"redis-cli": {" -a ", true}, "ldap": {" -w ", true}, "7z ": {" -p", false}, "zip ": {" -P ", true},
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
