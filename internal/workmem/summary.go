package workmem

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Facts are what is known about a session that ended.
type Facts struct {
	Intent      string   // what it was about
	Prompts     []string // in order
	Edited      []string // files, the most telling first
	Read        []string
	Commits     []string // subjects
	Fixed       []Fix
	Failing     []string // errors that are still open
	Notes       []string
	LastMessage string   // of the agent
	Earlier     []string // messages that ended earlier turns, in order; what they left to do is left until it is done
	Minutes     int
	Recovered   bool // nobody closed it
}

// Fix is an error that went away, and the files that were changed for it.
type Fix struct {
	Error string
	Files []string
}

// Told is what is said about a session.
type Told struct{ Happened, Learned, Next string }

const (
	sumIntentMost = 64 // characters of what was asked: a line of SUMMARY.md then has room for what came of it
	sumTurns      = 8  // earlier turns whose steps are looked at
	sumPrompts    = 3  // last prompts that may say what is left; what an earlier one put off was mostly done since
	sumTrivial    = 3  // words; a shorter prompt ("yes", "go on") says nothing about what was wanted
	// Agents hand a plan on with these words, and its title says what is wanted.
	sumPlanFollows = "Implement the following plan: "
	sumRecovered   = "(recovered: the session was not closed)"
	sumAgentSaid   = "The agent ended with: "
)

// Summarise tells a session by rules. Happened begins with a sentence that can stand alone. Every clause comes from a fact;
// texts of people and agents are quoted as lines without shape. Together the three texts are at most so many characters
// long, and name at most list files, commits, errors or notes each. Facts that tell nothing give nothing.
func Summarise(f Facts, most, list int) Told {
	f = sumFacts(f)
	most, list = max(most, 0), max(list, 0)
	said := sumParts(f.LastMessage)
	next := sumNext(f, said)

	// Lessons and loose ends have their share; what they leave is for what happened.
	var told Told
	each := most / 6
	told.Learned = sumItems(sumLearned(f, each), each, most/3, list)
	told.Next = sumItems(next, each, most/4, list)
	room := most - sumLength(told.Learned) - sumLength(told.Next)
	if f.Recovered {
		room -= len(sumRecovered) + 1
	}

	sentence := sumOutcome(f, room)
	room -= sumLength(sentence)
	if took := " It took " + sumCount(f.Minutes, "minute") + "."; f.Minutes > 0 && sentence != "" && len(took) <= room {
		sentence += took
		room -= len(took)
	}
	words := sumWords(said, min(most/3, room-len("\n\n")), list)
	if room -= sumLength(words); words != "" {
		room -= len("\n\n")
	}
	paragraphs := []string{sentence, sumLists(f, room-len("\n\n"), list), words}
	paragraphs = slices.DeleteFunc(paragraphs, func(p string) bool { return p == "" })
	told.Happened = strings.Join(paragraphs, "\n\n")
	if f.Recovered && told != (Told{}) {
		if with := strings.TrimSpace(told.Happened + "\n" + sumRecovered); sumLength(with+told.Learned+told.Next) <= most {
			told.Happened = with
		}
	}
	return told
}

