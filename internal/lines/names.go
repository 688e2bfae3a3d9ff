package lines

import (
	"net/netip"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/shell"
)

// Evidence is what may bear out the names in a line.
type Evidence struct {
	Typed   []string // what the person typed
	Ran     []string // commands that ran in the project and did not fail
	Touched []string // files of the project that were edited or read without failing
	// Outside are texts of others that the session saw: pages, issues, answers of servers, files that are not tracked. A name that
	// stands there counts only if the person typed it or a tracked file had it before the session.
	Outside []string
	// Printed is what commands printed. An address, a package or a place of the machine that stands there counts as one of Outside does.
	Printed []string
	// Pasted are the parts of this session's prompts that the person did not type.
	Pasted []string
	// Said is what the person typed in this session.
	Said []string
	// Late is what was done after the session had read a text of others. It bears out no address, package or place of the machine.
	Late Late
	// Tracked reports whether a name stood in a tracked file before the session, or is one. Nil: there is none.
	Tracked func(name string) bool
}

// Late is work after a text of others.
type Late struct {
	Tainted bool // there was one
	Ran     []string
	Touched []string
}

// Unproven are the names in a line that nothing bears out: commands, addresses, packages and paths without evidence, and whatever
// else reads like a name and was seen in texts of others alone.
func Unproven(text string, e Evidence) (names []string) {
	strange := e.strange()
	for _, n := range namesIn(text) {
		n.needs, n.far = n.needs || strange[n.text], n.far || strange[n.text]
		if !e.bears(n) {
			names = append(names, n.text)
		}
	}
	for _, w := range strings.Fields(text) {
		w = strings.TrimRight(strings.Trim(w, around+"`"), ".")
		if strange[w] && !slices.Contains(names, w) && !e.bears(name{text: w, needs: true, far: true}) {
			names = append(names, w)
		}
	}
	return names
}

// strange are the packages, and the names of hosts that read like one, in texts of others and in what was printed and run after them.
func (e Evidence) strange() map[string]bool {
	set := map[string]bool{}
	for _, t := range slices.Concat(e.Outside, e.Printed, e.Late.Ran) {
		for _, n := range farIn(t) {
			host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(n.text, "https://"), "http://"), "/")
			for _, label := range strings.Split(host, ".") {
				if strings.Contains(label, "-") && isHost(host) {
					set[label] = true
				}
			}
			if !shaped(n.text) && len(n.text) > 3 {
				set[n.text] = true
			}
		}
	}
	return set
}

// name is a part of a line that names something.
type name struct {
	text  string
	needs bool // evidence: a command, an address, a package or a path
	runs  bool // it is a command
	far   bool // it lies outside the project: an address, a package, a place of the machine
}

func (e Evidence) bears(n name) bool {
	if within(e.Typed, n.text) {
		return true
	}
	if within(e.Outside, n.text) || n.far && within(e.Printed, n.text) {
		return e.tracked(n.text)
	}
	if n.runs && (slices.ContainsFunc(farIn(n.text), func(f name) bool { return !e.bears(f) }) || slices.ContainsFunc(strings.Fields(n.text), e.handed)) {
		return false
	}
	if !n.needs || within(e.Ran, n.text) || within(e.Touched, n.text) || e.tracked(n.text) {
		return true
	}
	if n.far {
		return false
	}
	return within(e.Late.Ran, n.text) || within(e.Late.Touched, n.text) || n.runs && e.ran(n.text)
}

// handed reports whether a word of a command that reads like a name was handed over by a text of others.
func (e Evidence) handed(word string) bool {
	word = strings.TrimRight(strings.Trim(word, around), ".")
	return odd(word) && within(e.Outside, word) && !within(e.Typed, word) && !e.tracked(word)
}

func (e Evidence) tracked(text string) bool { return e.Tracked != nil && e.Tracked(text) }

// ran reports whether a command differs from those that ran only by names that are borne out themselves: the same program did the
// same, and each flag was given to it. One that only reads needs nothing more.
func (e Evidence) ran(command string) bool {
	for _, wanted := range shell.Runs(command, "") {
		if wanted.Reads() {
			continue
		}
		var same []string
		for _, line := range e.Ran {
			for _, r := range shell.Runs(line, "") {
				if r.Program == wanted.Program && r.Sub() == wanted.Sub() {
					same = append(same, line)
				}
			}
		}
		if len(same) == 0 {
			return false
		}
		for _, w := range wanted.Args {
			if strings.HasPrefix(w, "-") && !within(same, w) || shaped(w) && !e.bears(name{text: w, needs: true, far: isFar(w)}) {
				return false
			}
		}
	}
	return true
}

