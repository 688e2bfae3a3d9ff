package recall

// Term is one kind of evidence that a file is needed.
type Term int

// The terms. The first group needs words, the second open files; the third knows only the past; then one spreads; the last
// need what a project's own past has taught: a table of word vectors, and habits.
const (
	Named        Term = iota // the question names the file
	PathWords                // words of the question in the path and the names of the file
	SubjectWords             // in the subjects of commits that changed it
	NearCommits              // commits most like the question changed it
	Phrase                   // commits with the same two words in a row changed it
	Scope                    // commits that begin with the same word changed it
	FolderWords              // words of the question in commits on its folder
	PromptWords              // in the prompts of sessions that opened it
	NearSessions             // sessions most like the question opened it

	Together       // changed in the same commits as an open file
	Likeness       // how often the two change together, out of all their changes
	LastTogether   // changed with an open file in its latest commits
	Alongside      // changed shortly before or after an open file
	Intent         // changed with an open file in commits like the question
	FolderTogether // changed with files of an open file's folder
	Place          // its path is like that of an open file
	OpenedTogether // opened in the same sessions as an open file
	OpenedNext     // opened soon after an open file
	NextLately     // the same in the latest sessions that had the open file
	Listed         // a search of the session printed it, and it is not open yet
	Recency        // commits since it was last changed
	Heat           // changed often of late
	Count          // changed often at all
	Newness        // first met a short while ago
	FolderHeat     // its folder was changed often of late
	Moments        // changed in the last hours
	OpenedHeat     // opened often of late
	OpenedRecency  // sessions since it was last opened
	Spread         // goes with the best answers found so far
	Contents       // words of the question in its text
	Akin           // rare words of an open file in its text
	PathLike       // its path shares words with that of an open file
	TestFile       // it is a test, and the question asks for none
	TestAsked      // it is a test, and the question asks for one
	Meaning        // its words mean what those of the question mean
	OpenMeaning    // its words mean what those of an open file mean
	Habit          // words of the question lead to such paths in this project, or away from them
	numTerms
)

// termInfo says how a term is shown and how its figures are read.
type termInfo struct {
	name    string
	meaning string
	half    float64 // the figure that counts half; figures have no upper bound, their share of the score has
	offers  bool    // brings files in; the others only weigh what was brought in
	direct  bool    // the question itself leads to the file, without a step in between
}

var terms = [numTerms]termInfo{
	Named:          {"named", "the question names it", 1, true, true},
	PathWords:      {"path words", "the question's words stand in its path or among the names it defines", 0.6, true, true},
	SubjectWords:   {"subject words", "the question's words stand in the subjects of commits that changed it", 1, true, true},
	NearCommits:    {"near commits", "the past commits most like the question changed it", 0.2, true, true},
	Phrase:         {"phrase", "commits with the same two words in a row changed it", 5, true, true},
	Scope:          {"scope", "the latest commits that begin with the same word changed it", 6, true, true},
	FolderWords:    {"folder words", "the question's words stand in commits on its folder", 1.2, false, false},
	PromptWords:    {"prompt words", "the question's words stand in prompts that led to it", 0.6, true, true},
	NearSessions:   {"near sessions", "the past sessions most like the question opened it", 1.5, true, true},
	Together:       {"together", "changed in the same commits as an open file", 0.2, true, true},
	Likeness:       {"likeness", "it and an open file mostly change in each other's company", 0.6, true, true},
	LastTogether:   {"last together", "changed in the latest commits of an open file", 3, true, true},
	Alongside:      {"alongside", "changed shortly before or after an open file", 0.8, true, true},
	Intent:         {"intent", "changed with an open file in commits like the question", 1.5, true, true},
	FolderTogether: {"folder together", "changed with other files of an open file's folder", 0.1, true, false},
	Place:          {"place", "its path is like that of an open file", 6, true, false},
	OpenedTogether: {"opened together", "opened in the same sessions as an open file", 0.3, true, true},
	OpenedNext:     {"opened next", "opened soon after an open file", 1.5, true, true},
	NextLately:     {"next lately", "opened soon after an open file the last times", 0.5, true, true},
	Listed:         {"listed", "a search of this session printed it", 0.5, true, true},
	Recency:        {"recency", "few commits since it was last changed", 1, true, false},
	Heat:           {"heat", "changed often of late", 50, true, false},
	Count:          {"count", "changed often in all", 300, false, false},
	Newness:        {"newness", "met for the first time a short while ago", 1, false, false},
	FolderHeat:     {"folder heat", "its folder was changed often of late", 15, false, false},
	Moments:        {"moments", "changed in the last hours", 3, true, false},
	OpenedHeat:     {"opened heat", "opened often of late", 50, true, false},
	OpenedRecency:  {"opened recency", "few sessions since it was last opened", 1, true, false},
	Spread:         {"spread", "goes with the best answers found so far", 0.1, true, false},
	Contents:       {"contents", "the question's words stand in its text", 0.3, true, true},
	Akin:           {"akin", "its text has rare words, such as names, in common with an open file", 0.3, true, true},
	PathLike:       {"path like", "its path shares words with that of an open file", 0.3, true, false},
	TestFile:       {"test", "it is a test, and the question asks for none", 1, false, false},
	TestAsked:      {"test asked for", "it is a test, and the question asks for one", 1, false, false},
	Meaning:        {"meaning", "its words mean in this project what those of the question mean", 0.5, true, false},
	OpenMeaning:    {"open meaning", "its words mean in this project what those of an open file mean", 0.5, true, false},
	Habit:          {"habit", "words like the question's lead to paths like its path in this project", 1, false, false},
}

// String is the term's name.
func (t Term) String() string { return terms[t].name }

// Meaning is the term in a sentence.
func (t Term) Meaning() string { return terms[t].meaning }

// TermNamed finds a term by its name.
func TermNamed(name string) (Term, bool) {
	for t := range numTerms {
		if terms[t].name == name {
			return t, true
		}
	}
	return 0, false
}
