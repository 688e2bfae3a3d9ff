// Package mood recognises in the words of people and agents what moves the mood: praise, thanks, complaints, haste. The mood
// itself is in package workmem. It is text in, events out: no file, no clock.
package mood

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// endLength is how many characters at each end of a long text are examined; what is between is mostly pasted.
const endLength = 600

// Recognise finds what moves the mood in a prompt of a person or in the closing words of an agent: at most one event of each
// family, in the order of the families. It would rather miss a feeling than find one that is not there: code, quotes and lists
// say nothing, nor do wishes, conditions and questions.
//
// Only a person's words count in full. Agents praise, thank and apologise by habit, so of theirs only that they succeeded or
// are stuck counts, and success that nobody checked is progress, no achievement. What tools, files and pages say moves
// nothing: else any text could.
func Recognise(text string, from memory.Origin) []workmem.MoodEvent {
	if from != memory.OriginUser && from != memory.OriginAgent {
		return nil
	}
	clauses := clausesOf(text, endLength)
	var events []workmem.MoodEvent
	for _, family := range families() {
		if from == memory.OriginAgent && family.ofAgent == "" {
			continue
		}
		event, found := family.find(clauses)
		if !found {
			continue
		}
		if from == memory.OriginAgent {
			event = family.ofAgent
		}
		events = append(events, event)
	}
	return events
}

// family is a kind of saying. Patterns are tried in order; the first that fits gives the event.
type family struct {
	patterns []pattern
	unless   []pattern         // a clause that fits one of these says nothing
	stated   bool              // only what is stated as a fact counts: no wish, no condition, no denial before it
	askable  bool              // counts in a question, too
	ofAgent  workmem.MoodEvent // what it is when an agent says it; empty: nothing
}

func (f family) find(clauses []clause) (workmem.MoodEvent, bool) {
	for _, clause := range clauses {
		if clause.asked && !f.askable || f.stated && clause.wished {
			continue
		}
		if slices.ContainsFunc(f.unless, func(p pattern) bool { return p.fits(clause.words) }) {
			continue
		}
		for _, p := range f.patterns {
			if p.fits(clause.words) {
				return p.event, true
			}
		}
	}
	return "", false
}

// pattern is a sequence of words with holes:
//
//	^        the clause begins here, fillers aside
//	$        it ends here, a word of thanks or a name aside
//	a|b      one of these words
//	?a|b     may be missing
//	..       up to three words
type pattern struct {
	event workmem.MoodEvent
	terms []term
}

type term struct {
	words                []string
	begin, end, gap, may bool
}

const gap = 3 // words; more would join what does not belong together

func patterns(event workmem.MoodEvent, lines ...string) []pattern {
	var patterns []pattern
	for _, line := range lines {
		p := pattern{event: event}
		for _, word := range strings.Fields(line) {
			switch word {
			case "^":
				p.terms = append(p.terms, term{begin: true})
			case "$":
				p.terms = append(p.terms, term{end: true})
			case "..":
				p.terms = append(p.terms, term{gap: true})
			default:
				bare, may := strings.CutPrefix(word, "?")
				p.terms = append(p.terms, term{words: strings.Split(bare, "|"), may: may})
			}
		}
		patterns = append(patterns, p)
	}
	return patterns
}

func (p pattern) fits(words []string) bool {
	for start := range words {
		if fits(p.terms, words, start) {
			return true
		}
	}
	return false
}

func fits(terms []term, words []string, at int) bool {
	if len(terms) == 0 {
		return true
	}
	term, rest := terms[0], terms[1:]
	switch {
	case term.begin:
		return all(words[:at], openers) && fits(rest, words, at)
	case term.end:
		return all(words[at:], closers) && fits(rest, words, at)
	case term.gap:
		for skip := 0; skip <= gap && at+skip <= len(words); skip++ {
			if fits(rest, words, at+skip) {
				return true
			}
		}
		return false
	}
	if at < len(words) && slices.Contains(term.words, words[at]) && fits(rest, words, at+1) {
		return true
	}
	return term.may && fits(rest, words, at)
}

func all(words []string, of string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(of, " "+w+" ") })
}