// sumFacts makes each fact one line, once.
func sumFacts(f Facts) Facts {
	each := func(texts []string, clean func(string) string) []string {
		var lines []string
		for _, text := range texts {
			if line := clean(text); line != "" && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
		return lines
	}
	f.Edited, f.Read = each(f.Edited, sumPath), each(f.Read, sumPath)
	f.Commits = each(f.Commits, sumPlain)
	f.Failing, f.Notes = each(f.Failing, sumLine), each(f.Notes, sumLine)
	fixed := f.Fixed
	f.Fixed = nil
	for _, fix := range fixed {
		fix = Fix{sumLine(fix.Error), each(fix.Files, sumPath)}
		if fix.Error != "" && !slices.ContainsFunc(f.Fixed, func(known Fix) bool { return known.Error == fix.Error }) {
			f.Fixed = append(f.Fixed, fix)
		}
	}
	return f
}

// sumOutcome is one sentence: what was wanted and what came of it. Names give way to counts where there is no room, for half
// a path would be another one.
func sumOutcome(f Facts, room int) string {
	intent := sumShorten(sumIntent(f), sumIntentMost)
	for _, named := range []bool{true, false} {
		if sentence := sumJoin(intent, sumClauses(f, named)); sumLength(sentence) <= room {
			return sentence
		}
	}
	frame := sumLength(sumJoin("x", nil)) - 1
	if intent = sumShorten(intent, room-frame); intent == "" {
		return ""
	}
	return sumJoin(intent, nil)
}

func sumJoin(intent string, clauses []string) string {
	switch {
	case len(clauses) == 0 && intent == "":
		return ""
	case len(clauses) == 0:
		return fmt.Sprintf(`Asked "%s".`, intent)
	case intent == "":
		return strings.ToUpper(clauses[0][:1]) + strings.Join(clauses, "; ")[1:] + "."
	}
	return fmt.Sprintf(`"%s": %s.`, intent, strings.Join(clauses, "; "))
}

// sumIntent is the first sentence of what was asked; of the first prompt that says more than "go on", if there is one.
func sumIntent(f Facts) string {
	intent := ""
	for _, text := range append([]string{f.Intent}, f.Prompts...) {
		sentence := strings.TrimRight(sumSentence(text), ".:")
		if plan, ok := strings.CutPrefix(sentence, sumPlanFollows); ok {
			sentence = strings.TrimPrefix(plan, "Plan: ")
		}
		if len(strings.Fields(sentence)) >= sumTrivial {
			return sentence
		}
		intent = cmp.Or(intent, sentence)
	}
	return intent
}

func sumClauses(f Facts, named bool) []string {
	var clauses []string
	files := func(deed string, paths []string) {
		switch n := len(paths); {
		case n == 0:
		case !named:
			clauses = append(clauses, fmt.Sprintf("%s %s", deed, sumCount(n, "file")))
		case n == 1:
			clauses = append(clauses, fmt.Sprintf("%s %s", deed, paths[0]))
		case n == 2:
			clauses = append(clauses, fmt.Sprintf("%s %s and %s", deed, paths[0], paths[1]))
		default:
			clauses = append(clauses, fmt.Sprintf("%s %s and %d more files", deed, paths[0], n-1))
		}
	}
	if files("changed", f.Edited); len(f.Edited) == 0 {
		files("read", f.Read)
	}
	switch n := len(f.Commits); {
	case n == 0:
	case !named:
		clauses = append(clauses, "made "+sumCount(n, "commit"))
	case n == 1:
		clauses = append(clauses, fmt.Sprintf(`committed "%s"`, f.Commits[0]))
	default:
		clauses = append(clauses, fmt.Sprintf(`committed "%s" and %d more`, f.Commits[0], n-1))
	}
	if n := len(f.Fixed); n > 0 {
		clauses = append(clauses, "mended "+sumCount(n, "error"))
	}
	if n := len(f.Failing); n > 0 {
		clauses = append(clauses, "left "+sumCount(n, "error")+" open")
	}
	if n := len(f.Notes); n > 0 && len(clauses) == 0 {
		first := sumShorten(f.Notes[0], sumIntentMost)
		switch {
		case !named:
			clauses = append(clauses, "noted "+sumCount(n, "thing"))
		case n == 1:
			clauses = append(clauses, fmt.Sprintf(`noted "%s"`, first))
		default:
			clauses = append(clauses, fmt.Sprintf(`noted "%s" and %d more`, first, n-1))
		}
	}
	return clauses
}

func sumCount(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// sumLists names the files and commits that the sentence has no place for.
func sumLists(f Facts, room, list int) string {
	var lines []string
	add := func(head, between string, names []string) {
		for n := min(len(names), list); n > 1; n-- {
			line := head + strings.Join(names[:n], between)
			if more := len(names) - n; more > 0 {
				line += fmt.Sprintf(" and %d more", more)
			}
			if sumLength(line)+1 <= room {
				room -= sumLength(line) + 1
				lines = append(lines, line)
				return
			}
		}
	}
	if len(f.Edited) > 2 {
		add("Changed files: ", ", ", f.Edited)
	}
	commits := make([]string, len(f.Commits))
	for i, subject := range f.Commits {
		commits[i] = `"` + subject + `"`
	}
	add("Commits: ", ", ", commits)
	return strings.Join(lines, "\n")
}

// sumLearned gives the errors that were mended and the notes. An error leaves room for the files that mended it.
func sumLearned(f Facts, most int) []string {
	var items []string
	for _, fix := range f.Fixed {
		files := ""
		if len(fix.Files) > 0 {
			if files = " (" + strings.Join(fix.Files, ", ") + ")"; sumLength(files) > most/2 {
				files = " (" + sumCount(len(fix.Files), "file") + ")"
			}
		}
		if fault := sumShorten(fix.Error, most-sumLength(files)-len("Mended: ")); fault != "" {
			items = append(items, "Mended: "+fault+files)
		}
	}
	for _, note := range f.Notes {
		items = append(items, sumShorten(note, most))
	}
	return items
}

// sumNext gives what is left to do. It marks in said what it took from there.
func sumNext(f Facts, said []sumPart) []string {
	var items []string
	add := func(text string) {
		if text != "" && !slices.ContainsFunc(items, func(known string) bool { return strings.Contains(known, text) }) {
			items = append(items, text)
		}
	}
	for _, text := range sumLeft(said) {
		add(text)
	}
	for _, text := range sumLeftEarlier(f) {
		add(text)
	}
	for _, prompt := range f.Prompts[max(len(f.Prompts)-sumPrompts, 0):] {
		for _, part := range sumParts(prompt) {
			for _, sentence := range part.lines {
				if sumHas(sentence, sumPutOff) {
					add(sentence)
				}
			}
		}
	}
	for _, failing := range f.Failing {
		add("Still failing: " + failing)
	}
	return items
}

// sumLeftEarlier gives the steps that earlier turns left, the latest first. A step is done once a later message or a commit
// speaks of it: told as left again it stands there, told otherwise it was done.
func sumLeftEarlier(f Facts) (left []string) {
	later := slices.Concat([]string{f.LastMessage}, f.Commits)
	for _, message := range slices.Backward(f.Earlier[max(len(f.Earlier)-sumTurns, 0):]) {
		for _, step := range sumLeft(sumParts(message)) {
			if !StepDone(step, later...) {
				left = append(left, step)
			}
		}
		later = append(later, message)
	}
	return left
}

// sumItems is a list that fits, of items that fit: what has no place is counted.
func sumItems(items []string, each, room, list int) string {
	var lines []string
	more := 0
	for i, item := range items {
		// The last line says how many are missing; it needs its place until nothing can be.
		rest := 0
		if i < len(items)-1 || more > 0 {
			rest = len("\n- and 999 more")
		}
		item = "- " + sumShorten(item, each)
		if len(lines) >= list || sumLength(item)+1+rest > room {
			more++
			continue
		}
		room -= sumLength(item) + 1
		lines = append(lines, item)
	}
	if line := fmt.Sprintf("- and %d more", more); more > 0 && len(lines) > 0 && sumLength(line) <= room {
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// sumWords is the useful part of the agent's last message: its first paragraph, the list behind it if it announces one.
func sumWords(said []sumPart, room, list int) string {
	for i, part := range said {
		lines := slices.DeleteFunc(slices.Clone(part.lines), func(line string) bool { return line == "" || sumPolite(line) })
		if part.heading || part.taken || len(lines) == 0 {
			continue
		}
		if part.list {
			return sumFitting(sumAgentSaid, "", lines, room, list)
		}
		text := strings.Join(lines, " ")
		if strings.HasSuffix(text, ":") && i+1 < len(said) && said[i+1].list && !said[i+1].taken {
			return sumFitting(sumAgentSaid, text, said[i+1].lines, room, list)
		}
		if text = sumShorten(text, room-len(sumAgentSaid)); text == "" {
			return ""
		}
		return sumAgentSaid + text
	}
	return ""
}

// sumFitting is a line and as many items of a list as have room.
func sumFitting(head, text string, items []string, room, list int) string {
	lines := []string{strings.TrimSpace(head + sumShorten(text, room-len(head)))}
	room -= sumLength(lines[0])
	for _, item := range items[:min(len(items), list)] {
		if item = "- " + item; item != "- " && sumLength(item)+1 <= room {
			room -= sumLength(item) + 1
			lines = append(lines, item)
		}
	}
	if room < 0 || text == "" && len(lines) == 1 {
		return ""
	}
	return strings.Join(lines, "\n")
}

// sumPart is a heading, a paragraph in sentences or a list in items.
type sumPart struct {
	heading, list bool
	lines         []string
	taken         bool // told as what is left to do
}

// sumParts reads a message as Markdown is read, roughly. Code, tables and rules are left out: they are no sentences.
func sumParts(text string) []sumPart {
	var parts []sumPart
	var paragraph, items []string
	flush := func() {
		if len(paragraph) > 0 {
			parts = append(parts, sumPart{lines: sumSentences(sumLine(strings.Join(paragraph, " ")))})
		}
		if len(items) > 0 {
			for i := range items {
				items[i] = sumLine(items[i])
			}
			parts = append(parts, sumPart{list: true, lines: items})
		}
		paragraph, items = nil, nil
	}
	code := false
	for _, line := range strings.Split(shelfClean(text), "\n") {
		bare := shelfBare(line)
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			code = !code
			continue
		}
		_, level := shelfHeading(bare)
		switch {
		case code, strings.HasPrefix(bare, "|"), shelfRule(bare):
			flush()
		case bare == "":
			if len(paragraph) > 0 {
				flush()
			}
		case level > 0 && level < 7 && strings.HasPrefix(bare[level:], " "), sumBoldLine(bare):
			flush()
			parts = append(parts, sumPart{heading: true, lines: []string{sumLine(bare)}})
		case sumBullet(bare) != bare:
			if len(paragraph) > 0 {
				flush()
			}
			items = append(items, bare)
		case len(items) > 0 && line != bare:
			items[len(items)-1] += " " + bare // indented: the item goes on
		default:
			if len(items) > 0 {
				flush()
			}
			paragraph = append(paragraph, bare)
		}
	}
	flush()
	return parts
}

// sumBoldLine says whether a line is bold as a whole, which is how a heading is written by those who do not like marks.
func sumBoldLine(line string) bool {
	inside, ok := strings.CutPrefix(strings.TrimSuffix(line, ":"), "**")
	inside, end := strings.CutSuffix(inside, "**")
	return ok && end && inside != "" && !strings.Contains(inside, "**")
}

// sumLeft finds what a message says is left to do: what stands under a heading or a line that announces it, and sentences
// that say so themselves.
func sumLeft(said []sumPart) []string {
	var left []string
	under := false
	for i := range said {
		part := &said[i]
		switch {
		case part.heading:
			under = sumHas(part.lines[0], sumCues) || sumAnnounces(part.lines[0])
			part.taken = under
			continue
		case under:
			part.taken = true
			for _, line := range part.lines {
				if !sumPolite(line) && !sumDone(line) && !strings.HasSuffix(line, ":") {
					left = append(left, line)
				}
			}
			continue
		}
		for j, line := range part.lines {
			if sumPolite(line) || !sumHas(line, sumCues) && !(strings.HasSuffix(line, ":") && sumAnnounces(line)) {
				continue
			}
			part.lines[j] = ""
			if strings.HasSuffix(line, ":") && j == len(part.lines)-1 && i+1 < len(said) && said[i+1].list {
				said[i+1].taken = true
				left = append(left, slices.DeleteFunc(slices.Clone(said[i+1].lines), sumDone)...)
				said[i+1].lines = nil
			} else {
				left = append(left, line)
			}
		}
	}
	return left
}

// sumAnnounces says whether a line is nothing but the title of what is left: in a sentence the same words often mean a rest.
func sumAnnounces(line string) bool {
	switch strings.Trim(strings.ReplaceAll(strings.ToLower(line), "’", "'"), " :*_") {
	case "what is left", "what's left", "what is still left", "what's still left", "still left", "left", "not done", "open points", "loose ends":
		return true
	}
	return false
}

// sumCues say that something is left to do.
var sumCues = []string{
	"next step", "next steps", "next up", "up next", "next session", "next time", "next task", "next tasks", "comes next",
	"next i", "next i'll", "next we", "do next", "is next", "todo", "todos", "to-do", "still to do", "still to be", "still need",
	"still needs", "still missing", "still open", "remaining", "remains", "not yet", "yet to be", "follow-up", "follow-ups",
	"follow up", "left open", "left to do", "left undone", "for later",
}

// sumPutOff are those that count in a prompt. Others ask for something now: "fix the remaining errors".
var sumPutOff = []string{
	"next time", "next session", "tomorrow", "todo", "to-do", "still to do", "left open", "for later", "follow-up",
}

// sumSettled are words before a cue that turn it around: "no follow-up", "fixed the remaining errors".
var sumSettled = []string{
	"no", "nothing", "none", "without", "zero", "fixed", "resolved", "removed", "completed", "finished", "addressed",
	"updated", "replaced", "implemented", "cleaned", "migrated", "converted", "handled", "closed", "mended", "added", "did",
}

// sumHas says whether a sentence has one of the cues, as words and not turned around.
func sumHas(sentence string, cues []string) bool {
	const edge = ".,;:!?()[]\"'*…—–"
	raw := strings.Fields(strings.ToLower(sentence))
	words := make([]string, len(raw))
	for i, word := range raw {
		words[i] = strings.Trim(strings.ReplaceAll(word, "’", "'"), edge) // `next` and next.js stay other words
	}
	settled := func(at int) bool {
		for i := at - 1; i >= max(at-4, 0); i-- {
			if strings.TrimRight(raw[i], ",;:—–.") != raw[i] {
				return false // another clause
			}
			if slices.Contains(sumSettled, words[i]) {
				return true
			}
		}
		return false
	}
	for _, cue := range cues {
		parts := strings.Fields(cue)
		for i := 0; i+len(parts) <= len(words); i++ {
			if slices.Equal(words[i:i+len(parts)], parts) && !settled(i) {
				return true
			}
		}
	}
	if !slices.Contains(cues, "not yet") || len(words) == 0 {
		return false
	}
	if words[0] == "next" && (len(words) == 1 || raw[0] != "next") {
		return true // "Next: …" and "Next, …"
	}
	at := slices.Index(words, "yet")
	return at > 0 && slices.ContainsFunc(words[:at], func(w string) bool { return w == "not" || strings.HasSuffix(w, "n't") })
}

// sumDone says whether an item of a list is ticked off.
func sumDone(item string) bool {
	item = strings.ToLower(item)
	return strings.HasPrefix(item, "[x]") || strings.HasPrefix(item, "✅") || strings.HasPrefix(item, "~~")
}

// sumPolite says whether a sentence only greets, agrees or offers.
func sumPolite(sentence string) bool {
	s := strings.Trim(strings.ReplaceAll(strings.ToLower(sentence), "’", "'"), " .,!?:…*✅🎉👍")
	switch s {
	case "", "great", "perfect", "done", "all done", "sure", "certainly", "of course", "absolutely", "excellent", "hello", "hi",
		"hey", "thanks", "thank you", "ok", "okay", "got it", "understood", "good question", "great question", "good catch",
		"hello there", "you're right", "you are right", "you're welcome", "all finished", "finished", "nice", "awesome", "yes",
		"no problem":
		return true
	}
	begins := func(start string) bool { return strings.HasPrefix(s, start) }
	has := func(phrase string) bool { return strings.Contains(s, phrase) }
	return slices.ContainsFunc(sumOffers, begins) || slices.ContainsFunc(sumCourtesies, has)
}

// sumOffers begin a sentence that only agrees or offers.
var sumOffers = []string{
	"you're absolutely right", "you are absolutely right", "would you like", "do you want me", "want me to", "shall i", "should i ",
}

// sumCourtesies are in a sentence that only ends a message, or puts off what only the prompt before it names.
var sumCourtesies = []string{
	"let me know", "feel free", "happy to help", "happy to assist", "anything else", "hope this helps", "hope that helps",
	" that for later", " it for later", " this for later", " them for later",
}

// sumSentence is the first sentence of a text, in one line. One that only announces something ("do this:") takes the next
// part with it.
func sumSentence(text string) string {
	first := ""
	for _, part := range sumParts(text) {
		for _, line := range part.lines {
			if first = strings.TrimSpace(first + " " + line); first != "" && !strings.HasSuffix(first, ":") {
				return first
			}
		}
	}
	return first
}

// sumSentences splits a line. A mark of a heading in the middle of it, left from a text that was put into one line, begins a
// sentence too.
func sumSentences(line string) []string {
	var sentences []string
	var words []string
	end := func() {
		if len(words) > 0 {
			sentences = append(sentences, strings.Join(words, " "))
		}
		words = nil
	}
	for _, word := range strings.Fields(line) {
		if strings.Trim(word, "#") == "" {
			if len(words) > 0 && !strings.HasSuffix(words[len(words)-1], ":") {
				end()
			}
			continue
		}
		words = append(words, word)
		if sumEnds(word) {
			end()
		}
	}
	end()
	return sentences
}

// sumEnds says whether a word ends a sentence.
func sumEnds(word string) bool {
	bare := strings.TrimRight(word, "\"'”’)]*_`")
	switch strings.ToLower(strings.TrimLeft(bare, "(\"'“")) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "incl.", "resp.", "mr.", "ms.", "dr.":
		return false
	}
	if strings.Trim(bare, "0123456789") == "." {
		return false // the number of an item
	}
	last, _ := utf8.DecodeLastRuneInString(bare)
	return strings.ContainsRune(".!?…。！？", last)
}

// sumLine is a text as one line of prose: no marks of a heading, a quote or an item before it, no bold.
func sumLine(text string) string {
	line := sumBullet(sumPlain(text))
	if !strings.Contains(line, "**") {
		return line
	}
	words := strings.Fields(line)
	for i, word := range words {
		// Marks that touch a letter are bold; those of a glob (**/*.go) touch a slash.
		if inside, ok := strings.CutPrefix(word, "**"); ok && inside != "" && !strings.ContainsAny(inside[:1], "/*.") {
			word = inside
		}
		if at := strings.LastIndex(word, "**"); at > 0 && !strings.ContainsAny(word[at-1:at], "/*") {
			if after := word[at+2:]; strings.Trim(after, ".,;:!?)") == "" {
				word = word[:at] + after
			}
		}
		words[i] = word
	}
	return strings.Join(words, " ")
}

// sumBullet takes the marks away that make a line a heading, a quote or an item.
func sumBullet(line string) string {
	for {
		rest := strings.TrimPrefix(line, ">")
		if title, level := shelfHeading(rest); level > 0 && (title == "" || rest[level] == ' ') {
			rest = title // #242 is the number of something
		}
		rest = strings.TrimLeft(rest, " ")
		for _, mark := range []string{"- ", "* ", "+ ", "• ", "– ", "[ ] "} {
			rest = strings.TrimPrefix(rest, mark)
		}
		if number := strings.TrimLeft(rest, "0123456789"); number != rest && len(rest)-len(number) < 3 {
			for _, mark := range []string{". ", ") "} {
				if item, ok := strings.CutPrefix(number, mark); ok {
					rest = item
				}
			}
		}
		if rest = strings.TrimLeft(rest, " "); rest == line {
			return line
		}
		line = rest
	}
}

// sumPlain is a text in one line.
func sumPlain(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// sumPath is a path that cannot break a line.
func sumPath(path string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(path, "\uFFFD"))
}

// sumShorten cuts a line at a word so that it has at most so many characters, the mark of the cut among them.
func sumShorten(line string, most int) string {
	if sumLength(line) <= most {
		return line
	}
	if most < 1 {
		return ""
	}
	cut := string([]rune(line)[:most-1])
	if line[len(cut)] != ' ' {
		if at := strings.LastIndexByte(cut, ' '); at > 0 {
			cut = cut[:at]
		}
	}
	return strings.TrimRight(cut, " ,;:.-–—(") + "…"
}

func sumLength(text string) int { return utf8.RuneCountInString(text) }
