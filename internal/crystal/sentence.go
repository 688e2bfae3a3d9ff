package crystal

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentence is one statement, cut into words.
type sentence struct {
	raw   []string // as written, without marks around it
	words []string // the same, lower case
	text  string
	row   bool // of a list
}

func (s sentence) from(i int) sentence { return sentence{s.raw[i:], s.words[i:], s.text, s.row} }

// at reports whether the words from i on are these.
func (s sentence) at(i int, phrase string) bool {
	for more := true; more; i++ {
		var word string
		if word, phrase, more = strings.Cut(phrase, " "); i < 0 || i >= len(s.words) || s.words[i] != word {
			return false
		}
	}
	return true
}

// find is the first place of one of the phrases, and how long it is.
func (s sentence) find(phrases ...string) (at, length int) {
	for i := range s.words {
		for _, p := range phrases {
			if s.at(i, p) {
				return i, 1 + strings.Count(p, " ")
			}
		}
	}
	return -1, 0
}

// readSentence reads a text that is one plain statement.
func readSentence(text string, most int) (sentence, bool) {
	text = strings.TrimSpace(text)
	said := text
	for _, mark := range []string{"- ", "* ", "• "} {
		text = strings.TrimPrefix(text, mark)
	}
	s := sentence{row: text != said || strings.HasPrefix(text, "**")}
	if heading(text) || !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r;?|") || strings.Contains(text, "```") || linked(text) {
		return sentence{}, false
	}
	text = strings.TrimRight(strings.TrimSpace(text), ".!")
	if end := strings.Index(text, ". "); end >= 0 {
		return sentence{}, false
	}
	for _, reason := range []string{" because ", ", because ", " so that ", ", so "} {
		if i := strings.Index(strings.ToLower(text), reason); i > 0 && i < len(text) {
			text = text[:i]
		}
	}
	if i := strings.LastIndex(text, " ("); i > 0 && strings.HasSuffix(text, ")") {
		text = text[:i]
	}
	for word := range strings.FieldsSeq(text) {
		// A comma before "not" joins; any other makes the sentence too rich to be read.
		if cut, ok := strings.CutSuffix(word, ","); ok {
			s.raw, s.words = append(s.raw, cut), append(s.words, strings.ToLower(strings.Trim(cut, "`\"'“”‘’*")), ",")
			s.raw = append(s.raw, ",")
			continue
		}
		s.raw, s.words = append(s.raw, word), append(s.words, strings.ToLower(strings.Trim(word, "`\"'“”‘’*")))
	}
	s = leadIn(s)
	if len(s.words) == 0 || len(s.words) > most {
		return s, false
	}
	for i, w := range s.words {
		if unclear.has(w) || w == "," && !s.at(i, ", not") || w == "" {
			return s, false
		}
	}
	s.text = strings.Join(s.raw, " ")
	return s, true
}

// heading reports whether a text stands over others: bold as a whole, with a colon at its end, or advice In Title Case.
func heading(text string) bool {
	if strings.HasSuffix(strings.TrimRight(text, "*"), ":") || len(text) > 4 && strings.HasPrefix(text, "**") && strings.HasSuffix(text, "**") {
		return true
	}
	words := strings.Fields(strings.TrimRight(text, ".!"))
	if len(words) < 3 || !slices.Contains([]string{"Use", "Prefer", "Choose", "Adopt", "Avoid"}, words[0]) {
		return false
	}
	const small = 4 // bytes: shorter words are seldom capital letters even in titles
	for _, w := range words {
		if first, _ := utf8.DecodeRuneInString(w); len(w) >= small && !unicode.IsUpper(first) {
			return false
		}
	}
	last := words[len(words)-1]
	return len(last) >= small && strings.ToUpper(last) != last
}

// leadIn cuts words that announce a statement.
func leadIn(s sentence) sentence {
	for {
		before := len(s.words)
		for _, phrase := range []string{
			"note:", "remember:", "decision:", "decided:", "fyi:", "fact:", "preference:", "important:", "rule:", "convention:",
			"note that", "remember that", "remember to", "please", "decided that", "we decided that", "it was decided that",
			"we have decided that", "we agreed that", "from now on ,", "from now on", "as of now", "as of today", "going forward ,",
			"going forward", "currently ,", "currently", "now", "we decided to", "we've decided to", "we have decided to", "we agreed to",
			"decided to", "i decided to", "let's", "lets", "always",
		} {
			if s.at(0, phrase) {
				s = s.from(len(strings.Fields(phrase)))
				break
			}
		}
		if len(s.words) == before {
			return s
		}
	}
}

