package crystal

// Aim is what a question is after, beside what its words are about. It is read from English wording; a question whose wording
// tells nothing has no aim and is answered by its words alone.
type Aim struct {
	// Request: something is to be done or advised. What the person always wants, or prefers, is part of the answer.
	Request bool
	// Past: what was said, done or decided. What is always wanted has no part in that.
	Past bool
	// Course: how something went on over time. A text from each session tells more than five from one.
	Course bool
	// Answered: what an agent worked out is asked for, not what a person said.
	Answered bool
}

// AimOf reads the aim of a question.
func AimOf(text string) (a Aim) {
	const most = 100 // longer ones are documents
	words, _ := spoken(text, most+1)
	if len(words) == 0 || len(words) > most {
		return a
	}
	course, summary, answered, requested := false, false, false, requestBeginnings.begin(words)
	for i, w := range words {
		rest := words[i:]
		course = course || coursePhrases.begin(rest)
		a.Course = a.Course || inOrder(rest)
		summary = summary || summaryWords.has(w)
		answered = answered || answeredPhrases.begin(rest)
		requested = requested || requestPhrases.begin(rest)
		a.Past = a.Past || asksBack(words, i) || teller.has(w) && tells(rest[1:]) || pastPhrases.begin(rest)
	}
	if first := words[0]; orders.has(first) || first == "please" && len(words) > 1 && orders.has(words[1]) {
		return Aim{Request: !course, Course: course, Past: course} // "fix the summary that I made": whatever else is said of it
	}
	a.Course = a.Course || course || summary
	a.Answered = answered || summary
	a.Past = a.Past || a.Course
	a.Request = requested && !a.Past
	return a
}

// inOrder reports whether words go on with "in order", but not "in order to".
func inOrder(words []string) bool {
	return len(words) > 1 && words[0] == "in" && words[1] == "order" && (len(words) == 2 || words[2] != "to" && words[2] != "of")
}

// asksBack reports whether a question about what was begins at a word: "did I", "have we"; "was the" only where a question begins.
func asksBack(words []string, i int) bool {
	if i+1 == len(words) || !asked.has(words[i]) || !subjects.has(words[i+1]) {
		return false
	}
	return words[i+1] != "the" || i == 0 || questionWords.has(words[i-1])
}

// tells reports whether words go on with something that was told or done: "I have already mentioned".
func tells(words []string) bool {
	const between = 2
	for i, w := range words {
		if i > between {
			break
		}
		if told.has(w) {
			return true
		}
	}
	return false
}

var (
	summaryWords = set(`summary summarize summarise summarizing overview recap`)

	coursePhrases = phrases(`order in which; over time; evolved; throughout our; throughout my; across our; across my; across all;
		over our; during our; over the past; over the last`)

	answeredPhrases = phrases(`did you; have you; had you; you recommended; you suggested; you said; you told; you advised; you explained; you mentioned;
		you proposed; you outlined; you described`)

	// What a person asks for who wants something done, wherever it stands in the sentence, and at its beginning.
	requestPhrases = phrases(`how should i; how should we; how should you; how can i; how can we; how do i; how do we; how could i; how could we;
		how would i; how would we; how would you; how might i; should i; should we; i should; we should; i can; we can; i could; we could; i need; we need; do i need; do we need; can i; can we; could i; could we;
		you suggest; you recommend; you think; you help; help me; tell me how; show me`)
	requestBeginnings = phrases(`can you; could you; would you; will you; what are some; which are some; what is the best; which is the best;
		what are the best; i'm; i am; i want; i'd; let's; let us; please; explain; show; give; suggest; recommend; help`)

	// What a person orders who works with an agent, at the beginning.
	orders = set(`write create fix add implement refactor make build change update remove delete rename move test run review design document debug
		investigate use convert migrate deploy optimize improve check find replace clean set configure install upgrade extract split merge port rewrite
		simplify speed handle support enable disable`)

	// What asks for something that was: "did I", "have we", "how many".
	asked         = set(`have has had did was were`)
	questionWords = set(`what when where which who whom whose why how`)
	subjects      = set(`i you we my our the it he she they there`)
	pastPhrases   = phrases(`how many; how much; how long; how far; how often`)

	teller = set(`i we i've we've`)
	told   = set(`mentioned said told brought planned met decided chose discussed wanted made`)
)
