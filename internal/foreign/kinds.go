package foreign

import (
	"strings"
	"sync"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
)

// kinds are the words that tools and people use for a sort of memory, in types, categories, tags and headings.
var kinds = sync.OnceValue(func() map[string]memory.CrystalKind {
	return words(map[memory.CrystalKind]string{
		memory.Decision: "decision decisions decided adr adrs architecture design tradeoff trade-off rationale",
		memory.Lesson: `lesson lessons learning learnings learned learn bug bugs bugfix fix fixes hotfix gotcha gotchas pitfall
		pitfalls incident incidents problem solution mistake mistakes failure failures postmortem passive troubleshooting
		root-cause root_cause security_alert issue issues caveat caveats`,
		memory.Preference: `preference preferences convention conventions guideline guidelines pattern patterns style rule rules
		feedback user profile directive directives instruction instructions principle principles policy never always`,
		memory.Intention: "goal goals todo todos task tasks requirement requirements intention plan plans roadmap next",
		memory.Procedure: `procedure procedures howto how-to runbook technique method workflow workflows process command commands
		setup install installation deploy deployment build`,
		memory.Skill:        "skill skills",
		memory.Insight:      "insight insights idea ideas hypothesis reflection reflections",
		memory.Episode:      "episode session sessions session_summary journal daily diary meeting log changelog",
		memory.Relationship: "relationship relationships",
		memory.TaskPattern:  "task_pattern",
		memory.Fact:         "fact facts",
	})
})

func words(lists map[memory.CrystalKind]string) map[string]memory.CrystalKind {
	all := map[string]memory.CrystalKind{}
	for kind, list := range lists {
		for word := range strings.FieldsSeq(list) {
			all[word] = kind
		}
	}
	return all
}

// kindOf is the kind that a single word names.
func kindOf(word string) (memory.CrystalKind, bool) {
	k, ok := kinds()[strings.ToLower(strings.TrimSpace(word))]
	return k, ok
}

// kindOfHeading is the kind of what stands under a heading: the first word in it that names one.
func kindOfHeading(heading string) (memory.CrystalKind, bool) {
	words := strings.FieldsFunc(strings.ToLower(heading), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '_'
	})
	if len(words) > 1 && words[0] == "how" && words[1] == "to" {
		return memory.Procedure, true
	}
	for _, word := range words {
		if k, ok := kinds()[word]; ok {
			return k, true
		}
	}
	return "", false
}
