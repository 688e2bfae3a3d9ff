package memory

// Group is a part of all texts that is searched and ranked by itself, so that thousands of functions do not stand before one decision.
type Group string

const (
	GroupMemory   Group = "memory"   // what people and agents said, decided and noted
	GroupDocument Group = "document" // what the repository's own documents say
	GroupHistory  Group = "history"  // what was said in sessions and committed
	GroupCode     Group = "code"     // functions and types
)

// Groups lists the groups in the order in which a search shows them.
var Groups = []Group{GroupMemory, GroupDocument, GroupHistory, GroupCode}

// Title is the name of a group above its results.
func (g Group) Title() string {
	switch g {
	case GroupDocument:
		return "Documents of the repository"
	case GroupHistory:
		return "Sessions and commits"
	case GroupCode:
		return "Code"
	}
	return "Memories"
}

// Kinds of texts that are no memories.
const (
	CommitText   = "commit"   // the message of a commit
	SessionText  = "session"  // a turn of a session: what a person asked, or an agent answered
	SegmentText  = "window"   // a segment of a session, as hebb kept them until November 2026; no search shows it
	SnippetText  = "snippet"  // a function or type
	DocumentText = "document" // a section of a document of the repository
)

// OtherTexts are these kinds.
var OtherTexts = []string{CommitText, SessionText, SegmentText, SnippetText, DocumentText}

// Kinds are the kinds of texts of a group; nil for memories, which have all others.
func (g Group) Kinds() []string {
	switch g {
	case GroupDocument:
		return []string{DocumentText}
	case GroupHistory:
		return []string{CommitText, SessionText, SegmentText}
	case GroupCode:
		return []string{SnippetText}
	}
	return nil
}

// GroupOf is the group of a kind of text.
func GroupOf(kind string) Group {
	switch kind {
	case DocumentText:
		return GroupDocument
	case CommitText, SessionText, SegmentText:
		return GroupHistory
	case SnippetText:
		return GroupCode
	}
	return GroupMemory
}