// unclear words make a statement conditional, past, partial or a wish.
var unclear = set(`maybe might may perhaps probably should shouldn't could would if when whenever unless whether think guess
	seems seem appears apparently was were had been used also sometimes either or and both some another most usually often mostly
	todo fixme want wants wanted plan plans planning planned consider considering propose proposed suggest suggested try trying
	tried example e.g i.e temporarily until except only but can can't however although though while where why how who what than
	which whose hopefully soon later eventually likely supposed expected assume assuming suppose imagine wish hope ideally again
	still yet partly & / + vs versus sorry`)

// determiners are left out of a subject.
var determiners = set(`the a an our this that these those your`)

// vague words do not name a thing of their own.
var vague = set(`it this that these those them they he she him her us me you we i here there now everything anything
	something nothing all any each every one ones other others same such thing things stuff new old next previous first second
	third last wrong right only best worst good bad better real its their his many few more less much example instance`)

// joining words do not occur in a name.
var joining = set(`for as in on at by from to with of over under into onto via per instead rather not no never is are be has
	have does do did will than that which because since after before during without within through using between against about
	like , : =`)

// plain reports whether words are a short name without anything that joins or waves.
func plain(words []string, most int) bool {
	if len(words) == 0 || len(words) > most {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool { return vague.has(w) || joining.has(w) || w == "" })
}

func strip(words []string) []string {
	for len(words) > 1 && determiners.has(words[0]) {
		words = words[1:]
	}
	return words
}

func claim(subject []string, value []string) Claim {
	c := Claim{Subject: NormalSubject(strings.Join(subject, " ")), Value: strings.Join(strip(value), " ")}
	if c.Subject == "" || c.Value == "" {
		return Claim{}
	}
	return c
}

// role is the name of something that has one value: the words of "Y" in "Y is X", "X for Y", in the order "uploads timeout"
// whether it was said so or as "the timeout for uploads". nil if it is not sure to be one.
func role(words []string) []string {
	for i, w := range words {
		if i > 0 && (w == "of" || w == "for" || w == "in") {
			head, rest := strip(words[:i]), strip(words[i+1:])
			if !plain(head, 4) || !plain(rest, 4) {
				return nil
			}
			return append(slices.Clone(rest), head...)
		}
	}
	mine := len(words) > 0 && (words[0] == "my" || strings.HasPrefix(strings.Join(words, " "), "the user's") || words[0] == "user's")
	if mine {
		for len(words) > 0 && (words[0] == "my" || words[0] == "the" || words[0] == "user's") {
			words = words[1:]
		}
		if !plain(words, 4) {
			return nil
		}
		return append([]string{"my"}, words...)
	}
	words = strip(words)
	if len(words) > 1 && (words[0] == "project's" || words[0] == "repo's" || words[0] == "team's" || words[0] == "current") {
		words = words[1:]
	}
	if !plain(words, 5) {
		return nil
	}
	return words
}

// Nouns that name one value: of a project as a whole, or only together with what they are of.
var (
	lone = set(`database db license licence timezone orm linter formatter bundler indentation editor ide shell broker ci cdn
	birthday`)
	part = set(`branch manager zone port version name url host hostname address email timeout limit threshold path directory
	folder language framework owner lead deadline style format encoding locale theme runtime provider registry schema interval
	size length width rate retention budget endpoint region bucket topic queue model prefix suffix tool system runner store
	engine strategy policy level domain cluster namespace channel date color colour font protocol algorithm count delay ttl
	pronouns username`)
)

// attributeOf is a role that certainly has one value at a time.
func attributeOf(words []string) []string {
	name := role(words)
	if name == nil || slices.ContainsFunc(name, func(w string) bool { return strings.HasSuffix(w, "ly") }) {
		return nil
	}
	// "the timeout for uploads" has been turned round: the head is last either way.
	if head := name[len(name)-1]; lone.has(head) || part.has(head) && len(name) > 1 {
		return name
	}
	return nil
}

// linked reports whether a text has an address in it, but at its end, where it may be a value.
func linked(text string) bool {
	at := strings.Index(text, "://")
	return at >= 0 && (strings.ContainsFunc(text[at:], unicode.IsSpace) || !strings.ContainsFunc(text[:at], unicode.IsSpace))
}

// attribute reads "the default branch is main".
func attribute(s sentence) Claim {
	i, n := s.find("is now set to", "is set to", "is called", "is named", "is now", "defaults to", "is always", "is")
	if i < 1 {
		return Claim{}
	}
	if name := attributeOf(s.words[:i]); name != nil && valueLike(s.from(i+n)) {
		return claim(name, s.words[i+n:])
	}
	return measured(s.words[:i], s.from(i+n), true)
}

