package typed

import "strings"

// shape is what a line looks like that a program wrote.
type shape uint8

const (
	prose   shape = iota
	machine       // a log, a trace, an error
	command       // what somebody typed in a terminal; what it printed follows
	code
	config
)

// machineOutput marks logs, traces, terminal sessions, code and configuration, a paragraph at a
// time. What stands between two such lines is theirs; what follows the last one in its paragraph
// may be.
func (s *sheet) machineOutput() {
	s.paragraphs(func(from, to int) {
		shapes := make([]shape, to-from)
		first, last, codes, configs := -1, -1, 0, 0
		printed := false
		for i := range shapes {
			shapes[i] = s.shapeOf(from + i)
			switch shapes[i] {
			case code:
				codes++
			case config:
				configs++
			case machine, command:
				if last = i; first < 0 {
					first = i
				}
				printed = printed || shapes[i] == command
			}
		}
		n := to - from
		switch {
		case begins(s.lines[from].text, "#!"), codes >= 2 && codes*2 >= n,
			configs >= 3 && configs*4 >= n*3, configs >= 2 && configs == n && s.nested(from, to):
			for i := from; i < to; i++ {
				if i > from || shapes[0] != prose {
					s.markLine(i, Foreign)
				}
			}
			return
		case first < 0:
			return
		}
		for first > 0 && labelled(s.lines[from+first-1].text) {
			first--
		}
		for i := first; i <= last; i++ {
			s.markLine(from+i, Foreign)
		}
		for i := last + 1; i < n; i++ {
			text := s.lines[from+i].text
			switch {
			case printed, labelled(text), isWriter(s.lines[from+last].text):
				s.markLine(from+i, Foreign)
			case !addressed(text):
				s.markLine(from+i, Doubtful)
			}
		}
	})
	for i := range s.lines {
		if s.open(i) && begins(s.lines[i].text, "//", "/*", "#!/") {
			s.markLine(i, Foreign)
		}
	}
	s.tables()
	s.columns()
	s.codeBelow()
}

// columns marks lines of values with commas between them.
func (s *sheet) columns() {
	s.paragraphs(func(from, to int) {
		n := strings.Count(s.lines[from].text, ",")
		for i := from; i < to; i++ {
			if text := s.lines[i].text; strings.Count(text, ",") != n || strings.Contains(text, ", ") {
				return
			}
		}
		for i := from; i < to && n > 0 && to-from >= 3; i++ {
			s.markLine(i, Foreign)
		}
	})
}

// codeBelow goes on with code or configuration over blank lines as long as it is indented.
func (s *sheet) codeBelow() {
	inside := false
	for i, l := range s.lines {
		switch {
		case l.blank():
		case !s.open(i):
			inside = true
		case inside && l.indent >= 2 && !isItem(l.text):
			s.markLine(i, Foreign)
		default:
			inside = false
		}
	}
}

// tables marks the rows of tables: people paste them and write them.
func (s *sheet) tables() {
	s.paragraphs(func(from, to int) {
		ruled := false
		for i := from; i < to; i++ {
			text := s.lines[i].text
			ruled = ruled || begins(text, "|") && strings.Contains(text, "--") &&
				strings.Trim(text, "|-: \t") == ""
		}
		for i := from; i < to && ruled; i++ {
			if strings.HasPrefix(s.lines[i].text, "|") {
				s.markLine(i, Doubtful)
			}
		}
	})
}

// nested reports whether some lines of a paragraph are indented.
func (s *sheet) nested(from, to int) bool {
	for i := from; i < to; i++ {
		if s.lines[i].indent > s.lines[from].indent {
			return true
		}
	}
	return false
}

func (s *sheet) shapeOf(i int) shape {
	text := s.lines[i].text
	switch {
	case isPromptLine(text):
		return command
	case isLog(text), isTrace(text, s.lines[i].indent):
		return machine
	case isCode(text):
		return code
	case isConfig(text):
		return config
	}
	return prose
}

// isPromptLine reports whether a line is the prompt of a shell or an interpreter with what was
// typed there.
func isPromptLine(text string) bool {
	if begins(text, "$ ", ">>> ", "❯ ", "➜ ", "PS C:\\") {
		return true
	}
	if len(text) > 3 && isLetter(text[0]) && text[1:3] == ":\\" && strings.Contains(text, "> ") {
		return true // C:\repo> dir
	}
	at := strings.IndexByte(text, '@')
	if at <= 0 || strings.ContainsAny(text[:at], " <") {
		return false
	}
	end := strings.IndexAny(text, "$#%")
	if end < at || end+1 < len(text) && text[end+1] != ' ' {
		return false
	}
	return !strings.Contains(text[at:end], " ") || strings.HasPrefix(text, "[")
}

// isLog reports whether a line begins with a time or a level, as programs write them.
func isLog(text string) bool {
	if rest, ok := afterTime(text); ok && rest != "" {
		return true
	}
	return begins(text, "[INFO]", "[DEBUG]", "[WARN", "[ERROR]", "[FATAL]", "[TRACE]", "[info]", "[debug]",
		"[warn]", "[error]", "INFO ", "INFO:", "DEBUG ", "DEBUG:", "WARN ", "WARN:", "ERROR ", "ERROR:", "FATAL",
		"TRACE ", "error:", "error TS", "error[", "fatal:", "warning:", "npm ERR!", "npm error", "npm WARN",
		"npm warn", "remote:", "level=", "ts=", "time=\"", "E/", "W/", "##[")
}

