package scrub

import "strings"

// columnNames are the last words of the names of columns that hold secrets, and whether a person
// chooses these.
var columnNames = map[string]bool{
	"password": true, "passwd": true, "pass": true, "pwd": true, "passphrase": true, "pw": true,
	"secret": false, "token": false, "apikey": false, "api_key": false,
}

// columns finds the cells below the name of such a column, in Markdown and in lines with commas,
// semicolons or tabs; and the second of two cells of a row that has the name in its first.
func columns(text string) (found []span) {
	above := ""
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		line := text[at : at+end]
		next := min(at+end+1, len(text))
		if len(line) <= maxHeader {
			sep := cellSign(line)
			if sep == '|' && strings.Count(line, "|") == 3 {
				if s, ok := labelledCell(line, at); ok {
					found = append(found, s)
				}
			}
			n := 0
			if sep != 0 && next < len(text) {
				n = strings.Count(line, string(sep))
			}
			if n > 0 && strings.Count(above, string(sep)) != n {
				for column, name := range cells(line, sep) {
					if chosen, ok := columnName(name); ok {
						found = below(found, text, next, sep, n, column, chosen)
					}
				}
			}
		}
		above, at = line, next
	}
	return found
}

const lastRule = 1 << 16 // any other rule knows more about a kind

const maxHeader = 300 // bytes of a line with the names of columns

// cellSign is what stands between the cells of a line, 0 if it has none or no name of a column.
func cellSign(line string) byte {
	if strings.HasPrefix(line, "|") || strings.HasSuffix(strings.TrimRight(line, " \r"), "|") && strings.Count(line, "|") > 1 {
		return '|' // the first row of a table may stand behind what announces it
	}
	for _, sep := range []byte{'\t', ';', ','} {
		if i := strings.IndexByte(line, sep); i > 0 {
			return sep
		}
	}
	return 0
}

// cells are the cells of a line by their place.
func cells(line string, sep byte) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := 0; ; i++ {
			cell, rest, more := strings.Cut(line, string(sep))
			if !yield(i, cell) || !more {
				return
			}
			line = rest
		}
	}
}

func columnName(cell string) (chosen, ok bool) {
	if len(cell) > 40 {
		return false, false
	}
	name := strings.ToLower(strings.Trim(cell, " \t\r\"'*`"))
	if strings.ContainsAny(name, "(){}[]=:<>$") {
		return false, false
	}
	chosen, ok = columnNames[name[strings.LastIndexAny(name, " _-")+1:]]
	return chosen, ok
}

// below adds the cells of a column in the lines from text[at:] on that have as many signs.
func below(found []span, text string, at int, sep byte, n, column int, chosen bool) []span {
	for at < len(text) {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		line := text[at : at+end]
		if strings.Count(line, string(sep)) != n {
			break
		}
		start := at
		for i, cell := range cells(line, sep) {
			if i == column {
				if s, ok := cellSpan(cell, start, chosen); ok {
					found = append(found, s)
				}
			}
			start += len(cell) + 1
		}
		at = min(at+end+1, len(text))
	}
	return found
}

func cellSpan(cell string, at int, chosen bool) (span, bool) {
	value := strings.Trim(cell, " \t\r\"'`")
	ok := len(value) >= 4 && !placeholder(value) && !strings.Contains(value, " ") && !strings.Contains(value, markerBegin) && strings.Trim(value, "-:") != ""
	if letters := run(value, isLetter, len(value)) == len(value); letters {
		ok = ok && chosen && chosenWord(value)
	} else if !chosen {
		ok = ok && len(value) >= 8 && mixed(value) && random(value)
	} else {
		ok = ok && !codeReference(value)
	}
	at += strings.Index(cell, value)
	return span{kind: "password", rule: lastRule, start: at, end: at + len(value)}, ok
}

// labelledCell finds the second cell of "| DB password | X |".
func labelledCell(line string, at int) (span, bool) {
	_, rest, _ := strings.Cut(line, "|")
	name, value, _ := strings.Cut(rest, "|")
	chosen, ok := columnName(name)
	value, _, _ = strings.Cut(value, "|")
	if !ok || !strings.Contains(strings.TrimSpace(name), " ") {
		return span{}, false
	}
	return cellSpan(value, at+len("|")+len(name)+len("|"), chosen)
}
