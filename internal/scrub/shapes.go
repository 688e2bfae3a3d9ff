package scrub

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// How far a rule looks for what belongs to its trigger. Fixed bounds keep the work linear on
// hostile input.
const (
	maxKeyBlock = 64 << 10 // a PEM or PGP block; a larger one is cut there
	maxValue    = 8 << 10  // a value in an assignment, as long as it is base64
	maxPlain    = 1 << 10  // any other value without quotes
	maxSpoken   = 512      // a word of a sentence
	maxCommand  = 1 << 10  // arguments of a command
	nearby      = 200      // a word that belongs to another
)

// isTitle holds for the words of the first and last line of a key block.
func isTitle(c byte) bool { return isUpper(c) || c == ' ' || c == '+' || c == '-' }

// titlesKey reports whether such a line is that of a private key.
func titlesKey(title string) bool {
	return strings.Contains(strings.ReplaceAll(title, "+", " "), "PRIVATE KEY")
}

// findPrivateKey finds a PEM, OpenSSH or PGP private key, also with its line ends written as \n or
// its blanks as "+", and the private lines of a PuTTY key. A block without its end line goes on as
// long as it looks like one.
func findPrivateKey(text string, at, n int) span {
	block := within(text, at, at+maxKeyBlock)
	if lower(text[at]) == 'p' { // Private-Lines: 14
		return span{start: at, end: at + n + blockRun(block[n:])}
	}
	body := n + run(block[n:], isTitle, 60)
	if !titlesKey(block[:body]) {
		return span{}
	}
	if next := strings.Index(block[body:], "-BEGIN"); next >= 0 {
		block = block[:body+next]
	}
	if end := strings.Index(block[body:], "-END"); end >= 0 {
		end += body
		last := end + run(block[end:], isTitle, 60)
		// Code that looks for keys names both lines and has no key between them.
		if titlesKey(block[end:last]) && hasRun(block[body:end], isBase64Any, 20) {
			return span{start: at, end: at + len(strings.TrimRight(block[:last], " +"))}
		}
	}
	length := blockRun(block[body:])
	return unless(length < 20, at, at+body+length)
}

// findPrivateKeyEnd finds the rest of a key whose beginning was cut off: the base64 lines before
// its last line. It is asked only about last lines that findPrivateKey has not passed over.
func findPrivateKeyEnd(text string, at, n int) span {
	title := n + run(text[at+n:], isTitle, 60)
	if !titlesKey(text[at : at+title]) {
		return span{}
	}
	length := blockRunBack(within(text, at-maxKeyBlock, at))
	return unless(length == 0, at-length, at+len(strings.TrimRight(text[at:at+title], " +")))
}

// blockRunBack returns the length of the base64 lines at the end of text. The last two may be
// short: the end of the key, and the checksum of a PGP block. The first may be broken, where the
// cut went through it.
func blockRunBack(text string) int {
	const whole, broken = 32, 12 // bytes of a line
	start, short := len(text), 0
	for i := len(strings.TrimSuffix(text, `\n`)); i > 0; {
		i -= runBack(text[:i], isBlockGap, 64)
		n := runBack(text[:i], isKeyByte, len(text))
		i -= n
		switch {
		case n >= whole:
			start, short = i, 2
		case n >= broken && short < 3 && beginsLine(text, i):
			start = i
			short++
		case n == 0 || short >= 2:
			return len(text) - start
		default:
			short++
		}
	}
	return len(text) - start
}

// beginsLine reports whether nothing but blanks stand before text[i] on its line. The line end may
// be written as \n, whose n then counts to the line.
func beginsLine(text string, i int) bool {
	i -= runBack(text[:i], isBlank, 64)
	return i == 0 || text[i-1] == '\n' || text[i-1] == '\\'
}