func within(texts []string, name string) bool {
	return slices.ContainsFunc(texts, func(t string) bool { return contains(t, name) })
}

// contains reports whether a text has a name with no part of another word around it. White space counts as one blank.
func contains(text, name string) bool {
	name = strings.Join(strings.Fields(name), " ")
	if strings.Contains(name, " ") {
		text = strings.Join(strings.Fields(text), " ")
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		before, after := text[:at], text[at+len(name):]
		if (before == "" || !isWord(before[len(before)-1]) || !isWord(name[0])) && (after == "" || !isWord(after[0])) {
			return true
		}
		from = at + 1
	}
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c >= 0x80 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

const around = "\"'“”‘’()[]{}<>,;:!?…"

// namesIn are the names in a line: what stands between backticks, what has the shape of one, and what is installed.
func namesIn(text string) (names []name) {
	add := func(n name) {
		n.text = strings.TrimRight(strings.Trim(n.text, around), "./")
		same := func(o name) bool { return o.text == n.text }
		if strings.IndexFunc(n.text, unicode.IsLetter) >= 0 && !slices.ContainsFunc(names, same) {
			names = append(names, n)
		}
	}
	words := func(list []string, marked bool) {
		for i, w := range list {
			bare := strings.TrimRight(strings.Trim(w, around), ".")
			if at := strings.LastIndexByte(bare, ':'); at > 0 && isFile(bare[:at]) {
				bare = bare[:at] // without the line
			}
			if _, value, set := strings.Cut(bare, "="); set && isFar(value) && !strings.Contains(bare[:len(bare)-len(value)], "/") {
				bare = value // what a setting or a flag is set to
			}
			switch {
			case i+1 < len(list) && isProgram(w) && strings.HasPrefix(list[i+1], "-"):
				end := i + 1
				for end < len(list) && strings.HasPrefix(list[end], "-") {
					end++
				}
				add(name{text: strings.Join(list[i:min(end+1, len(list))], " "), needs: true, runs: true})
			case !marked && i+1 < len(list) && isCalled(w, list[i+1]):
				add(name{text: w + " " + list[i+1], needs: true, runs: true})
			case !marked && strings.HasPrefix(bare, "--") && len(bare) > 3:
				add(name{text: bare, needs: true})
			case i > 0 && marked && installs(list[i-1]) && list[i-1] != "i" && !strings.HasPrefix(bare, "-"):
				add(name{text: bare, needs: true, far: true})
			case isPackage(list, i) != "":
				add(name{text: isPackage(list, i), needs: true, far: true})
			case shaped(bare):
				add(name{text: bare, needs: true, far: isFar(bare)})
			case marked || odd(bare):
				add(name{text: bare})
			}
		}
	}
	for i, part := range strings.Split(text, "`") {
		list := strings.Fields(part)
		switch {
		case i%2 == 0:
			words(list, false)
		case len(list) > 1 && (isProgram(path.Base(list[0])) || isCommand(part)):
			add(name{text: strings.Join(list, " "), needs: true, runs: true})
		default:
			words(list, true)
		}
	}
	return names
}

// farIn are the names in a command that lie outside the project.
func farIn(command string) (list []name) {
	words := strings.Fields(command)
	for i, w := range words {
		w = strings.TrimRight(strings.Trim(w, around), ".")
		if _, value, set := strings.Cut(w, "="); set && isFar(value) && !strings.Contains(w[:len(w)-len(value)], "/") {
			w = value
		}
		if isFar(w) {
			list = append(list, name{text: w, needs: true, far: true})
		}
		if p := isPackage(words, i); p != "" {
			list = append(list, name{text: p, needs: true, far: true})
		}
	}
	return list
}

// isPackage is the package without its version that a word of a command names, empty for none. Flags may stand before it.
func isPackage(words []string, i int) string {
	verb := i - 1
	for verb > 0 && strings.HasPrefix(words[verb], "-") {
		verb--
	}
	w := strings.TrimRight(strings.Trim(words[i], around), ".")
	if verb < 0 || strings.HasPrefix(w, "-") || strings.HasPrefix(w, ".") || strings.HasPrefix(w, "/") || !installs(words[verb]) || !installing(words[:verb+1]) {
		return ""
	}
	if at := strings.IndexAny(w[min(1, len(w)):], "@=<>~^["); at >= 0 {
		w = w[:at+1]
	}
	return w
}

// isFar reports whether a word is an address or a place of the machine.
func isFar(word string) bool {
	inside := isFile(path.Base(word)) && !strings.Contains(word, "://") && !strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "~/")
	return shaped(word) && !inside
}

