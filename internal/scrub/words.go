package scrub

import "strings"

// The rules of this file find secrets that look like words: what is spoken of as a password is one,
// unless a sentence about passwords would say the word.

// saidOf are words that sentences say of passwords, keys and their fields, beside those with the
// endings of saidEndings.
var saidOf = wordSet(`
	wrong correct short long strong weak empty blank missing optional required mandatory invalid valid visible hidden
	secret private public plain clear random unique known unknown shown given taken written stolen broken kept lost sent
	stored never always still again already already also then there here where when what which that this these those
	about above after before below between during inside outside under until while without within because however
	something anything nothing everything someone somebody another other either neither string number boolean object
	array integer buffer value field column table parameter argument variable property setting option input output
	prompt reset manager policy change checker length strength expiry expires expire attempt attempts hint digest hash
	hashes salt storage rotation rules rule page form dialog screen modal button label placeholder default account
	username user users email admin login logout member owner client server service system database session cookie
	token tokens header headers password passwords passphrase security access null undefined false twelve eight should
	would could cannot might must needs being become became later yesterday today tomorrow itself based bytes chars
	characters letters digits enough exactly either simply really likely longer shorter better safer fine okay works
	match matches equal equals different identical similar equivalent easier harder needed file files vault store
	keychain keyring environment config whatever between prefix suffix encoder decoder handler provider generator
	validator service helper verify confirm enter update create delete return returns through across against nullable`)

