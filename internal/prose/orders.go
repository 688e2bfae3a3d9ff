package prose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
)

// ForgesMark says that a line of a text is, after list and quote signs, one of the marks around hebb's block.
func ForgesMark(text string) bool {
	for line := range strings.SplitSeq(LineEnds(asSeen(text)), "\n") {
		line = strings.ToLower(strings.TrimLeft(line, " \t-*+>\\\"'`“"))
		if strings.HasPrefix(line, "<!--") && strings.HasPrefix(strings.TrimSpace(line[len("<!--"):]), "hebb:") {
			return true
		}
	}
	return false
}

// LooksLikeInstruction says that a text addresses the agent that will read it. It looks for four things: words that give
// an order or a role ("ignore previous", "you are now"), a line that begins with a role of a conversation ("system:", a tag),
// a first word in the imperative, and a pipe into a shell. That finds the clumsy ones only; it is asked of texts that
// stand as quoted data anyway, and errs on the side of finding too many of them.
func LooksLikeInstruction(text string) bool {
	return forges(text) || orders(text, orderVerbs[:], taskVerbs[:])
}

// Hijacks says that a text puts other instructions in the place of those that an agent has. Unlike LooksLikeInstruction it lets the
// rules of a project pass.
func Hijacks(text string) bool {
	plain := wordsBetweenBlanks(strings.ToLower(asSeen(text)))
	return slices.ContainsFunc(hijackPhrases[:], func(phrase string) bool { return strings.Contains(plain, " "+phrase+" ") })
}

// wordsBetweenBlanks is the words of a text between blanks.
func wordsBetweenBlanks(lower string) string {
	return " " + strings.Join(strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
}

// forges reports whether a text hijacks, pipes into a shell or imitates a message of a role.
func forges(text string) bool {
	lower := strings.ToLower(asSeen(text))
	if Hijacks(text) || slices.ContainsFunc(orderSigns[:], func(sign string) bool { return strings.Contains(lower, sign) }) {
		return true
	}
	for line := range strings.SplitSeq(LineEnds(lower), "\n") {
		line = withoutLead(line)
		if slices.ContainsFunc(orderRoles[:], func(role string) bool { return strings.HasPrefix(line, role) }) {
			return true
		}
	}
	return false
}

// orders reports whether a text addresses an agent, or begins with one of these words.
func orders(text string, imperatives ...[]string) bool {
	lower := strings.ToLower(asSeen(text))
	plain := wordsBetweenBlanks(lower)
	if slices.ContainsFunc(orderPhrases[:], func(phrase string) bool { return strings.Contains(plain, " "+phrase+" ") }) {
		return true
	}
	for line := range strings.SplitSeq(LineEnds(lower), "\n") {
		line = withoutLead(line)
		first, _, _ := strings.Cut(strings.NewReplacer("'", "", "’", "").Replace(line), " ")
		first = strings.TrimRight(first, ",:!.")
		if slices.ContainsFunc(imperatives, func(words []string) bool { return slices.Contains(words, first) }) {
			return true
		}
	}
	return false
}

// asSeen is a text as its words are meant, however it was written or made safe to show: without invisible characters, without
// the escapes that scrub.Display writes for them, and with plain angle brackets in place of scrub.Quote's.
func asSeen(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '‹':
			return '<'
		case r == '›':
			return '>'
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	for {
		before, rest, found := strings.Cut(text, `\u{`)
		escape, after, closed := strings.Cut(rest, "}")
		if !found || !closed || len(escape) > len("10ffff") {
			return text
		}
		text = before + after
	}
}

// withoutLead is a line without what hebb or a list puts before a text: "- 2026-03-12 (web): “".
func withoutLead(line string) string {
	around := func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("<[|", r) }
	line = strings.TrimLeftFunc(line, around)
	for _, origin := range memory.Origins {
		for _, name := range []string{origin.Name(), string(origin)} {
			if rest, ok := strings.CutPrefix(line, name+"):"); ok {
				line = strings.TrimLeftFunc(rest, around)
			}
		}
	}
	return line
}

var (
	orderSigns = [...]string{
		"| sh", "|sh", "| bash", "|bash", "<|", "[inst", "<system", "</system", "<assistant", "<instruction", "</instruction", "<important",
	}
	orderRoles = [...]string{"system:", "assistant:", "user:", "human:", "developer:", "tool:", "### instruction"}
	// hijackPhrases are words that put other instructions in the place of those that an agent has. Nobody says them of a project.
	hijackPhrases = [...]string{
		"ignore previous", "ignore all previous", "ignore any previous", "ignore the previous", "ignore prior", "ignore all prior",
		"ignore the above", "ignore everything above", "ignore your", "disregard previous", "disregard all", "disregard the", "disregard your",
		"forget previous", "forget all previous", "forget your", "forget everything", "new instructions", "your instructions",
		"previous instructions", "system prompt",
	}
	orderPhrases = [...]string{
		"you are now", "you must", "you should", "you shall", "you have to", "you will now",
		"from now on", "do not tell", "don t tell", "do not mention", "without asking", "without telling", "act as", "pretend to be",
		"as an ai", "tell the user", "ask the user", "assistant must", "assistant should", "agent must", "agent should",
		"run the following", "execute the following", "run this command", "follow these", "in all future", "in future sessions",
	}
	// orderVerbs begin an order; taskVerbs begin one, or just as well a note on what is to be done.
	orderVerbs = [...]string{
		"always", "never", "ignore", "disregard", "forget", "execute", "install", "download", "send", "upload", "post",
		"please", "must", "ensure", "dont", "remember", "visit",
	}
	taskVerbs = [...]string{"run", "delete", "remove", "make", "do", "use", "add", "write", "call", "open"}
)
