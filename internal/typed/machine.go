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

// machineOutput marks logs, traces, terminal sessions, code and configuration, a paragraph at a time. What stands between two
// such lines is theirs; what follows the last one in its paragraph may be.
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
		case strings.HasPrefix(s.lines[from].text, "#!"), codes >= 2 && codes*2 >= n, configs >= 3 && configs*4 >= n*3 || configs >= 2 && configs == n && s.nested(from, to):
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
			case printed, labelled(text), isWriter(s.lines[from+last].text): // what was written then stands below
				s.markLine(from+i, Foreign)
			case !addressed(text):
				s.markLine(from+i, Doubtful)
			}
		}
	})
	for i := range s.lines {
		if text := s.lines[i].text; s.open(i) && (strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") || strings.HasPrefix(text, "#!/")) {
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
			ruled = ruled || strings.HasPrefix(text, "|") && strings.Trim(text, "|-: \t") == "" && strings.Contains(text, "--")
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

// isPromptLine reports whether a line is the prompt of a shell or an interpreter with what was typed there.
func isPromptLine(text string) bool {
	for _, sign := range [...]string{"$ ", ">>> ", "❯ ", "➜ ", "PS C:\\", "C:\\>", "C:\\Users\\"} {
		if strings.HasPrefix(text, sign) {
			return true
		}
	}
	if len(text) > 3 && isLetter(text[0]) && text[1:3] == ":\\" && strings.Contains(text, "> ") { // C:\repo> dir
		return true
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
	for _, mark := range [...]string{
		"[INFO]", "[DEBUG]", "[WARN]", "[WARNING]", "[ERROR]", "[FATAL]", "[TRACE]", "[info]", "[debug]", "[warn]", "[error]", "INFO ", "INFO:", "DEBUG ", "DEBUG:", "WARN ", "WARN:", "ERROR ", "ERROR:", "FATAL",
		"TRACE ", "error:", "error TS", "error[", "fatal:", "warning:", "npm ERR!", "npm error", "npm WARN", "npm warn", "remote:", "level=", "ts=", "time=\"", "E/", "W/", "##[",
	} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// afterTime is what follows the time of day with which a line begins, perhaps after a date.
func afterTime(text string) (rest string, ok bool) {
	for i := 0; i < min(len(text), timeBytes); i++ {
		c := text[i]
		switch {
		case c == ':' && i > 0 && isDigit(text[i-1]) && i+2 < len(text) && isDigit(text[i+1]) && isDigit(text[i+2]):
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
	case strings.HasPrefix(text, "Traceback (most recent call last)"), strings.HasPrefix(text, "Caused by:"), strings.HasPrefix(text, "goroutine "), strings.HasPrefix(text, "panic: "),
		strings.HasPrefix(text, "File \"") && strings.Contains(text, ", line "), strings.HasPrefix(text, "Exception in thread"), strings.HasPrefix(text, "Uncaught "), strings.HasPrefix(text, "thread '") && strings.Contains(text, "panicked at"):
		return true
	case strings.HasPrefix(text, "--- FAIL"), strings.HasPrefix(text, "--- PASS"), strings.HasPrefix(text, "FAIL"), strings.HasPrefix(text, "ok  \t"), isPosition(text):
		return true
	case strings.HasPrefix(text, "at ") && indent > 0, strings.HasPrefix(text, "--> "), strings.HasPrefix(text, "^"):
		return true
	}
	name, _, found := strings.Cut(text, ": ")
	return found && !strings.Contains(name, " ") && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// isPosition reports whether a line begins with a place in a file: "a.go:3:1: …".
func isPosition(text string) bool {
	word, _, found := strings.Cut(text, " ")
	file, place, ok := strings.Cut(word, ":")
	return found && ok && strings.Contains(file, ".") && place != "" && isDigit(place[0]) && strings.HasSuffix(word, ":")
}

// labelled reports whether a line begins with a word and a colon.
func labelled(text string) bool {
	label, _, found := strings.Cut(text, ": ")
	return found && len(label) <= 16 && !strings.Contains(label, " ") && !lower(label)
}

// isCode reports whether a line is one of a program: by its last character, or by a keyword and the signs that go with it.
func isCode(text string) bool {
	if isItem(text) || wordy(text) {
		return false
	}
	switch text[len(text)-1] {
	case '{', '}', ';':
		return true
	case ',', '(', '[', ')', ']':
		if strings.IndexByte("\"'{[}]", text[0]) >= 0 || strings.Contains(text, " = ") || strings.Contains(text, "\":") {
			return true
		}
	}
	for _, mark := range [...]string{"//", "/*", "*/", "#include", "#!/", "@@", "<?", "} ", "-- ", "echo ", "export ", "set -", "if [", "elif ["} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	if strings.Contains(text, " = ") && !strings.HasSuffix(text, ".") || strings.Contains(text, " := ") || strings.Contains(text, " => ") {
		return true
	}
	switch word, rest, _ := strings.Cut(text, " "); word {
	case "def", "class", "func", "fn", "function", "if", "for", "while", "elif", "public", "private", "static", "async", "impl", "struct", "type":
		return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "{") || strings.Contains(rest, "(") && strings.HasSuffix(text, ")")
	case "import", "from", "package", "use", "using", "return", "const", "let", "var", "else:", "try:", "continue", "break", "pass", "except":
		return len(strings.Fields(rest)) <= 2 && !ended(rest) && strings.ContainsAny(rest, "/\"'_(.") || rest == "" || word == "from" && strings.Contains(rest, " import ")
	case "SELECT", "INSERT", "UPDATE", "CREATE", "ALTER", "FROM", "WHERE", "JOIN", "RUN", "COPY", "CMD", "ENV", "WORKDIR", "ENTRYPOINT", "EXPOSE", "fi", "done", "esac":
		return true
	}
	return false
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
	if text[0] == '#' && !strings.HasPrefix(text, "##") || text[0] == '[' && text[len(text)-1] == ']' && !strings.Contains(text, " ") {
		return true
	}
	text = strings.TrimPrefix(text, "- ")
	i := 0
	for i < len(text) && (isLetter(text[i]) || isDigit(text[i]) || strings.IndexByte("_-./", text[i]) >= 0) {
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
	return value == "" || text[i+1] == ' ' && (strings.Contains(value, "#") || len(strings.Fields(value)) <= 2)
}