const (
	// openers may stand before what is said.
	openers = " ok okay oh ah aha wow yes yep yeah yup hey hi hello well so and but haha lol omg hm hmm ugh argh damn man dude" +
		" honestly seriously claude codex great cool nice "
	// closers may stand behind it.
	closers = " thanks thank thx you man dude mate buddy claude codex haha lol btw indeed already today so far team everyone folks "
	// wishes make of a fact something that is wanted, doubted, denied or only told of.
	wishes = " if unless until till when whenever whether once after before while make makes making ensure ensures should would could" +
		" must may might can will shall want wants wanted need needs needed verify check confirm expect expects expected assert asserts" +
		" not never no isnt arent wasnt doesnt dont didnt cant wont without nothing hardly barely almost nearly only except although" +
		" locally fail fails failing failed say says said saying print prints show shows write writes add adds return returns claim" +
		" claims pretend assume assuming suppose hope hopefully let lets whose which where how why what who test" +
		" tell told ask asks asked mean means mark rename implement sometimes partly half "
)

// families are the kinds of sayings that are known.
var families = sync.OnceValue(func() []family {
	const (
		very    = "?just|so|really|absolutely|simply|very|truly|all"
		subject = "?thats|that|this|its|it|everything|all|you ?is|was|are|looks|looking|works|worked|turned " + very
		fine    = "perfect|excellent|awesome|amazing|brilliant|fantastic|wonderful|superb|bravo|beautiful|impressive|flawless|outstanding|terrific"
		good    = "great|good|nice|excellent|amazing|awesome|fantastic|brilliant|superb|lovely|impressive|outstanding|beautiful|solid"
		it      = "it|this|that"
		broken  = "broken|failing|fails|wrong|crashing|crashes|incorrect|buggy|red|slow|flaky"
		bad     = "wrong|broken|incorrect|garbage|nonsense|terrible|awful"
		cant    = "doesnt|dont|didnt|isnt|not|wont|cant"
		blunder = "broke|broken|ignored|forgot|forgotten|misunderstood|destroyed|ruined"
		trouble = "error|mistake|problem|bug|issue|failure"
	)
	return []family{
		{ // praise
			patterns: patterns(workmem.MoodReward,
				"^ "+subject+" "+fine+" $",
				"^ "+fine+" ?work|job|stuff|catch|find thanks|thank|thx",
				"^ "+subject+" ?a|an ?really|very|truly "+good+" work|job|stuff|catch|find|thinking|solution $",
				"^ "+good+" work|job|catch|find on|with",
				"^ well done",
				"^ ?you|we nailed it $",
				"^ ?i ?really|just|absolutely love it|this|that $",
				"^ ?i ?really|just|absolutely love how|what you",
				"exactly what i wanted|needed|meant|asked|had|was $",
				"exactly what i ?was|had|asked for|looking|hoping|mind ?for $",
				"^ "+subject+" works|worked ?now like a charm $",
				"^ it|this|that|everything works|worked|runs perfectly|beautifully|flawlessly|great|wonderfully ?now $",
				"^ ?im ?so|very|really impressed $",
			),
			unless: patterns("", "not|isnt|nearly|almost|less|never"),
		},
		{ // thanks, and trust
			patterns: slices.Concat(
				patterns(workmem.MoodBonding,
					"^ youre|you ?are ?the|a|my best|lifesaver|legend|hero|star|genius $",
					"^ i ?really|fully|completely trust you|your $",
					"^ ?i|its|it ?was|is|really|always ?a love|like|enjoy|enjoyed|great|pleasure|fun|nice|good working with you",
					"^ we make|are a good|great team",
				),
				patterns(workmem.MoodSocial,
					"^ ?perfect|awesome|excellent|many|ok thanks|thx|thankyou $",
					"^ ?perfect|awesome|many thanks|thx a|so|very|again|for|man|claude|codex|everyone|anyway|heaps|tons",
					"^ ?perfect|awesome thank you ?so|very|much|for|again|claude|codex|both|everyone $",
					"^ ?perfect|awesome thank you so|very|for|again",
					"^ ?very|really much appreciated $",
					"^ ?i ?really|do|so appreciate it|that|this $",
					"^ ?i ?really|do|so appreciate your|all|the help|work|effort|patience|time",
				),
			),
			unless: patterns("",
				"thanks|thank ?you for nothing|breaking|wasting|deleting|ruining", "for your order|purchase|message|registering|signing"),
			askable: true,
		},
		{ // complaint
			patterns: patterns(workmem.MoodError,
				"still ?completely|totally|all|so "+broken,
				"still "+cant+" ?work|working|pass|passing|compile|compiling|build|right|correct|fixed|run",
				"still does|do not work|pass|compile|build|run",
				"still getting|get|see|seeing|have|having the|that|this|an ?exact|very ?same error|errors|bug|crash|failure|problem",
				"^ ?no ?now "+it+"|thats|its|everything ?is|was ?just|all|also|completely|totally|simply|now|plain|so "+bad+" ?again|now $",
				"^ wrong|broken ?yet again $",
				"is|was|its|thats|are wrong|broken|failing|red again $",
				"broke|breaks|crashed|crashes|failed|fails ?it|this|everything|the ?build|tests|app again $",
				"^ ?no ?now "+it+"|thats|its ?is not|isnt|wasnt ?at ?all right|correct|what i|acceptable|good ?enough",
				"not what i ?have|had asked|wanted|meant|said|told|requested",
				"^ "+it+"|thats|still "+cant+" ?even work|working|compile|help ?at|anymore|again|for|either ?all|me $",
				"^ "+it+"|still does|did|do not ?even work|compile|help ?at|anymore|again|for|either ?all|me $",
				"^ ?no|now|again you|youve|you ?have ?just|again|also|still|completely "+blunder,
				"^ ?no|now|again you|youve ?have|just|again deleted|removed|overwrote|overwritten my",
				"^ ?but i ?already|just|explicitly|specifically told you",
				"^ ?but i already|explicitly|specifically asked|said",
				"^ ?but i asked you already|twice|before|not|never",
				"how many times do|must|did|have i|we",
				"^ ?please|just stop doing|adding|removing|changing|touching|guessing|ignoring|making|rewriting|deleting",
				"^ ?please dont|never ?ever do that|this|it ?ever again",
				"^ wtf|ffs",
				"what the hell|fuck|heck",
				"^ "+it+"|thats|its|youre|you ?is|are ?so|really|very|just|getting frustrating|annoying|ridiculous|useless|unacceptable|horrible $",
			),
			unless: patterns("",
				"if|whether|unless|until|case|when|whenever|while|might|may|could|would|should|says|message|tells|whats",
				"^ is|are|was|does|did", "not|isnt wrong|broken", "no|not|isnt longer|anymore ?still"),
			askable: true,
		},
		{ // success
			patterns: patterns(workmem.MoodAchievement,
				"all|every ?of ?the|our|unit|integration|its|my tests|test|checks|specs ?now|are|is|finally|have pass|passes|passing|passed|green",
				"tests|checks|suite|specs|build|ci|pipeline ?is|are|all|now|finally now|finally|all|again pass|passes|passing|passed|green|succeeds",
				"tests|checks|suite|specs|build|ci|pipeline ?is|are|all pass|passes|passing|passed|green|succeeds|works now|again|finally",
				"^ ?the ?whole tests|checks|suite|build|ci|pipeline is|are|all|everything green $",
				"^ "+it+"|everything|all ?is|are ?now|finally|all|just works|working|passes|passing|compiles|builds|green ?now|again|finally|fine $",
				"^ ?it|this|that|its|were|we|got ?has|have|is ?it finally works|working|fixed|solved|passes|done|there|compiles|builds|shipped|got",
				"^ ?i|we|you|that|this|you ?have|ve|just|finally ?just|finally fixed|solved|resolved|cracked|did it|this|that ?now $",
				"^ ?i|we|you|that|this|youve|ive|weve ?have|has|just|finally ?just|finally fixed|solved|resolved|cracked the|my|our|this|that bug|issue|problem|leak|crash|race|deadlock|error|build",
				"^ "+it+" did|does the trick",
				"^ ?the|this|that|our bug|issue|problem|leak|crash|race|deadlock|error is|are|has ?now|been|finally gone|fixed|solved|resolved ?now $",
				"^ we|i|its|it|weve|ive ?have|has|is|just ?been|finally|just|now shipped|released|launched|deployed|live",
				"^ we did it $",
				"^ ?thats|that|this|what|its ?is|was|a ?a ?real|huge breakthrough $",
				"^ problem|bug|issue solved|fixed $",
			),
			unless:  patterns("", "pass|passes|passing|passed|green|works|working|fixed|solved .. but|though|unfortunately|yet"),
			stated:  true,
			ofAgent: workmem.MoodProgress,
		},
		{ // haste
			patterns: patterns(workmem.MoodUrgency,
				"^ ?very|really|super urgent $",
				"^ urgent :",
				"^ "+it+"|its|thats ?is|was|gets|getting|becoming ?very|really|super|quite|pretty|extremely|now urgent",
				"^ ?i|we ?really urgently need",
				"^ i|we|need|needs|please|fix|do|get .. asap",
				"asap $",
				"^ ?i|we|please ?need|fix|do|get|finish .. as soon as possible $",
				"^ ?please hurry",
				"production|prod|site|server|everything|website|service|app|cluster is|went ?completely down ?again|now|right $",
				"^ "+it+"|its|thats|we ?is|have ?have an emergency",
				"^ emergency $",
				"^ ?please ?i|we need|fix|stop|do|revert|get .. immediately $",
				"^ ?please ?i|we need|fix|stop|do|revert|get .. right now|away $",
				"deadline is|are ?in ?at today|tomorrow|tonight|an|one|noon|hours|minutes",
				"^ "+it+"|its|thats ?is due today|tomorrow|tonight|in",
				"^ were|we|im|i ?are|am|have running|run out of time",
				"no time to|left lose|waste|left",
				"^ ?our|the|all customers|users are ?already complaining|angry",
				"^ ?our|the|all customers|users are already waiting|affected|blocked",
				"demo|release|presentation|meeting|launch is|starts in an|one|two|five|ten|fifteen|twenty|thirty|10|15|20|30|5 ?hour|minutes|min|mins",
			),
			unless: patterns("", "not|isnt|never|no ?longer|that|so urgent", "no|not rush|hurry",
				"if|when|whenever|should|once|until|returns|return|called|mark|label|flag|priority|ticket|tickets"),
			askable: true,
		},
		{ // standing still
			patterns: patterns(workmem.MoodStagnant,
				"going|running|moving|turning|are in circles",
				"^ ?again|still|its|it|this|thats ?is|again ?again ?the|this|exactly|exact ?exact|very same "+trouble+"|result ?again|as $",
				"same "+trouble+" again|as ?before|yesterday|last $",
				"^ im|were|we|i ?are|am ?still|really|totally|completely|now stuck",
				"^ still stuck",
				"^ ?still|making|we|i|were|im ?are|am|made|make|have ?making|made no progress",
				"getting|got|gets|leads|leading ?us|me nowhere $",
				"this|that|its ?is|was now|the|already ?the second|third|fourth|fifth|tenth|hundredth time",
				"^ ?again|and|now for the second|third|fourth|fifth|tenth|hundredth time ?now|already|today $",
			),
			unless:  patterns("", "if|when|whenever|unless|dont|avoid|prevent|to|would|could|users|user"),
			ofAgent: workmem.MoodStagnant,
		},
		{ // curiosity
			patterns: patterns(workmem.MoodCuriosity,
				"^ ?im|i ?am|was ?just|really|very|so|quite|also curious if|why|how|whether|what|about|to|where|who|which",
				"^ ?i|ive ?always|often|just|do wonder|wondered why|whether",
				"^ ?thats|that|this|its|it|how|very|really ?is|was ?so|very|really|pretty|quite|super|super|actually interesting|fascinating|intriguing $",
				"^ what would happen if",
			),
			unless:  patterns("", "not|isnt|no"),
			askable: true,
		},
		{ // agreement
			patterns: patterns(workmem.MoodAligned,
				"^ exactly|agreed|precisely $",
				"^ i ?completely|fully|totally|absolutely|strongly agree $",
				"^ ?thats|that|its ?is|sounds|a ?a|like ?a good|great|excellent|nice|brilliant idea|point|plan|call|approach $",
				"^ ?that sounds good|great|right|perfect|reasonable $",
				"^ ?that|it|this ?all makes ?total|perfect|a|complete ?lot ?of sense $",
				"^ thats|youre|you ?are ?absolutely|completely|exactly|totally right|correct $",
			),
			unless: patterns("", "not|isnt|dont"),
		},
	}
})

