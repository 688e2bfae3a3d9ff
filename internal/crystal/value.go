package crystal

import (
	"slices"
	"strings"
	"unicode"
)

// Values are what can be told apart without understanding it: numbers, versions, paths, addresses, switches. Where a statement
// gives one, its subject need not be among the nouns that are known to have one value at a time, and two such statements
// contradict each other only if their values are of one shape: a parser of 200 lines may well be 3 years old.

// valueShape is what kind of value words are; empty if they are none.
func valueShape(words, raw []string) string {
	if len(words) == 0 || len(words) > 2 {
		return ""
	}
	value := strings.Trim(raw[0], "`\"'“”‘’*,")
	if len(words) == 2 {
		if unit := singular(words[1]); plainNumber(value) && units.has(unit) {
			return unitShape(unit)
		}
		return ""
	}
	lower := strings.ToLower(value)
	switch {
	case lower == "true" || lower == "false" || lower == "on" || lower == "off" || lower == "enabled" || lower == "disabled":
		return "switch"
	case strings.Contains(value, "://") || hostPort(value):
		return "address"
	case versionLike(value):
		return "version"
	case plainNumber(value):
		return "number"
	case number(value):
		unit := strings.TrimLeft(lower, "0123456789.,_")
		if units.has(singular(unit)) {
			return unitShape(singular(unit))
		}
		return ""
	case filePath(value):
		return "path"
	}
	return ""
}

var (
	units = set(`ms s sec second m min minute h hr hour d day w week month year b byte kb mb gb tb kib mib gib tib k px em rem pt line
	column character char percent % request retry replica worker thread core connection item entry row page space token message
	user instance node shard partition rps qps hz mhz ghz usd eur $ € point`)
	lengthsOfTime = set(`ms s sec second m min minute h hr hour d day w week month year`)
	sizes         = set(`b byte kb mb gb tb kib mib gib tib k`)
)

func unitShape(unit string) string {
	switch {
	case lengthsOfTime.has(unit):
		return "time"
	case sizes.has(unit):
		return "size"
	}
	return unit
}

// plainNumber reports whether a word is digits, with marks between them.
func plainNumber(word string) bool {
	word = strings.TrimPrefix(word, "-")
	return number(word) && strings.Trim(word, "0123456789.,_") == "" && strings.Count(word, ".") < 2
}

// versionLike reports whether a word is v1.2, 1.2.3 or go1.26.
func versionLike(word string) bool {
	digits := strings.TrimLeftFunc(word, unicode.IsLetter)
	prefix := word[:len(word)-len(digits)]
	if !number(digits) || strings.Trim(digits, "0123456789.") != "" {
		return false
	}
	return strings.Count(digits, ".") >= 2 || strings.EqualFold(prefix, "v") || prefix != "" && strings.Contains(digits, ".")
}

// hostPort reports whether a word is localhost:8080 or :8080.
func hostPort(word string) bool {
	host, port, ok := strings.Cut(word, ":")
	return ok && port != "" && strings.Trim(port, "0123456789") == "" &&
		strings.TrimFunc(host, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '-' }) == ""
}

// filePath reports whether a word is a path: it has a folder, or an ending as files have.
func filePath(word string) bool {
	if strings.ContainsAny(word, "<>(){}[]$,;=\"'") || !strings.ContainsFunc(word, unicode.IsLetter) {
		return false
	}
	if strings.Contains(word, "/") {
		either := !strings.ContainsAny(word, "._-~") && strings.Count(word, "/") == 1 // and/or, read/write
		return !either || strings.HasSuffix(word, "/") || strings.HasPrefix(word, "/")
	}
	dot := strings.LastIndexByte(word, '.')
	return dot >= 0 && dot < len(word)-1 && len(word)-dot <= 6 && strings.TrimFunc(word[dot+1:], func(r rune) bool { return unicode.IsLower(r) || unicode.IsDigit(r) }) == "" &&
		!number(word)
}

// passing things have another value each time they come up: a bug here and a bug there are two.
var passing = set(`bug issue problem error fix change test tests todo leak crash regression failure example call check cause culprit answer
	race typo warning exception panic mistake difference result output total sum average score change improvement speedup gain loss diff
	delta pr commit ticket case step line chapter section figure table phase round attempt iteration run build job task task's number
	value code file function method class module type struct variable constant block definition implementation field property entry item
	row column argument parameter option thing place reason time moment day date week meeting point idea goal plan estimate guess odds
	chance probability age height weight price cost distance temperature rest remainder other latency throughput coverage accuracy
	precision recall duration it this that there here he she we they i you key id index position offset response status reply message
	request query question word name title text comment patch release ratio share percentage count`)

