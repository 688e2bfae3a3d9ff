package typed

// Edit is what is known of a change to a file that both people and agents may write.
type Edit struct {
	// Asked says that hebb opened the file in an editor for the person: in a terminal, and not where an agent runs commands.
	Asked bool
	// Reported says that an agent's session edited the file, or ran a command that names it.
	Reported bool
	// Open says that a session of an agent was open when the file was changed.
	Open bool
}

// Editor is whose a change of a file is.
type Editor string

// The editors.
const (
	ByPerson Editor = "person"
	ByAgent  Editor = "agent"
	// ByEither cannot be told: an agent may write a file through any program. It waits for the person's yes.
	ByEither Editor = "either"
)

// By says whose the change is.
func (e Edit) By() Editor {
	switch {
	case e.Asked:
		return ByPerson // who saved all of the file, whoever wrote it before
	case e.Reported:
		return ByAgent
	case e.Open:
		return ByEither
	}
	return ByPerson
}