// installs are verbs of package managers: what follows is a package, however plain its name is.
func installs(word string) bool {
	return slices.Contains([]string{"install", "i", "add", "get", "npx", "pipx", "uvx", "bunx", "dlx", "require"}, word)
}

// installing reports whether a package manager is called.
func installing(list []string) bool {
	last := list[len(list)-1]
	return strings.HasSuffix(last, "x") || len(list) > 1 && slices.Contains(managers, list[len(list)-2])
}

var managers = strings.Fields("apt apt-get brew bun cargo composer deno dotnet gem go npm pip pip3 pipx pnpm poetry uv yarn")

// isProgram reports whether a word is a program that people name in prose.
func isProgram(word string) bool { return slices.Contains(programs, word) }

var programs = strings.Fields("ansible apt aws az bash bun bunx cargo chmod chown composer cp curl dart dd deno docker dotnet flutter gcloud gem gh git go gradle helm java kubectl make mix mv mvn mysql node npm npx php pip pip3 pipx pnpm poetry psql python python3 rm rsync ruby rustup scp sed sh ssh sudo swift systemctl tar terraform uv uvx wget yarn")

// isCommand reports whether a text between backticks reads like a command, whatever its program is: code has other signs.
func isCommand(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-", r)
	}
	return len(first) > 1 && first[0] >= 'a' && first[0] <= 'z' && strings.TrimFunc(first, plain) == "" && !strings.ContainsAny(text, "(){};")
}

// isCalled reports whether a word of prose and the next one are a command: a program with what people tell it to do, or with a target that no
// word of prose looks like.
func isCalled(word, next string) bool {
	next = strings.TrimRight(strings.Trim(next, around), ".")
	if installs(next) && slices.Contains(managers, word) {
		return false // the package counts
	}
	return isProgram(word) && (slices.Contains(doings, next) || next == strings.ToLower(next) && odd(next) && !strings.HasPrefix(next, "-"))
}

var doings = strings.Fields("add apply build clean compose deploy destroy drop exec install login migrate publish pull push rebase reload remove reset restart rollback rollout run ssh start stop test uninstall up upgrade")

// shaped reports whether a word has the form of an address, a host, a file or a path of the machine.
func shaped(word string) bool {
	switch {
	case len(word) < 3:
		return false
	case strings.Contains(word, "://"), strings.HasPrefix(word, "~/"), strings.Contains(word[1:], "@"):
		return true
	case strings.HasPrefix(word, "/"):
		root, _, _ := strings.Cut(word[1:], "/")
		return slices.Contains(roots, root) // anything else is a route of a server
	case strings.Contains(word, "/") && isFile(path.Base(word)):
		return true
	}
	host, _, _ := strings.Cut(word, "/")
	host, _, _ = strings.Cut(host, ":")
	return isFile(word) || isHost(host)
}

var roots = []string{"bin", "dev", "etc", "home", "mnt", "opt", "private", "proc", "root", "srv", "sys", "tmp", "usr", "Users", "var", "Volumes"}

// isFile reports whether a word is the name of a file with an ending that files have.
func isFile(word string) bool {
	at := strings.LastIndexByte(word, '.')
	return at > 0 && at < len(word)-1 && slices.Contains(endings, word[at+1:])
}

var endings = strings.Fields("bat bash c cc cfg cjs conf cpp cs css csv dart db env erl ex exs go gradle h hs html ini ipynb java js json jsonc jsonl jsx kt lock lua md mdx mjs ml mod php pl plist properties proto ps1 py r rb rs scala scss sh sql sqlite sum svelte svg swift tf toml ts tsx txt vue xml yaml yml zig zip zsh")

// isHost reports whether a word is an address of the network or has a top-level domain that hosts of strangers have.
func isHost(word string) bool {
	if _, err := netip.ParseAddr(word); err == nil {
		return word != "127.0.0.1" && word != "0.0.0.0"
	}
	at := strings.LastIndexByte(word, '.')
	return at > 0 && word == strings.ToLower(word) && !strings.Contains(word, "_") && slices.Contains(domains, word[at+1:])
}

var domains = strings.Fields("ai app biz cc ch cloud cn co com de dev edu eu example fr gov info invalid io ir it jp local me mil net nl org page pl ru se sh site test top tv uk us xyz")

// odd reports whether a word reads like a name: prose has no such signs in it.
func odd(word string) bool {
	return len(word) > 3 && strings.ContainsAny(word[1:len(word)-1], "/._-=@:\\")
}