// named reads "main is the default branch".
func named(s sentence) Claim {
	i, n := s.find("is now", "is")
	if i < 1 || i > 3 || i+n >= len(s.words) {
		return Claim{}
	}
	rest := s.words[i+n:]
	if rest[0] != "the" && rest[0] != "our" && rest[0] != "my" {
		return Claim{}
	}
	if determiners.has(s.words[0]) || s.words[0] == "my" || !plain(s.words[:i], 3) {
		return Claim{}
	}
	name := attributeOf(rest)
	if name == nil || !valueLike(sentence{raw: s.raw[:i], words: s.words[:i]}) {
		return Claim{}
	}
	return claim(name, s.words[:i])
}

// changed reads "we renamed the default branch from master to main".
func changed(s sentence) Claim {
	s = s.from(who(s))
	if i, _ := s.find("renamed", "changed", "switched", "migrated", "moved", "bumped", "raised", "lowered"); i != 0 {
		return Claim{}
	}
	from, _ := s.find("from")
	to, _ := s.find("to")
	if from < 2 || to < from+2 || !valueLike(s.from(to+1)) || !plain(s.words[from+1:to], 4) {
		return Claim{}
	}
	name := attributeOf(s.words[1:from])
	if name == nil {
		return Claim{}
	}
	return claim(name, s.words[to+1:])
}

// who is the length of "we", "the team now", and the like at the start.
func who(s sentence) int {
	n := 0
	for _, p := range []string{
		"we're", "we are", "we'll", "we will", "we've", "we have", "we", "i'll", "i'm", "i", "the team", "the project", "this project",
		"this repo", "this repository", "this codebase", "the codebase", "the repo", "the user", "user", "our team",
	} {
		if s.at(0, p) {
			n = len(strings.Fields(p))
			break
		}
	}
	for n < len(s.words) && (s.words[n] == "now" || s.words[n] == "currently" || s.words[n] == "always" || s.words[n] == "will") {
		n++
	}
	return n
}

// choosing are the verbs after which comes what was chosen.
var choosing = []string{
	"use", "uses", "using", "chose", "choose", "picked", "adopted", "adopt", "went with", "go with", "going with", "decided on", "settled on",
	"switched to", "moved to", "migrated to", "switch to", "standardized on", "standardised on", "prefer", "prefers",
}

// usage reads "we use X for Y", "use X as the Y", "decided on X instead of Z for Y", "we no longer use X for Y".
func usage(s sentence) Claim {
	s = s.from(who(s))
	denied := false
	for _, p := range []string{"no longer", "do not", "don't", "never", "stopped", "stop"} {
		if s.at(0, p) {
			s, denied = s.from(len(strings.Fields(p))), true
			break
		}
	}
	verb := 0
	for _, p := range choosing {
		if s.at(0, p) {
			verb = len(strings.Fields(p))
			break
		}
	}
	if verb == 0 {
		return Claim{}
	}
	s = s.from(verb)
	at, _ := s.find("for", "as")
	if at < 1 || at+1 >= len(s.words) {
		return Claim{}
	}
	chosen, what := s.words[:at], s.words[at+1:]
	if c := numbered(chosen, what); c.Subject != "" && s.words[at] == "for" {
		c.Denied = denied
		return c
	}
	for i, w := range chosen { // X instead of Z
		if w == "instead" || w == "over" || w == "rather" || w == "," {
			rest := slices.DeleteFunc(slices.Clone(chosen[i:]), func(w string) bool {
				return w == "instead" || w == "of" || w == "over" || w == "rather" || w == "," || w == "not"
			})
			if !plain(rest, 3) {
				return Claim{}
			}
			chosen = chosen[:i]
			break
		}
	}
	if !plain(strip(chosen), 4) {
		return Claim{}
	}
	var name []string
	if s.words[at] == "as" {
		name = attributeOf(what)
	} else if name = role(what); name != nil && !purpose(name) {
		name = nil
	}
	if name == nil {
		return Claim{}
	}
	c := claim(name, chosen)
	c.Denied = denied
	return c
}

// broad purposes are served by several things at once; reasons are no purposes.
var broad = set(`backend frontend server client testing test tests development dev production prod project app application
	work code coding implementation service services speed performance reason reasons simplicity clarity safety convenience sake
	fun free years months days weeks hours long feature features module modules component components file files case cases data
	user users task tasks job jobs team teams people customer customers future past moment default repo repository company
	business website site api apis debugging help support improvement improvements comparison reference details info information
	docs documentation scripts script tooling infrastructure platform system systems library libraries package packages page
	pages function functions method methods class classes`)

