package scrub

import (
	"math"
	"slices"
	"strings"
)

// These functions judge a value by its looks: is it a secret, a stand-in for one, or code that
// fetches one?

// mixed reports whether a value holds letters and digits.
func mixed(v string) bool {
	var letters, digits bool
	for i := 0; i < len(v); i++ {
		letters = letters || isLetter(v[i])
		digits = digits || isDigit(v[i])
	}
	return letters && digits
}

// transitions counts the changes between letter and digit. Names have one or two, random text has
// many.
func transitions(v string) int { return changes(v, isLetter, isDigit) }

// caseChanges counts the changes between lower and upper case within words.
func caseChanges(v string) int { return changes(v, isLower, isUpper) }

func changes(v string, one, other func(byte) bool) (n int) {
	for i := 1; i < len(v); i++ {
		if one(v[i]) && other(v[i-1]) || other(v[i]) && one(v[i-1]) {
			n++
		}
	}
	return n
}

// entropy is Shannon's, in bits per byte: about 3.6 for 32 random hex digits, 4.6 for 32 random
// base64 letters.
func entropy(v string) float64 {
	var counts [256]int
	for i := 0; i < len(v); i++ {
		counts[v[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(v))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// random reports whether a value looks drawn by a machine rather than written by a person: digits
// among the letters again and again, or, without digits, upper and lower case in no order.
func random(v string) bool {
	if len(v) < 8 {
		return false
	}
	t, c := transitions(v), caseChanges(v)
	switch {
	case mixed(v) && t >= 3 && t*10 >= min(len(v), 60):
		return entropy(v) >= 2.8
	case mixed(v):
		return len(v) >= 16 && (t+c)*10 >= 3*len(v) && entropy(v) >= 3.5 // 6 per 10 in random text of 62 letters
	}
	return len(v) >= 16 && c*3 >= len(v) && entropy(v) >= 3.5
}

// standIns mark a value as an example wherever they occur in it.
var standIns = []string{
	"changeme", "change_me", "change-me", "changeit", "your", "xxxx", "placeholder", "example", "dummy", "sample",
	"redacted", "todo", "fixme", "insert", "replace", "****", "....", "${", "{{", "#{", "$(", "%s", "%v", "%d", "%q",
	"••", "…",
}

// standInWords are values that say what belongs there, or that there is nothing.
var standInWords = wordSet(`
	password passwd pass passphrase pwd pw secret token key apikey none null nil true false undefined string str
	bytes byte text required optional hidden empty default unknown invalid missing disabled enabled bearer basic
	input value prompt stdin file varchar object number boolean integer any option char void blank plaintext
	encrypted incorrect wrong correct expired forgotten protected sha256 sha512 sha1 md5 base64 utf8 utf-8 oauth2
	hs256 rs256 es256 x509 bcrypt argon2 argon2id pbkdf2 int64 int32 uint64 uint32 uint8 float64 base32 sha-256
	sha-512 sha3 oauth hello world user:pass self this username user`)

// placeholder reports whether a value stands for a secret without being one.
func placeholder(v string) bool {
	if len(v) > 256 {
		return false
	}
	low := strings.ToLower(v)
	if standInWords[strings.Trim(low, "_-*<>[](){}.:,;!")] {
		return true
	}
	if slices.ContainsFunc(standIns, func(s string) bool { return strings.Contains(low, s) }) {
		return true
	}
	if v == "" || few(v) || v[0] == '<' && strings.HasSuffix(v, ">") || v[0] == '[' && strings.HasSuffix(v, "]") ||
		v[0] == '{' && strings.HasSuffix(v, "}") || v[0] == '%' && strings.HasSuffix(v, "%") {
		return true
	}
	if v[0] == '$' { // $NAME, $1, $env:NAME
		return run(v[1:], func(c byte) bool { return isWord(c) || c == ':' }, len(v)) == len(v)-1 && !random(v)
	}
	return reference(low)
}

// few reports whether a value is made of one or two characters only, as "xxxxxxxx" and "-----" are.
func few(v string) bool {
	if len(v) < 3 {
		return false
	}
	first, second := v[0], v[0]
	for i := 1; i < len(v); i++ {
		if v[i] != first && v[i] != second {
			if second != first {
				return false
			}
			second = v[i]
		}
	}
	return true
}

// reference reports whether a value, in lower case, points to where the secret is kept.
func reference(low string) bool {
	return hasAnyPrefix(low,
		"process.env", "os.environ", "os.getenv", "env.", "env[", "system.getenv", "import.meta", "secrets.", "vars.",
		"var.", "self.", "this.", "local.", "module.", "data.", "op://", "vault:", "arn:", "ref+", "@microsoft.keyvault",
		"file:", "/run/secrets/", "!ref", "!secret", "!env",
	)
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// codeReference reports whether a value that stands without quotes reads as code: a call, an index,
// a path of names, a file, a URL.
func codeReference(v string) bool {
	if strings.ContainsAny(v, "()[]{}") || strings.Contains(v, "->") || strings.Contains(v, "::") || strings.Contains(v, "://") {
		return true
	}
	if strings.IndexByte("&*!./~-+=|\\@#,;:", v[0]) >= 0 {
		return true
	}
	parts := strings.FieldsFunc(v, func(r rune) bool { return r == '.' || r == '/' || r == '\\' })
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if !isWord(p[0]) || isDigit(p[0]) || transitions(p) > 2 {
			return false
		}
	}
	return true
}

// dottedName reports whether a value is a path of names, as package.Type is.
func dottedName(v string) bool {
	if !strings.Contains(v, ".") {
		return false
	}
	for part := range strings.SplitSeq(v, ".") {
		if part == "" || isDigit(part[0]) || run(part, isWord, len(part)) != len(part) || transitions(part) > 2 {
			return false
		}
	}
	return true
}

// uuid reports whether a value has the form of a UUID, which names things more often than it opens
// them.
func uuid(v string) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-' && run(v, isHexDash, 36) == 36
}
