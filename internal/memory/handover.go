package memory

// HandOver asks an agent for the words of the person that hold beyond the task. The agent understands them better than rules do. The
// instructions that hebb installs, the start of a session and the tool all say it in these words.
const HandOver = "When the user states a rule, decision, correction, preference or fact that holds beyond this task, call `remember` with " +
	"their own words in `quote`."

// An agent that hebb itself runs to read a session has ScribeEnv set and works in a folder whose name begins with ScribeFolder. Nothing of such
// a run is recorded.
const (
	ScribeEnv    = "HEBB_SCRIBE"
	ScribeFolder = "hebb-scribe-"
)
