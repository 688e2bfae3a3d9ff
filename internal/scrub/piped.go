package scrub

import "strings"

// findPiped finds what a command gets on its standard input: echo VALUE | command, printf '%s'
// VALUE | command, or command <<< VALUE.
func findPiped(text string, at, n int) span {
	command := strings.ToLower(text[at : at+n])
	if command == "sudo -" && !strings.Contains(within(text, at+n, at+n+run(within(text, at+n, at+n+8), isLetter, 8)), "S") {
		return span{} // only sudo -S reads a password from there
	}
	line := commandLine(text, at)
	if here := strings.Index(line, "<<<"); here >= 0 {
		from := at + here + len("<<<")
		return pipedValue(text[:at+len(line)], from, len(text[:at+len(line)]), command)
	}
	begin := max(0, at-maxCommand)
	if end := strings.LastIndexByte(text[begin:at], '\n'); end >= 0 {
		begin += end + 1
	}
	bar := strings.LastIndexByte(text[begin:at], '|')
	if bar > 0 && text[begin+bar-1] != '|' {
		return producer(text, begin, begin+bar, command)
	}
	if command == "vault login" { // vault login TOKEN
		i := at + n + run(text[at+n:], isBlank, 4)
		v := text[i : i+run(text[i:], isDottedByte, 200)]
		if v = strings.TrimRight(v, "."); len(v) >= 8 && v[0] != '-' && mixed(v) && !placeholder(v) {
			return span{start: i, end: i + len(v)}
		}
	}
	return span{}
}

// producer finds the argument of the echo or printf that ends at the bar.
func producer(text string, begin, bar int, command string) span {
	for i := bar - 1; i >= begin; i-- {
		for _, name := range []string{"echo", "printf"} {
			if !strings.HasPrefix(text[i:bar], name+" ") || i > begin && (isTokenByte(text[i-1]) || text[i-1] == '.') {
				continue
			}
			from := i + len(name)
			for { // flags, and the format of printf
				from += run(text[from:bar], isBlank, bar)
				word := run(text[from:bar], func(c byte) bool { return !isBlank(c) }, bar)
				flag := strings.HasPrefix(text[from:bar], "-") && word <= 3
				format := name == "printf" && strings.Contains(text[from:from+word], "%s")
				if !flag && !format || from+word >= bar {
					break
				}
				from += word
			}
			return pipedValue(text, from, bar, command)
		}
	}
	return span{}
}

// pipedValue is the value in text[from:to] without its quotes; of "name:password" for chpasswd, the
// password.
func pipedValue(text string, from, to int, command string) span {
	quotes := func(c byte) bool { return isBlank(c) || isQuote(c) || c == '\\' }
	from += run(text[from:to], quotes, 6)
	to -= runBack(text[from:to], quotes, 6)
	if from >= to {
		return span{}
	}
	if end := strings.IndexAny(text[from:to], "\"'`;&>)\n"); end >= 0 {
		to = from + end
	}
	to -= runBack(text[from:to], quotes, 6)
	if command == "chpasswd" {
		colon := strings.IndexByte(text[from:to], ':')
		if colon < 0 {
			return span{}
		}
		from += colon + 1
	}
	v := text[from:to]
	return unless(len(v) < 3 || v[0] == '$' && !random(v) || placeholder(v), from, to)
}
