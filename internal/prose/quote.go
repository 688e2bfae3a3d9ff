package prose

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	QuoteOpen  = "“"
	QuoteClose = "”"
)

// Quoted puts a text between quotation marks that nothing inside it can close.
func Quoted(text string) string {
	return QuoteOpen + strings.NewReplacer(QuoteOpen, `"`, QuoteClose, `"`).Replace(text) + QuoteClose
}

// nameWords is the number of words from which a file name is a sentence.
const nameWords = 6

// NameSpeaks reports whether the name of a file says something to its reader: it is a sentence, or reads like an instruction.
func NameSpeaks(name string) bool {
	return len(strings.Fields(name)) >= nameWords || strings.ContainsAny(name, "\n\r") || strings.ContainsAny(name, " \t") && LooksLikeInstruction(name)
}

// SaidBy is a text as it is shown to an agent or in a file. What the person said stays as it is, and so do hebb's own words
// (origin tool, or none); what others said is labelled and quoted: (agent): “text”.
func SaidBy(origin memory.Origin, text string) string {
	if text == "" || !Labelled(origin) {
		return text
	}
	return "(" + origin.Name() + "): " + Quoted(text)
}

// SaidLines is SaidBy for each line of a text, so that none of them stands unmarked. Lists stay lists.
func SaidLines(origin memory.Origin, text string) string {
	if !Labelled(origin) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		mark := ""
		if TrimBullet(line) != line {
			mark = "- "
		}
		lines[i] = mark + SaidBy(origin, TrimMarks(line))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// UnsaidBy is the text that SaidBy labelled, and whose it is. Where a person changed it, what is left of label and marks goes too.
func UnsaidBy(text string) (string, memory.Origin) {
	for _, origin := range memory.Origins {
		rest, ok := strings.CutPrefix(text, "("+origin.Name()+"):")
		if rest = strings.TrimSpace(rest); ok && Labelled(origin) && strings.HasPrefix(rest, QuoteOpen) {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(rest, QuoteOpen), QuoteClose)), origin
		}
	}
	return text, memory.OriginUser
}

// Labelled says whether SaidBy labels what has this origin.
func Labelled(origin memory.Origin) bool {
	return origin != memory.OriginUser && origin != memory.OriginTool && slices.Contains(memory.Origins, origin)
}

// Withheld says that a text is kept but not shown at the start of a session or in MEMORY.md, because it is not the person's
// and orders the agent to do something, or forges a mark of hebb. An agent may say what is to be done ("Add a test", "Use the
// cache"): so next steps and lessons are worded. Standing orders are the person's to give: what addresses the model, pipes
// into a shell, or begins with always, never, ignore and the like is withheld from an agent too.
func Withheld(origin memory.Origin, text string) bool {
	switch {
	case origin == memory.OriginUser:
		return false
	case ForgesMark(text):
		return true
	case origin == memory.OriginAgent:
		return forges(text) || orders(text, orderVerbs[:])
	case origin == memory.OriginFile: // rules are worded as orders
		return forges(text)
	}
	return LooksLikeInstruction(text)
}