var saidEndings = []string{"ed", "ing", "ly", "able", "ible", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ized", "al", "ive", "ic", "ary", "ful", "less"}

// chosenWord reports whether a word of plain letters can be a password that a person chose.
func chosenWord(s string) bool {
	low := strings.ToLower(s)
	if len(s) < 6 || run(s, isLetter, len(s)) < len(s) || placeholder(s) || saidOf[low] || caseChanges(s) > 0 && low[1:] == s[1:] {
		return false
	}
	for _, end := range saidEndings {
		if strings.HasSuffix(low, end) {
			return false
		}
	}
	// camelCase names something in a program
	return low[1:] == s[1:] || strings.ToUpper(s) == s
}

// glue are words that hold a sentence together: a passphrase has none.
var glue = wordSet(`
	a an the of in on at by to for from with without is are was were be been and or not no it its this that as if when
	then so but which who too very must may can should will has have had do does only also`)

// ends reports whether a clause or a phrase ends at text[i].
func ends(text string, i int) bool {
	rest := text[i:]
	if rest == "" || strings.IndexByte("\n\r.,;!?)", rest[0]) >= 0 && !(rest[0] == '.' && len(rest) > 1 && !isSpace(rest[1])) {
		return true
	}
	next := strings.TrimLeft(rest, " ")
	next = next[:run(next, isLetter, 12)]
	return len(next) > 0 && rest[0] == ' ' && (phraseWords[next] || following[next])
}

var phraseWords = wordSet(`for with btw please by the it at host that instead from now`)

// findPlainPassword finds a password of plain letters, and the words of a passphrase, where a
// sentence says what it is: "the password is X", "my passphrase: W X Y Z", "user bob, password X".
func findPlainPassword(text string, at, n int) span {
	noun, ok := nounAt(text, at, n)
	if !ok {
		return span{}
	}
	i := noun.end + run(text[noun.end:], isLetter, 6) // password of passwor
	account := accountBefore(text, noun.start)
	phrase := hasPrefixFold(text[noun.start:], "passphrase")
	if i-noun.start == len("pass") && !account {
		return span{}
	}
	value := i
	switch next := text[i:]; {
	case hasPrefixFold(next, "'s "):
		value += len("'s ")
	case hasPrefixFold(next, ": "):
		if !account && (noun.start == 0 || text[noun.start-1] != ' ') {
			return span{} // a field of its own: code and forms have these
		}
		value += len(": ")
	case strings.HasPrefix(next, "=") && account && noun.start > 0 && text[noun.start-1] == ' ':
		value += len("=")
		word := text[value : value+run(text[value:], isLetter, 64)]
		return unless(!chosenWord(word) || value+len(word) < len(text) && !isSpace(text[value+len(word)]), value, value+len(word))
	default:
		if value = afterIs(text, i); value < 0 {
			if !strings.HasPrefix(next, " ") || !account && !phrase {
				return span{}
			}
			value = i + 1
		}
	}
	if value < len(text) && isQuote(text[value]) {
		v, ok := readQuoted(text, value+1, text[value], 1)
		words := strings.Fields(v.text)
		return unless(!ok || !phrase || len(words) < 3 || len(v.text) > 100, v.start, v.start+len(v.text))
	}
	word := text[value : value+run(text[value:], isLetter, 64)]
	if phrase {
		if end := phraseEnd(text, value); end > value {
			return span{start: value, end: end}
		}
	}
	return unless(!chosenWord(word) || !ends(text, value+len(word)), value, value+len(word))
}

// afterIs is where the value begins after "is", "was" or "to" behind a noun and a few words for what
// it opens; -1 if they do not follow.
func afterIs(text string, i int) int {
	clause := within(text, i, i+60)
	if stop := strings.IndexAny(clause, "\n.,;:(){}\"=<>"); stop >= 0 {
		clause = clause[:stop]
	}
	for words, at := 0, 0; words < 6 && strings.HasPrefix(clause[at:], " "); words++ {
		at++
		w := clause[at : at+run(clause[at:], func(c byte) bool { return c != ' ' }, len(clause))]
		switch strings.ToLower(w) {
		case "is", "was", "to":
			if rest := clause[at+len(w):]; hasPrefixFold(rest, " now ") {
				return i + at + len(w) + len(" now ")
			}
			return i + at + len(w) + 1
		case "has", "been", "changed", "set", "for", "of", "on", "the", "my", "our":
		default:
			if words == 0 {
				return -1
			}
		}
		at += len(w)
	}
	return -1
}

// phraseEnd is the end of three words or more that make no sentence, up to the end of the clause.
func phraseEnd(text string, i int) int {
	words, glued, at := 0, false, i
	for at < len(text) {
		n := run(text[at:], isLower, 20)
		if n < 2 {
			break
		}
		glued = glued || glue[text[at:at+n]]
		words++
		at += n
		if at == len(text) || text[at] != ' ' {
			break
		}
		at++
	}
	announced := strings.HasSuffix(text[:i], ": ") // everything on the line is it
	if words < 3 || glued && !announced || at < len(text) && strings.IndexByte(",.\n\r", text[at]) < 0 {
		return i
	}
	return at
}

// findPasswordBefore finds the plain word of "use X as the password".
func findPasswordBefore(text string, at, n int) span {
	before := within(text, at-64, at)
	low := strings.ToLower(before)
	i := strings.LastIndex(low, "use ")
	for _, article := range []string{" as the ", " as my ", " as ", " for the "} {
		word, found := strings.CutSuffix(low[max(i, 0):], article)
		if end := at + n + run(text[at+n:], isLetter, 6); found && i >= 0 && ends(text, end) {
			word = word[len("use "):]
			start := at - len(before) + i + len("use ")
			return unless(!chosenWord(word), start, start+len(word))
		}
	}
	return span{}
}

// findWifi finds the key of a network: in a sentence that names one, in its code, and in the
// configuration of it.
func findWifi(text string, at, n int) span {
	if at > 0 && isWord(text[at-1]) {
		return span{}
	}
	clause := within(text, at+n, at+n+80)
	if psk := strings.Index(clause, "psk=\""); psk >= 0 {
		v, ok := readQuoted(text, at+n+psk+len("psk=\""), '"', 1)
		return unless(!ok || placeholder(v.text), v.start, v.start+len(v.text))
	}
	if strings.HasPrefix(clause, ":T:") {
		if i := strings.Index(clause, ";P:"); i >= 0 {
			start := at + n + i + len(";P:")
			return span{start: start, end: start + run(text[start:], func(c byte) bool { return c != ';' && c != '\n' }, 64)}
		}
	}
	if i := strings.IndexAny(clause, "\n;{}"); i >= 0 {
		clause = clause[:i]
	}
	low := strings.ToLower(clause)
	for _, noun := range []string{" key", " password", " psk", " passphrase"} {
		i := strings.Index(low, noun)
		if i < 0 {
			continue
		}
		rest := low[i+len(noun):]
		for _, sep := range []string{" is ", ": ", " "} {
			if !strings.HasPrefix(rest, sep) {
				continue
			}
			v := spokenWord(text, at+n+i+len(noun)+len(sep))
			return unless(len(v.text) < 8 || placeholder(v.text) || !mixed(v.text) && !chosenWord(v.text) || codeReference(v.text), v.start, v.start+len(v.text))
		}
	}
	return span{}
}

// findIdentifiedBy finds the password in SQL: IDENTIFIED BY 'X', IDENTIFIED WITH plugin BY 'X',
// PASSWORD 'X'.
func findIdentifiedBy(text string, at, n int) span {
	i := at + n
	if hasPrefixFold(text[i:], " with ") {
		by := strings.Index(strings.ToLower(within(text, i, i+60)), " by ")
		if by < 0 {
			return span{}
		}
		i += by
	}
	if hasPrefixFold(text[i:], " by ") {
		i += len(" by ")
	}
	i += run(text[i:], isBlank, 4)
	if i < len(text) && (text[i] == '\'' || text[i] == '"') {
		v, ok := readQuoted(text, i+1, text[i], 1)
		return unless(!ok || len(v.text) < 4 || placeholder(v.text) || strings.Contains(v.text, " "), v.start, v.start+len(v.text))
	}
	word := text[i : i+run(text[i:], isTokenByte, 64)]
	return unless(len(word) < 6 || !mixed(word) || placeholder(word), i, i+len(word))
}

// findQuotedShout finds PASSWORD 'X' of SQL, whose value may be a word.
func findQuotedShout(text string, at, n int) span {
	if text[at:at+n] != "PASSWORD '" || at > 0 && isWord(text[at-1]) {
		return span{}
	}
	v, ok := readQuoted(text, at+n, '\'', 1)
	return unless(!ok || len(v.text) < 4 || placeholder(v.text) || strings.ContainsAny(v.text, " ,()"), v.start, v.start+len(v.text))
}

// findKeyBody finds the base64 lines of a private key without the line above them: they begin with
// what is the same in every key.
func findKeyBody(text string, at, n int) span {
	if at > 0 && isBase64Any(text[at-1]) {
		return span{}
	}
	body := text[at:]
	known := false
	for _, begin := range keyBegins {
		known = known || strings.HasPrefix(body, begin)
	}
	if strings.HasPrefix(body, "MII") && len(body) > 16 { // two bytes of length, then the version
		known = known || strings.HasPrefix(body[6:], "IBAAK") || strings.HasPrefix(body[6:], "IBADAN")
	}
	length := 0
	if known {
		length = blockRun(body[:min(len(body), maxKeyBlock)])
	}
	return unless(length < 40, at, at+length)
}

var keyBegins = []string{"b3BlbnNzaC1rZXktdjE", "MHcCAQEEI", "MIGHAgEAMBMGByqGSM49", "MC4CAQAwBQYDK2Vw", "MIGkAgEBBD", "MIHcAgEB"}

// opening are the words before "key" that say that it opens something, so that hex digits after it
// are no digest.
var opening = wordSet(`encryption aes signing master hmac decryption secret private session shared symmetric cipher`)

// opensSomething reports whether such a word stands before text[at].
func opensSomething(text string, at int) bool {
	before := strings.ToLower(within(text, at-16, at))
	return opening[before[strings.LastIndexAny(before, " \t\n\"'(")+1:]]
}

// findSlashFlag finds the password of /p:X beside /u: or /v:, and of /pass:X.
func findSlashFlag(text string, at, n int) span {
	if at == 0 || !isBlank(text[at-1]) {
		return span{}
	}
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	line = strings.ToLower(commandLine(line, 0))
	if n == len("/p:") && !strings.Contains(line, " /u:") && !strings.Contains(line, " /v:") {
		return span{}
	}
	v := readValue(text, at+n, false, true)
	return unless(len(v.text) < 4 || placeholder(v.text) || strings.Contains(v.text, "="), v.start, v.start+len(v.text))
}

// findNetUse finds the word before /user: in net use.
func findNetUse(text string, at, _ int) span {
	line := commandLine(text, at)
	i := strings.Index(strings.ToLower(line), " /user:")
	if i < 0 {
		return span{}
	}
	start := strings.LastIndexByte(line[:i], ' ') + 1
	word := line[start:i]
	return unless(len(word) < 4 || strings.ContainsAny(word, `\/:*`) || placeholder(word), at+start, at+i)
}