// afterTime is what follows the time of day with which a line begins, perhaps after a date.
func afterTime(text string) (rest string, ok bool) {
	for i := 0; i < min(len(text), timeBytes); i++ {
		c := text[i]
		switch {
		case isClock(text, i):
			rest = strings.TrimLeft(text[i+3:], ":0123456789.,")
			rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "Z")
			for _, half := range [...]string{"AM", "PM", "am", "pm"} {
				rest = strings.TrimPrefix(rest, half)
			}
			return strings.TrimLeft(rest, " ])-–—|+\t"), true
		case isDigit(c), strings.IndexByte(" [](/.,-T", c) >= 0:
		case strings.HasPrefix(text[i:], "Yesterday"), strings.HasPrefix(text[i:], "Today"):
			i += strings.IndexByte(text[i:], 'y') // to the end of the word
		case isMonth(text[i:]):
			i += 2
		default:
			return "", false
		}
	}
	return "", false
}

// isClock reports whether there are the hours before a place in a text and a colon and the minutes
// there.
func isClock(text string, at int) bool {
	return at > 0 && at+2 < len(text) && text[at] == ':' && isDigit(text[at-1]) && isDigit(text[at+1]) &&
		isDigit(text[at+2])
}

const timeBytes = 32 // in which a date and a time are written

func isMonth(text string) bool {
	if len(text) < 4 || text[3] != ' ' && text[3] != ',' {
		return false
	}
	return among(text[:3], " Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun ")
}

// isTrace reports whether a line is part of a stack trace.
func isTrace(text string, indent int) bool {
	switch {
	case begins(text, "Traceback (most recent call last)", "Caused by:", "goroutine ", "panic: ", "Uncaught ",
		"Exception in thread", "--- FAIL", "--- PASS", "FAIL", "ok  \t", "--> ", "^"),
		begins(text, "File \"") && strings.Contains(text, ", line "),
		begins(text, "thread '") && strings.Contains(text, "panicked at"),
		begins(text, "at ") && indent > 0, isPosition(text):
		return true
	}
	name, _, found := strings.Cut(text, ": ")
	return found && !strings.Contains(name, " ") &&
		(strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// isPosition reports whether a line begins with a place in a file: "a.go:3:1: …".
func isPosition(text string) bool {
	word, _, found := strings.Cut(text, " ")
	file, place, ok := strings.Cut(word, ":")
	return found && ok && strings.Contains(file, ".") && place != "" && isDigit(place[0]) &&
		strings.HasSuffix(word, ":")
}

// labelled reports whether a line begins with a word and a colon.
func labelled(text string) bool {
	label, _, found := strings.Cut(text, ": ")
	return found && len(label) <= 16 && !strings.Contains(label, " ") && !lower(label)
}

// isCode reports whether a line is one of a program: by its last character, or by a keyword and the
// signs that go with it.
func isCode(text string) bool {
	if isItem(text) || wordy(text) {
		return false
	}
	switch text[len(text)-1] {
	case '{', '}', ';':
		return true
	case ',', '(', '[', ')', ']':
		if strings.IndexByte("\"'{[}]", text[0]) >= 0 || strings.Contains(text, " = ") ||
			strings.Contains(text, "\":") {
			return true
		}
	}
	if begins(text, "//", "/*", "*/", "#include", "#!/", "@@", "<?", "} ", "-- ", "echo ", "export ", "set -",
		"if [", "elif [") || strings.Contains(text, " := ") || strings.Contains(text, " => ") ||
		strings.Contains(text, " = ") && !strings.HasSuffix(text, ".") {
		return true
	}
	word, rest, _ := strings.Cut(text, " ")
	last := text[len(text)-1]
	switch {
	case among(word, " def class func fn function if for while elif public private static async impl struct type "):
		return last == ':' || last == '{' || last == ')' && strings.Contains(rest, "(")
	case among(word, " import from package use using return const let var else: try: continue break pass except "):
		return rest == "" || word == "from" && strings.Contains(rest, " import ") ||
			len(strings.Fields(rest)) <= 2 && !ended(rest) && strings.ContainsAny(rest, "/\"'_(.")
	}
	return among(word, " SELECT INSERT UPDATE CREATE ALTER FROM WHERE JOIN RUN COPY CMD ENV WORKDIR ENTRYPOINT "+
		"EXPOSE fi done esac ")
}

// wordy reports whether a line begins with several plain words.
func wordy(text string) bool {
	const words = 6
	n := 0
	for word := range strings.FieldsSeq(text) {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',.?!") != "" {
			break
		}
		n++
	}
	return n >= words
}

// isConfig reports whether a line is one of YAML, of an INI file or of variables.
func isConfig(text string) bool {
	section := text[0] == '[' && text[len(text)-1] == ']' && !strings.Contains(text, " ")
	if section || text[0] == '#' && !begins(text, "##") {
		return true
	}
	text = strings.TrimPrefix(text, "- ")
	i := 0
	for i < len(text) && (isLetter(text[i]) || strings.IndexByte("_-./0123456789", text[i]) >= 0) {
		i++
	}
	if i == 0 || i == len(text) {
		return false
	}
	switch {
	case text[i] == '=':
		return true
	case text[i] != ':' || !lower(text):
		return false
	}
	value := strings.TrimSpace(text[i+1:])
	return value == "" ||
		text[i+1] == ' ' && (strings.Contains(value, "#") || len(strings.Fields(value)) <= 2)
}