// measured reads "the port is 8080", "the data folder is var/lib/shop": of things that are named, and values of one shape. said is
// whether it is a sentence, in which a thing of one word needs an article.
func measured(subject []string, value sentence, said bool) Claim {
	name := role(subject)
	kind := valueShape(value.words, value.raw)
	if name == nil || kind == "" || len(name) > 4 {
		return Claim{}
	}
	head := name[len(name)-1]
	switch {
	case passing.has(singular(head)) || passing.has(head) || slices.ContainsFunc(name, func(w string) bool { return number(w) || strings.HasSuffix(w, "ly") }):
		return Claim{}
	case len(name) == 1 && !settings.has(head):
		return Claim{}
	case len(name) == 1 && said && !determiners.has(subject[0]) && subject[0] != "my":
		return Claim{}
	case len(name) > 1 && !settings.has(head) && !part.has(head) && !holders.has(head):
		return Claim{}
	case (kind == "path") != (holders.has(head) || pathly.has(head)) && kind != "address" && kind != "switch":
		return Claim{}
	}
	c := claim(name, value.words)
	c.shape = kind
	return c
}

var (
	// settings are nouns that mean one thing in a project even when they stand alone.
	settings = set(`port version timeout limit threshold host hostname url endpoint region ttl interval retention deadline budget concurrency
	quota cooldown backoff debounce capacity workers replicas`)
	// holders are things that lie somewhere.
	holders = set(`config configuration schema log logs socket database store cache data backup backups secret secrets manifest template templates
	dockerfile makefile changelog readme entrypoint binary directory folder dir root`)
	pathly = set(`path directory folder dir root socket file location home entrypoint`)
)

// numbered reads "use port 8080 for the api": the value of a setting, of what it is for.
func numbered(chosen, what []string) Claim {
	chosen = strip(chosen)
	name := role(what)
	if len(chosen) != 2 || !settings.has(chosen[0]) || name == nil || len(name) > 3 {
		return Claim{}
	}
	kind := valueShape(chosen[1:], chosen[1:])
	if kind == "" || kind == "path" {
		return Claim{}
	}
	c := claim(append(slices.Clone(name), chosen[0]), chosen[1:])
	c.shape = kind
	return c
}

// living reads "the retry logic lives in net/retry.go": where one thing is. Of many things some may be elsewhere.
func living(s sentence) Claim {
	i, n := s.find("now lives in", "now lives under", "now lives at", "lives in", "lives under", "lives at", "resides in", "is now located in", "is located in",
		"is located at", "is now stored in", "is stored in", "is stored under", "is stored at", "is kept in", "is kept under", "is defined in", "is configured in",
		"is documented in")
	if i < 1 || i+n+1 != len(s.words) {
		return Claim{}
	}
	name := role(s.words[:i])
	place := strings.Trim(s.raw[len(s.raw)-1], "`\"'“”‘’*")
	if name == nil || len(name) > 4 || !filePath(place) && !(strings.Contains(place, "/") && filePath(place+"/")) {
		return Claim{} // after these verbs a slash is that of a folder
	}
	if len(name) == 1 && !determiners.has(s.words[0]) && s.words[0] != "my" {
		return Claim{}
	}
	head := name[len(name)-1]
	if singular(head) != head || len(name) == 1 && (passing.has(head) || part.has(head) && !holders.has(head)) || passing.has(head) && !generic(head) ||
		slices.ContainsFunc(name, func(w string) bool { return number(w) || strings.HasSuffix(w, "ly") }) {
		return Claim{}
	}
	how := "place"
	switch s.words[i+1] {
	case "documented":
		how = "documentation"
	case "configured":
		how = "configuration"
	}
	c := claim(append(slices.Clone(name), how), s.words[i+n:])
	c.shape = "path"
	return c
}

// generic heads say what sort of code a name is: "the retry function" is one thing.
func generic(head string) bool {
	switch head {
	case "code", "function", "method", "class", "module", "type", "struct", "implementation", "definition":
		return true
	}
	return false
}