func isKeyByte(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

// isBlockGap holds for what may part the lines of a key, in a file or in the source of a program.
func isBlockGap(c byte) bool { return isSpace(c) || strings.IndexByte(`\"',:+;()`, c) >= 0 }

// hasRun reports whether at least n bytes of the set stand together somewhere in text.
func hasRun(text string, set func(byte) bool, n int) bool {
	for i := 0; i < len(text); i++ {
		length := run(text[i:], set, n)
		if length == n {
			return true
		}
		i += length
	}
	return false
}

// blockRun returns the length of the base64 lines, headers included, at the beginning of text.
func blockRun(text string) int {
	end := 0
	for i := 0; i < len(text); {
		n := run(text[i:], isBase64Any, len(text))
		i += n
		if n >= 20 || n > 0 && end > 0 {
			end = i
		}
		gap := run(text[i:], isBlockGap, len(text))
		if gap == 0 || end > 0 && n < 4 {
			break
		}
		i += gap
	}
	return end
}

// findJWT finds header.payload.signature, where header and payload are JSON in base64url; the
// signature may be empty. The five parts of an encrypted token, and a token cut off after its
// header, are found too.
func findJWT(text string, at, _ int) span {
	if text[at:at+3] != "eyJ" || at > 0 && isTokenByte(text[at-1]) && !escapeEndsAt(text, at) {
		return span{}
	}
	end, parts := at, 0
	for parts < 5 {
		n := run(text[end:], isTokenByte, len(text))
		end += n
		parts++
		if end+1 >= len(text) || text[end] != '.' || !isTokenByte(text[end+1]) {
			break
		}
		end++
	}
	return unless(parts < 2 || end-at < 30, at, end)
}

// findPlainSK finds keys of the old form sk-… or sk_…, which many services share, when the rest
// looks random.
func findPlainSK(text string, at, n int) span {
	if text[at:at+2] != "sk" || !wordBegins(text, at) || at > 0 && text[at-1] == '-' {
		return span{}
	}
	body := text[at+n:]
	body = body[:run(body, isTokenByte, 300)]
	return unless(len(body) < 20 || !random(body) || strings.Count(body, "-") > 4, at, at+n+len(body))
}

// findSecretNearKeyID finds the forty characters of an AWS secret key that follow their key ID
// without a name.
func findSecretNearKeyID(text string, at, n int) span {
	if !wordBegins(text, at) || run(text[at:], isUpperDigit, 21) != 20 {
		return span{}
	}
	return findWord(text, at+20, func(c byte) bool { return isAlnum(c) || c == '/' || c == '+' }, func(w string) bool {
		return len(w) == 40 && random(w) && strings.ContainsFunc(w, func(r rune) bool { return 'A' <= r && r <= 'Z' })
	})
}

// findWord returns the first word of the set after text[from] that is accepted, if it is near.
func findWord(text string, from int, set func(byte) bool, accept func(string) bool) span {
	limit := min(len(text), from+nearby)
	for i := from; i < limit; {
		n := run(text[i:], set, maxValue)
		if n > 0 && accept(text[i:i+n]) {
			return span{start: i, end: i + n}
		}
		i += n + 1
	}
	return span{}
}

func isAzureSecretByte(c byte) bool { return isDottedByte(c) || c == '~' }

// findSignature finds the signature in the query of a signed URL: it grants access by its
// possession.
func findSignature(text string, at, n int) span {
	if at > 0 && isAlnum(text[at-1]) {
		return span{}
	}
	sig := text[at+n:]
	sig = strings.TrimRight(sig[:run(sig, isURLByte, 1024)], ".")
	return unless(len(sig) < 40 || !random(sig), at+n, at+n+len(sig))
}

// findDiscord finds a bot token: the bot's number in base64, a time and a signature, with dots
// between.
func findDiscord(text string, at, _ int) span {
	if !isUpper(text[at]) || !wordBegins(text, at) {
		return span{}
	}
	w := strings.TrimRight(text[at:at+run(text[at:], isDottedByte, 100)], ".")
	parts := strings.Split(w, ".")
	return unless(len(parts) != 3 || len(parts[0]) < 22 || len(parts[0]) > 30 || len(parts[1]) < 5 || len(parts[1]) > 8 ||
		len(parts[2]) < 25 || len(parts[2]) > 45 || !random(w), at, at+len(w))
}

// findAsana finds 1/NUMBER:HEX and 2/NUMBER/NUMBER:HEX, with 32 digits at the end.
func findAsana(text string, at, _ int) span {
	if !wordBegins(text, at) || at > 0 && text[at-1] == '/' {
		return span{}
	}
	head := run(text[at:], func(c byte) bool { return isDigit(c) || c == '/' }, 60)
	body := at + head + 1
	if head < 12 || body >= len(text) || text[body-1] != ':' {
		return span{}
	}
	return unless(run(text[body:], isAlnum, 33) != 32 || run(text[body:], isLowerHex, 33) != 32, at, body+32)
}

// findNgrok finds a token around its underscore: 27 letters and digits that begin with a time, and
// about twenty more.
func findNgrok(text string, at int) span {
	const head = 27
	if runBack(text[:at], isAlnum, head+1) != head || strings.IndexByte("123", text[at-head]) < 0 {
		return span{}
	}
	body := run(text[at+1:], isAlnum, 30)
	return unless(body < 18 || body > 24 || at+1+body < len(text) && isWord(text[at+1+body]) || !random(text[at-head:at]), at-head, at+1+body)
}

// findMailgun finds a key of the newer form, hex digits in groups of 32, 8 and 8, after the name of
// the service.
func findMailgun(text string, at, n int) span {
	return findWord(text, at+n, isHexDash, func(w string) bool {
		return len(w) == 50 && w[32] == '-' && w[41] == '-'
	})
}

// findVaultToken finds a token of Vault's old form, "s." and 24 letters and digits.
func findVaultToken(text string, at, _ int) span {
	const body = 24
	if text[at] != 's' || !wordBegins(text, at) || at > 0 && text[at-1] == '.' || run(text[at+2:], isAlnum, body+1) != body {
		return span{}
	}
	end := at + 2 + body
	if end < len(text) && (isWord(text[end]) || text[end] == '(') {
		return span{}
	}
	return unless(!mixed(text[at+2:end]) || !random(text[at+2:end]), at, end)
}

func findAirtable(text string, at, n int) span {
	id := run(text[at+n:], isAlnum, 15)
	if !wordBegins(text, at) || id != 14 || at+n+id >= len(text) || text[at+n+id] != '.' {
		return span{}
	}
	body := run(text[at+n+id+1:], isLowerHex, 65)
	return unless(body < 60, at, at+n+id+1+body)
}

// findSeedPhrase finds the twelve to twenty-four short words after the word that announces them.
func findSeedPhrase(text string, at, n int) span {
	i := at + n
	i += run(text[i:], func(c byte) bool { return isWord(c) }, 20)
	sep := run(text[i:], func(c byte) bool { return isSpace(c) || strings.IndexByte(`:="'[{(`, c) >= 0 }, 12)
	if hasPrefixFold(text[i+sep:], "is") && sep > 0 {
		sep += 2
		sep += run(text[i+sep:], func(c byte) bool { return isSpace(c) || strings.IndexByte(`:="'[{(`, c) >= 0 }, 12)
	}
	start := i + sep
	words, end := 0, start
	for j := start; words < 24; words++ {
		w := run(text[j:], isLower, 9)
		if w < 3 || w > 8 {
			break
		}
		end = j + w
		gap := run(text[end:], func(c byte) bool { return isSpace(c) || strings.IndexByte(`,"'`, c) >= 0 }, 6)
		if j = end + gap; gap == 0 {
			words++
			break
		}
	}
	return unless(sep == 0 || words < 12 || !isLower(text[start]), start, end)
}

// authority returns the bounds of user:password in a URL whose "://" ends at text[i]; end is at the
// "@".
func authority(text string, i int) (start, end int, ok bool) {
	limit := min(len(text), i+1024)
	end = -1
	for j := i; j < limit; j++ {
		c := text[j]
		if c == '@' {
			end = j
		} else if hasPrefixFold(text[j:limit], "%40") && end < 0 && encodedURL(text, i) {
			end = j
			break
		} else if c <= ' ' || c == '/' || isQuote(c) || c == '<' || c == '>' && end >= 0 || c == '\\' || c == ',' && end >= 0 {
			break
		}
	}
	return i, end, end > i
}

// encodedURL reports whether the "://" that ends at text[i] is itself percent-encoded.
func encodedURL(text string, i int) bool {
	return hasPrefixFold(within(text, i-3, i), "%2f")
}

// findSentryDSN finds the key in https://KEY@host/project.
func findSentryDSN(text string, at, n int) span {
	start, end, ok := authority(text, at+n)
	host := within(text, end+1, end+80)
	return unless(!ok || !strings.Contains(host, "sentry") || run(text[start:end], isHex, 40) < 32, start, end)
}

// findURLPassword finds the password of scheme://user:password@host, and a token that stands alone
// before the @.
func findURLPassword(text string, at, n int) span {
	start, end, ok := authority(text, at+n)
	if !ok {
		return span{}
	}
	user, password, both := strings.Cut(text[start:end], ":")
	if !both && encodedURL(text, start) {
		if colon := strings.Index(strings.ToLower(text[start:end]), "%3a"); colon >= 0 {
			user, password, both = text[start:start+colon], text[start+colon+3:end], true
		}
	}
	if !both {
		return unless(len(user) < 16 || !random(user) || placeholder(user), start, end)
	}
	template := strings.ContainsAny(password, "{}()<>*") && !strings.ContainsAny(password, "0123456789")
	return unless(password == "" || placeholder(password) || template, end-len(password), end)
}

// findPgpass finds the last field of host:port:database:user:password.
func findPgpass(text string, at, n int) span {
	line := within(text, at+n, at+n+nearby)
	if i := strings.IndexAny(line, "\r\n\"'` "); i >= 0 {
		line = line[:i]
	}
	parts := strings.SplitN(line, ":", 3)
	if at == 0 || !isDottedByte(text[at-1]) && text[at-1] != '*' || len(parts) != 3 || parts[2] == "" || placeholder(parts[2]) {
		return span{}
	}
	return span{start: at + n + len(line) - len(parts[2]), end: at + n + len(line)}
}

// findBasicAuth finds user:password in base64, after "Basic" or as an "auth" field of a registry's configuration.
func findBasicAuth(text string, at, n int) span {
	i := at + n
	i += run(text[i:], func(c byte) bool { return isBlank(c) || strings.IndexByte(`":=+%20\'`, c) >= 0 }, 8)
	if i == at+n {
		return span{}
	}
	body := run(text[i:], isBase64Any, maxValue)
	encoded := strings.TrimRight(text[i:i+body], "=")
	decoded, err := base64.RawStdEncoding.DecodeString(encoded)
	if err != nil {
		decoded, err = base64.RawURLEncoding.DecodeString(encoded)
	}
	user, password, ok := strings.Cut(string(decoded), ":")
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return unless(err != nil || !ok || len(user)+len(password) < 3 || !utf8.Valid(decoded) || strings.ContainsFunc(string(decoded), control), i, i+body)
}

// findBearer finds what follows "Bearer ".
func findBearer(text string, at, n int) span {
	i := at + n
	sep := run(text[i:], func(c byte) bool { return isSpace(c) || strings.IndexByte(`+:="'\`, c) >= 0 }, 4)
	if hasPrefixFold(text[i:], "%20") {
		sep = 3
	}
	secret := text[i+sep:]
	secret = strings.TrimRight(secret[:run(secret, func(c byte) bool { return isURLByte(c) || c == '~' }, maxValue)], ".,")
	if sep == 0 || len(secret) < 8 || placeholder(secret) || !mixed(secret) && !random(secret) || len(secret) < 16 && transitions(secret) < 2 {
		return span{}
	}
	return span{start: i + sep, end: i + sep + len(secret)}
}

// findAuthorization finds the credentials of an Authorization header of any scheme.
func findAuthorization(text string, at, n int) span {
	i := at + n
	i += run(text[i:], func(c byte) bool { return isBlank(c) || strings.IndexByte(`":=,\'>]`, c) >= 0 }, 10)
	if i == at+n {
		return span{}
	}
	word := run(text[i:], isTokenByte, 20) // Bearer, Basic, Token, Bot, ApiKey, …
	if after := i + word; word > 0 && after < len(text) && (text[after] == ' ' || text[after] == '+') {
		i = after + 1
		if lead := within(text, i, i+6); strings.HasPrefix(lead, "token=") {
			i += len("token=")
		}
	}
	i += run(text[i:], func(c byte) bool { return c == '"' || c == '\'' || c == '\\' }, 3)
	secret := text[i:]
	secret = strings.TrimRight(secret[:run(secret, func(c byte) bool { return isURLByte(c) || c == '~' || c == ':' }, maxValue)], ".,")
	if len(secret) < 8 || placeholder(secret) || !mixed(secret) || len(secret) < 16 && transitions(secret) < 2 || codeReference(secret) {
		return span{}
	}
	return span{start: i, end: i + len(secret)}
}

// findCookie finds the value of a Cookie or Set-Cookie header when one of its cookies looks like a session.
func findCookie(text string, at, n int) span {
	i := at + n
	sep := run(text[i:], func(c byte) bool { return isBlank(c) || strings.IndexByte(`":=,\'(`, c) >= 0 }, 8)
	if sep == 0 {
		return span{}
	}
	i += sep
	quote := text[i-1]
	value := within(text, i, i+maxValue)
	end := strings.IndexAny(value, "\r\n")
	if isQuote(quote) {
		end = strings.IndexAny(value, "\r\n"+string(quote))
	}
	if end >= 0 {
		value = value[:end]
	}
	value = strings.TrimRight(value, "\\ \"'`")
	for pair := range strings.SplitSeq(value, ";") {
		_, v, ok := strings.Cut(pair, "=")
		if v = strings.TrimSpace(v); ok && len(v) >= 12 && !strings.ContainsAny(v, " (,") && random(v) && !placeholder(v) {
			return span{start: i, end: i + len(value)}
		}
	}
	return span{}
}

// findSessionCookie finds the value of a cookie whose name says what it is. The name must have its
// "=", because a session ID in JSON is mostly that of an agent and opens nothing.
func findSessionCookie(text string, at, n int) span {
	v := text[at+n:]
	v = v[:run(v, isURLByte, maxValue)]
	return unless(len(v) < 16 || !random(v) || placeholder(v) || uuid(v), at+n, at+n+len(v))
}

// findBasicAuthCall finds the second argument of calls such as SetBasicAuth("name", "password").
func findBasicAuthCall(text string, at, n int) span {
	name := spokenWord(text, at+n)
	i := name.start + len(name.text) + 1
	if !name.quoted || i >= len(text) || text[i] != ',' {
		return span{}
	}
	password := spokenWord(text, i+1)
	if !password.quoted || len(password.text) < 4 || placeholder(password.text) || strings.Contains(password.text, " ") {
		return span{}
	}
	return password.span()
}