// clause is a piece of a sentence between commas.
type clause struct {
	words  []string // in lower case, without apostrophes
	asked  bool     // it ends in a question mark
	wished bool     // it, or what stands before it in its sentence, says that this is no plain fact
}

// clausesOf gives the clauses of what a person wrote in plain sentences, at the ends of a long text.
func clausesOf(text string, ends int) []clause {
	var clauses []clause
	for _, part := range textEnds(prose(text), ends) {
		for _, sentence := range sentences(part) {
			clauses = append(clauses, sentence...)
		}
	}
	return clauses
}

// prose drops what is no plain sentence: code, quotes of others, lists, headings, tables.
func prose(text string) string {
	var prose []string
	fence := ""
	for _, line := range strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n") {
		bare := strings.TrimSpace(line)
		if mark := fenceMark(bare); mark != "" && (fence == "" || fence == mark) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		if fence == "" && !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "\t") && !shaped(bare) {
			prose = append(prose, quotes(bare))
		}
	}
	return strings.Join(prose, "\n")
}

func fenceMark(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// shaped says whether a line begins like a quotation, an item, a heading, a row, a change or a command.
func shaped(line string) bool {
	if line == "" {
		return false
	}
	if strings.ContainsAny(line[:1], ">#|+$@<{}[]/") || strings.HasPrefix(line, "//") {
		return true
	}
	if rest, ok := strings.CutPrefix(line, "•"); ok {
		return rest != ""
	}
	if len(line) > 1 && strings.ContainsAny(line[:1], "-*") && (line[1] == ' ' || line[1] == '-') {
		return true
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits < len(line) && strings.ContainsAny(line[digits:digits+1], ".):")
}

// hole stands for what was quoted. It is a word that no pattern knows.
const hole = " \x01 "

// quotes takes out of a line what stands in quotes or in backticks. A mark that is never closed is none.
func quotes(line string) string {
	pairs := [...][2]string{{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"«", "»"}, {"„", "“"}, {"‘", "’"}, {" '", "'"}}
	var open [len(pairs)]bool // an opening mark behind which no closing one was found is not looked for again
	var b strings.Builder
next:
	for at := 0; at < len(line); {
		for i, pair := range pairs {
			inside, begins := strings.CutPrefix(line[at:], pair[0])
			if !begins || open[i] {
				continue
			}
			length := strings.Index(inside, pair[1])
			if length < 0 {
				open[i] = true
				continue
			}
			b.WriteString(hole)
			at += len(pair[0]) + length + len(pair[1])
			continue next
		}
		b.WriteByte(line[at])
		at++
	}
	return b.String()
}

// textEnds are the ends of a long text, each without the sentence that the cut goes through.
func textEnds(text string, ends int) []string {
	runes := []rune(text)
	if len(runes) <= 2*ends {
		return []string{text}
	}
	const stops = "\n.!?"
	head, tail := string(runes[:ends]), string(runes[len(runes)-ends:])
	head = head[:strings.LastIndexAny(head, stops)+1]
	if at := strings.IndexAny(tail, stops); at >= 0 {
		tail = tail[at+1:]
	} else {
		tail = ""
	}
	return []string{head, tail}
}

// sentences cuts a text into sentences, and those into clauses.
func sentences(text string) [][]clause {
	var sentences [][]clause
	var sentence []clause
	var words []string
	var word strings.Builder
	wished := false
	endWord := func() {
		if w := strings.Trim(word.String(), "*_~-"); w != "" {
			words = append(words, w)
			wished = wished || strings.Contains(wishes, " "+w+" ")
		}
		word.Reset()
	}
	endClause := func() {
		endWord()
		if len(words) > 0 {
			sentence = append(sentence, clause{words: words, wished: wished})
		}
		words = nil
	}
	endSentence := func(asked bool) {
		endClause()
		if n := len(sentence); asked && n > 0 {
			sentence[n-1].asked = true
			// "It works now, right?" asks all of it.
			if all(sentence[n-1].words, " right correct no yes ok okay isnt arent doesnt dont didnt does is it they or true ") {
				for i := range sentence {
					sentence[i].asked = true
				}
			}
		}
		if len(sentence) > 0 {
			sentences = append(sentences, sentence)
		}
		sentence, wished = nil, false
	}
	runes := []rune(strings.ToLower(text))
	for i, r := range runes {
		inside := i+1 < len(runes) && !unicode.IsSpace(runes[i+1]) && word.Len() > 0
		switch {
		case r == '\'' || r == '’' || r == '‘':
		case r == '\n' || r == '!' || r == ';' || r == '…':
			endSentence(false)
		case r == '?':
			endSentence(true)
		case r == '.' && !(inside && (unicode.IsLetter(runes[i+1]) || unicode.IsDigit(runes[i+1]))):
			endSentence(false)
		case r == ',' && !(inside && unicode.IsDigit(runes[i+1])), r == '(' && !inside, r == ')', r == '–', r == '—':
			endClause()
		case r == '-' && word.Len() == 0:
			endClause() // a dash between blanks
		case r == ':':
			endWord()
			words = append(words, ":")
		case unicode.IsSpace(r):
			endWord()
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\x01' || strings.ContainsRune("-_./#@+*=<>()[]{}&%$\\", r):
			word.WriteRune(r)
		}
	}
	endSentence(false)
	return sentences
}