// assignment reads "DB_HOST=localhost", "server.port = 8080" and "max_retries = 5", settings rather than code.
func assignment(s sentence) Claim {
	key, value, ok := strings.Cut(s.text, "=")
	key, value = strings.Trim(key, " `"), strings.Trim(value, " `")
	if !ok || value == "" || strings.ContainsAny(value, " =()[]{}\"'<>,") || strings.TrimFunc(key, settingRune) != "" {
		return Claim{}
	}
	constant := strings.Contains(key, "_") && strings.ToUpper(key) == key
	if !constant && !(settingName(key) && valueShape([]string{value}, []string{value}) != "") {
		return Claim{}
	}
	return Claim{Subject: strings.ToLower(key), Value: value}
}

// settingName reports whether a key is that of a setting: of several words, and no field of something in code.
func settingName(key string) bool {
	owner, _, _ := strings.Cut(key, ".")
	switch strings.ToLower(owner) {
	case "self", "this", "cls", "e", "i", "x", "obj", "err", "req", "res":
		return false
	}
	words := strings.FieldsFunc(key, func(r rune) bool { return r == '_' || r == '.' || r == '-' })
	if len(words) < 2 || slices.ContainsFunc(words, func(w string) bool { return len(w) < 2 || number(w) }) {
		return false
	}
	last := strings.ToLower(words[len(words)-1])
	return strings.ContainsAny(key, "_.") || settings.has(last) || part.has(last) // non-veteran is a word, cache-ttl is not
}

func settingRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' || r == '-'
}

var (
	// ofItems are what each item of a list has: whose they are stands above the row.
	ofItems = set(`name username email address date deadline budget rate retention owner lead size length width count color colour font
	birthday pronouns`)
	// relative words say which of several of one item, or as of when.
	relative = set(`start end due adjusted revised remaining total original estimated actual`)
)

// blank reports whether a value is to be filled in: your_key_here, [date], ____.
func blank(value string) bool {
	return strings.HasPrefix(value, "your_") || strings.HasPrefix(value, "your-") || strings.HasPrefix(value, "your ") ||
		strings.ContainsAny(value, "[]<>{}") || strings.Contains(value, "__") && strings.Trim(value, "_ ") == ""
}

// keyed reads "log level: debug", "port: 8080" and "max_retries: 5".
func keyed(s sentence) Claim {
	for i, w := range s.words {
		key, ok := strings.CutSuffix(w, ":")
		if !ok {
			continue
		}
		if i > 3 || i+1 >= len(s.words) {
			return Claim{}
		}
		names, value := append(slices.Clone(s.words[:i]), key), s.from(i+1)
		if name := attributeOf(names); name != nil && valueLike(value) {
			if head := name[len(name)-1]; ofItems.has(head) && (s.row || relative.has(name[0])) {
				return Claim{}
			}
			return claim(name, value.words)
		}
		if i == 0 && settingName(key) && strings.TrimFunc(key, settingRune) == "" && len(value.words) == 1 && !filePath(key) {
			if kind := valueShape(value.words, value.raw); kind != "" {
				return Claim{Subject: key, Value: value.words[0], shape: kind}
			}
			return Claim{}
		}
		if s.row {
			return Claim{} // the timeout of one item of the list, and the next has its own
		}
		return measured(names, value, false)
	}
	return Claim{}
}

// listening reads "the api listens on port 8080" and "the api runs on localhost:8080".
func listening(s sentence) Claim {
	i, n := s.find("listens on port", "runs on port", "is listening on port", "is running on port", "is served on port", "is exposed on port")
	if i < 0 {
		if i, n = s.find("listens on", "listens at", "runs at", "is served at", "is reachable at"); i > 0 && i+n < len(s.words) && !hostPort(s.words[i+n]) && !number(s.words[i+n]) {
			return Claim{}
		}
	} else if i+n >= len(s.words) || !number(s.words[i+n]) {
		return Claim{}
	}
	if i < 1 || i+n+1 != len(s.words) {
		return Claim{}
	}
	name := role(s.words[:i])
	if name == nil {
		return Claim{}
	}
	_, port, ok := strings.Cut(s.words[i+n], ":")
	if !ok {
		port = s.words[i+n]
	}
	if strings.Trim(port, "0123456789") != "" {
		return Claim{}
	}
	return claim(append(slices.Clone(name), "port"), []string{port})
}