var reasons = set(`reason reasons sake years months days weeks hours moment`)

// purpose reports whether a role of "X for Y" can be filled by one X only, as far as words tell.
func purpose(name []string) bool {
	head := name[len(name)-1]
	if len(name) == 1 && broad.has(head) || reasons.has(head) {
		return false
	}
	for _, ending := range []string{"ity", "ness", "ance", "ence"} {
		if strings.HasSuffix(head, ending) {
			return false
		}
	}
	return !number(head) && !slices.ContainsFunc(name, func(w string) bool { return strings.HasSuffix(w, "ly") })
}

// pair reads "prefer tabs over spaces", "use tabs, not spaces", "tabs instead of spaces".
func pair(s sentence) Claim {
	start := who(s)
	s = s.from(start)
	verb := s.at(0, "prefer") || s.at(0, "prefers") || s.at(0, "use") || s.at(0, "uses")
	if verb {
		s = s.from(1)
	} else if start > 0 {
		return Claim{}
	}
	at, n := s.find("instead of", "rather than", "over", ", not", "to")
	if at < 1 || s.words[at] == "to" && !(verb && len(s.words) == at+2) {
		return Claim{}
	}
	chosen, rest := strip(s.words[:at]), s.words[at+n:]
	var scope []string
	if i, _ := (sentence{words: rest, raw: rest}).find("in"); i > 0 {
		rest, scope = rest[:i], strip(rest[i+1:])
		if !plain(scope, 3) {
			return Claim{}
		}
	}
	rest = strip(rest)
	if !plain(chosen, 3) || !plain(rest, 3) || !verb && len(chosen)+len(rest) > 2 {
		return Claim{}
	}
	sides := []string{NormalSubject(strings.Join(chosen, " ")), NormalSubject(strings.Join(rest, " "))}
	value := sides[0]
	slices.Sort(sides)
	if sides[0] == sides[1] || sides[0] == "" {
		return Claim{}
	}
	c := Claim{Subject: sides[0] + " or " + sides[1], Value: value}
	if len(scope) > 0 {
		c.Subject += " in " + NormalSubject(strings.Join(scope, " "))
	}
	return c
}

// advice reads "use X" and "never use X": of one thing, yes or no.
func advice(s sentence) Claim {
	s = s.from(who(s))
	denied := false
	for _, p := range []string{
		"do not use", "don't use", "never use", "no longer use", "avoid using", "avoid", "stop using", "use", "uses",
	} {
		if s.at(0, p) {
			s, denied = s.from(len(strings.Fields(p))), p != "use" && p != "uses"
			words := strip(s.words)
			if !plain(words, 3) {
				return Claim{}
			}
			c := claim(append([]string{"use"}, words...), []string{"yes"})
			c.Denied = denied
			return c
		}
	}
	return Claim{}
}

// states are words that describe rather than name.
var states = set(`broken taken set known unknown gone done down up here there hidden stale stuck wrong right correct
	incorrect bad good fine ok okay free full empty missing slow fast hard easy simple complex big small large high low long
	short old new open shut safe unsafe dead alive ready late early same different unique random null nil none dirty clean
	private public internal external faster slower bigger smaller higher lower longer shorter better worse too very so more less
	not important enough nice great cool weird odd strange unclear clear obvious close far near deep flat wide narrow thin thick
	hot cold warm lost found built made kept meant sent read shown written chosen given bound hard-coded undefined`)

// valueLike reports whether words name a value: a number, a name, something in code, one plain noun. "too long" is none.
func valueLike(s sentence) bool {
	if !plain(s.words, 4) || states.has(s.words[0]) {
		return false
	}
	for i, w := range s.words {
		if states.has(w) || strings.HasSuffix(w, "ly") {
			return false
		}
		raw := strings.Trim(s.raw[i], ",")
		first, _ := utf8.DecodeRuneInString(strings.Trim(raw, "*\"'“”‘’"))
		if figure(strings.Trim(raw, "`\"'")) || unicode.IsUpper(first) || strings.ContainsAny(raw, "`\"") || numerals.has(w) {
			return i == 0 || !determiners.has(s.words[0])
		}
	}
	if len(s.words) > 1 || determiners.has(s.words[0]) {
		return false
	}
	for _, ending := range []string{"able", "ible", "ed", "ing", "ful", "less", "ous", "ive", "al", "ent", "ant", "ic", "ary", "ish"} {
		if strings.HasSuffix(s.words[0], ending) {
			return false
		}
	}
	return true
}

var numerals = set(`zero one two three four five six seven eight nine ten twelve twenty thirty forty fifty sixty hundred
	thousand`)

// number reports whether a word begins with a digit.
func number(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }
